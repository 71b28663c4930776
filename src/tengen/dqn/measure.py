"""How a Q-network plays: length of its games, how close together its stones are, its score against random.

S2 shows games that its networks play against themselves: `against_itself` gives the same figures of such games.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from tengen.dqn.environment import WON, Environment, Flags, Moves, Stones
from tengen.dqn.params import DqnParams

#: Chooses a move for each of these boards: stones [boards, size, size] and turns to moves.
Policy: TypeAlias = Callable[[Stones, npt.NDArray[np.uint8]], Moves]


@dataclass(frozen=True)
class Measured:
    """Figures of a number of games.

    Attributes:
        games: How many.
        won: Share that the policy won.
        drawn: Share of draws.
        length: Mean number of stones of a game.
        distance: Mean distance (king moves) between two of the policy's stones at the end of a game.
        nearest: Mean distance of its stones to the nearest of its other stones.
    """

    games: int
    won: float
    drawn: float
    length: float
    distance: float
    nearest: float


@dataclass(frozen=True)
class Alone:
    """Figures of games against itself.

    Attributes:
        length: Mean number of stones of a game.
        distance: Mean distance (king moves) between two stones of a colour at the end of a game.
        illegal: Share of choices that were occupied points.
    """

    length: float
    distance: float
    illegal: float


def against_random(policy: Policy, params: DqnParams, games: int, seed: int) -> Measured:
    """Plays games against random moves, half of them with each colour.

    Where the policy chooses an occupied point, a random move is played instead.
    """
    boards = Environment(params, games, seed)
    boards.reset(np.ones(games, np.bool_), 0)
    blacks = np.arange(games) % 2 == 0  # the policy's colour on each board
    over = np.zeros(games, np.bool_)
    won, drawn = over.copy(), over.copy()
    spread = np.zeros((games, 2))
    black_to_move = True
    while not over.all():
        moves = boards.random_moves()
        mine: Flags = (blacks == black_to_move) & ~over
        stones = boards.stones()
        if mine.any():
            chosen = policy(stones[mine], np.full(int(mine.sum()), black_to_move, np.uint8))
            free = stones[mine].reshape(len(chosen), -1)[np.arange(len(chosen)), chosen] == 0
            moves[mine] = np.where(free, chosen, moves[mine])
        step = boards.play(np.where(over, -1, moves))
        ended: Flags = step.ended & ~over
        for board in np.flatnonzero(ended):
            after = stones[board].copy()
            after.flat[moves[board]] = 1
            spread[board] = distances(after == (1 if mine[board] else -1))
        won |= ended & mine & (step.status == WON)
        drawn |= ended & (step.status != WON)
        over |= ended
        black_to_move = not black_to_move
    return Measured(
        games=games,
        won=float(won.mean()),
        drawn=float(drawn.mean()),
        length=float(boards.plies().mean()),
        distance=float(spread[:, 0].mean()),
        nearest=float(spread[:, 1].mean()),
    )


def against_itself(policy: Policy, params: DqnParams, games: int, seed: int) -> Alone:
    """Plays games with the policy on both sides; a random move where it chooses an occupied point.

    The first move is random: a policy without chance would play the same game each time.
    """
    boards = Environment(params, games, seed)
    boards.reset(np.ones(games, np.bool_), 0)
    over = boards.play(boards.random_moves()).ended
    illegal = moved = 0
    while not over.all():
        stones, moves = boards.stones(), boards.random_moves()
        chosen = policy(stones, boards.black())
        free = stones.reshape(games, -1)[np.arange(games), chosen] == 0
        illegal += int((~free & ~over).sum())
        moved += int((~over).sum())
        over |= boards.play(np.where(over, -1, np.where(free, chosen, moves))).ended
    found = [distances(stones == side)[0] for stones in boards.stones() for side in (1, -1)]
    return Alone(float(boards.plies().mean()), float(np.mean(found)), illegal / moved)


def distances(stones: npt.NDArray[Any]) -> tuple[float, float]:
    """Mean distance of all pairs of stones, and mean distance to the nearest other stone, in king moves."""
    points = np.argwhere(stones)
    if len(points) < 2:
        return 0.0, 0.0
    apart = np.abs(points[:, None] - points[None]).max(axis=2).astype(float)
    pairs = apart[np.triu_indices(len(points), 1)]
    np.fill_diagonal(apart, np.inf)
    return float(pairs.mean()), float(apart.min(axis=1).mean())
