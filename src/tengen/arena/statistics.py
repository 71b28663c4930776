"""What a match result means: Elo with error bars, likelihood of superiority, and the sequential test.

Every opening is played twice with colours swapped, and the two games of such a pair depend on each other: where black
wins from an opening anyway, both players score one. So the unit of all statistics is the pair, whose score for the
first player is 0, 1/2, 1, 3/2 or 2 (the "pentanomial" model of the Stockfish project). Counting games as if they were
independent would make error bars too wide.

With s_i = 0, 1/4, 1/2, 3/4, 1 (a pair's score over 2), n_i pairs of each and N pairs in all:

    mean m = sum n_i s_i / N,   variance v = sum n_i (s_i - m)^2 / N,   standard error e = sqrt(v / N)
    Elo(s) = 400 log10(s / (1 - s))

m, v and e are computed with one won and one lost pair added: without them a clean sweep would claim no error at all. As
many independent wins and losses n as would have that error, n = m (1 - m) / e^2, give the 95 % interval (z = 1.96) of
the plain score s by Wilson's formula (1927), which stays between 0 and 1 however one-sided the match:

    (s + z^2 / 2n -+ z sqrt(s (1 - s) / n + z^2 / 4n^2)) / (1 + z^2 / n)

Its ends are shown as Elo. The Elo difference itself is that of the plain score.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TypeAlias

from tengen.errors import SetupError

PairCounts: TypeAlias = Sequence[int]
"""How many pairs scored 0, 1/2, 1, 3/2 and 2 for the first player."""

PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
_ADDED = (1, 0, 0, 0, 1)
_NORMAL = NormalDist()


def expected_score(elo: float) -> float:
    """The share of points that a player `elo` stronger than its opponent wins on average."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_difference(score: float) -> float:
    """The Elo difference at which `score` is expected; infinite for 0 and 1."""
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return 400 * math.log10(score / (1 - score))  # not -400 log10(1 / s - 1), which is -0.0 for an even match


def elo_text(elo: float) -> str:
    """An Elo difference for people: "+12", "+0" for all that rounds to nothing, "-∞"."""
    if not math.isfinite(elo):
        return "+∞" if elo > 0 else "-∞"
    return f"{round(elo):+d}"  # a whole number: the float -0.3 would be "-0"


def mean_and_variance(pairs: PairCounts) -> tuple[float, float]:
    """Mean and variance of a pair's score, counted from 0 to 1."""
    total = sum(pairs)
    mean = sum(count * score for count, score in zip(pairs, PAIR_SCORES, strict=True)) / total
    variance = sum(count * (score - mean) ** 2 for count, score in zip(pairs, PAIR_SCORES, strict=True)) / total
    return mean, variance


def _with_added_pairs(pairs: PairCounts) -> tuple[float, float]:
    return mean_and_variance([count + added for count, added in zip(pairs, _ADDED, strict=True)])


@dataclass(frozen=True)
class Elo:
    """An Elo difference, first player minus second, with its interval.

    Attributes:
        elo: From the score; infinite when one side won every game.
        low: Lower end of the interval.
        high: Upper end of the interval.
        los: Likelihood of superiority: how sure it is that the first player is the stronger one, 0 to 1.
    """

    elo: float
    low: float
    high: float
    los: float

    def __str__(self) -> str:
        return f"{elo_text(self.elo)} [{elo_text(self.low)}, {elo_text(self.high)}]"


def elo_from_pairs(pairs: PairCounts, score: float | None = None, confidence: float = 0.95) -> Elo:
    """Elo, interval and likelihood of superiority of a match.

    Args:
        pairs: Complete pairs by score.
        score: The share of points over all games, if some of them are not part of a complete pair.
        confidence: Confidence of the interval.
    """
    mean, variance = _with_added_pairs(pairs)
    error = math.sqrt(variance / (sum(pairs) + sum(_ADDED)))
    if score is None:
        score = mean_and_variance(pairs)[0] if sum(pairs) else 0.5
    low, high = wilson_interval(score, mean * (1 - mean) / error**2, confidence)
    return Elo(
        elo=elo_difference(score),
        low=elo_difference(low),
        high=elo_difference(high),
        los=_NORMAL.cdf((mean - 0.5) / error),
    )


def wilson_interval(score: float, games: float, confidence: float = 0.95) -> tuple[float, float]:
    """Where the true share lies of which `score` was seen in so many independent wins and losses."""
    z = _NORMAL.inv_cdf(0.5 + confidence / 2)
    centre = score + z**2 / (2 * games)
    half_width = z * math.sqrt(score * (1 - score) / games + z**2 / (4 * games**2))
    scale = 1 + z**2 / games
    # A clean sweep has its end exactly there; the formula would round to a chance of 1e-16, which is 6,000 Elo.
    low = (centre - half_width) / scale if score > 0 else 0.0
    high = (centre + half_width) / scale if score < 1 else 1.0
    return low, high


@dataclass(frozen=True)
class Sprt:
    """The sequential probability ratio test: is the first player `elo1` stronger rather than `elo0`?

    A match is played until the log-likelihood ratio leaves the bounds (Wald, 1945). The ratio is the generalised one
    for a normal mean: LLR = N (s1 - s0) (2 m - s0 - s1) / (2 v), where s0 and s1 are the expected scores of the two
    hypotheses.

    Attributes:
        elo0: The hypothesis that is kept unless the games speak against it.
        elo1: The better hypothesis.
        alpha: Chance to accept elo1 where elo0 is true.
        beta: Chance to accept elo0 where elo1 is true.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise SetupError(f"elo0 must be below elo1, not {self.elo0:g} and {self.elo1:g}")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise SetupError(f"alpha and beta must lie between 0 and 0.5, not {self.alpha:g} and {self.beta:g}")

    @classmethod
    def from_text(cls, text: str) -> Sprt:
        """The test of two Elo differences, written like "0,8"."""
        try:
            elo0, elo1 = map(float, text.split(","))
        except ValueError:
            raise SetupError(f'a sequential test is two Elo differences like 0,8, not "{text}"') from None
        return cls(elo0, elo1)

    @property
    def bounds(self) -> tuple[float, float]:
        """elo0 is accepted at or below the first, elo1 at or above the second."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, pairs: PairCounts) -> float:
        """The log-likelihood ratio after these pairs."""
        # With the added pairs, or the small variance that a few pairs show by chance would decide the test.
        mean, variance = _with_added_pairs(pairs)
        s0, s1 = expected_score(self.elo0), expected_score(self.elo1)
        return sum(pairs) * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance)

    def decision(self, pairs: PairCounts) -> str | None:
        """The accepted hypothesis, "elo0" or "elo1", or None while the test goes on."""
        low, high = self.bounds
        llr = self.llr(pairs)
        return "elo0" if llr <= low else "elo1" if llr >= high else None
