"""Training positions for a line network: mixed board sizes and rules, encoded as distinct windows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tengen import core
from tengen.board import Color

CONDITIONS = ("freestyle", "standard", "renju, black to move", "renju, white to move", "caro")
"""What the window MLP is told besides the stones, by number."""


def condition(rule: str, turn: Color) -> int:
    """The number of the condition under which the side to move sees a board."""
    if rule == "renju":
        return 2 if turn == Color.BLACK else 3
    return CONDITIONS.index(rule)


@dataclass(frozen=True)
class Positions:
    """Positions on one size of board, from the view of the side to move; rules may be mixed.

    Attributes:
        width: Columns of the board.
        height: Rows of the board.
        stones: uint8 [positions, cells], cells row by row: 0 empty, 1 own, 2 opponent.
        conditions: uint8 [positions]: see `condition`.
        policy: float32 [positions, cells]: the target. A row that adds up to less than one counts less, a row of
            zeros not at all.
        outcome: float32 [positions, 3]: the target for win, draw, loss.
        candidates: uint8 [positions, cells]: 1 where the policy is defined; None for the empty cells within two of a
            stone, as in play.
    """

    width: int
    height: int
    stones: NDArray[np.uint8]
    conditions: NDArray[np.uint8]
    policy: NDArray[np.float32]
    outcome: NDArray[np.float32]
    candidates: NDArray[np.uint8] | None = None


@dataclass(frozen=True)
class Group:
    """The encoded positions of one board size. After the positions come one empty board for each condition in use.

    Attributes:
        width: Columns of the board.
        height: Rows of the board.
        rows: int32 [positions + empties, cells, 4]: rows of the table of distinct windows.
        empty: int32 [positions]: which of the empty boards belongs to a position.
        candidates: uint8 [positions, cells].
        policy: float32 [positions, cells].
        outcome: float32 [positions, 3].
    """

    width: int
    height: int
    rows: NDArray[np.int32]
    empty: NDArray[np.int32]
    candidates: NDArray[np.uint8]
    policy: NDArray[np.float32]
    outcome: NDArray[np.float32]


@dataclass(frozen=True)
class LineBatch:
    """A batch: groups of positions, and the numbers of their distinct windows, uint32 [windows]."""

    windows: NDArray[np.uint32]
    groups: list[Group]

    @property
    def size(self) -> int:
        """Number of positions."""
        return sum(len(group.empty) for group in self.groups)


class BatchEncoder:
    """Makes batches. Keeps a table of the windows it has met, so make one and use it again."""

    def __init__(self, radius: int) -> None:
        self._windows = core.WindowEncoder(radius)

    def encode(self, positions: Sequence[Positions]) -> LineBatch:
        """One batch of positions, one item for each board size."""
        groups = [self._group(item) for item in positions]
        return LineBatch(self._windows.finish(), groups)

    def _group(self, item: Positions) -> Group:
        stones = np.ascontiguousarray(item.stones, np.uint8)
        used, empty = np.unique(item.conditions, return_inverse=True)
        empties = np.zeros((len(used), stones.shape[1]), np.uint8)
        conditions = np.concatenate([item.conditions, used]).astype(np.uint8)
        rows = self._windows.add(np.concatenate([stones, empties]), item.width, item.height, conditions)
        candidates = item.candidates
        if candidates is None:
            candidates = core.mark_candidates(stones, item.width, item.height)
        return Group(
            item.width,
            item.height,
            rows,
            empty.astype(np.int32),
            np.ascontiguousarray(candidates, np.uint8),
            np.ascontiguousarray(item.policy, np.float32),
            np.ascontiguousarray(item.outcome, np.float32),
        )
