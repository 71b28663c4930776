"""What judges positions where nobody names a network."""

from __future__ import annotations

import functools
from pathlib import Path

from tengen import core
from tengen.board import Board
from tengen.errors import NoNetworkError
from tengen.nets import default
from tengen.nets.loading import load_evaluator


def default_evaluator(rule: str, size: int) -> core.Evaluator:
    """The shipped network, or the expert evaluation where there is none.

    Args:
        rule: "freestyle", "standard", "renju" or "caro".
        size: Points on the longer side of the board.
    """
    network = network_for(rule, size)
    if network is None:
        return core.ExpertEvaluator()
    evaluator: core.Evaluator = load_evaluator(network)
    return evaluator


def best_evaluator(board: Board) -> core.Evaluator:
    """The same for a board. The networks know five in a row only."""
    if board.n_in_row != 5:
        return core.ExpertEvaluator()
    return default_evaluator(board.rule, max(board.width, board.height))


@functools.cache
def network_for(rule: str, size: int) -> Path | None:
    """The shipped network for a rule and a size, or None."""
    try:
        return default.find(rule, size)
    except NoNetworkError:
        return None
