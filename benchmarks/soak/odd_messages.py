"""Whatever a page says on its WebSocket, the server lives."""

from __future__ import annotations

import contextlib
import json
import random

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from soak.mutation import mutate
from soak.part import Limit, Outcome, Part
from soak.server import GAME, MESSAGES, PATIENCE, running

_PROBE = 424242


def _run(chance: random.Random, limit: Limit) -> Outcome:
    outcome = Outcome()
    with running(outcome) as server:
        while limit.allows(outcome):
            with (
                contextlib.suppress(ConnectionClosed),
                connect(f"ws://127.0.0.1:{server.port}/ws", max_size=None) as page,
            ):
                page.recv(PATIENCE)
                _talk(page, chance, limit, outcome)
    return outcome


def _talk(page: ClientConnection, chance: random.Random, limit: Limit, outcome: Outcome) -> None:
    """Some batches of odd messages on one page, and after each a sound one, which must be answered."""
    for _ in range(50):
        batch = [mutate(chance, chance.choice(MESSAGES), MESSAGES) for _ in range(40)]
        outcome.tried += len(batch)
        for data in batch:
            page.send(data, text=_is_text(data) and chance.random() < 0.8)
        for number in range(1, 11):  # what takes a place among the searches of the page gives it back
            page.send(json.dumps({"type": "stop", "id": number, "discard": True}))
        page.send(json.dumps({"type": "state", "id": _PROBE, "game": GAME}))
        try:
            while True:
                answer = json.loads(page.recv(PATIENCE))
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


PARTS = (
    Part(
        "sockets",
        "Whatever a page says on its WebSocket, the server lives and answers it, and never with an internal error",
        "messages",
        800_000,
        _run,
    ),
)
