"""Games on many boards at once, with rewards."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from tengen import core
from tengen.dqn.params import DqnParams

Stones: TypeAlias = npt.NDArray[np.int8]
Floats: TypeAlias = npt.NDArray[np.float32]
Moves: TypeAlias = npt.NDArray[np.int32]
Flags: TypeAlias = npt.NDArray[np.bool_]

GOES_ON, WON, DRAWN, ILLEGAL = range(4)


@dataclass(frozen=True)
class Rewards:
    """What ends a game, or should not have been played, is worth to the mover.

    Attributes:
        illegal: A move on an occupied point.
        draw: The last move of a drawn game, and S2's of the move before it.
        win: The winning move.
        loss: A move that the enemy's answer makes the last one; S2's learner alone needs it.
    """

    illegal: float = -1.0
    draw: float = 0.0
    win: float = 1.0
    loss: float = -1.0


#: By the name of the reward. Other moves are worth nothing, or with a shaped reward their score.
REWARDS: Mapping[str, Rewards] = {
    "plain": Rewards(),
    "shaped": Rewards(),
    "s2-plain": Rewards(illegal=-10_000, draw=50, win=100, loss=-100),
    "s2-shaped": Rewards(illegal=-1_000_000, draw=100_000, win=1_000_000, loss=-1_000_000),
}

#: What a five adds to the logarithm of S2's score over a stone on its own: four stones that it joins.
_FIVE = 4.0


@dataclass(frozen=True)
class Step:
    """What a move on every board led to.

    Attributes:
        rewards: For the movers.
        status: GOES_ON, WON (by the mover), DRAWN or ILLEGAL.
    """

    rewards: Floats
    status: npt.NDArray[np.uint8]

    @property
    def ended(self) -> Flags:
        """Whether the game is over."""
        ended: Flags = (self.status == WON) | (self.status == DRAWN)
        return ended


class Environment:
    """Many games that are moved on together. Key method: `play`; boards stay as they are until `reset`."""

    def __init__(self, params: DqnParams, boards: int, seed: int) -> None:
        self.params = params
        self.boards = boards
        self._batch = core.BoardBatch(
            boards, params.size, params.size, core.Rule[params.rule], params.n_in_row, seed % 2**63
        )
        self._alone = math.log10((1 + params.blocking) * 10**4)

    def stones(self) -> Stones:
        """The points as the movers see them: int8 [boards, size, size], 1 own, -1 enemy."""
        stones = np.empty((self.boards, self.params.size, self.params.size), np.int8)
        self._batch.encode(stones)
        return stones

    def black(self) -> npt.NDArray[np.uint8]:
        """1 where black, the first player, is to move."""
        black: npt.NDArray[np.uint8] = (self.plies() % 2 == 0).astype(np.uint8)
        return black

    def plies(self) -> Moves:
        """The number of stones on each board."""
        plies = np.empty(self.boards, np.int32)
        self._batch.plies(plies)
        return plies

    def random_moves(self) -> Moves:
        """A random empty point of each board; -1 on a full one."""
        moves = np.empty(self.boards, np.int32)
        self._batch.random_moves(moves)
        return moves

    def play(self, moves: npt.NDArray[Any]) -> Step:
        """Plays a move on every board; an illegal one leaves its board as it was."""
        status = np.empty(self.boards, np.uint8)
        scores = np.empty(self.boards, np.float32)
        self._batch.play(np.ascontiguousarray(moves, np.int32), self.params.blocking, status, scores)
        return Step(self._rewards(status, scores), status)

    def _rewards(self, status: npt.NDArray[np.uint8], scores: Floats) -> Floats:
        """For the movers; `scores` are the logarithms of S2's."""
        table = REWARDS[self.params.reward]
        regular = 10.0**scores if self.params.reward == "s2-shaped" else np.zeros_like(scores)
        rewards = np.choose(status, [regular, table.win, table.draw, table.illegal])
        if self.params.reward == "shaped":
            shaped = self.params.shaping * (scores - self._alone) / _FIVE
            rewards = rewards + np.where(status == ILLEGAL, 0.0, shaped)
        return rewards.astype(np.float32)

    def reset(self, wanted: Flags, opening_stones: int) -> None:
        """Starts new games on some boards."""
        self._batch.reset(np.ascontiguousarray(wanted, np.uint8), opening_stones)
