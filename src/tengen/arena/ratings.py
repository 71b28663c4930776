"""Elo ratings of many players from all their games together, by maximum likelihood.

With g = 10 ^ (Elo / 400) of two players and one number d for how drawish the game is (Davidson 1970, after Bradley and
Terry 1952):

    P(first wins) : P(second wins) : P(draw) = g1 : g2 : d sqrt(g1 g2)

Where draws are not modelled (d = 0) each of them counts as half a win and half a loss. Two front ends differ in what
they believe before the first game, without which a clean sweep would have no finite rating:

- `rate_match`, for a tournament: half a win and half a loss are added to every pairing, and half a draw to all of them
  together.
- `rate_history`, for the networks of a run: neighbours in time differ by a normal deviation (the Wiener process of
  whole-history rating, Coulom 2008), and nobody is thousands of points away from the players whose rating is known.

The logarithm of all this is concave, so Newton's method finds the one maximum. The curvature there gives the margins.
They count games as independent; the two games of a pair are not quite, which makes them a little too wide.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tengen.arena.statistics import elo_text

Floats: TypeAlias = NDArray[np.float64]

_UNIT = 400 / math.log(10)  # Elo points of one natural unit, that of the logarithm of the odds
_Z = NormalDist().inv_cdf(0.975)  # standard errors on each side of a 95 % interval
_ADDED_WINS = 0.5
_ADDED_DRAWS = 0.5
_FAR = 1500.0  # deviation in Elo of a player of whom nothing is known
_ANYWHERE = 1e6  # so wide that it only keeps a player who met nobody from having no rating at all
_STEPS = 100
_PRECISION = 1e-9

#: What a win, a loss and a draw add to the exponent of their chance: rating of the first, of the second, log d.
_FEATURES = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.5, 0.5, 1.0]])


@dataclass(frozen=True)
class Score:
    """What happened between two players, of whom any names or numbers will do."""

    first: Hashable
    second: Hashable
    wins: float
    losses: float
    draws: float = 0.0


@dataclass(frozen=True)
class Rating:
    """The rating of one player.

    Attributes:
        elo: On the scale of the players whose rating is given.
        margin95: Half the width of its 95 % interval, what people see behind ±; 0 if the rating is given.
    """

    elo: float
    margin95: float

    def __str__(self) -> str:
        return f"{elo_text(self.elo)} ± {self.margin95:.0f}"


def rate_match(players: int, scores: Sequence[Score], anchor: int | None = None) -> list[Rating]:
    """The ratings of a tournament.

    >>> [str(rating) for rating in rate_match(2, [Score(0, 1, 30, 10)], anchor=1)]
    ['+185 ± 122', '+0 ± 0']

    Args:
        players: How many there are; scores give them by number.
        scores: Scores of all pairings; one that has not been played yet is welcome, with zeros.
        anchor: The player whose rating is 0; the mean of all is 0 if not given.
    """
    problem = _Problem(range(players), with_draws=True)
    problem.fix(0, 0.0)  # games tell differences alone; which of them are shown is chosen below
    for player in range(1, players):
        problem.believe({player: 1.0}, 0.0, _ANYWHERE)
    for score in scores:
        wins, losses = score.wins + _ADDED_WINS, score.losses + _ADDED_WINS
        problem.add_score(Score(score.first, score.second, wins, losses, score.draws + _ADDED_DRAWS / len(scores)))
    zero = np.full(players, 1 / players) if anchor is None else np.eye(players)[anchor]
    return problem.solve(np.eye(players) - zero)


def rate_history(
    scores: Iterable[Score],
    known: Mapping[str, float],
    sequence: Sequence[str] = (),
    deviation: float = 300.0,
) -> dict[str, Rating]:
    """Rates every player that met somebody, stands in the sequence, or is known.

    Args:
        scores: The results.
        known: Ratings that stay as they are; without any, the first player met is rated 0.
        sequence: Players that follow each other.
        deviation: Elo by which neighbours of the sequence differ, one standard deviation.
    """
    scores = list(scores)
    met = (str(name) for score in scores for name in (score.first, score.second))
    names = list(dict.fromkeys([*met, *sequence]))
    if not known and names:
        known = {names[0]: 0.0}
    names = [*(name for name in names if name not in known), *known]
    problem = _Problem(names, with_draws=False)
    centre = sum(known.values()) / max(1, len(known))
    for name in names:
        if name in known:
            problem.fix(name, known[name])
        else:
            problem.believe({name: 1.0}, centre, _FAR)
    for score in scores:
        half = score.draws / 2
        problem.add_score(Score(score.first, score.second, score.wins + half, score.losses + half))
    for before, after in itertools.pairwise(sequence):
        problem.believe({after: 1.0, before: -1.0}, 0.0, deviation)
    return dict(zip(names, problem.solve(np.eye(len(names))), strict=True))


class _Problem:
    """What is known about the players. The parameters are a number for each player, in natural units, then log d."""

    def __init__(self, players: Iterable[Hashable], with_draws: bool) -> None:
        self._places = {player: place for place, player in enumerate(players)}
        self._count = len(self._places)
        self._parameters = np.zeros(self._count + 1)
        self._parameters[-1] = 0.0 if with_draws else -math.inf
        self._is_free = np.array([True] * self._count + [with_draws])
        self._pairs: list[tuple[int, int]] = []
        self._results: list[tuple[float, float, float]] = []
        # Normal beliefs about sums of ratings, one a row: (sum, centre, standard deviation).
        self._beliefs: list[tuple[dict[int, float], float, float]] = []

    def fix(self, player: Hashable, elo: float) -> None:
        """A rating that is given."""
        self._parameters[self._places[player]] = elo / _UNIT
        self._is_free[self._places[player]] = False

    def add_score(self, score: Score) -> None:
        self._pairs.append((self._places[score.first], self._places[score.second]))
        self._results.append((score.wins, score.losses, score.draws))

    def believe(self, weights: Mapping[Hashable, float], elo: float, deviation: float) -> None:
        """A sum of ratings is about `elo`, by a standard deviation."""
        row = {self._places[player]: weight for player, weight in weights.items()}
        self._beliefs.append((row, elo / _UNIT, deviation / _UNIT))

    def solve(self, shown: Floats) -> list[Rating]:
        """Newton's method, with steps that are halved until they help.

        Args:
            shown: The differences of ratings that are wanted, each a row over the players.
        """
        model = _Model(self._pairs, self._results, self._beliefs, self._count)
        parameters, free = self._parameters, np.flatnonzero(self._is_free)
        covariance = np.zeros((self._count + 1, self._count + 1))
        if free.size:
            for _ in range(_STEPS):
                value, gradient, curvature = model.derivatives(parameters)
                step = np.zeros_like(parameters)
                step[free] = np.linalg.solve(curvature[np.ix_(free, free)], gradient[free])
                size = 1.0
                while model.derivatives(parameters + size * step)[0] < value and size > _PRECISION:
                    size /= 2
                parameters = parameters + size * step
                if np.abs(step).max() < _PRECISION:
                    break
            covariance[np.ix_(free, free)] = np.linalg.inv(model.derivatives(parameters)[2][np.ix_(free, free)])
        elos = _UNIT * shown @ parameters[:-1]
        variances = np.einsum("ij,jk,ik->i", shown, covariance[:-1, :-1], shown)
        margins = _UNIT * _Z * np.sqrt(np.maximum(0.0, variances))
        return [Rating(float(elo), float(margin)) for elo, margin in zip(elos, margins, strict=True)]


class _Model:
    """The logarithm of the likelihood as arrays: m pairings, three results each."""

    def __init__(
        self,
        pairs: Sequence[tuple[int, int]],
        results: Sequence[tuple[float, float, float]],
        beliefs: Sequence[tuple[dict[int, float], float, float]],
        players: int,
    ) -> None:
        self._results = np.array(results, np.float64).reshape(-1, 3)
        self._games = self._results.sum(axis=1)
        # The three parameters that a pairing depends on: both players' and log d. [m, 3]
        self._places = np.array([(first, second, players) for first, second in pairs], np.intp).reshape(-1, 3)
        sums = np.zeros((len(beliefs), players))
        for row, (weights, _, _) in zip(sums, beliefs, strict=True):
            row[list(weights)] = list(weights.values())
        precisions = np.array([deviation**-2 for _, _, deviation in beliefs])
        # All beliefs together are a parabola: curvature, and the pull at 0.
        self._stiffness = (sums.T * precisions) @ sums
        self._pull = sums.T @ (precisions * np.array([centre for _, centre, _ in beliefs]))

    def derivatives(self, parameters: Floats) -> tuple[float, Floats, Floats]:
        """The value, its gradient, and its second derivative with the sign turned."""
        size = len(parameters)
        gradient, curvature = np.zeros(size), np.zeros((size, size))
        exponents = self._exponents(parameters)
        logs = exponents - np.logaddexp.reduce(exponents, axis=1, keepdims=True)
        chances = np.exp(logs)
        value = float(np.sum(self._results * np.where(self._results > 0, logs, 0.0)))  # 0 log 0 is 0
        np.add.at(gradient, self._places, (self._results - self._games[:, None] * chances) @ _FEATURES)
        centred = _FEATURES - (chances @ _FEATURES)[:, None, :]
        blocks = np.einsum("m,mr,mri,mrj->mij", self._games, chances, centred, centred)
        np.add.at(curvature, (self._places[:, :, None], self._places[:, None, :]), blocks)
        ratings = parameters[:-1]
        gradient[:-1] += self._pull - self._stiffness @ ratings
        curvature[:-1, :-1] += self._stiffness
        return value + float(ratings @ (self._pull - self._stiffness @ ratings / 2)), gradient, curvature

    def _exponents(self, parameters: Floats) -> Floats:
        first, second, drawish = parameters[self._places].T
        return np.stack([first, second, (first + second) / 2 + drawish], axis=1)
