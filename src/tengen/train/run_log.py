"""What a run says about itself: lines on disk, in TensorBoard, and for whoever watches."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import fmean
from typing import Any

from tengen import core
from tengen.train.run_folder import OpenRun
from tengen.train.tensorboard import EventFiles
from tengen.train.torch_learner import StepLosses


class Interval:
    """Sums since the last line of the log."""

    def __init__(self, counts: core.SelfPlayCounts) -> None:
        """Begins now.

        Args:
            counts: Of self-play so far.
        """
        self._started = self._told = time.monotonic()
        self._before = counts
        self._losses: list[StepLosses] = []

    @property
    def seconds(self) -> float:
        """How long it has been."""
        return time.monotonic() - self._started

    def tells_after(self, seconds: float) -> bool:
        """Whether so many seconds have passed again; asks to be told of once."""
        if time.monotonic() - self._told < seconds:
            return False
        self._told = time.monotonic()
        return True

    def add(self, losses: StepLosses) -> None:
        """Counts a step of learning."""
        self._losses.append(losses)

    def learning(self, batch: int) -> dict[str, float]:
        """Mean losses, if there was a step, and speed."""
        names = {"loss": "total", "policy_loss": "policy", "value_loss": "value"} if self._losses else {}
        return {
            **{name: fmean(getattr(losses, part) for losses in self._losses) for name, part in names.items()},
            "samples_per_second": len(self._losses) * batch / self.seconds,
        }

    def selfplay(self, counts: core.SelfPlayCounts) -> dict[str, float]:
        """Speed of self-play, and what its games were like, if one has ended."""

        def since(name: str) -> float:
            difference: float = getattr(counts, name) - getattr(self._before, name)
            return difference

        games = since("games")
        means = {"moves_per_game": "moves", "seconds_per_game": "seconds"}
        means |= {name: name for name in ("black_wins", "white_wins", "draws", "unfinished", "opposition_moves")}
        return {
            "games_per_second": games / self.seconds,
            "playouts_per_second": since("playouts") / self.seconds,
            **{mean: since(name) / games for mean, name in means.items() if games},
        }


class RunLog:
    """The log of one run."""

    def __init__(self, run: OpenRun, report: Callable[[dict[str, Any]], None]) -> None:
        """Writes nothing yet.

        Args:
            run: Where it is written.
            report: Called with every line, and with messages.
        """
        self._run = run
        self._report = report
        self._events: EventFiles | None = None

    def complain(self, sentence: str) -> None:
        """Tells people about something that is wrong, while the run goes on."""
        self._report({"message": sentence})

    def tell(self, entry: dict[str, Any]) -> None:
        """Shows how far it is, without a line in the log."""
        self._report(entry)

    def write(self, entry: dict[str, Any], tensorboard: bool) -> None:
        """Adds a line, for TensorBoard as well if that is wanted."""
        self._run.log(entry)
        if tensorboard:
            self._events = self._events or EventFiles(self._run.path / "events")
            self._events.write(entry)
        self._report(entry)

    def close(self) -> None:
        """Makes sure that everything is on disk."""
        if self._events is not None:
            self._events.close()
            self._events = None
