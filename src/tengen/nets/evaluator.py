"""What every batch evaluator of a convolutional network offers, whatever runs it."""

from __future__ import annotations

from typing import Protocol

from tengen.nets.planes import Floats
from tengen.nets.presets import ResidualConfig


class BatchEvaluator(Protocol):
    """Evaluates a batch of encoded positions.

    Attributes:
        config: The network's shape: board size and plane encoding.
    """

    config: ResidualConfig

    def __call__(self, planes: Floats) -> tuple[Floats, Floats]:
        """Evaluates planes [batch, planes, height, width], float32.

        Returns:
            Policy logits [batch, height * width], legal or not, and values [batch] from -1 (the side to move loses) to
            1 (it wins), both float32.
        """
        ...
