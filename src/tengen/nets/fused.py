"""Fast gradients of a line network: everything but the optimizer in C++, on one thread."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from tengen import core
from tengen.nets.line import BOARD_ARRAYS, UNKNOWN_MOMENTS, WINDOW_ARRAYS, LineConfig, LineNet
from tengen.nets.line_batch import LineBatch


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
        batch: LineBatch,
        value_weight: float,
        results: dict[str, Any],
    ) -> Tensor:
        window_array, board_array = window.detach().numpy(), board.detach().numpy()
        table = core.window_table(batch.windows, config.radius, config.channels, config.hidden, window_array)
        groups = [(g.width, g.height, g.rows, g.empty, g.candidates, g.policy, g.outcome) for g in batch.groups]
        policy, value, table_gradient, board_gradient, cell, pool, hidden, cells = core.fused_training(
            groups, table, board_array, value_weight
        )
        results.update(policy=policy, value=value, cell=cell, pool=pool, hidden=hidden, cells=cells)
        if any(ctx.needs_input_grad):
            window_gradient = core.window_gradient(
                batch.windows, config.radius, config.hidden, window_array, table, table_gradient
            )
            ctx.save_for_backward(torch.from_numpy(window_gradient), torch.from_numpy(board_gradient))
        return torch.tensor(policy + value_weight * value)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        (scale,) = gradients
        window, board = ctx.saved_tensors
        return window * scale, board * scale, None, None, None, None


def fused_loss(
    model: LineNet, batch: LineBatch, value_weight: float = 1.0, update_moments: bool = True
) -> tuple[Tensor, float, float]:
    """The loss to call `backward` on, and its parts: mean cross-entropies of policy and value.

    Args:
        model: In float32 on the CPU.
        batch: Positions of any sizes and rules.
        value_weight: Weight of the value's cross-entropy beside the policy's.
        update_moments: Whether the model's normalisation follows this batch. The first batch prepares it.
    """
    if update_moments and model.moments_seen == 0:
        _prepare_moments(model, batch)
    elif update_moments and model.moments_seen == UNKNOWN_MOMENTS:
        _recover_moments(model, batch)
    loss, results = _run(model, batch, value_weight)
    if update_moments:
        _update_moments(model, batch, results)
    return loss, results["policy"], results["value"]


def _run(model: LineNet, batch: LineBatch, value_weight: float) -> tuple[Tensor, dict[str, Any]]:
    folded = model.folded()
    window, board = (torch.cat([folded[name].reshape(-1) for name in names]) for names in (WINDOW_ARRAYS, BOARD_ARRAYS))
    results: dict[str, Any] = {}
    run: Any = _FusedPass.apply
    loss: Tensor = run(window, board, model.config, batch, value_weight, results)
    return loss, results


def _update_moments(model: LineNet, batch: LineBatch, results: dict[str, Any]) -> None:
    cell, pool, hidden = (torch.from_numpy(results[name]) for name in ("cell", "pool", "hidden"))
    model.update_moments(cell, results["cells"], pool, hidden, batch.size)


@torch.no_grad()
def _prepare_moments(model: LineNet, batch: LineBatch) -> None:
    """The pooled policy units can only be measured once their own inputs are normalised: hence two passes."""
    for _ in range(2):
        model.moments_seen.zero_()
        _update_moments(model, batch, _run(model, batch, 0.0)[1])


@torch.no_grad()
def _recover_moments(model: LineNet, batch: LineBatch) -> None:
    """Gives a network that was loaded as it plays a normalisation to learn with. It computes what it did."""
    arrays = {name: array.clone() for name, array in model.folded().items()}
    model.moments_seen.zero_()
    _update_moments(model, batch, _run(model, batch, 0.0)[1])
    model.unfold(arrays)
