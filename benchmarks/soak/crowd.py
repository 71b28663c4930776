"""A crowd before the web board: pages that wait, pages that play, pages that analyse."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import random
import statistics
import time
from collections.abc import Callable
from typing import Any

import websockets
from websockets.exceptions import ConnectionClosed

from soak.part import Limit, Outcome, Part
from soak.server import GAME, PATIENCE, Server

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
            answer: dict[str, Any] = json.loads(await asyncio.wait_for(page.recv(), PATIENCE))
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
        await page.send(json.dumps({"type": "analyse", "id": 1, "game": GAME}))
        while self._limit.seconds_left:
            with contextlib.suppress(TimeoutError, asyncio.TimeoutError):
                answer = json.loads(await asyncio.wait_for(page.recv(), min(PATIENCE, self._limit.seconds_left + 0.1)))
                if answer["type"] == "error":
                    self._outcome.fail(f"analyse: {answer['message']}")
                if answer.get("done"):  # its memory is full, or it is solved
                    await page.send(json.dumps({"type": "analyse", "id": 1, "game": GAME}))

    async def _wait(self, page: Any) -> None:
        while self._limit.seconds_left:
            _, seconds = await self._answer(page, {"type": "state", "id": 1, "game": GAME}, "state")
            self.states.append(seconds)
            await asyncio.sleep(min(20.0, self._limit.seconds_left))


def _run(chance: random.Random, limit: Limit) -> Outcome:
    outcome = Outcome()
    server = Server()
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
        "crowd",
        f"{_SOCKETS:,} sockets with {_GAMES} games at level 5 and {_ANALYSES} analyses: all are answered",
        "moves",
        30_000,
        _run,
        alone=True,
    ),
)
