"""What judges positions where nobody names a network."""

from __future__ import annotations

import functools
from pathlib import Path

from tengen import core
from tengen.board import Board
from tengen.errors import ModelFileError
from tengen.nets import default
from tengen.nets.loading import load_evaluator


def best_evaluator(board: Board) -> core.Evaluator:
    """The shipped network for the board's rule and size, or the expert evaluation where there is none."""
    network = _network_for(board.rule, max(board.width, board.height))
    return core.ExpertEvaluator() if network is None else load_evaluator(network)


@functools.cache
def _network_for(rule: str, size: int) -> Path | None:
    try:
        return default.find(rule, size)
    except ModelFileError:
        return None
