"""Players that do what a test needs."""

from __future__ import annotations

import threading
from collections.abc import Iterable

from tengen.board import Board, Color, Move
from tengen.players import Player


class ScriptedPlayer(Player):
    """Plays the given points in order; None makes it fail."""

    def __init__(self, moves: Iterable[str | None], name: str = "scripted") -> None:
        super().__init__(name)
        self._moves = iter(moves)

    def _think(self, board: Board) -> Move:
        text = next(self._moves)
        if text is None:
            raise RuntimeError("out of order")
        return Move.parse(text, board.height)


class FirstPointPlayer(Player):
    """Plays the first legal point.

    With `illegal_as` it plays the same corner again and again when it has that colour; it waits for `wait_for`.
    """

    def __init__(self, name: str, illegal_as: Color | None = None, wait_for: threading.Event | None = None) -> None:
        super().__init__(name)
        self._illegal_as = illegal_as
        self._wait_for = wait_for

    def _think(self, board: Board) -> Move:
        if self._wait_for is not None:
            assert self._wait_for.wait(timeout=60)
        return Move(0, 0) if board.turn == self._illegal_as else board.legal_moves[0]


class SleepyPlayer(Player):
    """Thinks until it is told to stop."""

    def __init__(self, name: str, thinking: threading.Event) -> None:
        super().__init__(name)
        self._thinking = thinking
        self._stopped = threading.Event()
        self.closed = False

    def _think(self, board: Board) -> Move:
        self._thinking.set()
        assert self._stopped.wait(timeout=60)
        return board.legal_moves[0]

    def stop(self) -> None:
        self._stopped.set()

    def close(self) -> None:
        self.closed = True
