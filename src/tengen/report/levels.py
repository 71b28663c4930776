"""How strong the levels for people are, measured in games.

Each level meets the level below and a few yardsticks of about its strength. All games together give the ratings.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tengen.arena import GameSetup, MatchResult
from tengen.arena.results import Pairing
from tengen.errors import SetupError
from tengen.report.machine import machine, network, today
from tengen.report.markdown import bullet, paragraph, table
from tengen.report.matches import Watch, make_match, play
from tengen.thinking.levels import LEVELS, find_level

#: The yardsticks and the levels that meet them; the first is the zero of the scale.
YARDSTICKS = {
    "alphabeta:depth=2": (3, 4, 5, 6),
    "random": (1, 2),
    "mcts:playouts=1000": (2, 3, 4),
    "alphabeta:depth=4": (5, 6, 7),
    "mcts-expert:playouts=2000": (6, 7, 8),
    "alphabeta:depth=6": (6, 7, 8),
    "alphabeta:depth=6,vct=8": (8, 9, 10),
}
#: What a level should score against the one below.
GOAL = (0.75, 0.90)


@dataclass(frozen=True)
class LevelsReport:
    """What to play. Key method: `write`.

    Attributes:
        games: Games of each two players; even.
        seed: Random seed of the match.
        concurrency: Games at a time; level 10 thinks by time and so gets weaker when they share cores.
        highest: The last level that is measured.
        folder: Where the match is kept.
    """

    games: int = 20
    seed: int = 1
    concurrency: int = 1
    highest: int = max(LEVELS)
    folder: Path = Path("runs/report-levels")

    def __post_init__(self) -> None:
        find_level(self.highest)
        if self.highest < 2:
            raise SetupError("levels are measured against each other: the highest must be at least 2")

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

    def text(self, watch: Watch) -> str:
        """Plays what has not been played yet and returns the document.

        Raises:
            Stopped: The games were interrupted.
        """
        match = make_match(self.specs, self.games, self.seed, self.concurrency, lambda count: self.pairings())
        return "\n".join(self._lines(play(match, self.folder, watch, "levels"))) + "\n"

    def _lines(self, result: MatchResult) -> Iterator[str]:
        setup = GameSetup()
        zero = next(iter(self.yardsticks))
        yield from ("# The levels, measured", "")
        shortened = "" if self.highest == max(LEVELS) else f" --highest {self.highest}"
        concurrent = "" if self.concurrency == 1 else f" --concurrency {self.concurrency}"
        command = f"tengen report levels --games {self.games} --seed {self.seed}{shortened}{concurrent}"
        yield paragraph(f"Written by `{command}` on {today()}; every figure is from games that it played.")
        yield ""
        yield bullet(f"Machine: {machine()}; one thread a player, games at a time: {self.concurrency}.")
        yield bullet(f"Network: {network(setup.rule, setup.size)}.")
        yield bullet(
            f"{self.games} games of each two players, {setup.rule} on {setup.size}x{setup.size}, balanced openings "
            "played twice with colours swapped, adjudication: none."
        )
        yield bullet(
            f"Elo by maximum likelihood over all {len(result.games)} games with Davidson's draw model; `{zero}` is 0, "
            "and ± is half of the 95 % interval."
        )
        low, high = GOAL
        yield bullet(f"The goal: every level scores {low:.0%} to {high:.0%} against the one below.")
        yield from ("", "## Levels", "", *self._levels(result, zero), "")
        yield from ("## Yardsticks", "", *self._yardsticks(result, zero), "")
        yield from ("## All pairings", "", *self._pairs(result))

    def _levels(self, result: MatchResult, zero: str) -> list[str]:
        ratings = result.ratings(self.specs.index(zero))
        rows = []
        for place, number in enumerate(self.levels):
            below = ["-", "-", "-"]
            if place > 0:
                pair = result.pair((place, place - 1))
                below = [str(pair.total), f"{pair.score:.0%}", _verdict(pair.score)]
            seconds = f"{result.seconds_a_move(place):.3g}"
            rows.append([str(number), str(ratings[place]), *below, seconds])
        return table(["level", "Elo", "against the level below", "score", "goal", "s/move"], rows)

    def _yardsticks(self, result: MatchResult, zero: str) -> list[str]:
        ratings = result.ratings(self.specs.index(zero))
        places = range(len(self.levels), len(self.specs))
        ranked = sorted(places, key=lambda place: ratings[place].elo)
        rows = [
            [f"`{self.specs[place]}`", str(ratings[place]), f"{result.seconds_a_move(place):.3g}"] for place in ranked
        ]
        return table(["player", "Elo", "s/move"], rows)

    def _pairs(self, result: MatchResult) -> list[str]:
        rows = []
        for pairing in result.pairings:
            pair = result.pair(pairing)
            tallies = (pair.total, pair.as_black, pair.as_white)
            rows.append([f"`{pair.first}`", f"`{pair.second}`", *map(str, tallies), f"{pair.score:.0%}"])
        return table(["first", "second", "won-lost-drawn", "as black", "as white", "score"], rows)


def _verdict(score: float) -> str:
    low, high = GOAL
    return "too close" if score < low else "too far" if score > high else "met"
