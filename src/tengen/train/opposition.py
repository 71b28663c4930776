"""p-opposition whose threshold and probability follow the games (S0).

A network that only learned to attack loses the games of one colour quickly, never seeing a defence. p-opposition makes
the side that believes it is losing play the opponent's best point instead of its own. How much of this medicine is
needed can be read from recent games:

- the probability grows with the imbalance of colours, |black wins - white wins| / (black wins + white wins): none while
  the colours win alike, `most` when one of them wins every game;
- "believes it is losing" means: as the losers of recent games did. The threshold is the median of the values that the
  search gave to the side that went on to lose, so that half of a loser's moves are below it.
"""

from __future__ import annotations

import statistics
from collections import deque
from collections.abc import Iterable
from typing import Protocol

#: With fewer decided games, nothing is known.
LEAST_GAMES = 30
#: The threshold stays in here: a side that is about even is not losing, and proven losses are not worth a trick.
THRESHOLDS = (-0.9, -0.1)


class FinishedGame(Protocol):
    """What is looked at of a game of self-play; `core.GameRecord` has it."""

    @property
    def result(self) -> int:
        """1 black won, -1 white won, 0 a draw, anything else unknown."""

    @property
    def samples(self) -> list[tuple[int, float, object]]:
        """The searched positions: stones on the board, value for the mover, and more."""


class AdaptiveOpposition:
    """Reads threshold and probability from the latest games."""

    def __init__(self, games: int, most: float) -> None:
        """Knows no games yet.

        Args:
            games: How many of the latest ones count.
            most: The probability when one colour wins every game.
        """
        self._most = most
        self._games: deque[tuple[int, list[float]]] = deque(maxlen=games)

    def add(self, games: Iterable[FinishedGame]) -> None:
        """Takes finished games in their order; the decided ones count."""
        for game in games:
            if game.result in (1, -1):
                loser = 1 if game.result == 1 else 0  # black moves when the number of stones is even
                self._games.append((game.result, [value for ply, value, *_ in game.samples if ply % 2 == loser]))

    @property
    def probability(self) -> float:
        """Of playing the opponent's point below the threshold."""
        if len(self._games) < LEAST_GAMES:
            return 0.0
        return self._most * abs(sum(result for result, _ in self._games)) / len(self._games)

    @property
    def threshold(self) -> float:
        """The value below which the mover believes that it is losing."""
        lowest, highest = THRESHOLDS
        values = [value for _, values in self._games for value in values]
        return min(highest, max(lowest, statistics.median(values))) if values else lowest
