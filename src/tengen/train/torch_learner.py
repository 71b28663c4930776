"""What all learning networks share: the optimiser, the average that plays, and the state on disk."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from tengen.errors import SetupError
from tengen.train.params import LearnParams, at


@dataclass(frozen=True)
class StepLosses:
    """Mean losses of a step: the policy's cross-entropy in nats, the value's, and their weighted sum."""

    policy: float
    value: float
    total: float


class TorchLearner:
    """A network in training. The moving average of its weights is what plays.

    Attributes:
        model: The weights that learn.
        average: The weights that play.
        steps: Taken so far.
        rate: The learning rate, where something else than the run's progress decides on it.
        compute: Makes the passes of a line network over its batches (`tengen.nets.fused.Compute`), if others help.
    """

    def __init__(self, params: LearnParams, model: torch.nn.Module, average: torch.nn.Module) -> None:
        self._params = params
        self.model = model
        self.average = average
        self.average.load_state_dict(self.model.state_dict())
        self._optimizers = self._make_optimizers()
        self.steps = 0
        self.rate: float | None = None
        self.compute: Any = None

    def _matrices(self) -> list[torch.nn.Parameter]:
        """The parameters that Muon may move: matrices, each seen as one linear map."""
        return []

    def _make_optimizers(self) -> list[torch.optim.Optimizer]:
        """Muon for matrices, if the run wants it, and Adam for everything else, in steps of the same size; or SGD."""
        params, rate = self._params, at(self._params.learning_rate, 0.0)
        if params.optimizer == "sgd":
            return [torch.optim.SGD(self.model.parameters(), rate, momentum=0.9, weight_decay=params.l2)]
        optimizers: list[torch.optim.Optimizer] = []
        matrices = self._matrices() if params.optimizer == "muon" else []
        if matrices:
            optimizers.append(torch.optim.Muon(matrices, rate, weight_decay=params.l2, adjust_lr_fn="match_rms_adamw"))
        taken = {id(matrix) for matrix in matrices}
        others = [parameter for parameter in self.model.parameters() if id(parameter) not in taken]
        optimizers.append(torch.optim.Adam(others, rate, (0.9, params.beta2), weight_decay=params.l2))
        return optimizers

    def _owners(self) -> Iterator[tuple[int, torch.nn.Parameter, torch.optim.Optimizer]]:
        """Every parameter with its number in the model and the optimiser that moves it."""
        numbers = {id(parameter): number for number, parameter in enumerate(self.model.parameters())}
        for optimizer in self._optimizers:
            for group in optimizer.param_groups:
                for parameter in group["params"]:
                    yield numbers[id(parameter)], parameter, optimizer

    def _begin_step(self, progress: float) -> None:
        rate = at(self._params.learning_rate, progress) if self.rate is None else self.rate
        for optimizer in self._optimizers:
            for group in optimizer.param_groups:
                group["lr"] = rate
            optimizer.zero_grad(set_to_none=True)

    def _end_step(self, loss: torch.Tensor, progress: float) -> None:
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self._params.gradient_clip)
        for optimizer in self._optimizers:
            optimizer.step()
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
        for number, parameter, optimizer in self._owners():
            for name, tensor in optimizer.state.get(parameter, {}).items():
                state[f"optimizer.{number}.{name}"] = _to_array(tensor)
        return state

    def start_from(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Takes over what another run has learned: its network is this one's beginning."""
        self.load_state(state)

    def load_state(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Goes on from what `state` gave.

        Raises:
            SetupError: The network that it describes has another shape than this one.
        """
        self.steps = int(state["steps"][0])
        for prefix, net in (("model", self.model), ("average", self.average)):
            try:
                weights = {
                    name: torch.from_numpy(state[f"{prefix}.{name}"].copy()).reshape(tensor.shape)
                    for name, tensor in net.state_dict().items()
                }
            except (KeyError, RuntimeError):
                raise SetupError(
                    "the run's network has another shape than its parameters ask for now: start a new run, "
                    "or go on with the version of Tengen that began this one"
                ) from None
            net.load_state_dict(weights)
        slots: dict[int, dict[str, torch.Tensor]] = {}
        for key, array in state.items():
            if key.startswith("optimizer."):
                _, index, name = key.split(".")
                slots.setdefault(int(index), {})[name] = torch.from_numpy(array.copy())
        for number, parameter, optimizer in self._owners():
            optimizer.state[parameter] = _fitting(slots.get(number, {}), optimizer, parameter)


def _fitting(
    slots: dict[str, torch.Tensor], optimizer: torch.optim.Optimizer, parameter: torch.Tensor
) -> dict[str, torch.Tensor]:
    """What an optimiser remembered of a parameter; nothing if it was another kind of optimiser."""
    mark = "exp_avg" if isinstance(optimizer, torch.optim.Adam) else "momentum_buffer"
    if mark not in slots:
        return {}
    return {name: slot.reshape(() if name == "step" else parameter.shape) for name, slot in slots.items()}


def _to_array(tensor: torch.Tensor) -> NDArray[Any]:
    array: NDArray[Any] = np.atleast_1d(tensor.detach().cpu().numpy().copy())
    return array
