"""The games of a match on all cores of a cluster: see `tengen.arena.match.Crew`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from tengen import players
from tengen.arena.adjudication import Adjudication
from tengen.arena.game import GameResult, GameSetup
from tengen.arena.match import Match, play_scheduled
from tengen.arena.results import MatchGame, ScheduledGame
from tengen.cluster.crew import spread
from tengen.errors import SetupError
from tengen.players import Player


@dataclass
class Team:
    """The players of a match, as a node makes them; it is sent there with what their networks must be.

    Attributes:
        specs: The players.
        networks: The checksums of their networks, None for those that have none.
        setup: What they play.
        adjudication: When games end early.
    """

    specs: Sequence[str]
    networks: Sequence[str | None]
    setup: GameSetup
    adjudication: Adjudication
    _players: list[Player] = field(default_factory=list)

    def __call__(self) -> Callable[[ScheduledGame], GameResult | None]:
        """Makes the players, and gives what plays a game."""
        for spec, network in zip(self.specs, self.networks, strict=True):
            if players.fingerprint(spec, self.setup.rule, self.setup.size) != network:
                raise SetupError(f"{spec} is missing there or has another network: copy its file to the same place")
            player = players.create(spec)
            player.check_plays(self.setup.any_board())
            self._players.append(player)
        return self._play

    def _play(self, game: ScheduledGame) -> GameResult | None:
        return play_scheduled(game, self._players, self.setup, self.adjudication)


class ClusterCrew:
    """Plays scheduled games on a cluster."""

    def __init__(self, address: str, complain: Callable[[str], None], match: Match) -> None:
        """Does nothing yet.

        Args:
            address: Of the cluster.
            complain: Called with a sentence when a node cannot help.
            match: The match.
        """
        self._address = address
        self._complain = complain
        setup = match.setup
        networks = [players.fingerprint(spec, setup.rule, setup.size) for spec in match.specs]
        self._team = Team(match.specs, networks, setup, match.adjudication)
        self._schedule: dict[int, ScheduledGame] = {}
        self._results: Iterator[tuple[int, Any]] = iter(())

    def start(self, schedule: Sequence[ScheduledGame], size: int) -> None:
        """Begins with the first question for a game; the cluster's cores say how many are played at a time."""
        self._schedule = {game.index: game for game in schedule}
        self._results = spread(self._address, self._complain, self._team, self._schedule.items())

    def next_game(self) -> MatchGame:
        """Waits for a game to end."""
        index, record = next(self._results)
        return MatchGame(self._schedule[index], record)

    def dismiss(self) -> None:
        """Leaves the cluster, where unfinished games end with it."""
        if hasattr(self._results, "close"):
            self._results.close()
