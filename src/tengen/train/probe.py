"""What learning did between two publications: the old and the new network on the same recent positions."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tengen import core

#: Games that positions are drawn from.
_GAMES = 400

Opinion: TypeAlias = tuple[float, dict[int, float]]
"""The value for the mover, and the prior of each move."""


@dataclass(frozen=True)
class Change:
    """Old network against new.

    Attributes:
        kl: Mean Kullback-Leibler divergence of the policies, old from new, in nats.
        variance_before: Share of the variance of the results that the old values explained; 1 is perfect, 0 is no
            better than always saying the mean.
        variance_after: The same for the new values.
    """

    kl: float
    variance_before: float
    variance_after: float


@dataclass(frozen=True)
class Look:
    """What a network thought of some positions, whose results are for the side to move."""

    boards: Sequence[core.Board]
    results: NDArray[np.float64]
    opinions: Sequence[Opinion]

    def compare(self, network: core.Evaluator) -> Change:
        """What has changed since, if `network` is the new one."""
        after = [_judge(network, board) for board in self.boards]
        return Change(
            kl=float(np.mean([divergence(a[1], b[1]) for a, b in zip(self.opinions, after, strict=True)])),
            variance_before=explained_variance(self.results, _values(self.opinions)),
            variance_after=explained_variance(self.results, _values(after)),
        )


class Probe:
    """Positions of the latest games whose results are known."""

    def __init__(self, positions: int, seed: int) -> None:
        """Has no positions yet.

        Args:
            positions: How many are drawn for a comparison.
            seed: Of the draw.
        """
        self._positions = positions
        self._random = random.Random(seed)
        self._games: list[core.GameRecord] = []

    def add(self, games: Iterable[core.GameRecord]) -> None:
        """Takes finished games in their order."""
        self._games += [game for game in games if game.result in (-1, 0, 1) and game.positions]
        del self._games[:-_GAMES]

    def look(self, network: core.Evaluator) -> Look | None:
        """What a network thinks of positions that are drawn now; None while there are too few.

        It is asked at once: a residual network is changed where it is when it has learned.
        """
        if len(self._games) < 2 or self._positions < 2:
            return None
        places = [self._draw() for _ in range(self._positions)]
        results = np.array([game.result * (1 if ply % 2 == 0 else -1) for game, ply in places], np.float64)
        boards = [_board(game, ply) for game, ply in places]
        return Look(boards, results, [_judge(network, board) for board in boards])

    def _draw(self) -> tuple[core.GameRecord, int]:
        game = self._random.choice(self._games)
        ply, *_ = self._random.choice(game.samples)
        return game, ply


def divergence(p: dict[int, float], q: dict[int, float]) -> float:
    """Kullback-Leibler divergence of q from p, in nats; chances below 1e-8 count as that."""
    moves = list(p)
    first = np.maximum([p[move] for move in moves], 1e-8)
    second = np.maximum([q.get(move, 0.0) for move in moves], 1e-8)
    return float(np.sum(first * np.log(first / second)))


def explained_variance(results: NDArray[np.float64], values: NDArray[np.float64]) -> float:
    """1 - variance of what the values miss / variance of the results; 0 when the results do not vary."""
    spread = float(np.var(results))
    return 1 - float(np.var(results - values)) / spread if spread > 0 else 0.0


def first_choice_share(network: core.Evaluator, games: Sequence[core.GameRecord], most: int) -> float:
    """The share of moves in games that are what a network would play first, without a search.

    Args:
        network: The network.
        games: All of their moves count.
        most: So many moves are looked at, evenly spread over the games.
    """
    places = [(game, ply) for game in games for ply in range(len(game.moves))]
    places = [places[number * len(places) // most] for number in range(most)] if len(places) > most else places
    found = 0
    for game, ply in places:
        _, priors = _judge(network, _board(game, ply))
        found += max(priors, key=priors.__getitem__) == game.moves[ply]
    return found / len(places)


def _board(game: core.GameRecord, ply: int) -> core.Board:
    board = core.Board(game.width, game.height, game.rule, game.n_in_row)
    for cell in game.moves[:ply]:
        board.play(cell)
    return board


def _judge(network: core.Evaluator, board: core.Board) -> Opinion:
    value, moves, priors = network.judge(board)
    return value, dict(zip(moves, priors, strict=True))


def _values(opinions: Sequence[Opinion]) -> NDArray[np.float64]:
    return np.array([value for value, _ in opinions], np.float64)
