"""Random positions for the tests of the line network."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from tengen import core
from tengen.board import Color
from tengen.nets.line_batch import Positions, condition

torch.set_num_threads(1)  # threads that wait for each other on a busy machine make tiny batches slow

RULES = ("freestyle", "standard", "renju", "caro")


def new_board(width: int, height: int, rule: str, radius: int) -> core.Board:
    return core.Board(width, height, getattr(core.Rule, rule), 5, radius)


def random_board(
    rng: np.random.Generator, width: int, height: int, rule: str, radius: int, plies: int | None = None
) -> core.Board:
    board = new_board(width, height, rule, radius)
    for _ in range(int(rng.integers(0, min(50, width * height // 2))) if plies is None else plies):
        board.play(int(rng.choice(board.candidates())))
    return board


def stones(board: core.Board, cells: int) -> NDArray[np.uint8]:
    """As the side to move sees them."""
    seen = np.zeros(cells, np.uint8)
    seen[board.stones(board.turn)] = 1
    seen[board.stones(1 - board.turn)] = 2
    return seen


def to_positions(
    boards: Sequence[core.Board], width: int, height: int, rules: Sequence[str], rng: np.random.Generator
) -> Positions:
    """Boards of one size with random targets."""
    seen = np.stack([stones(board, width * height) for board in boards])
    conditions = [condition(rule, Color(board.turn)) for board, rule in zip(boards, rules, strict=True)]
    policy = rng.random(seen.shape) ** 4 * core.mark_candidates(seen, width, height)
    outcome = rng.random((len(boards), 3))
    return Positions(
        width,
        height,
        seen,
        np.array(conditions, np.uint8),
        (policy / policy.sum(1, keepdims=True)).astype(np.float32),
        (outcome / outcome.sum(1, keepdims=True)).astype(np.float32),
    )


def random_positions(
    rng: np.random.Generator, width: int, height: int, radius: int, count: int
) -> tuple[list[core.Board], Positions]:
    rules = [RULES[i % 4] if radius == 5 else "freestyle" for i in range(count)]
    boards = [random_board(rng, width, height, rule, radius) for rule in rules]
    return boards, to_positions(boards, width, height, rules, rng)
