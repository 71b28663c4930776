"""Specs: the line of text that names a player and its parameters, the same everywhere in Tengen.

    kind                                  random
    kind:key=value,key=value              alphabeta:depth=6,vct=8
    kind:key="a value, with commas"       net:model="my nets/a,b.tengen",playouts=400
    engine:COMMAND                        engine:pbrain-other --fast
    engine:key=value,COMMAND              engine:time=0.5,pbrain-other --fast

A value may be put in double or single quotes; inside them, the quote is written twice. Some kinds (engine) take the
rest of the text as it stands.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic.fields import FieldInfo

from tengen.errors import SetupError
from tengen.parameters import Parameters, Spec, allowed, did_you_mean, fields_of, plain_type
from tengen.players.player import Player

_ITEM = re.compile(
    r"""\s*(?P<key>[A-Za-z_][\w-]*)\s*=\s*
        (?:"(?P<double>(?:[^"]|"")*)"|'(?P<single>(?:[^']|'')*)'|(?P<plain>[^,"'][^,]*|))
        \s*(?P<end>,|$)""",
    re.VERBOSE | re.ASCII,
)


_WORDS: Mapping[str, bool] = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


@dataclass(frozen=True)
class Key:
    """A parameter as a spec gives it."""

    name: str
    field: FieldInfo
    spec: Spec

    @property
    def help(self) -> str:
        """What it means and what is allowed, in sentences for people."""
        also = f" Also called {self.spec.also}." if self.spec.also else ""
        return f"{self.field.description} Allowed: {allowed(self.field)}.{also}"

    @property
    def default(self) -> str:
        """The default for a table."""
        if self.spec.shown is not None or self.field.is_required():
            return self.spec.shown or "required"
        return "none" if self.field.default is None else str(self.field.default).lower()

    def read(self, text: str) -> Any:
        """The value that a spec gives as text; the text itself if it is none, for the parameters to refuse."""
        kind = plain_type(self.field.annotation)
        if kind is int and re.fullmatch(r"[+-]?[0-9]{1,20}", text):
            return int(text)
        if kind is bool:
            return _WORDS.get(text.lower(), text)
        if kind is float:
            try:
                return float(text)
            except ValueError:
                return text
        return text


def keys_of(parameters: type[Parameters]) -> Mapping[str, Key]:
    """The keys of a kind of player, its own before those of the search that it is built on."""
    keys = {}
    for name, field in fields_of(parameters).items():
        spec = next((item for item in field.metadata if isinstance(item, Spec)), Spec())
        if not spec.hidden:
            keys[name] = Key(name, field, spec)
    return keys


@dataclass(frozen=True)
class Kind:
    """One kind of player.

    Attributes:
        name: The first word of its specs.
        summary: A sentence for people.
        parameters: The class of its keys.
        build: Makes the player from its parameters, its name and a seed (None: a different game every time).
        network: The file of the network that it plays with by a rule on a size, if any; the key `model` names it
            unless the kind knows better.
        wraps: Whether the verbatim key is the spec of another player, which all other keys are for.
    """

    name: str
    summary: str
    parameters: type[Parameters]
    build: Callable[[Any, str, int | None], Player]
    network: Callable[[Any, str, int], Path | None] = lambda parameters, rule, size: named_network(parameters)
    wraps: bool = False

    def fingerprint(self, parameters: Parameters, rule: str, size: int) -> str | None:
        """The checksum of the network that a player uses, or None without one: two matches are only the same with it.

        A file that is missing has none: that is for the player itself to say.
        """
        try:
            path = self.network(parameters, rule, size)
            return None if path is None else hashlib.sha256(path.read_bytes()).hexdigest()
        except OSError:
            return None


def named_network(parameters: Parameters) -> Path | None:
    """The network file that the key `model` names."""
    model = getattr(parameters, "model", "")
    return Path(model).expanduser() if model else None


def find_kind(name: str, kinds: Mapping[str, Kind]) -> Kind:
    """The kind of that name; SetupError lists those that exist."""
    name = name.strip()
    if name not in kinds:
        raise SetupError(f'there is no player "{name}"{did_you_mean(name, kinds)}; the players are {", ".join(kinds)}')
    return kinds[name]


def read_spec(spec: str, kinds: Mapping[str, Kind]) -> tuple[Kind, Parameters]:
    """The kind and the checked parameters that a spec asks for; SetupError says what is wrong with it."""
    name, colon, rest = spec.strip().partition(":")
    kind = find_kind(name, kinds)
    try:
        return kind, _read_parameters(kind, rest, given=bool(colon))
    except SetupError as error:
        raise SetupError(f'player "{spec.strip()}": {error}') from None


def find_key(spec: str, name: str, kinds: Mapping[str, Kind]) -> Key:
    """The key of that name of the player that a spec asks for; SetupError if it has none."""
    spec = _innermost(spec, kinds)
    kind, _ = read_spec(spec, kinds)
    keys = keys_of(kind.parameters)
    if name not in keys:
        raise SetupError(f'player "{spec}": {kind.name} has no key "{name}"{did_you_mean(name, keys)}{_its_keys(keys)}')
    return keys[name]


def insert_keys(spec: str, values: Mapping[str, object], kinds: Mapping[str, Kind]) -> str:
    """The spec with more keys before its own; whether their values are allowed is for who reads it."""
    inner = _innermost(spec, kinds)
    for key in values:
        find_key(inner, key, kinds)
    name, _, rest = inner.partition(":")
    items = ",".join(f"{key}={value}" for key, value in values.items())
    return spec.strip().removesuffix(inner) + (f"{name}:{items},{rest}" if rest else f"{name}:{items}")


def _innermost(spec: str, kinds: Mapping[str, Kind]) -> str:
    """The spec itself, or that of the player which it wraps."""
    kind, parameters = read_spec(spec, kinds)
    if not kind.wraps:
        return spec.strip()
    inner = next(getattr(parameters, key.name) for key in keys_of(kind.parameters).values() if key.spec.verbatim)
    return _innermost(inner, kinds)


def _read_parameters(kind: Kind, rest: str, given: bool) -> Parameters:
    keys = keys_of(kind.parameters)
    names = {**keys, **{key.spec.also: key for key in keys.values() if key.spec.also}}
    verbatim = next((key for key in keys.values() if key.spec.verbatim), None)
    items, rest = _split(rest, names, stop_at_text=verbatim is not None)
    if verbatim is not None:
        _refuse_late_keys(rest, names, verbatim)
        items.append((verbatim.name, rest.strip()))
    elif given and not items:
        raise SetupError(f"after the colon comes key=value{_its_keys(keys)}")
    values: dict[str, Any] = {}
    for name, text in items:
        if name not in names:
            raise SetupError(f'{kind.name} has no key "{name}"{did_you_mean(name, keys)}{_its_keys(keys)}')
        key = names[name]
        if key.name in values:
            raise SetupError(f"{key.name} is given twice")
        values[key.name] = key.read(text)
    for key in keys.values():
        if key.field.is_required() and values.get(key.name) in (None, ""):
            raise SetupError(f"{kind.name} needs {'' if key.spec.verbatim else key.name + '='}{key.name.upper()}")
    return kind.parameters(**values)


def _split(text: str, keys: Mapping[str, Key], stop_at_text: bool) -> tuple[list[tuple[str, str]], str]:
    """The leading key=value items and the text after them, which is empty unless `stop_at_text`."""
    items: list[tuple[str, str]] = []
    end = ","
    while text.strip() or (items and end == "," and not stop_at_text):
        item = _ITEM.match(text)
        if stop_at_text and (item is None or item["key"] not in keys or not item["end"]):
            break
        if item is None:
            raise SetupError(f'"{text.strip()}" is not key=value; put a value with commas in quotes')
        items.append((item["key"], _value(item)))
        text, end = text[item.end() :], item["end"]
    return items, text


def _refuse_late_keys(text: str, keys: Mapping[str, Key], verbatim: Key) -> None:
    """SetupError if the rest of a spec ends in a key of the kind: it would become part of the command, unnoticed."""
    late = re.search(r",\s*(\w+)\s*=[^,]*$", text)
    if late and late[1] in keys:
        raise SetupError(f"{late[1]}= comes before the {verbatim.name}, not after it")


def _value(item: re.Match[str]) -> str:
    if item["double"] is not None:
        return item["double"].replace('""', '"')
    if item["single"] is not None:
        return item["single"].replace("''", "'")
    return item["plain"].strip()


def _its_keys(keys: Mapping[str, Key]) -> str:
    return f"; its keys are {', '.join(keys)}" if keys else "; it has no keys"
