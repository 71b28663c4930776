"""What a player sees before it thinks, for those whose own way of judging knows no shapes."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from pydantic import Field

from tengen.board import Board, Move, Shape
from tengen.players.player import Thoughts

Sight: TypeAlias = Annotated[bool, Field(description="Whether it looks for fives and open fours before it thinks.")]


def obvious_move(board: Board) -> tuple[Move, Thoughts] | None:
    """A five; otherwise what stops the enemy's five; otherwise a four that cannot be stopped. None if there is none."""
    own, enemy = board.shapes(board.turn), board.shapes(board.turn.other)
    for shapes, wanted, value in (
        (own, Shape.FIVE, 1.0),
        (enemy, Shape.FIVE, None),
        (own, Shape.OPEN_FOUR, 1.0),
    ):
        for move, made in shapes.items():
            if wanted in made and board.is_legal(move):
                return move, Thoughts(value=value, pv=(move,))
    return None
