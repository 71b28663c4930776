"""What plays is the average of what learns, with a normalisation that fits it."""

from __future__ import annotations

import torch
from test_selfplay import play_games

from tengen import core
from tengen.train.learner import LineLearner
from tengen.train.params import LearnParams


def test_the_normalisation_is_averaged_with_the_weights() -> None:
    """Beside the newest statistics they are another network: a high learning rate moves both."""
    buffer = core.SampleBuffer(100_000)
    buffer.add(play_games(rules=("freestyle",), sizes=(9,), gumbel_moves=8))
    learner = LineLearner(LearnParams(radius=4, channels=32, batch=32, learning_rate=4e-3, average_rate=0.1), seed=1)
    expected = {name: array.clone() for name, array in learner.model.state_dict().items()}
    for step in range(30):
        learner.step(learner.draw(buffer, 32, step), 0.0)
        for name, newest in learner.model.state_dict().items():
            rate = max(0.1, 1 / (1 + step)) if newest.is_floating_point() else 1
            expected[name] = expected[name] + rate * (newest - expected[name])
    for name, averaged in learner.average.state_dict().items():
        torch.testing.assert_close(averaged, expected[name], rtol=1e-4, atol=1e-5)
