"""Slow, obvious rules of the other games: a position is a dict from (x, y) to 1 or 2, and never changed in place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

Point: TypeAlias = tuple[int, int]
Pieces: TypeAlias = dict[Point, int]

ALL_DIRECTIONS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]
PASS = None


def has_row(pieces: Pieces, player: int, length: int) -> bool:
    return any(
        all(pieces.get((x + i * dx, y + i * dy)) == player for i in range(length))
        for (x, y) in pieces
        for dx, dy in ALL_DIRECTIONS
    )


@dataclass(frozen=True)
class RowGame:
    """m,n,k; with gravity Connect Four."""

    width: int
    height: int
    length: int
    gravity: bool = False

    def start(self) -> Pieces:
        return {}

    def winner(self, pieces: Pieces, player: int) -> int | None:
        """1 or 2, 0 for a draw, None while the game goes on."""
        for side in (1, 2):
            if has_row(pieces, side, self.length):
                return side
        return 0 if len(pieces) == self.width * self.height else None

    def moves(self, pieces: Pieces, player: int) -> list[Point | None]:
        if self.winner(pieces, player) is not None:
            return []
        return [
            (x, y)
            for y in range(self.height)
            for x in range(self.width)
            if (x, y) not in pieces and (not self.gravity or y == self.height - 1 or (x, y + 1) in pieces)
        ]

    def after(self, pieces: Pieces, move: Point | None, player: int) -> Pieces:
        assert move is not None
        return {**pieces, move: player}


class MisereGame(RowGame):
    """Who makes a row loses."""

    def winner(self, pieces: Pieces, player: int) -> int | None:
        winner = super().winner(pieces, player)
        return 3 - winner if winner else winner


@dataclass(frozen=True)
class OthelloGame:
    """Othello on a square board."""

    width: int

    @property
    def height(self) -> int:
        return self.width

    def start(self) -> Pieces:
        high = self.width // 2
        low = high - 1
        return {(high, low): 1, (low, high): 1, (low, low): 2, (high, high): 2}

    def flipped(self, pieces: Pieces, move: Point, player: int) -> list[Point]:
        found: list[Point] = []
        for dx, dy in ALL_DIRECTIONS:
            line: list[Point] = []
            x, y = move[0] + dx, move[1] + dy
            while pieces.get((x, y)) == 3 - player:
                line.append((x, y))
                x, y = x + dx, y + dy
            if pieces.get((x, y)) == player:
                found += line
        return found

    def placements(self, pieces: Pieces, player: int) -> list[Point | None]:
        points = ((x, y) for y in range(self.height) for x in range(self.width))
        return [point for point in points if point not in pieces and self.flipped(pieces, point, player)]

    def moves(self, pieces: Pieces, player: int) -> list[Point | None]:
        own = self.placements(pieces, player)
        if own or not self.placements(pieces, 3 - player):
            return own
        return [PASS]

    def winner(self, pieces: Pieces, player: int) -> int | None:
        if self.placements(pieces, 1) or self.placements(pieces, 2):
            return None
        first, second = (list(pieces.values()).count(side) for side in (1, 2))
        return 1 if first > second else 2 if second > first else 0

    def after(self, pieces: Pieces, move: Point | None, player: int) -> Pieces:
        if move is PASS:
            return pieces
        return {**pieces, **dict.fromkeys([move, *self.flipped(pieces, move, player)], player)}


def count_games(game: RowGame | OthelloGame, depth: int, pieces: Pieces | None = None, player: int = 1) -> int:
    """Number of different sequences of `depth` moves."""
    pieces = game.start() if pieces is None else pieces
    if depth == 0:
        return 1
    return sum(
        count_games(game, depth - 1, game.after(pieces, move, player), 3 - player)
        for move in game.moves(pieces, player)
    )
