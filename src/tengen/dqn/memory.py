"""The replay memory: the latest moves, and random batches of them."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tengen.dqn.environment import DRAWN, REWARDS, WON, Flags, Floats, Moves, Rewards, Stones
from tengen.dqn.params import DqnParams


@dataclass
class Batch:
    """Moves to learn from; the first axis is the move.

    Attributes:
        stones: The position as the mover saw it, int8 [batch, size, size].
        black: 1 where black moved.
        moves: The points.
        returns: Rewards until the next position that is valued, discounted; the enemy's count negative.
        next_stones: That position, as its mover sees it.
        next_black: 1 where black moves there.
        factors: What its value counts for the mover: negative when the enemy is to move, 0 when the game was over.
    """

    stones: Stones
    black: npt.NDArray[np.uint8]
    moves: Moves
    returns: Floats
    next_stones: Stones
    next_black: npt.NDArray[np.uint8]
    factors: Floats


class ReplayMemory:
    """The latest moves in a ring of arrays, a byte a point."""

    def __init__(self, capacity: int, size: int) -> None:
        self._capacity = capacity
        self._all = Batch(
            stones=np.zeros((capacity, size, size), np.int8),
            black=np.zeros(capacity, np.uint8),
            moves=np.zeros(capacity, np.int32),
            returns=np.zeros(capacity, np.float32),
            next_stones=np.zeros((capacity, size, size), np.int8),
            next_black=np.zeros(capacity, np.uint8),
            factors=np.zeros(capacity, np.float32),
        )
        self._added = 0

    def __len__(self) -> int:
        return min(self._added, self._capacity)

    def add(self, batch: Batch) -> None:
        """Adds moves, and forgets the oldest when full."""
        places = (self._added + np.arange(len(batch.moves))) % self._capacity
        for name, values in vars(batch).items():
            getattr(self._all, name)[places] = values
        self._added += len(places)

    def sample(self, count: int, random: np.random.Generator) -> Batch:
        """Random moves, each as likely as the others."""
        places = random.integers(0, len(self), count)
        return Batch(**{name: values[places] for name, values in vars(self._all).items()})


@dataclass
class Ply:
    """A move on every board.

    Attributes:
        stones: The positions as the movers saw them.
        black: 1 where black moved.
        moves: What was chosen, legal or not.
        rewards: For the movers.
        last: Nothing that follows has to do with the choice: it ended the game, or was illegal and another move was
            made instead.
        status: What the move that was made in the end led to.
    """

    stones: Stones
    black: npt.NDArray[np.uint8]
    moves: Moves
    rewards: Floats
    last: Flags
    status: npt.NDArray[np.uint8]


class Returns:
    """Turns the plies of many games into moves with returns over several plies.

    Rewards alternate in sign, because one side's gain is the other's loss. Key method: `push`.
    """

    def __init__(self, steps: int, discount: float) -> None:
        self._steps = steps
        self._factor = -discount
        self._plies: deque[Ply] = deque(maxlen=steps)

    def push(self, ply: Ply, next_stones: Stones, next_black: npt.NDArray[np.uint8]) -> Batch | None:
        """Takes a ply of every game; gives back the moves made `steps` plies ago once there are so many.

        A game that ended is followed by the next one on the same board: nothing after an end counts.
        """
        self._plies.append(ply)
        if len(self._plies) < self._steps:
            return None
        returns = np.zeros(len(ply.moves), np.float32)
        factors = np.ones(len(ply.moves), np.float32)
        for each in self._plies:
            returns += factors * each.rewards
            factors = np.where(each.last, 0, factors * self._factor).astype(np.float32)
        first = self._plies[0]
        return Batch(first.stones, first.black, first.moves, returns, next_stones, next_black, factors)


class S2Returns:
    """S2's way from an own move to the next one: the enemy's answer is a part of the world.

    Its rewards do not count, but a move that it answers with a win is a loss, whatever the move was worth.
    """

    def __init__(self, rewards: Rewards, discount: float) -> None:
        self._rewards = rewards
        self._discount = discount
        self._before: Ply | None = None

    def push(self, ply: Ply, next_stones: Stones, next_black: npt.NDArray[np.uint8]) -> Batch | None:
        """As for `Returns`, over two plies."""
        first, self._before = self._before, ply
        if first is None:
            return None
        lost = ~first.last & (ply.status == WON)
        drawn = ~first.last & (ply.status == DRAWN)
        returns = np.where(lost, self._rewards.loss, np.where(drawn, self._rewards.draw, first.rewards))
        factors = np.where(first.last | lost | drawn, 0, self._discount)
        return Batch(
            first.stones,
            first.black,
            first.moves,
            returns.astype(np.float32),
            next_stones,
            next_black,
            factors.astype(np.float32),
        )


def returns_of(params: DqnParams) -> Returns | S2Returns:
    """What turns plies into moves to learn from, by the run's reward."""
    if params.reward.startswith("s2-"):
        return S2Returns(REWARDS[params.reward], params.discount)
    return Returns(params.steps, params.discount)
