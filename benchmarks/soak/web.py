"""The web board's server: odd messages, odd requests, and a crowd."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import itertools
import json
import random
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import Any

import websockets
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from soak.mutation import mutate
from soak.part import Limit, Outcome, Part

_COMMAND = [sys.executable, "-c", "from tengen.cli import main; main()", "play", "--no-browser", "--threads", "2"]
_PATIENCE = 120.0
_GAME = {"moves": ["h8", "i9", "g9", "i7"], "rule": "renju"}
_TREE = "(;GM[4]SZ[15];B[hh];W[ii](;B[gg]C[one])(;B[jj]))"
_SEEDS = [
    json.dumps(message).encode()
    for message in (
        {"type": "state", "id": 1, "game": _GAME},
        {"type": "threats", "id": 2, "game": _GAME},
        {"type": "think", "id": 3, "level": 1, "game": _GAME},
        {"type": "think", "id": 3, "level": 4, "purpose": "hint", "game": {"moves": []}},
        {"type": "analyse", "id": 4, "game": _GAME, "playouts": 50},
        {"type": "review", "id": 5, "game": {"moves": ["h8", "i9"]}, "playouts": 5},
        {"type": "solve", "id": 6, "game": _GAME},
        {"type": "import", "id": 7, "text": _TREE},
        {"type": "export", "id": 8, "game": _GAME, "format": "sgf"},
        {"type": "stop", "id": 4, "discard": True},
        {"type": "watch", "id": 9, "run": "hour"},
        {"type": "opening", "id": 10, "procedure": "swap2", "size": 15, "computer": "none", "answers": []},
    )
]
_PROBE = 424242


class _Server:
    """A server in a process of its own, which must leave in good order without a word on its error stream."""

    def __init__(self) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  # until `close`
        self.process = subprocess.Popen(
            [*_COMMAND, "--port", str(self.port)], stdout=subprocess.DEVNULL, stderr=self._errors
        )
        end = time.monotonic() + _PATIENCE
        while time.monotonic() < end:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port)):
                return
            time.sleep(0.05)
        raise TimeoutError("the server does not start")

    def close(self, outcome: Outcome) -> None:
        if self.process.poll() is not None:
            outcome.fail(f"the server has left with code {self.process.returncode}")
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            outcome.fail("the server does not leave")
            self.process.kill()
        self._errors.seek(0)
        complaints = self._errors.read().decode("utf-8", "replace")
        if "Traceback" in complaints or "rror" in complaints:
            outcome.fail(f"on the error stream: {complaints[-400:]}")


@contextlib.contextmanager
def _server(outcome: Outcome) -> Iterator[_Server]:
    server = _Server()
    try:
        yield server
    finally:
        server.close(outcome)


# -- odd messages


def _odd_messages(chance: random.Random, limit: Limit) -> Outcome:
    outcome = Outcome()
    with _server(outcome) as server:
        while limit.allows(outcome):
            with (
                contextlib.suppress(ConnectionClosed),
                connect(f"ws://127.0.0.1:{server.port}/ws", max_size=None) as page,
            ):
                page.recv(_PATIENCE)
                _talk(page, chance, limit, outcome)
    return outcome


def _talk(page: ClientConnection, chance: random.Random, limit: Limit, outcome: Outcome) -> None:
    """Some batches of odd messages on one page, and after each a sound one, which must be answered."""
    for _ in range(50):
        batch = [mutate(chance, chance.choice(_SEEDS), _SEEDS) for _ in range(40)]
        outcome.tried += len(batch)
        for data in batch:
            page.send(data, text=_is_text(data) and chance.random() < 0.8)
        for number in range(1, 11):  # what takes a place among the searches of the page gives it back
            page.send(json.dumps({"type": "stop", "id": number, "discard": True}))
        page.send(json.dumps({"type": "state", "id": _PROBE, "game": _GAME}))
        try:
            while True:
                answer = json.loads(page.recv(_PATIENCE))
                if answer.get("code") == "internal":
                    outcome.fail(f"{answer['message']} to one of {batch!r}")
                if answer["id"] == _PROBE:
                    break
        except TimeoutError:
            outcome.fail(f"no answer after {batch!r}")
            return
        if answer["type"] != "state" or not limit.allows(outcome):
            return


def _is_text(data: bytes) -> bool:
    with contextlib.suppress(UnicodeDecodeError):
        return bool(data.decode() or True)
    return False


# -- odd requests

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


def _odd_requests(chance: random.Random, limit: Limit) -> Outcome:
    outcome = Outcome()
    statuses: dict[str, int] = {}
    with _server(outcome) as server:
        while limit.allows(outcome):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", server.port), 5) as connection:
                status = _request(connection, chance, outcome)
                statuses[status] = statuses.get(status, 0) + 1
            if outcome.tried % 500 == 0:
                _check_alive(server.port, outcome)
    outcome.figures = {f"status_{name}": count for name, count in sorted(statuses.items())}
    return outcome


def _request(connection: socket.socket, chance: random.Random, outcome: Outcome) -> str:
    """Sends an odd request and returns the status; a request that never ends has none."""
    outcome.tried += 1
    body = mutate(chance, chance.choice(_SEEDS), _SEEDS)
    headers = [
        b"Host: 127.0.0.1",
        b"Content-Length: %d" % len(body),
        *chance.sample(_HEADERS, chance.choice((0, 0, 0, 1, 3))),
    ]
    path = mutate(chance, chance.choice(_PATHS), _PATHS) if chance.random() < 0.3 else chance.choice(_PATHS)
    method = chance.choice(_METHODS) if chance.random() < 0.5 else "POST"
    head = b"\r\n".join([method.encode() + b" " + path + b" HTTP/1.1", *headers])
    if chance.random() < 0.2:
        head = mutate(chance, head, [*_PATHS, *_HEADERS])
    connection.sendall(head + b"\r\n\r\n" + body)
    if chance.random() < 0.1:  # who has left while it is answered
        connection.shutdown(socket.SHUT_WR)
    data = connection.recv(1 << 16)
    status = data[9:12].decode("latin-1") if data.startswith(b"HTTP/1.1 ") else "none"
    if status.startswith("5") and status not in ("501", "503", "505"):
        outcome.fail(f"{data[:200]!r} to {head!r} {body!r}")
    return status


def _check_alive(port: int, outcome: Outcome) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_PATIENCE)
    connection.request("POST", "/api/ask", json.dumps({"type": "state", "id": 1, "game": _GAME}))
    if connection.getresponse().status != 200:
        outcome.fail("a sound request is not answered")
    connection.close()


# -- a crowd

_SOCKETS, _GAMES, _ANALYSES = 1000, 100, 20
_COMPUTERS = 8


class _Crowd:
    """Pages that wait, pages that play, pages that analyse."""

    def __init__(self, url: str, level: int, limit: Limit, outcome: Outcome) -> None:
        self._url = url
        self._level = level
        self._limit = limit
        self._outcome = outcome
        self.moves: list[float] = []
        self.states: list[float] = []

    async def run(self) -> None:
        people: list[Callable[[Any], Any]] = [self._play] * _GAMES + [self._analyse] * _ANALYSES
        people += [self._wait] * (_SOCKETS - len(people))
        await asyncio.gather(*(self._visit(person, number) for number, person in enumerate(people)))

    async def _visit(self, person: Callable[[Any], Any], number: int) -> None:
        await asyncio.sleep(0.002 * number)
        computer = f"127.0.0.{1 + number % _COMPUTERS}"  # one may not have them all
        options: dict[str, Any] = {"open_timeout": 60, "ping_timeout": None, "max_size": None}
        try:
            async with websockets.connect(self._url, local_addr=(computer, 0), **options) as page:
                await page.recv()
                await person(page)
        except (OSError, ConnectionClosed, TimeoutError, asyncio.TimeoutError) as error:
            self._outcome.fail(f"{person.__name__}: {type(error).__name__}: {error}")

    async def _answer(self, page: Any, message: dict[str, Any], last: str) -> tuple[dict[str, Any], float]:
        asked = time.perf_counter()
        await page.send(json.dumps(message))
        while True:
            answer: dict[str, Any] = json.loads(await asyncio.wait_for(page.recv(), _PATIENCE))
            if answer["type"] == "error":
                self._outcome.fail(f"{message['type']}: {answer['message']}")
            if answer["type"] in (last, "error"):
                return answer, time.perf_counter() - asked

    async def _play(self, page: Any) -> None:
        game = ["h8"]
        for number in itertools.count(1):  # as pages count their questions
            if not self._limit.seconds_left:
                return
            answer, seconds = await self._answer(
                page, {"type": "think", "id": number, "level": self._level, "game": {"moves": game}}, "move"
            )
            if answer["type"] == "error":
                return
            self.moves.append(seconds)
            self._outcome.tried += 1
            game.append(answer["move"])
            if answer["state"]["result"]:
                game = ["h8"]
            await asyncio.sleep(1)  # a person thinks too

    async def _analyse(self, page: Any) -> None:
        await page.send(json.dumps({"type": "analyse", "id": 1, "game": _GAME}))
        while self._limit.seconds_left:
            with contextlib.suppress(TimeoutError, asyncio.TimeoutError):
                answer = json.loads(await asyncio.wait_for(page.recv(), min(_PATIENCE, self._limit.seconds_left + 0.1)))
                if answer["type"] == "error":
                    self._outcome.fail(f"analyse: {answer['message']}")
                if answer.get("done"):  # its memory is full, or it is solved
                    await page.send(json.dumps({"type": "analyse", "id": 1, "game": _GAME}))

    async def _wait(self, page: Any) -> None:
        while self._limit.seconds_left:
            _, seconds = await self._answer(page, {"type": "state", "id": 1, "game": _GAME}, "state")
            self.states.append(seconds)
            await asyncio.sleep(min(20.0, self._limit.seconds_left))


def _crowd(chance: random.Random, limit: Limit) -> Outcome:
    outcome = Outcome()
    server = _Server()
    crowd = _Crowd(f"ws://127.0.0.1:{server.port}/ws", 5, limit, outcome)
    try:
        asyncio.run(crowd.run())
    finally:
        server.close(outcome)
    for name, seconds in (("move", crowd.moves), ("state", crowd.states)):
        if seconds:
            seconds.sort()
            outcome.figures[f"{name}_median_s"] = round(statistics.median(seconds), 3)
            outcome.figures[f"{name}_99_s"] = round(seconds[int(0.99 * len(seconds))], 3)
            outcome.figures[f"{name}_slowest_s"] = round(seconds[-1], 3)
    return outcome


PARTS = (
    Part(
        "sockets",
        "Whatever a page says on its WebSocket, the server lives and answers it, and never with an internal error",
        "messages",
        1_000_000,
        _odd_messages,
    ),
    Part(
        "http",
        "Whatever comes over HTTP, the server lives and never answers with status 500",
        "requests",
        1_000_000,
        _odd_requests,
    ),
    Part(
        "crowd",
        f"{_SOCKETS:,} sockets with {_GAMES} games at level 5 and {_ANALYSES} analyses: all are answered",
        "moves",
        30_000,
        _crowd,
        alone=True,
    ),
)
