"""What a part of the soak is, and what it says afterwards."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field

MOST_FAULTS = 20
"""That are written down; all are counted."""


@dataclass
class Outcome:
    """What a part has tried and found.

    Attributes:
        tried: Lines, games, kills: the part says what.
        failed: Those that went wrong.
        faults: The first of them, for people.
        figures: Measurements.
    """

    tried: int = 0
    failed: int = 0
    faults: list[str] = field(default_factory=list)
    figures: dict[str, float] = field(default_factory=dict)

    def fail(self, fault: str) -> None:
        """Counts something that went wrong."""
        self.failed += 1
        if len(self.faults) < MOST_FAULTS:
            self.faults.append(fault[:500])


class Limit:
    """How long a part goes on: until the time is up, or enough was tried."""

    def __init__(self, seconds: float, count: int) -> None:
        self._end = time.monotonic() + seconds
        self._count = count

    def allows(self, outcome: Outcome) -> bool:
        """Whether to try more."""
        return outcome.tried < self._count and time.monotonic() < self._end

    @property
    def seconds_left(self) -> float:
        """Until the time is up."""
        return max(0.0, self._end - time.monotonic())


@dataclass(frozen=True)
class Part:
    """One way to try to break something.

    Attributes:
        name: For the command line.
        promise: What must hold, as a sentence of docs/reliability.md.
        unit: What is counted.
        goal: How many of them a whole soak tries.
        run: Tries with some chance until the limit.
        alone: Whether it measures time, and wants the machine for itself.
    """

    name: str
    promise: str
    unit: str
    goal: int
    run: Callable[[random.Random, Limit], Outcome]
    alone: bool = False
