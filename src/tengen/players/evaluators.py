"""What judges positions where nobody names a network."""

from __future__ import annotations

from tengen import core
from tengen.board import Board


def best_evaluator(board: Board) -> core.Evaluator:
    """The strongest evaluator at hand for the board's rule and size."""
    return core.ExpertEvaluator()
