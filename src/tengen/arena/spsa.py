"""Simultaneous perturbation stochastic approximation (Spall, 1992): better constants from many games, a little each.

All parameters are changed at once, each by its step c_k up or down at random. The player with these values meets the
one with the opposite changes, and the values move towards the winner. After k of N pairs of games, with r the games
that the first player won less those that it lost:

    c_k = c (N / k)^0.101                           c: the step at the end, a share of the parameter's range
    R_k = R (c / c_k)^2 ((A + N) / (A + k))^0.602   R: the rate at the end; A = N / 10 lets the first steps be small
    value = value + R_k c_k r sign

The exponents are Spall's; rate and step are given by what they are at the end, as the Stockfish project does, because
that says how finely the result is resolved.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tengen.errors import SetupError

Values: TypeAlias = Mapping[str, float]
"""A value for each parameter."""

_STEP_DECAY = 0.101
_RATE_DECAY = 0.602
_STABILITY = 0.1  # A as a share of N
_STEPS_IN_RANGE = 20


@dataclass(frozen=True)
class Range:
    """A parameter to tune, and where.

    Attributes:
        name: A key of the player's spec.
        start: Where to begin.
        low: The least value to try.
        high: The largest value to try.
        whole: Whether it is a whole number.
    """

    name: str
    start: float
    low: float
    high: float
    whole: bool = False

    @property
    def step(self) -> float:
        """How far a value is changed at the end of the games; a whole number has to become another one."""
        step = (self.high - self.low) / _STEPS_IN_RANGE
        return max(0.5, step) if self.whole else step

    def text(self, value: float) -> str:
        """A value for a spec."""
        return str(round(value)) if self.whole else f"{value:.6g}"

    @classmethod
    def from_text(cls, text: str, whole: bool = False) -> Range:
        """A range written like "c_puct=1.6:0.5:4": where to begin, the least and the largest value."""
        name, _, numbers = text.partition("=")
        try:
            start, low, high = map(float, numbers.split(":"))
        except ValueError:
            raise SetupError(f'"{text}" is not NAME=START:LEAST:LARGEST; write it like c_puct=1.6:0.5:4') from None
        if not low <= start <= high or low == high:
            raise SetupError(f"{name} must begin between its least and its largest value, not {numbers}")
        return cls(name.strip(), start, low, high, whole)


@dataclass(frozen=True)
class Trial:
    """Two sets of values to compare; the signs say which way the first one was changed."""

    plus: Values
    minus: Values
    signs: Values


class Spsa:
    """Values on their way. Key methods: `trial` and `learn`, in turn.

    Attributes:
        values: The best guess so far.
        pairs: Pairs of games that were played for it.
    """

    def __init__(self, ranges: Sequence[Range], pairs: int, rate: float, seed: int) -> None:
        """Begins at the start of the ranges.

        Args:
            ranges: The parameters.
            pairs: How many pairs of games there will be.
            rate: How far a won game moves the values at the end, as a share of the step.
            seed: Of the signs.
        """
        self._ranges = ranges
        self._total = pairs
        self._rate = rate
        self._seed = seed
        self.values: dict[str, float] = {item.name: item.start for item in ranges}
        self.pairs = 0

    def trial(self) -> Trial:
        """What to compare next; the same however often it is asked."""
        chance = random.Random(f"{self._seed}/{self.pairs}")
        signs = {item.name: chance.choice((-1.0, 1.0)) for item in self._ranges}
        return Trial(self._changed(signs, 1), self._changed(signs, -1), signs)

    def _changed(self, signs: Values, direction: int) -> Values:
        return {
            item.name: min(item.high, max(item.low, self.values[item.name] + direction * signs[item.name] * step))
            for item, step in zip(self._ranges, self._steps(), strict=True)
        }

    def learn(self, trial: Trial, result: float, pairs: int) -> None:
        """Moves the values.

        Args:
            trial: What was compared.
            result: Games that the first values won, less those that they lost.
            pairs: Pairs of games that were played.
        """
        left = (_STABILITY * self._total + self._total) / (_STABILITY * self._total + self.pairs + 1)
        for item, step in zip(self._ranges, self._steps(), strict=True):
            rate = self._rate * (item.step / step) ** 2 * left**_RATE_DECAY
            moved = self.values[item.name] + rate * step * result * trial.signs[item.name]
            self.values[item.name] = min(item.high, max(item.low, moved))
        self.pairs += pairs

    def _steps(self) -> list[float]:
        growth = (self._total / min(self._total, self.pairs + 1)) ** _STEP_DECAY
        return [item.step * growth for item in self._ranges]
