"""Elo ratings of many players from all their games together, some of the ratings being known.

With the ratings a and b of two players, the first one's chance to win is p = 1 / (1 + 10^((b - a) / 400)) (Bradley and
Terry, 1952; a draw is half a win). The ratings are those that make all results most likely, given two weak beliefs
without which a player that never lost would have no finite rating:

- players of a sequence, such as the networks of a training run, change step by step: neighbours differ by a normal
  deviation (the Wiener process of whole-history rating, Coulom 2008);
- nobody is thousands of points away from the known players.

The logarithm of all this is concave, so Newton's method finds the one maximum. The curvature there gives the errors.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

#: Elo points in the natural unit of the formula above, that of the logarithm of the odds.
UNIT = 400 / math.log(10)
_FAR = 1500.0  # deviation in Elo of a player of whom nothing is known
_LONGEST_STEP = 2.0  # of one iteration, in natural units
_ITERATIONS = 100
_CLOSE = 1e-9


@dataclass(frozen=True)
class Meeting:
    """Games between two players: how many there were, and the first one's points."""

    first: str
    second: str
    games: int
    points: float


@dataclass(frozen=True)
class Rating:
    """An Elo rating and its standard error; a known rating has none."""

    elo: float
    error: float


def fit_ratings(
    meetings: Iterable[Meeting],
    known: Mapping[str, float],
    sequence: Sequence[str] = (),
    deviation: float = 300.0,
) -> dict[str, Rating]:
    """Rates every player that met somebody, stands in the sequence, or is known.

    Args:
        meetings: The results.
        known: Ratings that stay as they are; without any, the first player met is rated 0.
        sequence: Players that follow each other.
        deviation: Elo by which neighbours of the sequence differ, one standard deviation.
    """
    meetings = list(meetings)
    names = list(dict.fromkeys([*(name for m in meetings for name in (m.first, m.second)), *sequence]))
    if not known and names:
        known = {names[0]: 0.0}
    centre = sum(known.values()) / max(1, len(known)) / UNIT
    problem = _Problem([name for name in names if name not in known], known, centre)
    for meeting in meetings:
        problem.add_meeting(meeting)
    for before, after in itertools.pairwise(sequence):
        problem.add_neighbours(before, after, deviation / UNIT)
    return problem.solve()


class _Problem:
    """Sums over the results. Known players have places behind the free ones, which the solution leaves as they are."""

    def __init__(self, free: Sequence[str], known: Mapping[str, float], centre: float) -> None:
        self._known = known
        self._free = len(free)
        self._centre = centre
        self._places = {name: place for place, name in enumerate([*free, *known])}
        self._values = np.array([centre] * len(free) + [elo / UNIT for elo in known.values()])
        size = len(self._values)
        self._games = np.zeros((size, size))  # of the first player, against the second
        self._points = np.zeros((size, size))
        self._stiffness = np.zeros((size, size))  # 1 / variance of neighbours' difference

    def add_meeting(self, meeting: Meeting) -> None:
        first, second = self._places[meeting.first], self._places[meeting.second]
        self._games[first, second] += meeting.games
        self._points[first, second] += meeting.points

    def add_neighbours(self, before: str, after: str, deviation: float) -> None:
        first, second = self._places[before], self._places[after]
        self._stiffness[first, second] += deviation**-2
        self._stiffness[second, first] += deviation**-2

    def solve(self) -> dict[str, Rating]:
        free = self._free
        for _ in range(_ITERATIONS if free else 0):
            gradient, curvature = self._derivatives()
            step = np.linalg.solve(curvature, gradient)
            # Far from the maximum a full step may overshoot.
            self._values[:free] += step * min(1.0, _LONGEST_STEP / max(_LONGEST_STEP, float(np.abs(step).max())))
            if np.abs(step).max() < _CLOSE:
                break
        errors = np.sqrt(np.diag(np.linalg.inv(self._derivatives()[1]))) * UNIT if free else np.zeros(0)
        return {
            name: Rating(self._known[name], 0.0)
            if name in self._known
            else Rating(float(self._values[place]) * UNIT, float(errors[place]))
            for name, place in self._places.items()
        }

    def _derivatives(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Of the free players: gradient, and minus the second derivatives, of the logarithm of the likelihood."""
        free, values = self._free, self._values
        difference = values[:, None] - values[None, :]
        chance = 1 / (1 + np.exp(-difference))
        surplus = self._points - self._games * chance
        gradient = surplus.sum(axis=1) - surplus.sum(axis=0) - (self._stiffness * difference).sum(axis=1)
        weight = self._games * chance * (1 - chance)
        links = weight + weight.T + self._stiffness
        curvature = np.diag(links.sum(axis=1)) - links
        prior = (_FAR / UNIT) ** -2
        gradient[:free] -= prior * (values[:free] - self._centre)
        return gradient[:free], curvature[:free, :free] + prior * np.eye(free)
