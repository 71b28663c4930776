"""Pieces of the sentences that procedures speak."""

from __future__ import annotations

from collections.abc import Sequence

from tengen.board import Board, Move


def join(words: Sequence[str], last: str) -> str:
    """A list in words: "a, b and c"."""
    return f" {last} ".join(part for part in (", ".join(words[:-1]), words[-1]) if part)


def count_of(count: int, noun: str) -> str:
    """A number of things: "1 stone", "2 stones"."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def centre(board: Board) -> Move:
    """The middle point; below and right of it on even sides."""
    return Move(board.width // 2, board.height // 2)


def where(region: int | None, board: Board) -> str:
    """A region around the centre in words."""
    if region is None:
        return "anywhere"
    return f"on the centre {board.text(centre(board))}" if region == 1 else f"inside the central {region}x{region}"
