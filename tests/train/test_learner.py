"""What plays is the average of what learns, with a normalisation that fits it."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from test_selfplay import play_games

from tengen import core
from tengen.train.learner import LineLearner
from tengen.train.params import LearnParams


@pytest.fixture(scope="module")
def buffer() -> core.SampleBuffer:
    games = core.SampleBuffer(100_000)
    games.add(play_games(rules=("freestyle",), sizes=(9,), gumbel_moves=8))
    return games


def test_the_normalisation_is_averaged_with_the_weights(buffer: core.SampleBuffer) -> None:
    """Beside the newest statistics they are another network: a high learning rate moves both."""
    learner = LineLearner(LearnParams(radius=4, channels=32, batch=32, learning_rate=4e-3, average_rate=0.1), seed=1)
    expected = {name: array.clone() for name, array in learner.model.state_dict().items()}
    for step in range(30):
        learner.step(learner.draw(buffer, 32, step), 0.0)
        for name, newest in learner.model.state_dict().items():
            rate = max(0.1, 1 / (1 + step)) if newest.is_floating_point() else 1
            expected[name] = expected[name] + rate * (newest - expected[name])
    for name, averaged in learner.average.state_dict().items():
        torch.testing.assert_close(averaged, expected[name], rtol=1e-4, atol=1e-5)


def _learner(optimizer: Any) -> LineLearner:
    params = LearnParams(radius=4, channels=32, batch=32, learning_rate=4e-3, optimizer=optimizer)
    return LineLearner(params, seed=1)


@pytest.mark.parametrize("optimizer", ["muon", "adam"])
def test_a_learner_goes_on_from_its_state_as_if_nothing_had_happened(buffer: core.SampleBuffer, optimizer: str) -> None:
    first, second = _learner(optimizer), _learner(optimizer)
    for step in range(5):
        first.step(first.draw(buffer, 32, step), 0.0)
    second.load_state(first.state())
    for learner in (first, second):
        for step in range(5, 10):
            learner.step(learner.draw(buffer, 32, step), 0.0)
    for name, array in first.state().items():
        assert (second.state()[name] == array).all(), name


def test_what_another_optimizer_remembered_is_forgotten(buffer: core.SampleBuffer) -> None:
    """So that a run which began with Adam can go on with Muon."""
    old, new = _learner("adam"), _learner("muon")
    old.step(old.draw(buffer, 32, 0), 0.0)
    new.load_state(old.state())
    slots = {name.split(".")[2] for name in new.state() if name.startswith("optimizer.")}
    assert slots == {"step", "exp_avg", "exp_avg_sq"}  # of what Adam moves in both
    new.step(new.draw(buffer, 32, 1), 0.0)
    assert any(name.endswith("momentum_buffer") for name in new.state())
