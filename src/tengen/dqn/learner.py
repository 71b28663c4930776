"""The network that learns from the replay memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from tengen.dqn.environment import Moves, Stones
from tengen.dqn.memory import Batch
from tengen.dqn.params import DqnParams
from tengen.nets import q_network
from tengen.nets.q_network import QConfig

#: Stands in for the value of an occupied point.
_NEVER = -1e9


class QLearner:
    """A Q-network, its target network and its optimiser. Key methods: `choose`, `step`."""

    def __init__(self, params: DqnParams) -> None:
        torch.manual_seed(params.seed)
        torch.set_num_threads(1)  # small batches: more threads only wait for each other
        self._params = params
        self.config = QConfig(params.network, params.size, params.filters, params.layers)
        self.net = q_network.make(self.config)
        self._target = q_network.make(self.config)
        self._optimizer = torch.optim.Adam(self.net.parameters(), lr=params.learning_rate, fused=True)
        self.steps = 0
        self._renew_target()

    def choose(self, stones: Stones, black: NDArray[np.uint8]) -> Moves:
        """The move with the highest value on each board; with `mask`, never on an occupied point."""
        return best_moves(self.net, stones, black, self._params.illegal == "mask")

    def step(self, batch: Batch, progress: float, random: np.random.Generator) -> float:
        """One step of gradient descent; returns the loss."""
        for group in self._optimizer.param_groups:
            group["lr"] = self._params.learning_rate * (1 - 0.9 * progress)
        stones, moves, next_stones = self._in_random_symmetry(batch, random)
        following = self._next_values(next_stones, torch.from_numpy(batch.next_black).float())
        returns = torch.from_numpy(batch.returns) / self._params.reward_unit
        targets = returns + torch.from_numpy(batch.factors) * following
        values = self.net(stones, torch.from_numpy(batch.black).float())
        chosen = values.gather(1, moves.unsqueeze(1)).squeeze(1)
        self._optimizer.zero_grad(set_to_none=True)
        if self._params.loss == "squared":
            loss = torch.nn.functional.mse_loss(chosen, targets) / 2
            loss.backward()
        else:
            loss = torch.nn.functional.smooth_l1_loss(chosen, targets)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.net.parameters(), 10.0)
        self._optimizer.step()
        self.steps += 1
        if self.steps % self._params.target_steps == 0:
            self._renew_target()
        return float(loss.detach())

    def _in_random_symmetry(
        self, batch: Batch, random: np.random.Generator
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Positions and moves, all in the same symmetry: another one each step."""
        symmetry = int(random.integers(8)) if self._params.symmetries else 0
        size = self._params.size
        points = _transform(torch.arange(size * size).reshape(1, size, size), symmetry).flatten()
        moves = torch.argsort(points)[torch.from_numpy(batch.moves).long()]
        stones, next_stones = (
            _transform(torch.from_numpy(planes).float(), symmetry) for planes in (batch.stones, batch.next_stones)
        )
        return stones, moves, next_stones

    @torch.no_grad()
    def _next_values(self, stones: torch.Tensor, black: torch.Tensor) -> torch.Tensor:
        """The value of the best move of the positions that follow."""
        values = self._target(stones, black)
        judged = self.net(stones, black) if self._params.double else values
        if self._params.illegal == "mask":
            # A full board has no move; its factor is 0.
            judged = judged.masked_fill(stones.flatten(1) != 0, _NEVER)
        best = judged.argmax(dim=1, keepdim=True)
        found: torch.Tensor = values.gather(1, best).squeeze(1)
        return found

    def _renew_target(self) -> None:
        self._target.load_state_dict(self.net.state_dict())

    # -- disk

    def state(self) -> dict[str, NDArray[Any]]:
        """Everything that is needed to go on, as arrays."""
        arrays = {f"net.{name}": array for name, array in q_network.to_arrays(self.net).items()}
        arrays |= {f"target.{name}": array for name, array in q_network.to_arrays(self._target).items()}
        for index, values in self._optimizer.state_dict()["state"].items():
            arrays |= {f"adam.{index}.{name}": tensor.numpy() for name, tensor in values.items()}
        return arrays

    def load_state(self, arrays: Mapping[str, NDArray[Any]], steps: int) -> None:
        """The reverse of `state`."""
        q_network.load_arrays(self.net, _below("net.", arrays))
        q_network.load_arrays(self._target, _below("target.", arrays))
        state: dict[int, dict[str, torch.Tensor]] = {}
        for name, array in _below("adam.", arrays).items():
            index, _, key = name.partition(".")
            state.setdefault(int(index), {})[key] = torch.from_numpy(np.array(array))
        self._optimizer.load_state_dict({**self._optimizer.state_dict(), "state": state})
        self.steps = steps


def best_moves(net: torch.nn.Module, stones: Stones, black: NDArray[np.uint8], mask: bool) -> Moves:
    """The move with the highest value on each board."""
    values = q_network.values(net, stones, black)
    if mask:
        values = np.where(stones.reshape(len(stones), -1) != 0, np.float32(_NEVER), values)
    moves: Moves = values.argmax(axis=1).astype(np.int32)
    return moves


def _transform(planes: torch.Tensor, symmetry: int) -> torch.Tensor:
    if symmetry & 1:
        planes = planes.flip(2)
    if symmetry & 2:
        planes = planes.flip(1)
    return (planes.transpose(1, 2) if symmetry & 4 else planes).contiguous()


def _below(prefix: str, arrays: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}
