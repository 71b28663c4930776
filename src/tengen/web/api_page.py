"""The description of the messages, made from their classes: a page for people, AsyncAPI and OpenAPI for programs."""

from __future__ import annotations

import functools
import html as markup
import typing
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from tengen import __version__
from tengen.web import messages
from tengen.web.gate import STATUS

_INTRODUCTION = """
Open a WebSocket at <code>/ws</code> and send JSON requests; each carries an <code>id</code> of yours, which its answers
repeat. The same requests can be posted to <code>/api/ask</code>, which answers once
(<a href="/openapi.json">OpenAPI</a>). <a href="/asyncapi.json">AsyncAPI</a> describes the WebSocket for programs.
"""


def _classes(union: Any) -> list[type[BaseModel]]:
    return list(typing.get_args(typing.get_args(union)[0]))


REQUESTS = _classes(messages.AnyRequest)
ANSWERS = _classes(messages.AnyAnswer)


@functools.cache
def _schemas() -> dict[str, Any]:
    everything = [(cls, "validation") for cls in (*REQUESTS, *ANSWERS)]
    _, schema = models_json_schema(everything, ref_template="#/components/schemas/{model}")  # type: ignore[arg-type]
    schemas = typing.cast(dict[str, Any], schema["$defs"])
    for cls in (*REQUESTS, *ANSWERS):  # Python may leave the type out, which is the class's; a message may not
        schemas[cls.__name__]["required"] = ["type", *schemas[cls.__name__].get("required", ())]
    return schemas


def _ref(cls: type[BaseModel]) -> str:
    return f"#/components/schemas/{cls.__name__}"


def _one_of(classes: list[type[BaseModel]]) -> dict[str, Any]:
    """Any of several messages, which their type tells apart."""
    kinds = {cls.model_fields["type"].default: _ref(cls) for cls in classes}
    return {
        "oneOf": [{"$ref": ref} for ref in kinds.values()],
        "discriminator": {"propertyName": "type", "mapping": kinds},
    }


@functools.cache
def asyncapi() -> dict[str, Any]:
    """The WebSocket in the words of AsyncAPI 3."""

    def operation(action: str, classes: list[type[BaseModel]]) -> dict[str, Any]:
        return {
            "action": action,
            "channel": {"$ref": "#/channels/ws"},
            "messages": [{"$ref": f"#/channels/ws/messages/{cls.__name__}"} for cls in classes],
        }

    names = [cls.__name__ for cls in (*REQUESTS, *ANSWERS)]
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "Tengen", "version": __version__},
        "channels": {
            "ws": {
                "address": "/ws",
                "messages": {name: {"payload": {"$ref": f"#/components/schemas/{name}"}} for name in names},
            }
        },
        "operations": {"request": operation("receive", REQUESTS), "answer": operation("send", ANSWERS)},
        "components": {"schemas": _schemas()},
    }


@functools.cache
def openapi() -> dict[str, Any]:
    """The one path of the HTTP interface in the words of OpenAPI 3.1."""

    def content(*classes: type[BaseModel]) -> dict[str, Any]:
        return {"content": {"application/json": {"schema": _one_of(list(classes))}}}

    streamed = (messages.Hello, messages.Progress, messages.ReviewAnswer, messages.ErrorAnswer)
    answers = {"200": {"description": "The last answer", **content(*(cls for cls in ANSWERS if cls not in streamed))}}
    errors = {str(status): {"description": code, **content(messages.ErrorAnswer)} for code, status in STATUS.items()}
    operation = {
        "operationId": "ask",
        "summary": "Answers once, with the last message",
        "requestBody": {
            "required": True,
            **content(*(cls for cls in REQUESTS if cls not in messages.ONLY_ON_THE_WEBSOCKET)),
        },
        "responses": {**answers, **errors},
    }
    return {
        "openapi": "3.1.0",
        "info": {"title": "Tengen", "version": __version__},
        "paths": {"/api/ask": {"post": operation}},
        "components": {"schemas": _schemas()},
    }


@functools.cache
def html() -> str:
    """The page for people."""
    parts = [_section("Requests", REQUESTS), _section("Answers", ANSWERS)]
    others = [name for name in _schemas() if name not in {cls.__name__ for cls in (*REQUESTS, *ANSWERS)}]
    parts.append("<h2>Parts</h2>" + "".join(_entry(name) for name in others))
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Tengen: messages</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<link rel="icon" href="/icon.svg" type="image/svg+xml">'
        '<link rel="stylesheet" href="/css/base.css"><link rel="stylesheet" href="/css/api.css">'
        f'<main class="api"><h1>Messages</h1><p>{_INTRODUCTION}</p>{"".join(parts)}</main></html>'
    )


def _section(title: str, classes: list[type[BaseModel]]) -> str:
    return f"<h2>{title}</h2>" + "".join(_entry(cls.__name__) for cls in classes)


def _entry(name: str) -> str:
    schema = _schemas()[name]
    kind = schema["properties"].get("type", {}).get("const")
    title = f"<code>{markup.escape(kind)}</code>" if kind else name
    rows = "".join(
        f"<tr><td><code>{markup.escape(field)}</code></td><td>{_type(part)}</td>"
        f"<td>{markup.escape(part.get('description', ''))}</td></tr>"
        for field, part in schema["properties"].items()
        if field != "type"
    )
    text = markup.escape(schema.get("description", ""))
    return f'<section id="{name}"><h3>{title}</h3><p>{text}</p><table>{rows}</table></section>'


def _type(part: dict[str, Any]) -> str:
    """A JSON schema as a few words."""
    if "$ref" in part:
        name = part["$ref"].rpartition("/")[2]
        return f'<a href="#{name}">{name}</a>'
    for key in ("anyOf", "oneOf", "allOf"):
        if key in part:
            return " or ".join(_type(option) for option in part[key])
    if "enum" in part:
        return " | ".join(f"<code>{markup.escape(str(value))}</code>" for value in part["enum"])
    if part.get("type") == "array":
        return f"list of {_type(part.get('items', {}))}"
    bounds = [str(part[key]) for key in ("minimum", "maximum") if key in part]
    kind = str(part.get("type", "any"))
    words = {"integer": "whole number", "null": "nothing"}.get(kind, kind)
    return words + (f" {' to '.join(bounds)}" if bounds else "")
