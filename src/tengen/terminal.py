"""Drawing a board in a terminal."""

from __future__ import annotations

from collections.abc import Mapping

from rich.text import Text

from tengen.board import Board, Color, Move
from tengen.games import AnyBoard

BLACK_STONE, WHITE_STONE, EMPTY, STAR, FORBIDDEN = "●", "○", "·", "+", "✕"


def draw(board: AnyBoard, labels: Mapping[Move, str] | None = None) -> Text:
    """The position as coloured text, with coordinates, the last move in brackets, the winning row and forbidden points.

    Args:
        board: The position.
        labels: Text of at most two characters to write instead of a point, such as the number of a move.
    """
    labels = labels or {}
    outcome = board.outcome()
    emphasised = set(outcome.line if outcome else ())
    forbidden = set(board.forbidden_points()) if isinstance(board, Board) else set()
    stars = board.star_points if isinstance(board, Board) else set()
    text = Text(no_wrap=True)
    for y in range(board.height):
        text.append(f"{board.height - y:2d}", style="dim")
        for x in range(board.width):
            point = Move(x, y)
            left, right = (" ", "")
            if point == board.last_move:
                left, right = "[", "]"
            elif x > 0 and Move(x - 1, y) == board.last_move:
                left = ""
            symbol, style = _symbol(board, point, stars, forbidden)
            if point in labels:
                symbol, style = labels[point], "bold yellow"
                left = "" if len(symbol) > 1 else left
            text.append(left, style="bold yellow" if left == "[" else "")
            text.append(symbol, style=f"{style} reverse" if point in emphasised else style)
            text.append(right, style="bold yellow")
        text.append("\n")
    text.append("   " + " ".join(chr(ord("a") + x) for x in range(board.width)), style="dim")
    return text


def _symbol(board: AnyBoard, point: Move, stars: set[Move], forbidden: set[Move]) -> tuple[str, str]:
    stone = board.piece_at(point)
    if stone is Color.BLACK:
        return BLACK_STONE, "bold cyan"
    if stone is Color.WHITE:
        return WHITE_STONE, "bold magenta"
    if point in forbidden:
        return FORBIDDEN, "red"
    return (STAR if point in stars else EMPTY), "dim"


def describe(board: AnyBoard) -> str:
    """One line about the position: who is to move or how it ended, and the last move."""
    outcome = board.outcome()
    state = f"{board.turn} to move" if outcome is None else str(outcome)
    last = f", last move {board.text(board.last_move)}" if board.last_move else ""
    return f"{board.width}x{board.height} {board.rule}, {board.ply} moves{last}: {state}"
