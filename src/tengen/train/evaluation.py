"""How strong the network is, measured while it trains: newest against best, and against fixed yardsticks.

Games are played one at a time in a thread of their own; the players think in C++. A game begins only while evaluation
has taken at most its share of the run's time, so self-play is never held up for long.
"""

from __future__ import annotations

import dataclasses
import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tengen import players
from tengen.arena import GameSetup, Opening, play_game, random_openings
from tengen.arena.game import FORFEITS
from tengen.arena.match import derive_seed
from tengen.arena.openings import EMPTY_BOARD
from tengen.arena.results import Tally
from tengen.board import Color
from tengen.errors import ModelFileError, SetupError, describe
from tengen.games import GOMOKU
from tengen.nets import files
from tengen.nets.loading import load_evaluator
from tengen.players import Player
from tengen.players.tree_search import TreeSearchParameters, TreeSearchPlayer
from tengen.train.journal import Journal, JudgedNetwork
from tengen.train.params import RunParams
from tengen.train.yardsticks import known_ratings

#: Different openings; each is played with both colours.
_OPENINGS = 16
#: A game that has filled this share of the board is a draw.
_LONGEST_GAME = 0.5
#: Seconds between looks at the clock while evaluation waits for its share.
_PATIENCE = 0.1


@dataclass(frozen=True)
class Challenger:
    """A network to judge.

    Attributes:
        path: Its file, which is not changed meanwhile.
        minutes: Of training before it.
        games: Of self-play before it.
    """

    path: Path
    minutes: float
    games: int


@dataclass(frozen=True)
class Verdict:
    """What an evaluation said about a network.

    Attributes:
        network: The network.
        elo: On the scale of the yardsticks.
        margin95: Half of the 95 % interval of the Elo.
        yardsticks: Results against those it met.
    """

    network: JudgedNetwork
    elo: float
    margin95: float
    yardsticks: dict[str, Tally]

    def as_dict(self) -> dict[str, object]:
        """For a line of the log."""
        return {
            "network": self.network.name,
            "best": self.network.best,
            "score": self.network.score,
            "kept": self.network.kept,
            "elo": round(self.elo, 1),
            "margin95": round(self.margin95, 1),
            "yardsticks": {spec: str(tally) for spec, tally in self.yardsticks.items()},
        }


@dataclass(frozen=True)
class BestNetwork:
    """The last network that passed the gate and is sound: its name, its file, and what plays it."""

    name: str
    path: Path
    evaluator: Any


def game_setups(params: RunParams) -> list[GameSetup]:
    """The kinds of games that a run plays."""
    if params.selfplay.game != GOMOKU:
        return [GameSetup(game=params.selfplay.game)]
    return [
        GameSetup(kind.width, kind.rule.name, kind.n_in_row, round(_LONGEST_GAME * kind.width * kind.height))
        for kind in params.selfplay.kinds()
    ]


class Evaluation:
    """Judges one network at a time. Key methods: `begin` and `take_verdict`."""

    def __init__(self, params: RunParams, folder: Path, complain: Callable[[str], None]) -> None:
        """Goes on with what the folder's journal says.

        Args:
            params: Of the run.
            folder: Of the run.
            complain: Called with a sentence when something is wrong but training can go on.
        """
        self._params = params.evaluation
        self._seed = params.seed
        search = {field.name: getattr(params.search, field.name) for field in dataclasses.fields(params.search)}
        self._search = TreeSearchParameters(**search, playouts=self._params.playouts)
        self._setups = game_setups(params)
        self._openings: dict[GameSetup, list[Opening]] = {}
        self._networks = folder / "networks"
        self._complain = complain
        self.journal = Journal(folder)
        self._thread: threading.Thread | None = None
        self._cancelled = threading.Event()
        self._players: list[Player] = []
        cores = os.cpu_count() or 1
        # The games of a residual network wait for one thread, which evaluates their positions together.
        playing = params.selfplay.concurrency if params.learn.network == "line" else 1
        self._threads = max(cores, playing + 2)
        self._verdict: Verdict | None = None
        # Of the network judged last, or given up: an evaluation that fails is not tried again at once.
        last = self.journal.networks[-1] if self.journal.networks else None
        self._last_minutes = last.minutes if last else None
        self._last_games = last.games if last else 0
        self._began = time.monotonic()
        self._busy = 0.0

    # -- from the thread that trains

    @property
    def is_running(self) -> bool:
        """Whether a network is being judged."""
        return self._thread is not None

    @property
    def share(self) -> float:
        """The share of the run's computing time that evaluation has taken, since this part of the run began.

        While it plays it is one of several threads that the system treats alike: those that compute self-play, one that
        learns, and itself.
        """
        return self._busy / (self._threads * max(1e-9, time.monotonic() - self._began))

    def is_due(self, minutes: float, games: int = 0) -> bool:
        """Whether it is time to judge another network, by the run's minutes or by its games of self-play."""
        if self._params.minutes <= 0 or self.is_running:
            return False
        if self._last_minutes is None:
            return True
        if self._params.every_games:
            return games >= self._last_games + self._params.every_games
        return minutes >= self._last_minutes + self._params.minutes

    def best(self) -> BestNetwork | None:
        """The best network so far; one that is damaged or gone is passed over."""
        for network in reversed(self.journal.kept):
            path = self._path(network.name)
            try:
                return BestNetwork(network.name, path, load_evaluator(path))
            except ModelFileError as error:
                self._complain(f"{error}; the best network is the one before")
        return None

    def begin(self, challenger: Challenger) -> None:
        """Starts to judge a network."""
        self._last_minutes = challenger.minutes
        self._last_games = challenger.games
        self._thread = threading.Thread(target=self._judge, args=(challenger,), name="evaluation", daemon=True)
        self._thread.start()

    def take_verdict(self) -> Verdict | None:
        """What the last evaluation said, once, when it is over."""
        if self._thread is None or self._thread.is_alive():
            return None
        self._thread.join()
        self._thread = None
        verdict, self._verdict = self._verdict, None
        return verdict

    def stop(self) -> None:
        """Ends the evaluation under way; its network is not judged."""
        self._cancelled.set()
        while self._thread is not None and self._thread.is_alive():
            for player in list(self._players):
                player.stop()
            self._thread.join(_PATIENCE)
        self._thread = self._verdict = None
        self._cancelled.clear()

    # -- in the thread of the evaluation

    def _path(self, name: str) -> Path:
        return self._networks / f"{name}.safetensors"

    def _judge(self, challenger: Challenger) -> None:
        try:
            self._verdict = self._verdict_on(challenger)
        except Exception as error:  # of players and their libraries too: whatever it is, training goes on
            self._complain(f"this evaluation was given up: {describe(error)}")

    def _verdict_on(self, challenger: Challenger) -> Verdict | None:
        self.journal.set_known(known_ratings(self._params.yardsticks, self._setups))
        name = self.journal.next_name()
        evaluator = load_evaluator(challenger.path)
        best = self.best()
        judged = self._pass_gate(challenger, name, evaluator, best)
        if judged is None or best is None:  # stopped, or the first network, of which nothing can be said yet
            return None
        if self._yardsticks_are_due(judged):
            for spec in self._params.yardsticks:
                self._play(name, evaluator, spec, players.create(spec), self._params.yardstick_games)
        if self._cancelled.is_set():
            return None
        rating = self.journal.ratings()[name]
        return Verdict(judged, rating.elo, rating.margin95, self.journal.yardsticks_met(name))

    def _pass_gate(
        self, challenger: Challenger, name: str, evaluator: Any, best: BestNetwork | None
    ) -> JudgedNetwork | None:
        score, result = None, ""
        if best is not None:
            opponent = self._network_player(best.evaluator, best.name)
            tally = self._play(name, evaluator, best.name, opponent, self._params.games)
            if tally is None:
                return None
            score, result = tally.points / max(1, tally.games), f"; {tally} against {best.name}"
        judged = JudgedNetwork(
            name=name,
            minutes=challenger.minutes,
            games=challenger.games,
            best=best.name if best else None,
            score=score,
            kept=score is None or score > self._params.gate,
        )
        if judged.kept:
            arrays, info = files.load(challenger.path)
            files.save(self._path(name), arrays, dataclasses.replace(info, notes=info.notes + result))
        self.journal.add_network(judged)
        return judged

    def _yardsticks_are_due(self, judged: JudgedNetwork) -> bool:
        met = [network.minutes for network in self.journal.networks if self.journal.yardsticks_met(network.name)]
        return not met or judged.minutes >= met[-1] + self._params.yardstick_minutes

    def _play(self, name: str, evaluator: Any, opponent: str, player: Player, games: int) -> Tally | None:
        """Games of a network with both colours against another network, or a yardstick; None when stopped."""
        self._players = [self._network_player(evaluator, name), player]
        try:
            for pair in range(games):
                for color in (Color.BLACK, Color.WHITE):
                    self._wait_for_share()
                    if self._cancelled.is_set():
                        return None
                    self._play_game(name, opponent, pair, color)
        finally:
            for player in self._players:
                player.close()
        return self.journal.tally(name, opponent)

    def _network_player(self, evaluator: Any, name: str) -> Player:
        return TreeSearchPlayer(self._search, name, None, lambda board, seed: evaluator, plays_other_games=True)

    def _play_game(self, name: str, opponent: str, pair: int, color: Color) -> None:
        """One game of the players; `color` is the network's."""
        # Other openings in every evaluation, and every kind of game in turn.
        number = int(name) * self._params.games + pair
        setup = self._setups[number % len(self._setups)]
        openings = self._openings_of(setup)
        opening = openings[number // len(self._setups) % len(openings)]
        first, second = self._players
        black, white = (first, second) if color is Color.BLACK else (second, first)
        seeds = (derive_seed(self._seed, number, 0, color), derive_seed(self._seed, number, 1, color))
        started = time.monotonic()
        record = play_game(black, white, setup, opening, seeds=seeds, cancelled=self._cancelled)
        self._busy += time.monotonic() - started
        if record is None:
            return
        if record.reason in FORFEITS:
            raise SetupError(f"{name} against {opponent} ended with an error: {record.detail}")
        points = 0.5 if record.winner is None else float(record.winner is color)
        board = setup.any_board()
        moves = " ".join(board.text(move) for move in record.moves)
        kind = {"rule": setup.rule, "size": setup.size} if setup.game == GOMOKU else {"game": setup.game}
        self.journal.add_game(name, opponent, points, color=str(color), **kind, moves=moves)

    def _openings_of(self, setup: GameSetup) -> list[Opening]:
        if setup not in self._openings:
            started = time.monotonic()
            try:
                self._openings[setup] = random_openings(_OPENINGS, setup, self._seed)
            except SetupError:  # a small board has few
                self._openings[setup] = [EMPTY_BOARD]
            self._busy += time.monotonic() - started
        return self._openings[setup]

    def _wait_for_share(self) -> None:
        while self.share > self._params.share and not self._cancelled.wait(_PATIENCE):
            pass
