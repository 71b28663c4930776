"""The line network as it learns."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from tengen import core
from tengen.nets.files import FIRST_HIDDEN
from tengen.nets.fused import fused_loss
from tengen.nets.line import LineConfig, LineNet, grown, to_arrays, to_network
from tengen.nets.line_batch import BatchEncoder, LineBatch
from tengen.train.params import LearnParams
from tengen.train.passes import encode
from tengen.train.torch_learner import StepLosses, TorchLearner


class LineLearner(TorchLearner):
    """A line network in training; see `tengen.train.learners.Learner`."""

    architecture = "line"

    def __init__(self, params: LearnParams, seed: int) -> None:
        torch.manual_seed(seed)
        torch.set_num_threads(1)  # self-play keeps the other cores busy; more threads only wait for each other
        self._config = LineConfig(params.radius, params.channels, params.hidden)
        super().__init__(params, LineNet(self._config), LineNet(self._config))
        self._encoder = BatchEncoder(params.radius)

    @property
    def config(self) -> dict[str, Any]:
        """What it takes to rebuild the network."""
        return dataclasses.asdict(self._config)

    def start_from(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Takes over the weights of another run, whose network may have had a smaller radius or fewer hidden units."""
        self.average.load_state_dict(self.model.state_dict())  # the same random inputs for what is new
        for prefix, net in (("model.", self.model), ("average.", self.average)):
            weights = {
                name.removeprefix(prefix): torch.from_numpy(array.copy())
                for name, array in state.items()
                if name.startswith(prefix)
            }
            weights["moments_seen"] = weights["moments_seen"].reshape(())
            net.load_state_dict(grown(weights, net))

    def start_from_network(self, arrays: Mapping[str, NDArray[Any]], config: Mapping[str, Any]) -> None:
        """Takes over a network from its file."""
        smaller = LineNet(LineConfig(**{"hidden": FIRST_HIDDEN, **config}))
        smaller.load_arrays(arrays)
        self.model.load_state_dict(grown(smaller.state_dict(), self.model))
        self.average.load_state_dict(self.model.state_dict())

    def draw(self, buffer: core.SampleBuffer, count: int, seed: int) -> list[dict[str, Any]]:
        """Random positions for `step`."""
        return buffer.sample(count, self._params.result_share, seed)

    def step(self, groups: list[dict[str, Any]], progress: float) -> StepLosses:
        """One step on positions as `draw` gives them."""
        self._begin_step(progress)
        weight = self._params.value_weight
        if self.compute is None:
            loss, policy, value = fused_loss(self.model, self.encode(groups), weight)
        else:
            loss, policy, value = fused_loss(self.model, groups, weight, compute=self.compute)
        self._end_step(loss, progress)
        return StepLosses(policy, value, float(loss.detach()))

    def _matrices(self) -> list[torch.nn.Parameter]:
        others = ("depthwise", "value2")  # weights of channels by themselves, and an output of three
        return [p for name, p in self.model.named_parameters() if p.ndim == 2 and name not in others]

    def _constrain(self) -> None:
        self.model.clip_weights()

    def encode(self, groups: list[dict[str, Any]]) -> LineBatch:
        """Positions as the fused pass takes them."""
        return encode(self._encoder, groups)

    def arrays(self) -> dict[str, NDArray[np.float32]]:
        """The average's weights as they are shipped and played."""
        return to_arrays(self.average)

    def evaluator(self) -> core.Evaluator:
        """The average as it plays."""
        return core.NetworkEvaluator(to_network(self.average))
