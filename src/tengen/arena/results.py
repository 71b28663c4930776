"""What a match is made of and what came out of it: games, tallies, results of pairings."""

from __future__ import annotations

import bisect
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from tengen.arena.game import FORFEITS, GameResult
from tengen.arena.openings import Opening
from tengen.arena.ratings import Rating, Score, rate_match
from tengen.arena.statistics import Elo, Sprt, elo_from_pairs
from tengen.board import Color

Pairing: TypeAlias = tuple[int, int]
"""Two players that meet, by their place in the list of players."""


@dataclass(frozen=True)
class ScheduledGame:
    """A game to play.

    Attributes:
        index: Its place in the match.
        pairing: The two players; the first one has black if `first_is_black`.
        first_is_black: Who has which colour.
        pair: Number of the pair of games with swapped colours, unique in the match.
        opening: The moves at the start.
        black_seed: For the player with the black stones.
        white_seed: For the other one.
    """

    index: int
    pairing: Pairing
    first_is_black: bool
    pair: int
    opening: Opening
    black_seed: int
    white_seed: int


@dataclass(frozen=True)
class MatchGame:
    """A scheduled game and how it went."""

    scheduled: ScheduledGame
    record: GameResult

    @property
    def points(self) -> float:
        """Points of the pairing's first player: 1, 1/2 or 0."""
        if self.record.winner is None:
            return 0.5
        return float((self.record.winner == Color.BLACK) == self.scheduled.first_is_black)

    def as_dict(self) -> Mapping[str, Any]:
        """The game for a JSON file."""
        return {"game": self.scheduled.index + 1, "pair": self.scheduled.pair + 1, **self.record.as_dict()}


@dataclass
class Tally:
    """Wins, losses and draws of one player."""

    wins: int = 0
    losses: int = 0
    draws: int = 0

    def add(self, points: float) -> None:
        """Counts a game."""
        self.wins += points == 1
        self.losses += points == 0
        self.draws += points == 0.5

    @property
    def games(self) -> int:
        """How many games were counted."""
        return self.wins + self.losses + self.draws

    @property
    def points(self) -> float:
        """A win is one point, a draw a half."""
        return self.wins + self.draws / 2

    def reverse(self) -> Tally:
        """The same games from the opponent's view."""
        return Tally(self.losses, self.wins, self.draws)

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.wins + other.wins, self.losses + other.losses, self.draws + other.draws)

    def __str__(self) -> str:
        return f"{self.wins}-{self.losses}-{self.draws}"


@dataclass
class PairResult:
    """What happened between two players, from the first one's view.

    Attributes:
        first: Name of the first player.
        second: Name of the second player.
        as_black: The first player's games with black.
        as_white: The first player's games with white.
        pairs: How many complete pairs of games scored 0, 1/2, 1, 3/2 and 2 points.
        forfeits: Games that were lost by an illegal move or an error.
    """

    first: str
    second: str
    as_black: Tally = field(default_factory=Tally)
    as_white: Tally = field(default_factory=Tally)
    pairs: list[int] = field(default_factory=lambda: [0, 0, 0, 0, 0])
    forfeits: list[MatchGame] = field(default_factory=list)
    _half_pairs: dict[int, float] = field(default_factory=dict, repr=False)  # points of games without their second

    def add(self, game: MatchGame) -> None:
        """Counts a game."""
        (self.as_black if game.scheduled.first_is_black else self.as_white).add(game.points)
        if game.record.reason in FORFEITS:
            self.forfeits.append(game)
        if game.scheduled.pair in self._half_pairs:
            self.pairs[round(2 * (self._half_pairs.pop(game.scheduled.pair) + game.points))] += 1
        else:
            self._half_pairs[game.scheduled.pair] = game.points

    @property
    def total(self) -> Tally:
        """The first player's games with both colours."""
        return self.as_black + self.as_white

    @property
    def score(self) -> float:
        """The first player's share of the points, 0 to 1; 1/2 before the first game."""
        return self.total.points / self.total.games if self.total.games else 0.5

    @property
    def elo(self) -> Elo:
        """First minus second, as `tengen.arena.statistics` explains."""
        return elo_from_pairs(self.pairs, self.score)

    def as_dict(self) -> Mapping[str, Any]:
        """The result for programs. Infinite Elo is null: JSON has no infinity."""
        elo = self.elo
        return {
            "first": self.first,
            "second": self.second,
            **vars(self.total),
            "score": self.score,
            "first_as_black": dict(vars(self.as_black)),
            "first_as_white": dict(vars(self.as_white)),
            "pairs": list(self.pairs),
            "elo": {name: value if abs(value) < 1e9 else None for name, value in vars(elo).items()},
            "forfeits": len(self.forfeits),
        }


@dataclass
class MatchResult:
    """All games of a match that were played, in the order of the schedule; it grows with `add`.

    Attributes:
        players: Names of the players.
        pairings: Who met whom.
        games: The games.
        scheduled: How many games there should have been, at most.
        sprt: The test that could end the match early, if there was one.
        decision: What the test said: "elo0", "elo1", or None if it was not decided.
    """

    players: Sequence[str]
    pairings: Sequence[Pairing]
    games: list[MatchGame]
    scheduled: int
    sprt: Sprt | None = None
    decision: str | None = None

    def __post_init__(self) -> None:
        games, self.games = self.games, []
        self._pairs: dict[Pairing, PairResult] = {}
        for game in games:
            self.add(game)

    def add(self, game: MatchGame) -> None:
        """Takes a game in and counts it: a match of many thousands of games does not count them all again for each."""
        bisect.insort(self.games, game, key=lambda other: other.scheduled.index)
        self.pair(game.scheduled.pairing).add(game)

    @property
    def is_complete(self) -> bool:
        """Whether all games were played, or the test was decided."""
        return len(self.games) == self.scheduled or self.decision is not None

    def pair(self, pairing: Pairing = (0, 1)) -> PairResult:
        """The result of one pairing."""
        if pairing not in self._pairs:
            first, second = pairing
            self._pairs[pairing] = PairResult(self.players[first], self.players[second])
        return self._pairs[pairing]

    def ratings(self, anchor: int | None = None) -> list[Rating]:
        """Elo of every player by maximum likelihood over all games, as `tengen.arena.ratings` explains.

        Args:
            anchor: The player whose rating is 0; the mean of all is 0 if not given.
        """
        totals = [(pairing, self.pair(pairing).total) for pairing in self.pairings]
        scores = [Score(*pairing, total.wins, total.losses, total.draws) for pairing, total in totals]
        return rate_match(len(self.players), scores, anchor)

    def total(self, player: int) -> Tally:
        """All games of one player."""
        tally = Tally()
        for pairing in self.pairings:
            if player in pairing:
                pair = self.pair(pairing).total
                tally = tally + (pair if pairing[0] == player else pair.reverse())
        return tally

    def seconds_a_move(self, player: int) -> float:
        """Average thinking time of a player."""
        times = [seconds for record, color in self._games_of(player) for seconds in _times(record, color)]
        return sum(times) / len(times) if times else 0.0

    def playouts_per_cpu_second(self, player: int) -> float | None:
        """How fast the tree search of a player was in these games, their median; None for players that do not tell.

        In a few games most playouts end in a known result, which costs next to nothing: they would rule the mean.
        """
        games = [(record.playouts[color], record.cpu_seconds[color]) for record, color in self._games_of(player)]
        speeds = [playouts / seconds for playouts, seconds in games if seconds]
        return statistics.median(speeds) if speeds else None

    def _games_of(self, player: int) -> Iterator[tuple[GameResult, Color]]:
        """The games of a player with its colour."""
        for game in self.games:
            for place, color in zip(game.scheduled.pairing, Color, strict=True):
                if place == player:
                    yield game.record, color if game.scheduled.first_is_black else color.other

    def as_dict(self) -> Mapping[str, Any]:
        """The result for programs."""
        return {
            "players": list(self.players),
            "complete": self.is_complete,
            "games": len(self.games),
            "results": [self.pair(pairing).as_dict() for pairing in self.pairings],
            "ratings": [{name: round(value, 1) for name, value in vars(rating).items()} for rating in self.ratings()],
            "seconds_a_move": [round(self.seconds_a_move(place), 6) for place in range(len(self.players))],
            "playouts_per_cpu_second": [self.playouts_per_cpu_second(place) for place in range(len(self.players))],
            "sprt": None if self.sprt is None else self._sprt_as_dict(self.sprt),
        }

    def _sprt_as_dict(self, sprt: Sprt) -> Mapping[str, Any]:
        return {**vars(sprt), "llr": sprt.llr(self.pair().pairs), "bounds": sprt.bounds, "decision": self.decision}


def _times(record: GameResult, color: Color) -> Sequence[float]:
    return record.seconds[(color - record.opening_length) % 2 :: 2]
