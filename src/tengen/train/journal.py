"""What evaluation has found out so far: a file of JSON lines from which everything else can be computed again.

Lines are added at the end and never changed:

    {"kind": "known", "ratings": {"alphabeta:depth=2": 0, ...}}            ratings that are taken as given
    {"kind": "game", "network": "004", "opponent": "003", "color": ..., "points": ..., "size": ..., "moves": ...}
    {"kind": "network", "name": "004", "minutes": ..., "kept": true, ...}  a network that was judged
"""

from __future__ import annotations

import contextlib
import dataclasses
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import FiniteFloat, TypeAdapter

from tengen.arena.ratings import Rating, Score, rate_history
from tengen.arena.results import Tally
from tengen.train.json_lines import LineReader, append_line

FILE = "evaluation.jsonl"


@dataclass(frozen=True)
class JudgedNetwork:
    """A network that met the best one so far.

    Attributes:
        name: Its number, and the name of its file if it was kept.
        minutes: Of training before it.
        games: Of self-play before it.
        best: The network that it met; None for the first one, which had nobody to meet.
        score: Its share of the points.
        kept: Whether it passed the gate.
    """

    name: str
    minutes: FiniteFloat
    games: int
    best: str | None
    score: FiniteFloat | None
    kept: bool


@dataclass(frozen=True)
class _Game:
    network: str
    opponent: str
    points: FiniteFloat


_NETWORK, _GAME, _KNOWN = TypeAdapter(JudgedNetwork), TypeAdapter(_Game), TypeAdapter(dict[str, FiniteFloat])


class Journal:
    """The evaluation of one run."""

    def __init__(self, folder: Path) -> None:
        """Reads what is there.

        Args:
            folder: Of the run.
        """
        self._path = folder / FILE
        self._reader = LineReader(self._path)
        self.networks: list[JudgedNetwork] = []
        self.known: dict[str, float] = {}
        self._tallies: dict[tuple[str, str], Tally] = {}
        self._last_number = -1
        self.update()

    def update(self) -> bool:
        """Reads what was added since; whether there was anything."""
        lines, is_other = self._reader.read()
        if is_other:
            self.networks, self.known, self._tallies, self._last_number = [], {}, {}, -1
        for line in lines:
            with contextlib.suppress(ValueError):  # a damaged line says nothing
                self._take(line)
        return bool(lines) or is_other

    def next_name(self) -> str:
        """A name that no network of this run has had, whether it was judged or not."""
        return f"{self._last_number + 1:03d}"

    @property
    def kept(self) -> list[JudgedNetwork]:
        """The networks that passed the gate, oldest first; the last one is the best."""
        return [network for network in self.networks if network.kept]

    def set_known(self, ratings: dict[str, float]) -> None:
        """Says which ratings are given."""
        if ratings != self.known:
            self._add({"kind": "known", "ratings": ratings})

    def add_game(self, network: str, opponent: str, points: float, **details: Any) -> None:
        """Counts a game, from the network's view."""
        self._add({"kind": "game", "network": network, "opponent": opponent, "points": points, **details})

    def add_network(self, network: JudgedNetwork) -> None:
        """Says how a network was judged."""
        self._add({"kind": "network", **dataclasses.asdict(network)})

    def tally(self, network: str, opponent: str) -> Tally:
        """The games of a network against an opponent."""
        return self._tallies.get((network, opponent), Tally())

    def yardsticks_met(self, network: str) -> dict[str, Tally]:
        """The results of a network against everybody but networks."""
        names = {judged.name for judged in self.networks}
        return {
            opponent: tally
            for (name, opponent), tally in self._tallies.items()
            if name == network and opponent not in names
        }

    def ratings(self) -> dict[str, Rating]:
        """Elo of every judged network and every yardstick."""
        names = [network.name for network in self.networks]
        judged = set(names)
        scores = [
            Score(network, opponent, tally.wins, tally.losses, tally.draws)
            for (network, opponent), tally in self._tallies.items()
            if network in judged  # games of a network whose evaluation was cut off by a crash say little
        ]
        return rate_history(scores, self.known, names)

    def _add(self, line: dict[str, Any]) -> None:
        append_line(self._path, line)
        self.update()

    def _take(self, line: dict[str, Any]) -> None:
        match line.get("kind"):
            case "known":
                self.known = _KNOWN.validate_python(line.get("ratings"))
            case "game":
                game = _GAME.validate_python(line)
                self._last_number = max(self._last_number, int(game.network))
                self._tallies.setdefault((game.network, game.opponent), Tally()).add(game.points)
            case "network":
                network = _NETWORK.validate_python(line)
                self._last_number = max(self._last_number, int(network.name))
                if all(network.name != other.name for other in self.networks):
                    self.networks.append(network)
