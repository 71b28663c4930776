"""Fast gradients of a line network: everything but the optimizer in C++, on one thread."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from tengen import core
from tengen.nets.line import BOARD_ARRAYS, UNKNOWN_MOMENTS, WINDOW_ARRAYS, LineConfig, LineNet
from tengen.nets.line_batch import LineBatch

Results: TypeAlias = dict[str, Any]
"""Of a pass: mean losses `policy` and `value`, gradients `window` and `board` (if they were asked for), sums for the
normalisation `cell`, `pool`, `hidden` over `cells` and `positions`."""
Compute: TypeAlias = Callable[[Any, LineConfig, NDArray[np.float32], NDArray[np.float32], float, bool], Results]
"""Makes a pass: a batch, the network's shape, its parameters as two flat arrays, the value's weight, and whether
gradients are wanted."""


def compute_pass(
    batch: LineBatch,
    config: LineConfig,
    window: NDArray[np.float32],
    board: NDArray[np.float32],
    value_weight: float,
    with_gradients: bool,
) -> Results:
    """A pass in this thread."""
    table = core.window_table(batch.windows, config.radius, config.channels, config.hidden, window)
    groups = [(g.width, g.height, g.rows, g.empty, g.candidates, g.policy, g.outcome) for g in batch.groups]
    policy, value, table_gradient, board_gradient, cell, pool, hidden, cells = core.fused_training(
        groups, table, board, value_weight
    )
    results = {"policy": policy, "value": value, "cell": cell, "pool": pool, "hidden": hidden}
    results |= {"cells": cells, "positions": batch.size}
    if with_gradients:
        results["board"] = board_gradient
        results["window"] = core.window_gradient(
            batch.windows, config.radius, config.hidden, window, table, table_gradient
        )
    return results


class _FusedPass(torch.autograd.Function):
    """The weighted loss as a function of the parameters of the window MLP and of the board part, both flat.

    The gradients are computed together with the loss, and only scaled in `backward`.
    """

    @staticmethod
    def forward(
        ctx: Any,
        window: Tensor,
        board: Tensor,
        config: LineConfig,
        batch: Any,
        value_weight: float,
        compute: Compute,
        results: Results,
    ) -> Tensor:
        parameters = window.detach().numpy(), board.detach().numpy()
        results.update(compute(batch, config, *parameters, value_weight, any(ctx.needs_input_grad)))
        if any(ctx.needs_input_grad):
            ctx.save_for_backward(torch.from_numpy(results["window"]), torch.from_numpy(results["board"]))
        return torch.tensor(results["policy"] + value_weight * results["value"])

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        (scale,) = gradients
        window, board = ctx.saved_tensors
        return window * scale, board * scale, None, None, None, None, None


def fused_loss(
    model: LineNet,
    batch: Any,
    value_weight: float = 1.0,
    update_moments: bool = True,
    compute: Compute = compute_pass,
) -> tuple[Tensor, float, float]:
    """The loss to call `backward` on, and its parts: mean cross-entropies of policy and value.

    Args:
        model: In float32 on the CPU.
        batch: Positions of any sizes and rules: a LineBatch, or whatever `compute` takes.
        value_weight: Weight of the value's cross-entropy beside the policy's.
        update_moments: Whether the model's normalisation follows this batch. The first batch prepares it.
        compute: Makes the pass.
    """
    if update_moments and model.moments_seen == 0:
        _prepare_moments(model, batch, compute)
    elif update_moments and model.moments_seen == UNKNOWN_MOMENTS:
        _recover_moments(model, batch, compute)
    loss, results = _run(model, batch, value_weight, compute)
    if update_moments:
        _update_moments(model, results)
    return loss, results["policy"], results["value"]


def _run(model: LineNet, batch: Any, value_weight: float, compute: Compute) -> tuple[Tensor, Results]:
    folded = model.folded()
    window, board = (torch.cat([folded[name].reshape(-1) for name in names]) for names in (WINDOW_ARRAYS, BOARD_ARRAYS))
    results: Results = {}
    run: Any = _FusedPass.apply
    loss: Tensor = run(window, board, model.config, batch, value_weight, compute, results)
    return loss, results


def _update_moments(model: LineNet, results: Results) -> None:
    cell, pool, hidden = (torch.from_numpy(results[name]) for name in ("cell", "pool", "hidden"))
    model.update_moments(cell, results["cells"], pool, hidden, results["positions"])


@torch.no_grad()
def _prepare_moments(model: LineNet, batch: Any, compute: Compute) -> None:
    """The pooled policy units can only be measured once their own inputs are normalised: hence two passes."""
    for _ in range(2):
        model.moments_seen.zero_()
        _update_moments(model, _run(model, batch, 0.0, compute)[1])


@torch.no_grad()
def _recover_moments(model: LineNet, batch: Any, compute: Compute) -> None:
    """Gives a network that was loaded as it plays a normalisation to learn with. It computes what it did."""
    arrays = {name: array.clone() for name, array in model.folded().items()}
    model.moments_seen.zero_()
    _update_moments(model, _run(model, batch, 0.0, compute)[1])
    model.unfold(arrays)
