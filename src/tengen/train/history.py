"""Runs as they are on disk, for those who look at them: read, never written, and without torch."""

from __future__ import annotations

import contextlib
import json
import math
import time
from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from tengen import core
from tengen.errors import InputError
from tengen.games import GOMOKU
from tengen.train.journal import FILE, Journal
from tengen.train.json_lines import LineReader, finite
from tengen.train.pools import NodeState
from tengen.train.run_folder import LOG, NODES, PARAMS, RunFolder

_NODES = TypeAdapter(list[NodeState])


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
    """One run, also while it goes on: `update` reads what was added, and costs little however long the run is."""

    def __init__(self, folder: Path) -> None:
        """Reads what is there.

        Args:
            folder: Of the run.
        """
        self.name = folder.name
        self._folder = folder
        self._log = LineReader(folder / LOG)
        self._table = _Table()
        self._journal = Journal(folder)
        self._strength: tuple[list[Strength], list[YardstickResult]] | None = None
        self._games = _LatestGames(RunFolder(folder))
        self.update()

    def update(self) -> None:
        """Reads what was added since."""
        entries, is_other = self._log.read()
        if is_other:
            self._table = _Table()
        self._table.add(entries)
        if self._journal.update():
            self._strength = None

    @property
    def preset(self) -> str:
        """The preset by which it was started; "" if nothing says so."""
        name = self._params().get("preset")
        return name if isinstance(name, str) else ""

    @property
    def planned_minutes(self) -> float | None:
        """How long it should last, if anything says so."""
        return finite(self._params().get("minutes"))

    def _params(self) -> dict[str, Any]:
        try:
            params = json.loads((self._folder / PARAMS).read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return {}
        return params if isinstance(params, dict) else {}

    def nodes(self) -> list[NodeState]:
        """The machines that play for it, as they were when it was last active; none if it plays by itself."""
        path = self._folder / NODES
        try:
            nodes, written = _NODES.validate_json(path.read_bytes()), path.stat().st_mtime
        except (OSError, ValidationError):
            return []
        passed = max(0.0, time.time() - written)
        return [replace(node, last_seen=node.last_seen + passed) for node in nodes]

    @property
    def modified(self) -> float:
        """When it was last active, in seconds since 1970."""
        return last_active(self._folder)

    def last(self, name: str) -> float | None:
        """The latest value of a number in the log, or None."""
        values = self.curve(name)[1]
        return values[-1] if values else None

    def curve(self, name: str) -> tuple[list[float], list[float]]:
        """Minutes and values of a number in the log."""
        return self._table.curve(name)

    def rows(self, names: Iterable[str], most: int) -> list[dict[str, float]]:
        """Some numbers of evenly spaced lines of the log, at most so many and always the newest."""
        return self._table.rows(names, most)

    def strength(self) -> tuple[list[Strength], list[YardstickResult]]:
        """Elo of every judged network by all games together, and the latest results against each yardstick."""
        if self._strength is None:
            self._strength = self._rate()
        return self._strength

    def _rate(self) -> tuple[list[Strength], list[YardstickResult]]:
        ratings = self._journal.ratings()
        curve = []
        latest: dict[str, YardstickResult] = {}
        for network in self._journal.networks:
            rating = ratings[network.name]
            curve.append(Strength(network.name, network.minutes, rating.elo, rating.margin95, network.kept))
            for spec, tally in self._journal.yardsticks_met(network.name).items():
                elo = ratings[spec].elo
                latest[spec] = YardstickResult(spec, elo, network.name, tally.wins, tally.losses, tally.draws)
        return curve, sorted(latest.values(), key=lambda result: result.elo)

    def latest_games(self, most: int) -> list[core.GameRecord]:
        """The newest games of Gomoku, the newest of them last."""
        return self._games.read(most)


class _Table:
    """The numbers of a log: a row for each line that says when, a column for each name; NaN where there is none."""

    def __init__(self) -> None:
        self._minutes = array("d")
        self._columns: dict[str, array[float]] = {}

    def add(self, entries: Iterable[Mapping[str, Any]]) -> None:
        for entry in entries:
            minutes = finite(entry.get("minutes"))
            if minutes is None:
                continue
            for name, value in entry.items():
                if (number := finite(value)) is not None:
                    column = self._columns.setdefault(name, array("d"))
                    column.extend([math.nan] * (len(self._minutes) - len(column)))
                    column.append(number)
            self._minutes.append(minutes)

    def curve(self, name: str) -> tuple[list[float], list[float]]:
        column = self._columns.get(name, ())
        found = [(minutes, value) for minutes, value in zip(self._minutes, column, strict=False) if value == value]
        return [minutes for minutes, _ in found], [value for _, value in found]

    def rows(self, names: Iterable[str], most: int) -> list[dict[str, float]]:
        count = len(self._minutes)
        step = max(1, -(-count // most))
        columns = {name: self._columns[name] for name in names if name in self._columns}
        return [
            {name: column[row] for name, column in columns.items() if row < len(column) and column[row] == column[row]}
            for row in (*range(0, count - 1, step), *range(max(0, count - 1), count))
        ]


class _LatestGames:
    """The end of the newest shard, read on from where it was."""

    def __init__(self, run: RunFolder) -> None:
        self._run = run
        self._shard = 0
        self._place = 0
        self._games: list[core.GameRecord] = []

    def read(self, most: int) -> list[core.GameRecord]:
        for number, path in self._run.shards()[-2:]:  # the last one may have just begun
            if number < self._shard:
                continue
            if number != self._shard:
                self._shard, self._place = number, 0
            with contextlib.suppress(OSError), open(path, "rb") as file:
                file.seek(self._place)
                games = core.read_games(file.read())
                self._place += sum(len(game.data) for game in games)
                self._games += [game for game in games if game.game == GOMOKU]
        del self._games[:-most]
        return self._games


def find_runs(folder: Path) -> list[tuple[Path, float]]:
    """The folders of all runs, with the time of their last activity, which is latest for the first."""
    runs = [(path.parent, last_active(path.parent)) for path in folder.glob(f"*/{LOG}")]
    return sorted(runs, key=lambda run: run[1], reverse=True)


def last_active(folder: Path) -> float:
    """When something was last written about a run, in seconds since 1970."""
    times = [0.0]
    for name in (LOG, FILE):
        with contextlib.suppress(OSError):
            times.append((folder / name).stat().st_mtime)
    return max(times)


def open_run(run: str, folder: Path) -> History:
    """A run by its name in the folder of all runs, or by its own path."""
    for path in (folder / run, Path(run)):
        if (path / LOG).exists():
            return History(path)
    names = ", ".join(path.name for path, _ in find_runs(folder)) or "none"
    raise InputError(f'there is no run "{run}" in {folder}; the runs there: {names}')
