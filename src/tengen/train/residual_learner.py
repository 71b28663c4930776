"""Residual networks as they learn: those of the documents, and small ones for other games."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from tengen import core
from tengen.nets.loading import batched
from tengen.nets.planes import plane_spec
from tengen.nets.residual import ARCHITECTURE, ResidualNet, TorchEvaluator, pick_device
from tengen.train.params import RunParams
from tengen.train.torch_learner import StepLosses, TorchLearner


class ResidualLearner(TorchLearner):
    """A residual network in training; see `tengen.train.learners.Learner`.

    The loss is that of the documents, (z - v)^2 - pi^T log p + c ||theta||^2, the last term as Adam's weight decay.
    """

    architecture = ARCHITECTURE

    def __init__(self, params: RunParams) -> None:
        torch.manual_seed(params.seed)
        torch.set_num_threads(max(1, (os.cpu_count() or 1) // 2))  # the other half evaluates for self-play
        self._config = params.residual_config()
        self._planes = plane_spec(self._config.encoding)
        self._device = pick_device(params.learn.device)
        super().__init__(
            params.learn,
            ResidualNet(self._config).to(self._device, memory_format=torch.channels_last),
            ResidualNet(self._config).to(self._device, memory_format=torch.channels_last).eval(),
        )
        # Games under way ask for evaluations in turns: half of them are evaluated while the others search.
        self._player = TorchEvaluator(self._copy_of_average(), str(self._device))
        self._evaluator = batched(
            self._player,
            self._config,
            random_symmetry=params.selfplay.random_symmetry,
            seed=params.seed,
            max_batch=max(1, params.selfplay.concurrency // 2),
        )

    @property
    def config(self) -> dict[str, Any]:
        """What it takes to rebuild the network."""
        return self._config.to_dict()

    def start_from_network(self, arrays: Mapping[str, NDArray[Any]], config: Mapping[str, Any]) -> None:
        """Takes over a network from its file."""
        for net in (self.model, self.average):
            net.load_state_dict({name: torch.from_numpy(np.array(array)) for name, array in arrays.items()})

    def draw(self, buffer: core.SampleBuffer, count: int, seed: int) -> dict[str, NDArray[np.float32]]:
        """Random positions in random symmetries: planes, policy and value."""
        return buffer.sample_planes(count, self._params.result_share, self._planes, seed)

    def step(self, batch: dict[str, NDArray[np.float32]], progress: float) -> StepLosses:
        """One step on positions as `draw` gives them."""
        self._evaluator.check()  # self-play goes on with zeros after an error: let the run end with it
        self._begin_step(progress)
        self.model.train()
        policy, value = self.losses(self.model, batch)
        loss = policy + self._params.value_weight * value
        self._end_step(loss, progress)
        return StepLosses(float(policy.detach()), float(value.detach()), float(loss.detach()))

    def losses(self, net: torch.nn.Module, batch: dict[str, NDArray[np.float32]]) -> tuple[torch.Tensor, torch.Tensor]:
        """Mean cross-entropy of the policy where it has a target, and mean squared error of the value."""
        planes, policy, value = (
            torch.from_numpy(batch[name]).to(self._device) for name in ("planes", "policy", "value")
        )
        logits, values = net(planes.contiguous(memory_format=torch.channels_last))
        targets = policy.sum(1)
        cross_entropy = -(policy * torch.log_softmax(logits, 1)).sum() / targets.sum().clamp(min=1)
        return cross_entropy, torch.nn.functional.mse_loss(values, value)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The average's weights as they are shipped and played."""
        return {name: tensor.detach().cpu().numpy() for name, tensor in self.average.state_dict().items()}

    def evaluator(self) -> Any:
        """The average as it plays. There is one evaluator: games under way go on with its new weights."""
        self._player.net = self._copy_of_average()
        return self._evaluator

    def _copy_of_average(self) -> ResidualNet:
        copy = ResidualNet(self._config)
        copy.load_state_dict(self.average.state_dict())
        copy.to(self._device, memory_format=torch.channels_last).eval()
        return copy
