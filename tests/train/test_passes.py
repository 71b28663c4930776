"""A batch in parts gives what it gives as a whole, to rounding."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tengen import core
from tengen.train.learner import LineLearner
from tengen.train.params import LearnParams
from tengen.train.passes import PartMaker, combine, split


@pytest.fixture(scope="module")
def buffer() -> core.SampleBuffer:
    """Random games on two sizes of board."""
    chance = np.random.default_rng(1)
    buffer = core.SampleBuffer(10_000)
    for side in (7, 9) * 20:
        moves = [int(cell) for cell in chance.permutation(side * side)[:12]]
        samples = [(ply, float(chance.uniform(-1, 1)), [(moves[ply], 3), (moves[-1], 1)]) for ply in range(0, 11)]
        buffer.add(core.write_game(core.Rule.freestyle, 5, side, side, 0, 1, moves, samples))
    return buffer


def in_parts(count: int) -> Any:
    maker = PartMaker()
    return lambda groups, *rest: combine([maker.make(part, *rest) for part in split(groups, count)])


@pytest.mark.parametrize("parts", [2, 3, 7])
def test_learning_in_parts_is_learning(buffer: core.SampleBuffer, parts: int) -> None:
    # Plain steps: Muon and Adam make much of the last digit of a small gradient, with one process as with many.
    params = LearnParams(radius=4, channels=32, optimizer="sgd", learning_rate=0.02)
    whole, shared = LineLearner(params, seed=1), LineLearner(params, seed=1)
    shared.compute = in_parts(parts)
    for seed in range(5):
        groups = buffer.sample(64, 0.7, seed)
        one, other = whole.step(groups, 0.1), shared.step(groups, 0.1)
        assert other.policy == pytest.approx(one.policy, rel=1e-5)
        assert other.value == pytest.approx(one.value, rel=1e-5)
    for name, array in whole.arrays().items():
        np.testing.assert_allclose(shared.arrays()[name], array, atol=1e-5, err_msg=name)


def test_a_batch_may_have_fewer_positions_than_parts(buffer: core.SampleBuffer) -> None:
    groups = buffer.sample(2, 0.7, seed=1)
    assert sum(len(group["rules"]) for part in split(groups, 5) for group in part) == 2
