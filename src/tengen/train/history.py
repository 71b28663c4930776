"""Runs as they are on disk, for those who look at them: read, never written, and without torch."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tengen.errors import InputError
from tengen.train.journal import FILE, Journal
from tengen.train.json_lines import read_lines
from tengen.train.run_folder import LOG


@dataclass(frozen=True)
class Strength:
    """A network that was judged: when, its Elo with half of the 95 % interval, and whether it was kept."""

    network: str
    minutes: float
    elo: float
    margin95: float
    kept: bool


@dataclass(frozen=True)
class YardstickResult:
    """How the network that met them last did against a yardstick."""

    opponent: str
    elo: float
    network: str
    wins: int
    losses: int
    draws: int


class History:
    """One run."""

    def __init__(self, folder: Path) -> None:
        """Reads what is there, also while the run goes on.

        Args:
            folder: Of the run.
        """
        self.name = folder.name
        self._folder = folder
        self.entries = [entry for entry in read_lines(folder / LOG) if "minutes" in entry]

    @property
    def params(self) -> dict[str, Any]:
        """What the run was started with."""
        try:
            params = json.loads((self._folder / "params.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return params if isinstance(params, dict) else {}

    @property
    def modified(self) -> float:
        """When it was last active, in seconds since 1970."""
        return max(path.stat().st_mtime for path in (self._folder / LOG, self._folder / FILE) if path.exists())

    def last(self, name: str) -> Any:
        """The latest value of a number in the log, or None."""
        return next((entry[name] for entry in reversed(self.entries) if name in entry), None)

    def curve(self, name: str) -> tuple[list[float], list[float]]:
        """Minutes and values of a number in the log."""
        found = [entry for entry in self.entries if isinstance(entry.get(name), int | float)]
        return [entry["minutes"] for entry in found], [entry[name] for entry in found]

    def strength(self) -> tuple[list[Strength], list[YardstickResult]]:
        """Elo of every judged network by all games together, and the latest results against each yardstick."""
        journal = Journal(self._folder)
        ratings = journal.ratings()
        curve = [
            Strength(
                network.name, network.minutes, ratings[network.name].elo, ratings[network.name].margin95, network.kept
            )
            for network in journal.networks
        ]
        latest: dict[str, YardstickResult] = {}
        for network in journal.networks:
            for spec, tally in journal.yardsticks_met(network.name).items():
                elo = ratings[spec].elo
                latest[spec] = YardstickResult(spec, elo, network.name, tally.wins, tally.losses, tally.draws)
        return curve, sorted(latest.values(), key=lambda result: result.elo)


def find_runs(folder: Path) -> list[History]:
    """All runs in a folder, the one that was active last first."""
    histories = [History(path.parent) for path in folder.glob(f"*/{LOG}")]
    return sorted(histories, key=lambda history: history.modified, reverse=True)


def open_run(run: str, folder: Path) -> History:
    """A run by its name in the folder of all runs, or by its own path."""
    for path in (folder / run, Path(run)):
        if (path / LOG).exists():
            return History(path)
    names = ", ".join(history.name for history in find_runs(folder)) or "none"
    raise InputError(f'there is no run "{run}" in {folder}; the runs there: {names}')
