"""The line network in PyTorch: the same mathematics as the integer network in C++ (docs/network.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from tengen import core
from tengen.nets.line_batch import CONDITIONS, Group, LineBatch

POLICY_HIDDEN = 32
VALUE_HIDDEN = 32
CAP: float = core.LINE_CAP
TABLE_LIMIT: float = core.LINE_TABLE_LIMIT
POOL_SCALE: float = core.LINE_POOL_SCALE

UNKNOWN_MOMENTS = -1
"""`moments_seen` of a network that has learned elsewhere, with its normalisation folded into its weights."""
_LEAST_VARIANCE = 0.1

WINDOW_ARRAYS = (
    "window.0.weight",
    "window.0.bias",
    "window.1.weight",
    "window.1.bias",
    "window.2.weight",
    "window.2.bias",
)
"""The arrays of the window MLP, in the order in which the fused pass takes them."""

BOARD_ARRAYS = (
    "depthwise",
    "policy.cell.weight",
    "policy.cell.bias",
    "policy.pool.weight",
    "policy.output.weight",
    "policy.output.pool",
    "value.0.weight",
    "value.0.bias",
    "value.1.weight",
    "value.1.bias",
    "value.2.weight",
    "value.2.bias",
)
"""The arrays after the window MLP, in the order in which the fused pass takes them."""


@dataclass(frozen=True)
class LineConfig:
    """The sizes of a line network that may differ.

    Attributes:
        radius: Radius of a window: 4 (freestyle only) or 5.
        channels: Features of a cell: 32, 64 or 128.
        hidden: Units of each of the window MLP's two layers: 64, 128 or 256. Free in play, where the MLP is a table.
    """

    radius: int = 5
    channels: int = 64
    hidden: int = 128

    @property
    def inputs(self) -> int:
        """Inputs of the window MLP: each cell is own, opponent or border, or neither; and the condition."""
        return 3 * (2 * self.radius + 1) + len(CONDITIONS)


class Moments(nn.Module):
    """Running mean and variance of some inputs: constants for the gradient, folded into the next layer for play.

    Unlike batch normalisation it needs no second pass over the batch, so that one fused pass does all.
    """

    mean: Tensor
    variance: Tensor

    def __init__(self, size: int) -> None:
        super().__init__()
        self.register_buffer("mean", torch.zeros(size))
        self.register_buffer("variance", torch.ones(size))

    @property
    def scale(self) -> Tensor:
        """What the inputs are multiplied by, after the mean has been taken off."""
        return torch.rsqrt(self.variance + _LEAST_VARIANCE)

    def clear(self) -> None:
        """Makes it the normalisation that changes nothing."""
        self.mean.zero_()
        self.variance.fill_(1 - _LEAST_VARIANCE)

    def update(self, sums: Tensor, count: int, rate: float) -> None:
        """Moves towards a batch whose values and squares add up to `sums` [2, size]."""
        mean = sums[0] / count
        variance = (sums[1] / count - mean**2).clamp(min=0)
        self.mean.lerp_(mean.to(self.mean.dtype), rate)
        self.variance.lerp_(variance.to(self.variance.dtype), rate)


def _matrix(inputs: int, outputs: int, deviation: float) -> nn.Parameter:
    return nn.Parameter(torch.randn(inputs, outputs) * deviation)


class LineNet(nn.Module):
    """A line network to train. `fused_loss` in `tengen.nets.fused` is the fast way to its gradients.

    Matrices are stored [inputs, outputs], as in the exported arrays.
    """

    moments_seen: Tensor

    def __init__(self, config: LineConfig | None = None) -> None:
        super().__init__()
        self.config = config = config or LineConfig()
        channels, half, hidden = config.channels, config.channels // 2, config.hidden
        self.window0 = _matrix(config.inputs, hidden, (2 / 5) ** 0.5)
        with torch.no_grad():
            self.window0[-len(CONDITIONS) :] = 0  # every rule starts as the same network
        self.window0_bias = nn.Parameter(torch.zeros(hidden))
        self.window1 = _matrix(hidden, hidden, (2 / hidden) ** 0.5)
        self.window1_bias = nn.Parameter(torch.zeros(hidden))
        self.window2 = _matrix(hidden, channels, (0.25 / hidden) ** 0.5)
        self.window2_bias = nn.Parameter(torch.full((channels,), 0.1))
        weights = torch.stack([0.7 + 0.2 * torch.randn(half), *(0.12 * torch.randn(2, half)), torch.zeros(half)])
        self.depthwise = nn.Parameter(weights)
        self.cell = _matrix(channels, POLICY_HIDDEN, channels**-0.5)
        self.cell_bias = nn.Parameter(torch.full((POLICY_HIDDEN,), 0.1))
        self.pool = _matrix(channels, POLICY_HIDDEN, 0.3 * channels**-0.5)
        self.output = nn.Parameter(torch.randn(POLICY_HIDDEN) * 0.1)
        self.output_pool = _matrix(channels, POLICY_HIDDEN, 0.03 * channels**-0.5)
        self.value0 = _matrix(channels + POLICY_HIDDEN, VALUE_HIDDEN, (2 / (channels + POLICY_HIDDEN)) ** 0.5)
        self.value0_bias = nn.Parameter(torch.zeros(VALUE_HIDDEN))
        self.value1 = _matrix(VALUE_HIDDEN, VALUE_HIDDEN, (2 / VALUE_HIDDEN) ** 0.5)
        self.value1_bias = nn.Parameter(torch.zeros(VALUE_HIDDEN))
        self.value2 = _matrix(VALUE_HIDDEN, 3, 0.05)
        self.value2_bias = nn.Parameter(torch.zeros(3))
        self.cell_moments = Moments(channels)
        self.pool_moments = Moments(channels)
        self.hidden_moments = Moments(POLICY_HIDDEN)
        self.register_buffer("moments_seen", torch.zeros((), dtype=torch.int64))

    def window_table(self, batch: LineBatch) -> Tensor:
        """Features [windows, channels] of a batch's distinct windows, the same for a window and its reverse."""
        both = core.window_inputs(batch.windows, self.config.radius)
        inputs = torch.from_numpy(np.concatenate(both)).to(self.window0.dtype)
        hidden = torch.addmm(self.window0_bias, inputs, self.window0).relu_()
        hidden = torch.addmm(self.window1_bias, hidden, self.window1).relu_()
        mean = 0.5 * (hidden[: len(batch.windows)] + hidden[len(batch.windows) :])
        return torch.addmm(self.window2_bias, mean, self.window2).clamp(-TABLE_LIMIT, TABLE_LIMIT)

    def folded(self) -> dict[str, Tensor]:
        """All arrays of the network as it plays, with the normalisation folded into the layers that follow it."""
        pool_scale, cell_scale = self.pool_moments.scale, self.cell_moments.scale
        pool_shift = self.pool_moments.mean * pool_scale
        value_scale = torch.cat([pool_scale, self.hidden_moments.scale])
        value_shift = torch.cat([pool_shift, self.hidden_moments.mean * self.hidden_moments.scale])
        return {
            "window.0.weight": self.window0,
            "window.0.bias": self.window0_bias,
            "window.1.weight": self.window1,
            "window.1.bias": self.window1_bias,
            "window.2.weight": self.window2,
            "window.2.bias": self.window2_bias,
            "depthwise": self.depthwise,
            "policy.cell.weight": self.cell * cell_scale[:, None],
            "policy.cell.bias": self.cell_bias
            - (self.cell_moments.mean * cell_scale) @ self.cell
            - pool_shift @ self.pool,
            "policy.pool.weight": self.pool * pool_scale[:, None],
            "policy.output.weight": self.output - pool_shift @ self.output_pool,
            "policy.output.pool": self.output_pool * pool_scale[:, None],
            "value.0.weight": self.value0 * value_scale[:, None],
            "value.0.bias": self.value0_bias - value_shift @ self.value0,
            "value.1.weight": self.value1,
            "value.1.bias": self.value1_bias,
            "value.2.weight": self.value2,
            "value.2.bias": self.value2_bias,
        }

    @torch.no_grad()
    def unfold(self, arrays: Mapping[str, Tensor]) -> None:
        """Sets the weights so that `folded` gives these arrays, whatever the normalisation is now."""
        pool_scale, cell_scale = self.pool_moments.scale, self.cell_moments.scale
        value_scale = torch.cat([pool_scale, self.hidden_moments.scale])
        value_mean = torch.cat([self.pool_moments.mean, self.hidden_moments.mean])
        cell, pool = (arrays[f"policy.{name}.weight"] for name in ("cell", "pool"))
        output_pool, value0 = arrays["policy.output.pool"], arrays["value.0.weight"]
        weights = {
            "window0": arrays["window.0.weight"],
            "window0_bias": arrays["window.0.bias"],
            "window1": arrays["window.1.weight"],
            "window1_bias": arrays["window.1.bias"],
            "window2": arrays["window.2.weight"],
            "window2_bias": arrays["window.2.bias"],
            "depthwise": arrays["depthwise"],
            "cell": cell / cell_scale[:, None],
            "cell_bias": arrays["policy.cell.bias"] + self.cell_moments.mean @ cell + self.pool_moments.mean @ pool,
            "pool": pool / pool_scale[:, None],
            "output": arrays["policy.output.weight"] + self.pool_moments.mean @ output_pool,
            "output_pool": output_pool / pool_scale[:, None],
            "value0": value0 / value_scale[:, None],
            "value0_bias": arrays["value.0.bias"] + value_mean @ value0,
            "value1": arrays["value.1.weight"],
            "value1_bias": arrays["value.1.bias"],
            "value2": arrays["value.2.weight"],
            "value2_bias": arrays["value.2.bias"],
        }
        for name, parameter in self.named_parameters():
            parameter.copy_(weights[name])

    @torch.no_grad()
    def load_arrays(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Takes over a network that plays, as `to_arrays` gave it. Its normalisation is measured by the first batch."""
        for moments in (self.cell_moments, self.pool_moments, self.hidden_moments):
            moments.clear()
        self.moments_seen.fill_(UNKNOWN_MOMENTS)
        self.unfold({name: torch.from_numpy(np.array(array)) for name, array in arrays.items()})

    def forward(self, batch: LineBatch) -> list[tuple[Tensor, Tensor]]:
        """What the network thinks, with plain autograd: the reference for the fused pass.

        Returns:
            For each group of the batch the logits of the policy [positions, cells], -inf where there is no candidate,
            and of win, draw, loss [positions, 3].
        """
        table, arrays = self.window_table(batch), self.folded()
        return [_board_forward(arrays, table, group) for group in batch.groups]

    def update_moments(self, cell: Tensor, cells: int, pool: Tensor, hidden: Tensor, positions: int) -> None:
        """Moves the normalisation towards a batch's sums, quickly in the first steps."""
        self.moments_seen += 1
        rate = max(1 / float(self.moments_seen), 0.02)
        self.cell_moments.update(cell, cells, rate)
        self.pool_moments.update(pool, positions, rate)
        self.hidden_moments.update(hidden, positions, rate)

    @torch.no_grad()
    def clip_weights(self) -> None:
        """Keeps the weights where the integer network's sums fit their bits; call it after every step."""
        reach = self.depthwise.abs() * torch.tensor([[1.0], [4.0], [4.0], [1 / CAP]], dtype=self.depthwise.dtype)
        self.depthwise.mul_((core.LINE_DEPTHWISE_LIMIT / reach.sum(0)).clamp(max=1))
        size = (self.cell * self.cell_moments.scale[:, None]).abs()
        excess = torch.maximum(size.sum(0) / core.LINE_POINTWISE_LIMIT, size.amax(0) / core.LINE_POINTWISE_WEIGHT_LIMIT)
        self.cell.div_(excess.clamp(min=1))


def grown(old: Mapping[str, Tensor], fresh: LineNet) -> dict[str, Tensor]:
    """The state of `fresh` with a smaller network inside, so that both compute the same.

    Nothing looks at what is new yet: outer cells of the windows count for nothing, and further units of the window MLP
    have random inputs and no effect, until learning finds a use for them. A rule that the old one never played is taken
    for the mean of those that it did.

    Args:
        old: State of a network with the same channels and at most the radius and hidden units of `fresh`.
        fresh: Gives the shapes and the random inputs.

    Raises:
        ValueError: The old one is not smaller.
    """
    state = {name: tensor.clone() for name, tensor in fresh.state_dict().items()}
    rows, units = old["window0"].shape
    beyond = (len(state["window0"]) - rows) // 6 * 3  # on either side: three inputs a cell
    if beyond < 0 or units > fresh.config.hidden or old["window2"].shape[1] != fresh.config.channels:
        raise ValueError("the network does not fit into one of this run's size")
    cells = rows - len(CONDITIONS)
    state["window0"][:, :units] = 0
    state["window0"][beyond : beyond + cells, :units] = old["window0"][:cells]
    state["window0"][-len(CONDITIONS) :, :units] = _conditions(old["window0"][cells:])
    state["window1"][:, :units] = 0
    state["window1"][:units, :units] = old["window1"]
    state["window2"][:] = 0
    state["window2"][:units] = old["window2"]
    for name in ("window0_bias", "window1_bias"):
        state[name][:units] = old[name]
    part = {"window0", "window1", "window2", "window0_bias", "window1_bias"}
    return state | {name: tensor for name, tensor in old.items() if name not in part}


def _conditions(learned: Tensor) -> Tensor:
    """The inputs of all rules: without games of a rule its own is as it began, at 0, far from where the others went."""
    known = (learned != 0).any(1)
    return torch.where(known[:, None], learned, learned[known].mean(0)) if known.any() else learned


def _board_forward(arrays: dict[str, Tensor], table: Tensor, group: Group) -> tuple[Tensor, Tensor]:
    height, width, half = group.height, group.width, table.shape[1] // 2
    summed = table[torch.from_numpy(group.rows).long()].sum(2).clamp(0, CAP)
    centre, edge, corner, bias = arrays["depthwise"]
    kernel = torch.stack([corner, edge, corner, edge, centre, edge, corner, edge, corner], 1).view(half, 1, 3, 3)
    image = summed[:, :, :half].transpose(1, 2).reshape(-1, half, height, width)
    spread = functional.conv2d(image, kernel, bias, padding=1, groups=half).clamp(0, CAP)
    cells = torch.cat([spread.flatten(2).transpose(1, 2), summed[:, :, half:]], 2)
    sums = cells.sum(1)
    empty = len(group.empty) + torch.from_numpy(group.empty).long()
    pool = (sums[: len(empty)] - sums[empty]) * POOL_SCALE
    pool_bias = arrays["policy.cell.bias"] + pool @ arrays["policy.pool.weight"]
    hidden = (cells[: len(empty)] @ arrays["policy.cell.weight"] + pool_bias[:, None]).relu()
    output = arrays["policy.output.weight"] + pool @ arrays["policy.output.pool"]
    listed = torch.from_numpy(group.candidates).bool()
    logits = (hidden @ output[:, :, None]).squeeze(2).masked_fill(~listed, -torch.inf)
    pooled_policy = (hidden * listed[:, :, None]).sum(1) * POOL_SCALE
    value = torch.cat([pool, pooled_policy], 1)
    value = torch.relu(value @ arrays["value.0.weight"] + arrays["value.0.bias"])
    value = torch.relu(value @ arrays["value.1.weight"] + arrays["value.1.bias"])
    return logits, value @ arrays["value.2.weight"] + arrays["value.2.bias"]


def losses(outputs: list[tuple[Tensor, Tensor]], batch: LineBatch) -> tuple[Tensor, Tensor]:
    """Mean cross-entropies of policy and value over a batch, from what `LineNet.forward` gave."""
    policy = value = torch.zeros(())
    for (logits, outcome), group in zip(outputs, batch.groups, strict=True):
        log_policy = functional.log_softmax(logits, 1).masked_fill(logits == -torch.inf, 0)
        policy = policy - (torch.from_numpy(group.policy) * log_policy).sum()
        value = value - (torch.from_numpy(group.outcome) * functional.log_softmax(outcome, 1)).sum()
    return policy / batch.size, value / batch.size


def to_arrays(model: LineNet) -> dict[str, NDArray[np.float32]]:
    """The network as `core.LineNetwork` and the weight files take it: float32 arrays by name."""
    with torch.no_grad():
        return {name: array.detach().float().contiguous().numpy().copy() for name, array in model.folded().items()}


def to_network(model: LineNet) -> core.LineNetwork:
    """The integer network that plays like `model`."""
    config = model.config
    return core.LineNetwork(config.radius, config.channels, config.hidden, to_arrays(model))
