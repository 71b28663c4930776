"""What all learning networks share: the optimiser, the average that plays, and the state on disk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from tengen.train.params import LearnParams, at


@dataclass(frozen=True)
class StepLosses:
    """Mean losses of a step: the policy's cross-entropy in nats, and the value's."""

    policy: float
    value: float


class TorchLearner:
    """A network in training. The moving average of its weights is what plays.

    Attributes:
        model: The weights that learn.
        average: The weights that play.
        steps: Taken so far.
    """

    def __init__(self, params: LearnParams, model: torch.nn.Module, average: torch.nn.Module) -> None:
        self._params = params
        self.model = model
        self.average = average
        self.average.load_state_dict(self.model.state_dict())
        self._optimizer = torch.optim.Adam(
            self.model.parameters(), lr=at(params.learning_rate, 0.0), betas=(0.9, params.beta2), weight_decay=params.l2
        )
        self.steps = 0

    def _begin_step(self, progress: float) -> None:
        for group in self._optimizer.param_groups:
            group["lr"] = at(self._params.learning_rate, progress)
        self._optimizer.zero_grad(set_to_none=True)

    def _end_step(self, loss: torch.Tensor, progress: float) -> None:
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self._params.gradient_clip)
        self._optimizer.step()
        self._constrain()
        self._follow(at(self._params.average_rate, progress))
        self.steps += 1

    def _constrain(self) -> None:
        """What must hold for the weights after a step."""

    @torch.no_grad()
    def _follow(self, rate: float) -> None:
        """Moves the average towards the model; quickly at first, when old weights are worth nothing.

        The normalisation is averaged with the weights: beside the newest statistics the average of the weights is
        another network, and a bad one (policy loss 4.0 instead of 2.1 while the learning rate was high).
        """
        rate = max(rate, 1 / (1 + self.steps))
        for average, newest in zip(self.average.parameters(), self.model.parameters(), strict=True):
            average.lerp_(newest, rate)
        for average, newest in zip(self.average.buffers(), self.model.buffers(), strict=True):
            if average.is_floating_point():
                average.lerp_(newest, rate)
            else:
                average.copy_(newest)

    def state(self) -> dict[str, NDArray[Any]]:
        """Everything that is needed to go on, as arrays by name."""
        state: dict[str, NDArray[Any]] = {"steps": np.array([self.steps], np.int64)}
        for prefix, net in (("model", self.model), ("average", self.average)):
            for name, tensor in net.state_dict().items():
                state[f"{prefix}.{name}"] = _to_array(tensor)
        for index, slots in self._optimizer.state_dict()["state"].items():
            for name, tensor in slots.items():
                state[f"optimizer.{index}.{name}"] = _to_array(tensor)
        return state

    def start_from(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Takes over what another run has learned: its network is this one's beginning."""
        self.load_state(state)

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


def _to_array(tensor: torch.Tensor) -> NDArray[Any]:
    array: NDArray[Any] = np.atleast_1d(tensor.detach().cpu().numpy().copy())
    return array
