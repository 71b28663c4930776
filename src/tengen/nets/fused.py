"""Fast gradients of a line network: torch runs the window MLP, one C++ function everything after it."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from tengen import core
from tengen.nets.line import BOARD_ARRAYS, LineNet
from tengen.nets.line_batch import Group, LineBatch


class _FusedPass(torch.autograd.Function):
    """The weighted loss as a function of the window table and the board part's parameters.

    The gradients are computed together with the loss, and only scaled in `backward`.
    """

    @staticmethod
    def forward(
        ctx: Any, table: Tensor, parameters: Tensor, groups: list[Group], value_weight: float, results: dict[str, Any]
    ) -> Tensor:
        arrays = [(g.width, g.height, g.rows, g.empty, g.candidates, g.policy, g.outcome) for g in groups]
        policy, value, table_gradient, gradient, cell, pool, hidden, cells = core.fused_training(
            arrays, table.detach().contiguous().numpy(), parameters.detach().numpy(), value_weight
        )
        results.update(policy=policy, value=value, cell=cell, pool=pool, hidden=hidden, cells=cells)
        ctx.save_for_backward(torch.from_numpy(table_gradient), torch.from_numpy(gradient))
        return torch.tensor(policy + value_weight * value)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        (scale,) = gradients
        table, parameters = ctx.saved_tensors
        return table.mul_(scale), parameters.mul_(scale), None, None, None


def fused_loss(
    model: LineNet, batch: LineBatch, value_weight: float = 1.0, update_moments: bool = True
) -> tuple[Tensor, float, float]:
    """The loss to call `backward` on, and its parts: mean cross-entropies of policy and value.

    Args:
        model: In float32 on the CPU.
        batch: Positions of any sizes and rules.
        value_weight: Of the value's cross-entropy against the policy's.
        update_moments: Whether the model's normalisation follows this batch. The first batches prepare it.
    """
    if update_moments and model.moments_seen == 0:
        _prepare_moments(model, batch)
    loss, results = _run(model, batch, value_weight)
    if update_moments:
        _update_moments(model, batch, results)
    return loss, results["policy"], results["value"]


def _run(model: LineNet, batch: LineBatch, value_weight: float) -> tuple[Tensor, dict[str, Any]]:
    folded = model.folded()
    parameters = torch.cat([folded[name].reshape(-1) for name in BOARD_ARRAYS])
    results: dict[str, Any] = {}
    table = model.window_table(batch)
    loss: Tensor = _FusedPass.apply(table, parameters, batch.groups, value_weight, results)  # type: ignore[no-untyped-call]
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
