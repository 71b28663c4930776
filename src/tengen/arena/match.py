"""Matches: many games between players, with fair colours and openings, on several threads.

A match is a list of pairings, and each pairing is a list of pairs of games: one opening, played twice with colours
swapped. Which pairings there are (`round_robin`, `gauntlet`) is the only difference between kinds of tournaments.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import queue
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from tengen import players
from tengen.arena.adjudication import Adjudication
from tengen.arena.game import GameResult, GameSetup, play_game
from tengen.arena.openings import EMPTY_BOARD, Opening
from tengen.arena.results import MatchGame, MatchResult, Pairing, ScheduledGame
from tengen.arena.statistics import Sprt
from tengen.board import Color
from tengen.errors import PlayerError, SetupError
from tengen.players import Player

_STOP_INTERVAL = 0.1  # seconds between calls of stop(): a search that starts just after the first call hears the next


def round_robin(count: int) -> list[Pairing]:
    """Everybody meets everybody."""
    return list(itertools.combinations(range(count), 2))


def gauntlet(count: int) -> list[Pairing]:
    """The first player meets each of the others."""
    return [(0, other) for other in range(1, count)]


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
        adjudication: Adjudication | None = None,
        create: Callable[[str], Player] = players.create,
        crew: Callable[[Match], Crew] | None = None,
    ) -> None:
        """Prepares a match.

        Args:
            specs: The players, at least two.
            games: Games of each pairing; even, for every opening is played with both colours.
            openings: Taken in turn; they repeat if there are fewer than games / 2.
            setup: Board and rule; freestyle on 15x15 if not given.
            seed: Random seed for the players.
            concurrency: Games at a time.
            schedule: Who meets whom, given the number of players.
            sprt: Ends a match of two players as soon as this test is decided.
            adjudication: Ends games that both players agree about; none if not given.
            create: Makes a player from its spec.
            crew: Who plays the games; threads of this process if not given.
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
        self.adjudication = adjudication or Adjudication()
        self._create = create
        self._crew = crew or _threads
        self._check_move_limit()

    def _check_move_limit(self) -> None:
        """Refuses games that would be draws before anybody has moved."""
        limit = self.setup.move_limit
        longest = max(len(opening) for opening in self.openings[: self.games // 2])
        if limit is not None and limit <= longest:
            raise SetupError(
                f"the move limit must be above {longest}, the stones of the longest opening, not {limit}; "
                "raise it or begin with the empty board (--openings none)"
            )

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

    def run(
        self, on_game: Callable[[MatchGame, MatchResult], None] | None = None, done: Iterable[MatchGame] = ()
    ) -> MatchResult:
        """Plays the match; an interrupt (Ctrl-C) ends it early, with the games that were finished.

        Args:
            on_game: Called in this thread after each game with the game and the result so far, which grows.
            done: Games of this match that were played before, which are not played again.
        """
        result = self.result(done)
        indices = {game.scheduled.index for game in result.games}
        left = [game for game in self.schedule() if game.index not in indices]
        test = _SequentialTest(self.sprt) if self.sprt is not None else None
        for game in result.games:
            if test is not None and (decision := test.add(game)) is not None:
                return self.result(test.counted, decision)
        if result.is_complete:
            return result
        crew = self._crew(self)
        try:
            crew.start(left, min(self.concurrency, len(left)))
            while not result.is_complete:
                game = crew.next_game()
                result.add(game)
                if test is not None and (decision := test.add(game)) is not None:
                    result = self.result(test.counted, decision)
                if on_game is not None:
                    on_game(game, result)
        except KeyboardInterrupt:
            pass
        finally:
            crew.dismiss()
        return result

    def result(self, played: Iterable[MatchGame], decision: str | None = None) -> MatchResult:
        """The result of some games, with the sequential test's decision if there is one."""
        scheduled = len(self.pairings) * self.games
        return MatchResult(self.specs, self.pairings, list(played), scheduled, self.sprt, decision)


class _SequentialTest:
    """A test that looks at the pairs of games in the order of the schedule.

    In the order in which they end, short games would be heard first, and the result would depend on the concurrency.
    """

    def __init__(self, sprt: Sprt) -> None:
        self._sprt = sprt
        self._waiting: dict[int, MatchGame] = {}
        self.counted: list[MatchGame] = []
        self._pairs = [0, 0, 0, 0, 0]

    def add(self, game: MatchGame) -> str | None:
        """Takes a game; returns the decision if there is one."""
        self._waiting[game.scheduled.index] = game
        while (index := len(self.counted)) in self._waiting and index + 1 in self._waiting:
            pair = [self._waiting.pop(index), self._waiting.pop(index + 1)]
            self.counted += pair
            self._pairs[round(2 * sum(game.points for game in pair))] += 1
            if (decision := self._sprt.decision(self._pairs)) is not None:
                return decision
        return None


class Crew(Protocol):
    """Those who play scheduled games."""

    def start(self, schedule: Sequence[ScheduledGame], size: int) -> None:
        """Begins to play, so many games at a time; a player that cannot play is an error here."""

    def next_game(self) -> MatchGame:
        """Waits for a game to end."""

    def dismiss(self) -> None:
        """Ends everything, unfinished games and all."""


def play_scheduled(
    game: ScheduledGame,
    team: Sequence[Player],
    setup: GameSetup,
    adjudication: Adjudication,
    cancelled: threading.Event | None = None,
) -> GameResult | None:
    """Plays a game of a match; `team` are the players in their order. None if it was cancelled."""
    first, second = (team[place] for place in game.pairing)
    black, white = (first, second) if game.first_is_black else (second, first)
    seeds = (game.black_seed, game.white_seed)
    return play_game(black, white, setup, game.opening, seeds=seeds, adjudication=adjudication, cancelled=cancelled)


def _threads(match: Match) -> Crew:
    return _Threads(match.specs, match.setup, match.adjudication, match._create)


class _Threads:
    """Threads that play scheduled games. Threads are enough: players think in C++ without the GIL.

    Each thread has its own players, made once and told about each new game.
    """

    def __init__(
        self,
        specs: Sequence[str],
        setup: GameSetup,
        adjudication: Adjudication,
        create: Callable[[str], Player],
    ) -> None:
        self._specs = specs
        self._setup = setup
        self._adjudication = adjudication
        self._create = create
        self._todo: queue.SimpleQueue[ScheduledGame] = queue.SimpleQueue()
        self._done: queue.SimpleQueue[MatchGame | BaseException] = queue.SimpleQueue()
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
        ready: queue.SimpleQueue[BaseException | None] = queue.SimpleQueue()
        self._begin(self._prepare, self._teams[0], ready)
        if (error := ready.get()) is not None:
            raise error
        for team in self._teams:
            self._begin(self._work, team)

    def _begin(self, work: Callable[..., None], *arguments: object) -> None:
        thread = threading.Thread(target=work, args=arguments, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _prepare(self, team: Sequence[Player], ready: queue.SimpleQueue[BaseException | None]) -> None:
        """Gets one team ready. Not in the main thread: an interrupt there could lose an engine that just started."""
        try:
            for player in team:
                player.check_plays(self._setup.any_board())
                with contextlib.suppress(PlayerError):  # one that fails now loses its games when they are played
                    player.prepare(self._setup.any_board())
            ready.put(None)
        except BaseException as error:
            ready.put(error)

    def next_game(self) -> MatchGame:
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
                record = play_scheduled(game, team, self._setup, self._adjudication, self._cancelled)
                if record is not None:
                    self._done.put(MatchGame(game, record))
        except queue.Empty:
            pass
        except BaseException as error:  # a fault of ours, not of a player: raised again where the match was started
            self._done.put(error)


def derive_seed(seed: int, *path: int) -> int:
    """A seed of 63 bits for one part of something seeded, far from the seeds of all other parts."""
    text = "/".join(str(part) for part in (seed, *(int(part) for part in path)))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big") >> 1
