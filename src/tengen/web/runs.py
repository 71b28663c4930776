"""Training runs as the page that watches them sees them: read from their folders, never written."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from tengen import core
from tengen.errors import InputError
from tengen.thinking.pool import Job
from tengen.web import limits, messages

if TYPE_CHECKING:
    from tengen.train.history import History

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
    "full_playouts",
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
        self._histories: dict[str, History] = {}
        self._lock = threading.Lock()

    def known(self) -> list[str]:
        """The names of all runs, the one that was active last first."""
        from tengen.train.history import find_runs  # late: the first page does not wait for it

        found = [] if self._folder is None else find_runs(self._folder)
        return [path.name for path, _ in found[: limits.MAX_RUNS]]

    def watch(self, request: messages.WatchRequest) -> messages.WatchAnswer:
        """A run as it is now: the one that is named, or the one that was active last."""
        from tengen.train.history import last_active

        runs = self.known()
        name = request.run or (runs[0] if runs else None)
        if name is None or self._folder is None:
            return messages.WatchAnswer(
                id=request.id, runs=runs, run=None, quiet=0.0, curves=[], strength=[], yardsticks=[], games=[], nodes=[]
            )
        if name not in runs:
            raise InputError(f'there is no run "{name}"')
        with self._lock:  # pages share what was read, and only what was added since is read again
            history = self._history(self._folder / name)
            curve, results = history.strength()
            return messages.WatchAnswer(
                id=request.id,
                runs=runs,
                run=name,
                quiet=round(time.time() - last_active(self._folder / name)),
                curves=history.rows(CURVES, limits.MAX_LOG_ENTRIES),
                strength=[
                    messages.JudgedNetwork(minutes=p.minutes, elo=p.elo, error=p.margin95, kept=p.kept) for p in curve
                ],
                yardsticks=[
                    messages.Yardstick(opponent=r.opponent, elo=r.elo, wins=r.wins, losses=r.losses, draws=r.draws)
                    for r in results
                ],
                games=[_played(game) for game in history.latest_games(limits.MAX_SHOWN_GAMES)],
                nodes=[messages.PlayingNode(**vars(node)) for node in history.nodes()[: limits.MAX_SHOWN_NODES]],
            )

    def _history(self, folder: Path) -> History:
        from tengen.train.history import History

        if folder.name in self._histories:
            self._histories[folder.name].update()
        else:
            self._histories[folder.name] = History(folder)
        return self._histories[folder.name]


def _played(game: core.GameRecord) -> messages.PlayedGame:
    moves = [f"{chr(ord('a') + cell % game.width)}{game.height - cell // game.width}" for cell in game.moves]
    return messages.PlayedGame(
        size=max(game.width, game.height),
        rule=_RULES[game.rule],
        moves=moves,
        opening=game.opening_plies,
    )


def watch(request: messages.WatchRequest, job: Job, runs: Runs) -> messages.WatchAnswer:
    """Reads a run: files, so not for the thread that serves all pages."""
    return runs.watch(request)
