"""The first steps of the documents' presets, against the formulas written out in numpy."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

pytest.importorskip("torch")

import torch

from tengen import core
from tengen.train.params import load_preset
from tengen.train.residual_learner import ResidualLearner

Floats = NDArray[np.float64]

#: The constant of ||theta||^2 in the documents' loss.
C = 1e-4
#: The learning rate of the first step.
RATES = {"s0": 1e-2, "s1": 1e-3, "s2": 1e-3, "s3": 1e-3, "s4": 1e-3, "agz": 1e-2, "az": 1e-2}


def a_batch(learner: ResidualLearner, size: int) -> dict[str, NDArray[np.float32]]:
    """Positions of one short game, the same for every network."""
    moves = [size * 4 + column for column in (4, 5, 3, 6, 2, 1)]
    samples = [(ply, 0.0, [(moves[ply], 3), (0, 1)]) for ply in range(len(moves))]
    buffer = core.SampleBuffer(100)
    buffer.add(core.write_game(core.Rule.freestyle, 5, size, size, 0, 1, moves, samples))
    return learner.draw(buffer, 3, seed=1)


def losses(learner: ResidualLearner, batch: dict[str, NDArray[np.float32]]) -> tuple[Floats, Floats]:
    """-pi log p and (z - v)^2 of each position, from what the network answers."""
    with torch.no_grad():
        answer = learner.model(torch.from_numpy(batch["planes"]))
    logits, values = (tensor.numpy().astype(np.float64) for tensor in answer)
    chances = np.exp(logits - logits.max(1, keepdims=True))
    chances /= chances.sum(1, keepdims=True)
    policy = -(batch["policy"] * np.log(chances)).sum(1)
    return policy, (batch["value"] - values) ** 2


def gradients(learner: ResidualLearner, batch: dict[str, NDArray[np.float32]]) -> dict[str, Floats]:
    """Of the documents' whole loss, (z - v)^2 - pi^T log p + c ||theta||^2."""
    logits, values = learner.model(torch.from_numpy(batch["planes"]))
    policy, value = (torch.from_numpy(batch[name]) for name in ("policy", "value"))
    loss = ((value - values) ** 2).mean() - (policy * torch.log_softmax(logits, 1)).sum(1).mean()
    loss = loss + C * sum((parameter**2).sum() for parameter in learner.model.parameters())
    named = dict(learner.model.named_parameters())
    found = torch.autograd.grad(loss, list(named.values()))
    return {name: gradient.numpy().astype(np.float64) for name, gradient in zip(named, found, strict=True)}


def adam(gradient: Floats, memory: dict[str, Any], rate: float, step: int) -> Floats:
    """What Adam adds to the weights (Kingma and Ba 2014)."""
    memory["mean"] = 0.9 * memory.get("mean", 0.0) + 0.1 * gradient
    memory["square"] = 0.999 * memory.get("square", 0.0) + 0.001 * gradient**2
    mean, square = memory["mean"] / (1 - 0.9**step), memory["square"] / (1 - 0.999**step)
    return np.asarray(-rate * mean / (np.sqrt(square) + 1e-8))


def sgd(gradient: Floats, memory: dict[str, Any], rate: float, step: int) -> Floats:
    """What gradient descent with momentum adds."""
    memory["velocity"] = 0.9 * memory.get("velocity", 0.0) + gradient
    return np.asarray(-rate * memory["velocity"])


@pytest.mark.parametrize("name", ["s0", "s1", "s2", "s3", "s4", "agz"])
def test_two_steps_are_those_of_the_formulas(name: str) -> None:
    params = load_preset(name)
    if name == "agz":
        params = replace(params, learn=replace(params.learn, blocks=1))  # 19 would take longer than all the others
    learner = ResidualLearner(params)
    learner.model.train()
    batch = a_batch(learner, params.selfplay.sizes[0])
    rule = sgd if name == "agz" else adam
    memories: dict[str, dict[str, Any]] = {parameter: {} for parameter, _ in learner.model.named_parameters()}
    for step in (1, 2):
        before = {key: tensor.detach().numpy().copy() for key, tensor in learner.model.named_parameters()}
        policy, value = losses(learner, batch)
        slopes = gradients(learner, batch)
        learner.rate = RATES[name]
        told = learner.step(batch, progress=0.0)
        assert told.policy == pytest.approx(policy.mean(), abs=1e-4)
        assert told.value == pytest.approx(value.mean(), abs=1e-4)
        assert told.total == pytest.approx(policy.mean() + value.mean(), abs=1e-4)
        for key, tensor in learner.model.named_parameters():
            expected = before[key] + rule(slopes[key], memories[key], RATES[name], step)
            # Adam's first steps have the size of the rate whatever the gradient, so a rounded sign may be another.
            close = np.isclose(tensor.detach().numpy(), expected, atol=0.02 * RATES[name])
            assert close.mean() > 0.99, f"{key} in step {step}"


@pytest.mark.parametrize("name", RATES)
def test_the_rate_of_the_first_step(name: str) -> None:
    """As a run would choose it at its beginning."""
    learn = load_preset(name).learn
    by_count = learn.rate_by_length or learn.rate_by_steps
    learning_rate = learn.learning_rate
    first = by_count[0][1] if by_count else learning_rate if isinstance(learning_rate, float) else learning_rate[0][1]
    assert first == RATES[name]
    assert learn.l2 == 2 * C
    assert learn.average_rate == 1.0, "the newest weights play"
