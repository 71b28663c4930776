"""How long one message holds the event loop of the web board, in which every other page waits.

The server runs in a thread of this process, and the CPU time of each callback of its loop is taken: what other threads
and other programs do meanwhile does not count. A virtual machine that is held up by its host counts that as CPU time,
though, so a question that took long is asked again: one that holds the loop does so each time. A control, a fixed piece
of work in a thread of its own, shows what the machine adds.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import http.client
import json
import random
import threading
import time
from collections.abc import Iterator
from typing import Any

from websockets.sync.client import ClientConnection, connect

from soak.part import Limit, Outcome, Part
from soak.server import MESSAGES, PATIENCE
from tengen.web import limits
from tengen.web.app import create_app
from tengen.web.server import Server, listen

_LONGEST = 0.002
_TRIES = 3
_POINTS = [a + b for a in "abcdefghijklmno" for b in "abcdefghijklmno"]
_MANY_MOVES = "(;GM[4]SZ[15]" + "".join(f"(;B[{point}])" for point in _POINTS) * 20 + ")"
_LARGE = [
    {"type": "import", "id": 11, "text": _MANY_MOVES},
    {"type": "import", "id": 12, "text": f"(;GM[4]C[{'x' * (limits.MAX_RECORD_BYTES - 100)}];B[hh])"},
    {"type": "state", "id": 13, "game": {"size": 20, "moves": ["h8"] * limits.MAX_MOVES}},
    {"type": "nonsense", "id": 14, "text": "x" * (limits.MAX_MESSAGE_BYTES // 4)},
]
_QUESTIONS: list[dict[str, Any]] = [*map(json.loads, MESSAGES), *_LARGE]


class _Watch:
    """The longest callback of any event loop since the last question."""

    def __init__(self) -> None:
        self.longest = 0.0

    @contextlib.contextmanager
    def on(self) -> Iterator[None]:
        handles: Any = asyncio.Handle
        run = handles._run

        def timed(handle: asyncio.Handle) -> None:
            began = time.thread_time()
            run(handle)
            self.longest = max(self.longest, time.thread_time() - began)

        handles._run = timed
        try:
            yield
        finally:
            handles._run = run


class _Collections:
    """How long a collection of garbage has held up all threads."""

    def __init__(self) -> None:
        self.longest = 0.0
        self._began = 0.0

    def __call__(self, phase: str, _: dict[str, int]) -> None:
        if phase == "start":
            self._began = time.thread_time()
        else:
            self.longest = max(self.longest, time.thread_time() - self._began)

    @contextlib.contextmanager
    def on(self) -> Iterator[None]:
        gc.callbacks.append(self)
        try:
            yield
        finally:
            gc.callbacks.remove(self)


class _Control:
    """A fixed piece of work, again and again: the same each time, but for what the machine adds."""

    def __init__(self) -> None:
        self.tried = self.slow = 0
        self.longest = 0.0
        self._over = threading.Event()

    @contextlib.contextmanager
    def on(self) -> Iterator[None]:
        thread = threading.Thread(target=self._work)
        thread.start()
        try:
            yield
        finally:
            self._over.set()
            thread.join()

    def _work(self) -> None:
        while not self._over.wait(0.01):
            began = time.thread_time()
            sum(range(20_000))
            seconds = time.thread_time() - began
            self.tried += 1
            self.slow += seconds > _LONGEST
            self.longest = max(self.longest, seconds)


@contextlib.contextmanager
def _server() -> Iterator[int]:
    """A server in a thread; its port."""
    server = Server(create_app(threads=1))
    with listen("127.0.0.1", 0) as listener:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            server.answers.wait(PATIENCE)
            yield listener.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join()


def _run(chance: random.Random, limit: Limit) -> Outcome:
    outcome = Outcome()
    watch, collections, control = _Watch(), _Collections(), _Control()
    longest: dict[str, float] = {}
    again = 0
    with watch.on(), _server() as port, connect(f"ws://127.0.0.1:{port}/ws", max_size=None) as page:
        page.recv(PATIENCE)
        for question in _QUESTIONS:  # what is loaded once is loaded by then
            _ask(page, port, question, over_http=True)
            _ask(page, port, question, over_http=False)
        with collections.on(), control.on():
            while limit.allows(outcome):
                question, over_http = chance.choice(_QUESTIONS), chance.random() < 0.3
                seconds = _held(watch, page, port, question, over_http)
                for _ in range(_TRIES - 1):
                    if seconds > _LONGEST:
                        again += 1
                        seconds = min(seconds, _held(watch, page, port, question, over_http))
                outcome.tried += 1
                kind = question["type"]
                longest[kind] = max(longest.get(kind, 0.0), seconds)
                if seconds > _LONGEST:
                    way = "HTTP" if over_http else "the WebSocket"
                    outcome.fail(f"{1000 * seconds:.1f} ms for {kind} over {way}, {_TRIES} times in a row")
    outcome.figures = {f"{kind}_ms": round(1000 * seconds, 2) for kind, seconds in sorted(longest.items())}
    outcome.figures |= {
        "asked_again": again,
        "control_tried": control.tried,
        "control_slow": control.slow,
        "control_slowest_ms": round(1000 * control.longest, 2),
        "longest_collection_ms": round(1000 * collections.longest, 2),
    }
    return outcome


def _held(watch: _Watch, page: ClientConnection, port: int, question: dict[str, Any], over_http: bool) -> float:
    """How long a question held the event loop at most, in seconds."""
    watch.longest = 0.0
    _ask(page, port, question, over_http)
    return watch.longest


def _ask(page: ClientConnection, port: int, question: dict[str, Any], over_http: bool) -> None:
    """Asks, and waits until all is answered; questions that a stop answers are followed by one that is."""
    if over_http:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        connection.request("POST", "/api/ask", json.dumps(question))
        connection.getresponse().read()
        connection.close()
        return
    page.send(json.dumps(question))
    if question["type"] == "stop":
        page.send(json.dumps({"type": "state", "id": question["id"], "game": {"moves": []}}))
    while True:
        answer = json.loads(page.recv(PATIENCE))
        on_the_way = answer["type"] == "progress" or (question["type"] == "think" and answer["type"] == "state")
        if not on_the_way and answer.get("done", True):
            return


PARTS = (
    Part(
        "fairness",
        f"No message takes more than {1000 * _LONGEST:.0f} ms of CPU time in the event loop, where all pages wait",
        "messages",
        10_000,
        _run,
        alone=True,
    ),
)
