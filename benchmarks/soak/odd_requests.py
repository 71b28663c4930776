"""Whatever comes over HTTP, the server lives: heads and bodies that something has happened to, many at a time."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
from collections import Counter

from soak.mutation import mutate
from soak.part import Limit, Outcome, Part
from soak.server import GAME, MESSAGES, PATIENCE, running

_AT_ONCE = 16
_MOMENT = 0.2
"""Seconds after which a client that is not answered leaves: its request may lack an end, or take a search."""
_METHODS = ("GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "get", "X" * 100)
_PATHS = (b"/", b"/api/ask", b"/openapi.json", b"/asyncapi.json", b"/api", b"/app.js", b"/../etc/passwd", b"/ws", b"*")
_HEADERS = (
    b"Content-Type: application/json",
    b"Content-Length: -1",
    b"Content-Length: 99999999999",
    b"Transfer-Encoding: chunked",
    b"Origin: http://[",
    b"Origin: http://127.0.0.1",
    b"Host: [::1",
    b"Host: evil.example",
    b"Upgrade: websocket",
    b"Connection: Upgrade",
    b"Expect: 100-continue",
    b"Range: bytes=9-1",
    b"If-None-Match: *",
)


def _run(chance: random.Random, limit: Limit) -> Outcome:
    outcome = Outcome()
    statuses: Counter[str] = Counter()
    with running(outcome) as server:

        async def clients() -> None:
            await asyncio.gather(*(_client(server.port, chance, limit, outcome, statuses) for _ in range(_AT_ONCE)))

        while limit.allows(outcome):
            asyncio.run(clients())
            asyncio.run(_check_alive(server.port, outcome))
    outcome.figures = {f"status_{name}": count for name, count in sorted(statuses.items())}
    return outcome


async def _client(port: int, chance: random.Random, limit: Limit, outcome: Outcome, statuses: Counter[str]) -> None:
    """Some odd requests, one after the other."""
    for _ in range(50):
        if not limit.allows(outcome):
            return
        outcome.tried += 1
        request = _request(chance)
        try:
            answer = await _ask(port, request, _MOMENT)
        except TimeoutError:
            outcome.fail(f"the server does not hang up after {request!r}")
            continue
        status = answer[9:12].decode("latin-1") if answer.startswith(b"HTTP/1.1 ") else "none"
        statuses[status] += 1
        if status.startswith("5") and status not in ("501", "503", "505"):
            outcome.fail(f"{answer[:200]!r} to {request!r}")


def _request(chance: random.Random) -> bytes:
    body = mutate(chance, chance.choice(MESSAGES), MESSAGES) if chance.random() < 0.7 else chance.choice(MESSAGES)
    headers = [
        b"Host: 127.0.0.1",
        b"Content-Length: %d" % len(body),
        *chance.sample(_HEADERS, chance.choice((0, 0, 0, 1, 3))),
    ]
    path = b"/api/ask"
    if chance.random() < 0.4:
        path = mutate(chance, chance.choice(_PATHS), _PATHS) if chance.random() < 0.3 else chance.choice(_PATHS)
    method = chance.choice(_METHODS) if chance.random() < 0.3 else "POST"
    head = b"\r\n".join([method.encode() + b" " + path + b" HTTP/1.1", *headers])
    if chance.random() < 0.2:
        head = mutate(chance, head, [*_PATHS, *_HEADERS])
    return head + b"\r\n\r\n" + body


async def _ask(port: int, request: bytes, patience: float) -> bytes:
    """The beginning of the answer; nothing if there is none until the client leaves."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(request)
        try:
            return await asyncio.wait_for(reader.read(1 << 16), patience)
        except asyncio.TimeoutError:
            writer.write_eof()
            return await asyncio.wait_for(reader.read(1 << 16), PATIENCE)
    except OSError:
        return b""
    finally:
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()


async def _check_alive(port: int, outcome: Outcome) -> None:
    body = json.dumps({"type": "state", "id": 1, "game": GAME}).encode()
    head = b"POST /api/ask HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: %d\r\n\r\n" % len(body)
    if not (await _ask(port, head + body, PATIENCE)).startswith(b"HTTP/1.1 200"):
        outcome.fail("a sound request is not answered")


PARTS = (
    Part(
        "http",
        "Whatever comes over HTTP, the server lives and never answers with status 500",
        "requests",
        200_000,
        _run,
    ),
)
