"""Matches: many games between players, with fair colours and openings, on several threads.

A match is a list of pairings, and each pairing is a list of pairs of games: one opening, played twice with colours
swapped. Which pairings there are (`round_robin`, `gauntlet`) is the only difference between kinds of tournaments.
"""

from __future__ import annotations

import hashlib
import itertools
import queue
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from tengen import players
from tengen.arena.game import FORFEITS, GameRecord, GameSetup, play_game
from tengen.arena.openings import EMPTY_BOARD, Opening
from tengen.arena.statistics import Elo, Sprt, elo_from_pairs
from tengen.board import Color
from tengen.errors import SetupError
from tengen.players import Player

Pairing: TypeAlias = tuple[int, int]
"""Two players that meet, by their place in the list of players."""

_STOP_INTERVAL = 0.1  # seconds between calls of stop(): a search that starts just after the first call hears the next


def round_robin(count: int) -> list[Pairing]:
    """Everybody meets everybody."""
    return list(itertools.combinations(range(count), 2))


def gauntlet(count: int) -> list[Pairing]:
    """The first player meets each of the others."""
    return [(0, other) for other in range(1, count)]


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
class PlayedGame:
    """A scheduled game and how it went."""

    scheduled: ScheduledGame
    record: GameRecord

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
    forfeits: list[PlayedGame] = field(default_factory=list)

    @classmethod
    def of(cls, first: str, second: str, games: Iterable[PlayedGame]) -> PairResult:
        """The result of some games of one pairing."""
        result = cls(first, second)
        half_pairs: dict[int, float] = {}
        for game in games:
            (result.as_black if game.scheduled.first_is_black else result.as_white).add(game.points)
            if game.record.reason in FORFEITS:
                result.forfeits.append(game)
            if game.scheduled.pair in half_pairs:
                result.pairs[round(2 * (half_pairs.pop(game.scheduled.pair) + game.points))] += 1
            else:
                half_pairs[game.scheduled.pair] = game.points
        return result

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


@dataclass(frozen=True)
class MatchResult:
    """All games of a match that were played, in the order of the schedule.

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
    games: Sequence[PlayedGame]
    scheduled: int
    sprt: Sprt | None = None
    decision: str | None = None

    @property
    def is_complete(self) -> bool:
        """Whether all games were played, or the test was decided."""
        return len(self.games) == self.scheduled or self.decision is not None

    def pair(self, pairing: Pairing = (0, 1)) -> PairResult:
        """The result of one pairing."""
        first, second = pairing
        games = (game for game in self.games if game.scheduled.pairing == pairing)
        return PairResult.of(self.players[first], self.players[second], games)

    def seconds_a_move(self, player: int) -> float:
        """Average thinking time of a player."""
        times: list[float] = []
        for game in self.games:
            for place, color in zip(game.scheduled.pairing, (Color.BLACK, Color.WHITE), strict=True):
                if place == player:
                    times += _times(game.record, color if game.scheduled.first_is_black else color.other)
        return sum(times) / len(times) if times else 0.0

    def as_dict(self) -> Mapping[str, Any]:
        """The result for programs."""
        return {
            "players": list(self.players),
            "complete": self.is_complete,
            "games": len(self.games),
            "results": [self.pair(pairing).as_dict() for pairing in self.pairings],
            "seconds_a_move": [round(self.seconds_a_move(place), 6) for place in range(len(self.players))],
            "sprt": None if self.sprt is None else self._sprt_as_dict(self.sprt),
        }

    def _sprt_as_dict(self, sprt: Sprt) -> Mapping[str, Any]:
        return {**vars(sprt), "llr": sprt.llr(self.pair().pairs), "bounds": sprt.bounds, "decision": self.decision}


def _times(record: GameRecord, color: Color) -> Sequence[float]:
    return record.seconds[(color - record.opening_length) % 2 :: 2]


class Match:
    """A match to play. Key method: `run`.

    With a seed it is the same match every time, whatever the concurrency, as far as the players are: one thread each
    and no time limit.
    """

    def __init__(
        self,
        specs: Sequence[str],
        *,
        games: int = 50,
        openings: Sequence[Opening] = (EMPTY_BOARD,),
        setup: GameSetup | None = None,
        seed: int = 0,
        concurrency: int = 1,
        schedule: Callable[[int], list[Pairing]] = round_robin,
        sprt: Sprt | None = None,
        create: Callable[[str], Player] = players.create,
    ) -> None:
        """Prepares a match.

        Args:
            specs: The players, at least two.
            games: Games of each pairing; even, for every opening is played with both colours.
            openings: Taken in turn; they repeat if there are fewer than games / 2.
            setup: Board and rule; freestyle on 15x15 if not given.
            seed: Of the players' chance.
            concurrency: Games at a time.
            schedule: Who meets whom, given the number of players.
            sprt: Ends a match of two players as soon as this test is decided.
            create: Makes a player from its spec.
        """
        if len(specs) < 2:
            raise SetupError("a match needs at least two players")
        if games < 2 or games % 2:
            raise SetupError(
                f"the number of games must be even, not {games}: every opening is played with both colours"
            )
        if concurrency < 1:
            raise SetupError(f"concurrency must be at least 1, not {concurrency}")
        if sprt is not None and len(specs) != 2:
            raise SetupError(f"the sequential test compares two players, not {len(specs)}")
        if not openings:
            raise SetupError("a match needs at least one opening; the empty board is one")
        self.specs = list(specs)
        self.games = games
        self.openings = list(openings)
        self.setup = setup or GameSetup()
        self.seed = seed
        self.concurrency = concurrency
        self.pairings = schedule(len(specs))
        self.sprt = sprt
        self._create = create

    def schedule(self) -> list[ScheduledGame]:
        """All games in order: pairings take turns, so that a match that is stopped has played all of them evenly."""
        games: list[ScheduledGame] = []
        for round_number in range(self.games // 2):
            opening = self.openings[round_number % len(self.openings)]
            for pairing in self.pairings:
                pair = len(games) // 2
                for first_is_black in (True, False):
                    index = len(games)
                    black_seed, white_seed = (derive_seed(self.seed, index, color) for color in Color)
                    games.append(ScheduledGame(index, pairing, first_is_black, pair, opening, black_seed, white_seed))
        return games

    def run(self, on_game: Callable[[PlayedGame, MatchResult], None] | None = None) -> MatchResult:
        """Plays the match; an interrupt (Ctrl-C) ends it early, with the games that were finished.

        Args:
            on_game: Called in this thread after each game with the game and the result so far.
        """
        schedule = self.schedule()
        crew = _Crew(self.specs, self.setup, self._create)
        test = _SequentialTest(self.sprt) if self.sprt is not None else None
        played: list[PlayedGame] = []
        result = self._result(played)
        try:
            crew.start(schedule, min(self.concurrency, len(schedule)))
            while not result.is_complete:
                played.append(crew.next_game())
                result = self._result(played)
                if test is not None and (decision := test.add(played[-1])) is not None:
                    result = self._result(test.counted, decision)
                if on_game is not None:
                    on_game(played[-1], result)
        except KeyboardInterrupt:
            pass
        finally:
            crew.dismiss()
        return result

    def _result(self, played: Iterable[PlayedGame], decision: str | None = None) -> MatchResult:
        games = sorted(played, key=lambda game: game.scheduled.index)
        return MatchResult(self.specs, self.pairings, games, len(self.pairings) * self.games, self.sprt, decision)


class _SequentialTest:
    """A test that looks at the pairs of games in the order of the schedule.

    In the order in which they end, short games would be heard first, and the result would depend on the concurrency.
    """

    def __init__(self, sprt: Sprt) -> None:
        self._sprt = sprt
        self._waiting: dict[int, PlayedGame] = {}
        self.counted: list[PlayedGame] = []
        self._pairs = [0, 0, 0, 0, 0]

    def add(self, game: PlayedGame) -> str | None:
        """Takes a game; returns the decision if there is one."""
        self._waiting[game.scheduled.index] = game
        while (index := len(self.counted)) in self._waiting and index + 1 in self._waiting:
            pair = [self._waiting.pop(index), self._waiting.pop(index + 1)]
            self.counted += pair
            self._pairs[round(2 * sum(game.points for game in pair))] += 1
            if (decision := self._sprt.decision(self._pairs)) is not None:
                return decision
        return None


class _Crew:
    """Threads that play scheduled games. Threads are enough: players think in C++ without the GIL.

    Each thread has its own players, made once and told about each new game.
    """

    def __init__(self, specs: Sequence[str], setup: GameSetup, create: Callable[[str], Player]) -> None:
        self._specs = specs
        self._setup = setup
        self._create = create
        self._todo: queue.SimpleQueue[ScheduledGame] = queue.SimpleQueue()
        self._done: queue.SimpleQueue[PlayedGame | BaseException] = queue.SimpleQueue()
        self._cancelled = threading.Event()
        self._teams: list[list[Player]] = []
        self._threads: list[threading.Thread] = []

    def start(self, schedule: Iterable[ScheduledGame], size: int) -> None:
        """Makes all players here, where one that cannot play is an error at once, and starts the threads."""
        for game in schedule:
            self._todo.put(game)
        for _ in range(size):
            team: list[Player] = []
            self._teams.append(team)
            for spec in self._specs:
                team.append(self._create(spec))
        for player in self._teams[0]:
            player.prepare(self._setup.board())
        for team in self._teams:
            thread = threading.Thread(target=self._work, args=(team,), daemon=True)
            self._threads.append(thread)
            thread.start()

    def next_game(self) -> PlayedGame:
        """Waits for a game to end."""
        game = self._done.get()
        if isinstance(game, BaseException):
            raise game
        return game

    def dismiss(self) -> None:
        """Stops the threads, unfinished games and all, and closes the players."""
        self._cancelled.set()
        while any(thread.is_alive() for thread in self._threads):
            for player in itertools.chain.from_iterable(self._teams):
                player.stop()
            for thread in self._threads:
                thread.join(_STOP_INTERVAL)
        for player in itertools.chain.from_iterable(self._teams):
            player.close()

    def _work(self, team: Sequence[Player]) -> None:
        try:
            while not self._cancelled.is_set():
                game = self._todo.get_nowait()
                record = self._play(game, team)
                if record is not None:
                    self._done.put(PlayedGame(game, record))
        except queue.Empty:
            pass
        except BaseException as error:  # a fault of ours, not of a player: raised again where the match was started
            self._done.put(error)

    def _play(self, game: ScheduledGame, team: Sequence[Player]) -> GameRecord | None:
        first, second = (team[place] for place in game.pairing)
        black, white = (first, second) if game.first_is_black else (second, first)
        seeds = (game.black_seed, game.white_seed)
        return play_game(black, white, self._setup, game.opening, seeds=seeds, cancelled=self._cancelled)


def derive_seed(seed: int, *path: int) -> int:
    """A seed of 63 bits for one part of something seeded, far from the seeds of all other parts."""
    text = "/".join(str(part) for part in (seed, *(int(part) for part in path)))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big") >> 1
