"""How strong the levels for people are, measured in games.

Each level meets the level below and a few yardsticks of about its strength. All games together give the ratings. Every
pairing is a match in a folder of its own, so that a report goes on where it was stopped, and only pairings whose levels
have changed are played again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from tengen import core
from tengen.arena import GameSetup, MatchResult
from tengen.arena.ratings import Rating, Score, rate_match
from tengen.arena.results import Pairing
from tengen.errors import SetupError
from tengen.report.machine import machine, network, today
from tengen.report.markdown import bullet, paragraph, table
from tengen.report.matches import Watch, make_match, play
from tengen.thinking.levels import LEVELS, find_level

#: The yardsticks and the levels that meet them; the first is the zero of the scale.
YARDSTICKS = {
    "alphabeta:depth=2": (3, 4, 5),
    "beginner": (1, 2, 3, 4),
    "mcts:playouts=1000": (1, 2),
    "alphabeta:depth=4": (4, 5, 6),
    "mcts-expert:playouts=2000": (5, 6),
    "alphabeta:depth=6": (6, 7),
}
#: Levels that think long play fewer games: by how many times.
DEAR = {8: 2, 9: 4, 10: 8}
#: What a level should score against the one below.
GOAL = (0.70, 0.90)


@dataclass(frozen=True)
class LevelsReport:
    """What to play. Key method: `text`.

    Attributes:
        games: Games of each two players; even.
        seed: Random seed of the matches.
        concurrency: Games at a time; level 10 thinks by time and so gets weaker when they share cores.
        highest: The last level that is measured.
        folder: Where the matches are kept.
    """

    games: int = 400
    seed: int = 1
    concurrency: int = 1
    highest: int = max(LEVELS)
    folder: Path = Path("runs/report-levels")

    def __post_init__(self) -> None:
        find_level(self.highest)
        if self.highest < 2:
            raise SetupError("levels are measured against each other: the highest must be at least 2")
        if self.games < 2 or self.games % 2:
            raise SetupError(f"the number of games must be even, not {self.games}")

    @property
    def levels(self) -> list[int]:
        """The levels that are measured."""
        return [number for number in LEVELS if 1 <= number <= self.highest]  # 0 tries to lose

    @property
    def yardsticks(self) -> dict[str, list[int]]:
        """The yardsticks that are needed, each with the levels that meet it."""
        met = {spec: [level for level in levels if level <= self.highest] for spec, levels in YARDSTICKS.items()}
        return {spec: levels for spec, levels in met.items() if levels}

    @property
    def specs(self) -> list[str]:
        """All players: levels first."""
        return [*(f"level:{number}" for number in self.levels), *self.yardsticks]

    def pairings(self) -> list[Pairing]:
        """Who meets whom: the stronger one first."""
        places = {spec: place for place, spec in enumerate(self.specs)}
        pairings = [(place + 1, place) for place in range(len(self.levels) - 1)]
        for spec, levels in self.yardsticks.items():
            pairings += [(places[f"level:{level}"], places[spec]) for level in levels]
        return pairings

    def games_of(self, pairing: Pairing) -> int:
        """Games of two players: fewer where one of them thinks long, and always even."""
        return max(2, 2 * (self.games // 2 // DEAR.get(self.levels[pairing[0]], 1)))

    def text(self, watch: Watch) -> str:
        """Plays what has not been played yet and returns the document.

        Raises:
            Stopped: The games were interrupted.
        """
        return "\n".join(self._lines({pairing: self._play(pairing, watch) for pairing in self.pairings()})) + "\n"

    def _play(self, pairing: Pairing, watch: Watch) -> MatchResult:
        specs = [self.specs[place] for place in pairing]
        match = make_match(specs, self.games_of(pairing), self.seed, self.concurrency)
        levels = [LEVELS[self.levels[place]] for place in pairing if place < len(self.levels)]
        return play(match, self.folder / _digest(levels), watch, " against ".join(specs))

    def _ratings(self, results: Results) -> list[Rating]:
        totals = [(pairing, result.pair().total) for pairing, result in results.items()]
        scores = [Score(*pairing, total.wins, total.losses, total.draws) for pairing, total in totals]
        return rate_match(len(self.specs), scores, self.specs.index(self._zero))

    @property
    def _zero(self) -> str:
        return next(iter(self.yardsticks))

    def _lines(self, results: Results) -> Iterator[str]:
        yield from ("# The levels, measured", "")
        yield from self._about(sum(len(result.games) for result in results.values()))
        yield from ("", "## Levels", "", *self._levels(results), "")
        yield from ("## Yardsticks", "", *self._yardsticks(results), "")
        yield from ("## All pairings", "", *_pairs(results.values()))

    def _about(self, games: int) -> Iterator[str]:
        setup = GameSetup()
        shortened = "" if self.highest == max(LEVELS) else f" --highest {self.highest}"
        concurrent = "" if self.concurrency == 1 else f" --concurrency {self.concurrency}"
        command = f"tengen report levels --games {self.games} --seed {self.seed}{shortened}{concurrent}"
        yield paragraph(f"Written by `{command}` on {today()}; every figure is from games that it played.")
        yield ""
        yield bullet(f"Machine: {machine()}; one thread a player, games at a time: {self.concurrency}.")
        yield bullet(f"Network: {network(setup.rule, setup.size)}.")
        short = "" if self.games >= LevelsReport.games else f" ({LevelsReport.games} are usual: this is shortened)"
        yield bullet(
            f"{self.games} games of each two players{short}, fewer where levels of {min(DEAR)} and more think long; "
            f"{setup.rule} on {setup.size}x{setup.size}, balanced openings played twice with colours swapped, "
            "adjudication: none."
        )
        yield bullet(
            f"Elo by maximum likelihood over all {games:,} games with Davidson's draw model; `{self._zero}` is 0, and "
            "± is half of the 95 % interval. The step is the difference to the level below, from their games alone."
        )
        low, high = GOAL
        yield bullet(f"The goal: every level scores {low:.0%} to {high:.0%} against the one below.")
        yield bullet("`beginner` stands for somebody in their first games, for whom levels 1 to 4 are made.")

    def _levels(self, results: Results) -> list[str]:
        ratings = self._ratings(results)
        rows = []
        for place, number in enumerate(self.levels):
            below = ["-", "-", "-", "-"]
            if place > 0:
                pair = results[place, place - 1].pair()
                below = [str(pair.total), f"{pair.score:.0%}", _verdict(pair.score), str(pair.elo)]
            rows.append([str(number), str(ratings[place]), *below, f"{self._seconds(place, results):.3g}"])
        return table(["level", "Elo", "against the level below", "score", "goal", "step", "s/move"], rows)

    def _yardsticks(self, results: Results) -> list[str]:
        ratings = self._ratings(results)
        places = range(len(self.levels), len(self.specs))
        ranked = sorted(places, key=lambda place: ratings[place].elo)
        rows = [
            [f"`{self.specs[place]}`", str(ratings[place]), f"{self._seconds(place, results):.3g}"] for place in ranked
        ]
        return table(["player", "Elo", "s/move"], rows)

    def _seconds(self, player: int, results: Results) -> float:
        """Seconds a move over all games of a player."""
        met = [(result, pairing.index(player)) for pairing, result in results.items() if player in pairing]
        games = sum(len(result.games) for result, _ in met)
        return sum(len(result.games) * result.seconds_a_move(place) for result, place in met) / games


Results: TypeAlias = Mapping[Pairing, MatchResult]
"""The match of each pairing, the players by their place in the report."""


def _pairs(results: Iterable[MatchResult]) -> list[str]:
    rows = []
    for result in results:
        pair = result.pair()
        tallies = (pair.total, pair.as_black, pair.as_white)
        rows.append([f"`{pair.first}`", f"`{pair.second}`", *map(str, tallies), f"{pair.score:.0%}"])
    return table(["first", "second", "won-lost-drawn", "as black", "as white", "score"], rows)


def _digest(levels: Sequence[core.Level]) -> str:
    """A name that changes with what the levels are."""
    return hashlib.sha256(repr(levels).encode()).hexdigest()[:8]


def _verdict(score: float) -> str:
    low, high = GOAL
    return "too close" if score < low else "too far" if score > high else "met"
