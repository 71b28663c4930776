"""The network that learns: steps of gradient descent, the average that plays, and its state on disk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from tengen import core
from tengen.board import Color
from tengen.nets.fused import fused_loss
from tengen.nets.line import LineConfig, LineNet, to_arrays
from tengen.nets.line_batch import BatchEncoder, LineBatch, Positions, condition
from tengen.train.params import LearnParams, at


@dataclass(frozen=True)
class StepLosses:
    """Mean cross-entropies of a step, in nats."""

    policy: float
    value: float


class LineLearner:
    """A line network in training. The moving average of its weights is what plays."""

    def __init__(self, params: LearnParams, seed: int) -> None:
        torch.manual_seed(seed)
        torch.set_num_threads(1)  # self-play keeps the other cores busy; more threads only wait for each other
        self._params = params
        config = LineConfig(radius=params.radius, channels=params.channels)
        self.model = LineNet(config)
        self.average = LineNet(config)
        self.average.load_state_dict(self.model.state_dict())
        self._encoder = BatchEncoder(params.radius)
        self._optimizer = torch.optim.Adam(
            self.model.parameters(), lr=at(params.learning_rate, 0.0), betas=(0.9, params.beta2), weight_decay=params.l2
        )
        self.steps = 0

    def step(self, groups: list[dict[str, Any]], progress: float) -> StepLosses:
        """One step on positions as `core.SampleBuffer.sample` gives them."""
        for group in self._optimizer.param_groups:
            group["lr"] = at(self._params.learning_rate, progress)
        batch = self._encode(groups)
        self._optimizer.zero_grad(set_to_none=True)
        loss, policy, value = fused_loss(self.model, batch, self._params.value_weight)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self._params.gradient_clip)
        self._optimizer.step()
        self.model.clip_weights()
        self._follow(at(self._params.average_rate, progress))
        self.steps += 1
        return StepLosses(policy, value)

    @torch.no_grad()
    def _follow(self, rate: float) -> None:
        """Moves the average towards the model; quickly at first, when old weights are worth nothing."""
        rate = max(rate, 1 / (1 + self.steps))
        for average, newest in zip(self.average.parameters(), self.model.parameters(), strict=True):
            average.lerp_(newest, rate)
        for average, newest in zip(self.average.buffers(), self.model.buffers(), strict=True):
            average.copy_(newest)

    def _encode(self, groups: list[dict[str, Any]]) -> LineBatch:
        return self._encoder.encode([_positions(group) for group in groups])

    def arrays(self) -> dict[str, NDArray[np.float32]]:
        """The average's weights as they are shipped and played."""
        return to_arrays(self.average)

    def evaluator(self) -> core.Evaluator:
        """The average as it plays."""
        config = self.model.config
        return core.NetworkEvaluator(core.LineNetwork(config.radius, config.channels, self.arrays()))

    def state(self) -> dict[str, NDArray[Any]]:
        """Everything that is needed to go on, as arrays by name."""
        state: dict[str, NDArray[Any]] = {"steps": np.array([self.steps], np.int64)}
        for prefix, net in (("model", self.model), ("average", self.average)):
            for name, tensor in net.state_dict().items():
                state[f"{prefix}.{name}"] = np.atleast_1d(tensor.detach().numpy().copy())
        for index, slots in self._optimizer.state_dict()["state"].items():
            for name, tensor in slots.items():
                state[f"optimizer.{index}.{name}"] = np.atleast_1d(tensor.detach().numpy().copy())
        return state

    def load_state(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Goes on from what `state` gave."""
        self.steps = int(state["steps"][0])
        for prefix, net in (("model", self.model), ("average", self.average)):
            net.load_state_dict(
                {
                    name: torch.from_numpy(state[f"{prefix}.{name}"].copy()).reshape(tensor.shape)
                    for name, tensor in net.state_dict().items()
                }
            )
        slots: dict[int, dict[str, torch.Tensor]] = {}
        for key, array in state.items():
            if key.startswith("optimizer."):
                _, index, name = key.split(".")
                slots.setdefault(int(index), {})[name] = torch.from_numpy(array.copy())
        parameters = list(self.model.parameters())
        for number, slot in slots.items():
            for name in slot:
                slot[name] = slot[name].reshape(() if name == "step" else parameters[number].shape)
        self._optimizer.load_state_dict({**self._optimizer.state_dict(), "state": slots})


_CONDITIONS = np.array(
    [[condition(rule.name, color) for color in (Color.BLACK, Color.WHITE)] for rule in core.Rule], np.uint8
)


def _positions(group: dict[str, Any]) -> Positions:
    return Positions(
        width=group["width"],
        height=group["height"],
        stones=group["stones"],
        conditions=_CONDITIONS[group["rules"], group["turns"]],
        policy=group["policy"],
        outcome=group["outcome"],
    )
