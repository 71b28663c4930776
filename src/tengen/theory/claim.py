"""What is to be proven, and how positions are written."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias, get_args

from tengen.board import Board, Color, Move
from tengen.errors import InputError, SetupError

#: A stone of one colour can spoil a row of the other only by standing in it: what the referee relies on.
RuleName: TypeAlias = Literal["freestyle", "standard"]
RULES: tuple[RuleName, ...] = get_args(RuleName)

Stones = tuple[list[int], list[int]]

_POINT = re.compile(r"[a-v][1-9][0-9]?")


@dataclass(frozen=True)
class Claim:
    """That one side wins from a position.

    Attributes:
        moves: The moves that lead to the position, like "h8 i9 i7".
        winner: Who wins.
        rule: "freestyle" or "standard".
        size: Points on each side.
    """

    moves: str
    winner: Color = Color.BLACK
    rule: str = "freestyle"
    size: int = 15

    def __post_init__(self) -> None:
        if self.rule not in RULES:
            raise SetupError(f'proofs know the rules {" and ".join(RULES)}, not "{self.rule}"')
        if (outcome := self.board.outcome()) is not None:
            raise InputError(f"there is nothing to prove: the game is over, {outcome}")

    @cached_property
    def board(self) -> Board:
        """The position."""
        return Board.from_moves(self.moves, size=self.size, rule=self.rule)

    @property
    def only_move(self) -> Move | None:
        """The winner's last move, if the other side is to move; the proof then begins before it."""
        if self.board.turn == self.winner:
            return None
        if self.board.last_move is None:
            raise InputError("white cannot be proven to win before black has moved; give a first move")
        return self.board.last_move

    @property
    def root(self) -> Board:
        """The position with the winner to move at which a proof begins."""
        root = self.board.copy()
        if self.only_move is not None:
            root.pop()
        return root

    def cell(self, point: str) -> int:
        """A point as a number."""
        move = self.board.parse_move(point)
        return move.y * self.size + move.x

    def point(self, cell: int) -> str:
        """A number as a point."""
        return Move(cell % self.size, cell // self.size).text(self.size)

    def write_cells(self, cells: Iterable[int]) -> str:
        """Points one behind the other, like "h8i7"."""
        return "".join(map(self.point, cells))

    def read_cells(self, text: str) -> list[int]:
        """The reverse.

        Raises:
            InputError: The text is something else, or a point is off the board.
        """
        points = _POINT.findall(text)
        if "".join(points) != text:
            raise InputError(f'"{text}" is not a list of points')
        return [self.cell(point) for point in points]

    def write_position(self, stones: Iterable[list[int]]) -> str:
        """Black's stones, then white's, like "h8i7/i9g7"."""
        return "/".join(map(self.write_cells, stones))

    def read_position(self, text: str) -> Stones:
        """The reverse.

        Raises:
            InputError: That is not a position with the winner to move.
        """
        colors = text.split("/")
        if len(colors) != len(Color):
            raise InputError(f"\"{text}\" is not a position: write black's stones, a slash, and white's")
        black, white = map(self.read_cells, colors)
        if len(black) - len(white) != self.winner:
            raise InputError(f'in the position "{text}" {self.winner} is not to move')
        if len({*black, *white}) != len(black) + len(white):
            raise InputError(f'in the position "{text}" a point has two stones')
        return black, white
