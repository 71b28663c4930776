"""Playouts a move that follow those who play: where they are many, games become better instead of more.

A learner that uses each position `reuse` times can take so many positions a second and no more. When they come faster,
all playouts are multiplied by a factor, which makes positions rarer and their targets better; when machines leave, it
falls again.
"""

from __future__ import annotations

#: The share of the learner's time that is aimed at; the rest catches up with what has piled up.
_AIM = 0.9
#: The factor changes by this factor with each network at most: games come in bursts.
_STEP = 1.25


class PlayoutGrowth:
    """The factor of all playouts. Key method: `settle`.

    Attributes:
        factor: By which playouts are multiplied now, from 1 to `most`.
    """

    def __init__(self, most: float, factor: float = 1.0, now: float = 0.0) -> None:
        """Has seen nothing yet.

        Args:
            most: The largest factor; 1 for no growth.
            factor: As it was when the run was stopped.
            now: Seconds of the run.
        """
        self._most = most
        self.factor = min(most, max(1.0, factor))
        self._owed = 0.0
        self._samples = 0.0
        self._busy = 0.0
        self._settled = now

    def owe(self, samples: float) -> None:
        """Takes notice of games: so many samples are to be learned for them."""
        self._owed += samples

    def learned(self, samples: float, seconds: float) -> None:
        """Takes notice of samples that were learned from, and how long it took."""
        self._samples += samples
        self._busy += seconds

    def settle(self, now: float) -> None:
        """Fits the factor to what has happened since the last call.

        Args:
            now: Seconds of the run.
        """
        passed, self._settled = now - self._settled, now
        if self._samples and passed > 0:
            busy = self._owed * self._busy / self._samples / passed  # of the learner's time, if it kept up
            change = min(_STEP, max(1 / _STEP, busy / _AIM))
            self.factor = min(self._most, max(1.0, self.factor * change))
        self._owed, self._samples, self._busy = 0.0, 0.0, 0.0
