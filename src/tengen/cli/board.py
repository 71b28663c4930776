"""`tengen board`: draw a position."""

from __future__ import annotations

from rich.console import Console

from tengen.board import Board, OnForbidden, RuleName
from tengen.parameters import Side
from tengen.terminal import describe, draw


def board(
    *moves: str,
    size: Side = 15,
    rule: RuleName = "freestyle",
    width: Side | None = None,
    height: Side | None = None,
    n_in_row: int = 5,
    on_forbidden: OnForbidden = "refuse",
) -> None:
    """Draw a position with its coordinates, last move and forbidden points.

    Args:
        moves: The moves, like h8 i9 h9.
        size: Points on each side.
        rule: The rule of the game.
        width: Columns, if not size.
        height: Rows, if not size.
        n_in_row: Length of the winning row.
        on_forbidden: What a forbidden move of black does in renju.
    """
    position = Board.from_moves(
        " ".join(moves), size=size, rule=rule, width=width, height=height, n_in_row=n_in_row, on_forbidden=on_forbidden
    )
    console = Console(highlight=False)
    console.print(draw(position))
    console.print(describe(position))
    forbidden = position.forbidden_points()
    if forbidden:
        console.print("forbidden for black: " + " ".join(position.text(point) for point in forbidden))
