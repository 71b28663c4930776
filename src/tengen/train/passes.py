"""A step's pass over a batch in parts, for several processes: together they give what one would, to rounding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from tengen import core
from tengen.board import Color
from tengen.nets.fused import Results, compute_pass
from tengen.nets.line import LineConfig
from tengen.nets.line_batch import BatchEncoder, LineBatch, Positions, condition

Groups: TypeAlias = list[dict[str, Any]]
"""Positions as `core.SampleBuffer.sample` gives them: arrays for each size of board."""

_ARRAYS = ("stones", "rules", "turns", "policy", "outcome")
_CONDITIONS = np.array(
    [[condition(rule.name, color) for color in (Color.BLACK, Color.WHITE)] for rule in core.Rule], np.uint8
)


def encode(encoder: BatchEncoder, groups: Groups) -> LineBatch:
    """Positions as the fused pass takes them."""
    return encoder.encode([_positions(group) for group in groups])


def _positions(group: dict[str, Any]) -> Positions:
    return Positions(
        width=group["width"],
        height=group["height"],
        stones=group["stones"],
        conditions=_CONDITIONS[group["rules"], group["turns"]],
        policy=group["policy"],
        outcome=group["outcome"],
    )


class PartMaker:
    """Makes the pass over a part of a batch."""

    def __init__(self) -> None:
        self._encoders: dict[int, BatchEncoder] = {}

    def make(self, groups: Groups, config: LineConfig, *rest: Any) -> Results:
        """As `tengen.nets.fused.Compute`, for positions that are not encoded yet."""
        encoder = self._encoders.setdefault(config.radius, BatchEncoder(config.radius))
        return compute_pass(encode(encoder, groups), config, *rest)


def split(groups: Groups, parts: int) -> list[Groups]:
    """The same positions in parts of about the same size; none is empty."""
    pieces: list[Groups] = [[] for _ in range(parts)]
    for group in groups:
        for piece, places in zip(pieces, np.array_split(np.arange(len(group["rules"])), parts), strict=True):
            if len(places):
                piece.append({**group, **{name: group[name][places] for name in _ARRAYS}})
    return [piece for piece in pieces if piece]


def combine(parts: Sequence[Results]) -> Results:
    """The results of the whole batch: means weigh as their positions, sums add up."""
    positions = sum(part["positions"] for part in parts)
    combined: Results = {"positions": positions, "cells": sum(part["cells"] for part in parts)}
    for name in ("policy", "value", "window", "board"):
        if name in parts[0]:
            combined[name] = sum(part[name] * (part["positions"] / positions) for part in parts)
    for name in ("window", "board"):
        if name in combined:
            combined[name] = combined[name].astype(np.float32)
    for name in ("cell", "pool", "hidden"):
        combined[name] = sum(part[name] for part in parts)
    return combined
