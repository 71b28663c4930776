"""Ratings of many players at once: Elo by maximum likelihood, with a draw model and error bars.

The model is Davidson's (1970), an extension of Bradley and Terry's to draws. With g = 10 ^ (Elo / 400) of two players
and one number d for how drawish the game is:

    P(first wins) : P(second wins) : P(draw) = g1 : g2 : d sqrt(g1 g2)

Its logarithm is concave, so Newton's method finds the ratings and d that make the results most likely. Half a win and
half a loss are added to every pairing, and half a draw to all of them together: without these a clean sweep would have
no finite rating. The error bars come from the curvature there (95 %). They count games as independent; the two games of
a pair are not quite, which makes the bars a little too wide.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tengen.arena.statistics import elo_text

_ELO = 400 / math.log(10)  # Elo points of one natural unit
_Z = 1.959964  # standard errors on each side of a 95 % interval
_ADDED_WINS = 0.5
_ADDED_DRAWS = 0.5
_STEPS = 100
_PRECISION = 1e-9


@dataclass(frozen=True)
class Score:
    """What happened between two players, given by their places in the list of players."""

    first: int
    second: int
    wins: float
    losses: float
    draws: float


@dataclass(frozen=True)
class Rating:
    """The rating of one player.

    Attributes:
        elo: Relative to the anchor, or to the mean of all players.
        error: Half the width of the 95 % interval of that difference.
    """

    elo: float
    error: float

    def __str__(self) -> str:
        return f"{elo_text(self.elo)} ± {self.error:.0f}"


def rate(players: int, scores: Sequence[Score], anchor: int | None = None) -> list[Rating]:
    """The ratings that make the scores most likely.

    >>> [str(rating) for rating in rate(2, [Score(0, 1, 30, 10, 0)], anchor=1)]
    ['+185 ± 122', '+0 ± 0']

    Args:
        players: How many there are.
        scores: Of all pairings; one that has not been played yet is welcome, with zeros.
        anchor: The player whose rating is 0; the mean of all is 0 if not given.
    """
    model = _Davidson(players, scores)
    model.fit()
    shares = np.full(players, 1 / players)
    if anchor is not None:
        shares = np.eye(players)[anchor]
    ratings = []
    for place in range(players):
        difference = np.zeros(players + 1)
        difference[:players] = np.eye(players)[place] - shares
        variance = max(0.0, float(difference @ model.covariance @ difference))
        ratings.append(Rating(_ELO * float(difference @ model.parameters), _ELO * _Z * math.sqrt(variance)))
    return ratings


class _Davidson:
    """The model's parameters, natural logarithms: one for each player, then that of d. Key method: `fit`."""

    def __init__(self, players: int, scores: Sequence[Score]) -> None:
        self.parameters: npt.NDArray[np.float64] = np.zeros(players + 1)
        share = _ADDED_DRAWS / max(1, len(scores))
        # For each pairing: how often each of the three results was seen, and what each adds to the exponent.
        self._counts = [
            np.array([score.wins + _ADDED_WINS, score.losses + _ADDED_WINS, score.draws + share]) for score in scores
        ]
        self._features = [self._features_of(players, score) for score in scores]
        self.covariance: npt.NDArray[np.float64] = np.zeros((players + 1, players + 1))

    @staticmethod
    def _features_of(players: int, score: Score) -> npt.NDArray[np.float64]:
        features = np.zeros((3, players + 1))
        features[0, score.first] = features[1, score.second] = 1
        features[2, [score.first, score.second]] = 0.5
        features[2, players] = 1
        return features

    def fit(self) -> None:
        """Newton's method, with steps that are halved until they help."""
        value, gradient, curvature = self._likelihood(self.parameters)
        for _ in range(_STEPS):
            # The pseudo-inverse leaves the common shift of all ratings alone, which nothing determines.
            step = np.linalg.pinv(curvature, hermitian=True) @ gradient
            size = 1.0
            while self._likelihood(self.parameters + size * step)[0] < value and size > _PRECISION:
                size /= 2
            self.parameters += size * step
            value, gradient, curvature = self._likelihood(self.parameters)
            if np.abs(step).max() < _PRECISION:
                break
        self.covariance = np.asarray(np.linalg.pinv(curvature, hermitian=True), dtype=np.float64)

    def _likelihood(
        self, parameters: npt.NDArray[np.float64]
    ) -> tuple[float, npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """The log-likelihood, its gradient, and its second derivative with the sign turned."""
        value = 0.0
        gradient = np.zeros_like(parameters)
        curvature = np.zeros((len(parameters), len(parameters)))
        for counts, features in zip(self._counts, self._features, strict=True):
            exponents = features @ parameters
            exponents = exponents - exponents.max()
            chances = np.exp(exponents) / np.exp(exponents).sum()
            value += float(counts @ (exponents - math.log(np.exp(exponents).sum())))
            gradient += counts @ features - counts.sum() * (chances @ features)
            centred = features - chances @ features
            curvature += counts.sum() * (centred.T * chances) @ centred
        return value, gradient, curvature
