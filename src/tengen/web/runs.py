"""Training runs as the page that watches them sees them: read from their folders, never written."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tengen import core
from tengen.errors import InputError
from tengen.thinking.pool import Job
from tengen.web import limits, messages

CURVES = (
    "minutes",
    "games",
    "positions",
    "policy_loss",
    "value_loss",
    "policy_entropy",
    "games_per_second",
    "playouts_per_second",
    "samples_per_second",
    "moves_per_game",
    "black_wins",
)
_RULES = {rule: rule.name for rule in (core.Rule.freestyle, core.Rule.standard, core.Rule.renju, core.Rule.caro)}


class Runs:
    """The folder of all runs. A name that a page sends is only ever compared with the names that are there."""

    def __init__(self, folder: Path | None) -> None:
        """Looks at a folder.

        Args:
            folder: Of all runs, one folder each; None if there is nothing to watch.
        """
        self._folder = folder

    def known(self) -> list[str]:
        """The names of all runs, the one that was active last first."""
        paths = [] if self._folder is None else self._folder.glob("*/log.jsonl")
        logs = [(path.stat().st_mtime, path) for path in paths]
        return [path.parent.name for _, path in sorted(logs, reverse=True)[: limits.MAX_RUNS]]

    def read(self, name: str) -> tuple[list[dict[str, float]], list[messages.PlayedGame]]:
        """The curves of a run, thinned out, and its latest games."""
        folder = self._find(name)
        return _curves(folder / "log.jsonl"), _latest_games(folder / "games")

    def strength(self, name: str) -> tuple[list[messages.JudgedNetwork], list[messages.Yardstick]]:
        """The Elo of a run's networks, and its latest results against yardsticks."""
        from tengen.train.history import History  # late: the first page does not wait for it

        curve, results = History(self._find(name)).strength()
        return (
            [messages.JudgedNetwork(minutes=p.minutes, elo=p.elo, error=p.margin95, kept=p.kept) for p in curve],
            [
                messages.Yardstick(opponent=r.opponent, elo=r.elo, wins=r.wins, losses=r.losses, draws=r.draws)
                for r in results
            ],
        )

    def _find(self, name: str) -> Path:
        if self._folder is None or name not in self.known():
            raise InputError(f'there is no run "{name}"')
        return self._folder / name


def _curves(path: Path) -> list[dict[str, float]]:
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - limits.MAX_LOG_BYTES))
        lines = file.read().decode(errors="replace").splitlines()
    entries = [entry for line in lines if (entry := _entry(line))]
    step = max(1, -(-len(entries) // limits.MAX_LOG_ENTRIES))
    last = entries[-1:]  # always the newest, whatever the step
    return [*entries[:-1:step], *last]


def _entry(line: str) -> dict[str, float]:
    """The numbers of a line; none of one that is cut off or only says something."""
    try:
        values: dict[str, Any] = json.loads(line)
    except ValueError:
        return {}
    if not isinstance(values, dict) or "minutes" not in values:
        return {}
    return {name: float(values[name]) for name in CURVES if isinstance(values.get(name), int | float)}


def _latest_games(folder: Path) -> list[messages.PlayedGame]:
    for shard in sorted(folder.glob("*.bin"), reverse=True)[:2]:  # the last one may have just begun
        if shard.stat().st_size > limits.MAX_SHARD_BYTES:
            continue
        # The page has no board for other games.
        if games := [game for game in core.read_games(shard.read_bytes()) if game.game == "gomoku"]:
            return [_played(game) for game in games[-limits.MAX_SHOWN_GAMES :]]
    return []


def _played(game: core.GameRecord) -> messages.PlayedGame:
    moves = [f"{chr(ord('a') + cell % game.width)}{game.height - cell // game.width}" for cell in game.moves]
    return messages.PlayedGame(
        size=max(game.width, game.height),
        rule=_RULES[game.rule],
        moves=moves,
        opening=game.opening_plies,
    )


def watch(request: messages.WatchRequest, job: Job, runs: Runs) -> Iterator[messages.Message | None]:
    """Reads a run: files, so not for the thread that serves all pages."""
    listed = runs.known()
    name = request.run or (listed[0] if listed else None)
    curves, games = runs.read(name) if name else ([], [])
    strength, yardsticks = runs.strength(name) if name else ([], [])
    yield messages.WatchAnswer(
        id=request.id,
        runs=listed,
        run=name,
        curves=curves,
        strength=strength,
        yardsticks=yardsticks,
        games=games,
    )
