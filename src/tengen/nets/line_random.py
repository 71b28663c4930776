"""A line network with random weights, without torch: for benchmarks and for tests of whatever needs a network."""

from __future__ import annotations

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from tengen import core

_HIDDEN = 64  # of the window MLP, which play does not see
_UNITS = 32


def random_arrays(radius: int = 5, channels: int = 64, seed: int = 1) -> dict[str, NDArray[np.float32]]:
    """The arrays of a network as it is before training, by name; see docs/network.md."""
    rng = np.random.default_rng(seed)
    inputs = 3 * (2 * radius + 1) + core.LINE_CONDITIONS

    def matrix(rows: int, columns: int, deviation: float) -> NDArray[np.float32]:
        # Uniform, not normal: the same numbers whatever the machine's mathematical library.
        return ((2 * rng.random((rows, columns)) - 1) * (deviation * sqrt(3))).astype(np.float32)

    half = channels // 2
    return {
        "window.0.weight": matrix(inputs, _HIDDEN, sqrt(2 / 5)),
        "window.0.bias": matrix(1, _HIDDEN, 0.05)[0],
        "window.1.weight": matrix(_HIDDEN, _HIDDEN, sqrt(2 / _HIDDEN)),
        "window.1.bias": matrix(1, _HIDDEN, 0.05)[0],
        "window.2.weight": matrix(_HIDDEN, channels, sqrt(0.25 / _HIDDEN)),
        "window.2.bias": np.full(channels, 0.1, np.float32),
        "depthwise": np.stack([0.7 + matrix(1, half, 0.2)[0], *matrix(2, half, 0.12), np.zeros(half, np.float32)]),
        "policy.cell.weight": matrix(channels, _UNITS, 1 / sqrt(channels)),
        "policy.cell.bias": np.full(_UNITS, 0.1, np.float32),
        "policy.pool.weight": matrix(channels, _UNITS, 0.1 / sqrt(channels)),
        "policy.output.weight": matrix(1, _UNITS, 0.1)[0],
        "policy.output.pool": matrix(channels, _UNITS, 0.01 / sqrt(channels)),
        "value.0.weight": matrix(channels + _UNITS, _UNITS, 0.3 / sqrt(channels)),
        "value.0.bias": np.zeros(_UNITS, np.float32),
        "value.1.weight": matrix(_UNITS, _UNITS, 1 / sqrt(_UNITS)),
        "value.1.bias": np.zeros(_UNITS, np.float32),
        "value.2.weight": matrix(_UNITS, 3, 0.2),
        "value.2.bias": np.zeros(3, np.float32),
    }


def random_network(radius: int = 5, channels: int = 64, seed: int = 1) -> core.LineNetwork:
    """Such a network, ready to play (badly)."""
    return core.LineNetwork(radius, channels, _HIDDEN, random_arrays(radius, channels, seed))
