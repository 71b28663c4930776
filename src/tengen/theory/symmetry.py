"""Positions up to symmetry, fast enough for every point of a board at a time."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from tengen.board import SYMMETRIES, Board, Move

Stones: TypeAlias = tuple[tuple[int, int], ...]
"""Cells and their colours, 0 for black."""
Key: TypeAlias = tuple[int, ...]
"""The same for positions that are the same after a rotation or reflection."""


@functools.cache
def images(size: int) -> tuple[tuple[int, ...], ...]:
    """Where each cell goes by each of the symmetries."""
    board = Board(size=size)
    points = [Move(cell % size, cell // size) for cell in range(size * size)]
    moved = [[board.transform_move(point, symmetry) for point in points] for symmetry in SYMMETRIES]
    return tuple(tuple(move.y * size + move.x for move in row) for row in moved)


def stones_of(moves: Sequence[Move], size: int) -> Stones:
    """The stones of a game."""
    return tuple((move.y * size + move.x, ply % 2) for ply, move in enumerate(moves))


def key(stones: Iterable[tuple[int, int]], size: int) -> Key:
    """The key of a position."""
    return oriented(stones, size)[0]


def keys_after(stones: Stones, cells: Iterable[int], color: int, size: int) -> dict[int, Key]:
    """The keys of the positions after one more stone on each of some cells."""
    boards = [(image, sorted(2 * image[cell] + c for cell, c in stones)) for image in images(size)]
    return {cell: min(tuple(sorted((*board, 2 * image[cell] + color))) for image, board in boards) for cell in cells}


def oriented(stones: Iterable[tuple[int, int]], size: int) -> tuple[Key, int]:
    """The key of a position, and the symmetry that leads to it."""
    listed = list(stones)
    return min(
        (tuple(sorted(2 * image[cell] + color for cell, color in listed)), symmetry)
        for symmetry, image in enumerate(images(size))
    )
