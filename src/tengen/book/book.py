"""The book: every position of the first moves of many games, up to symmetry."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from tengen.board import Board, Color, Move
from tengen.book.games import PLIES, SIZE, PlayedGame, read
from tengen.theory.symmetry import Key, key, stones_of

SHIPPED = Path(__file__).with_name("shipped")


@dataclass
class Tally:
    """How the games ended that came through a position."""

    black: int = 0
    white: int = 0
    draws: int = 0

    @property
    def games(self) -> int:
        """How many there were."""
        return self.black + self.white + self.draws

    def add(self, winner: Color | None) -> None:
        """Counts a game."""
        self.black += winner == Color.BLACK
        self.white += winner == Color.WHITE
        self.draws += winner is None


@dataclass
class Reply:
    """Moves that are the same by symmetry, and the games that went on with one of them."""

    tally: Tally
    moves: list[Move] = field(default_factory=list)


class Book:
    """Positions of games. Key methods: `at` and `replies`."""

    def __init__(self, games: Iterable[PlayedGame]) -> None:
        self._tallies: dict[Key, Tally] = {}
        self.games = 0
        for game in games:
            self.games += 1
            stones = stones_of(game.moves, SIZE)
            for ply in range(len(stones) + 1):
                self._tallies.setdefault(key(stones[:ply], SIZE), Tally()).add(game.winner)

    def at(self, board: Board) -> Tally:
        """The games that came to a position, by whatever order of moves."""
        if board.width != SIZE or board.height != SIZE or board.ply > PLIES:
            return Tally()
        return self._tallies.get(key(stones_of(board.moves, SIZE), SIZE), Tally())

    def replies(self, board: Board) -> list[Reply]:
        """The moves that were played next, the most frequent first."""
        if not self.at(board).games or board.ply >= PLIES or board.is_over:
            return []
        stones, color = stones_of(board.moves, SIZE), board.ply % 2
        found: dict[Key, Reply] = {}
        for move in board.legal_moves:
            after = key((*stones, (move.y * SIZE + move.x, color)), SIZE)
            if (tally := self._tallies.get(after)) is not None:
                found.setdefault(after, Reply(tally)).moves.append(move)
        return sorted(found.values(), key=lambda reply: -reply.tally.games)


@functools.cache
def shipped_book(rule: str) -> Book:
    """The book that comes with the package; an empty one for a rule that has none."""
    path = SHIPPED / f"{rule}.txt"
    return Book(read(path) if path.exists() else ())
