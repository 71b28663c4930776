"""Games against another player, mixed into the data of a run.

S0 (section 6.3) trains on games against a strong engine too: self-play alone never sees some of its moves. Here the
network plays against any player, such as `engine:COMMAND`, in one thread beside self-play. The network's own side is
self-play's (`core.GuestGame`): openings, searches, records, the choice of moves. The opponent's moves are only played.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable

from tengen import core, players
from tengen.arena.match import derive_seed
from tengen.arena.results import Tally
from tengen.board import Color
from tengen.errors import SetupError, describe
from tengen.games import replay
from tengen.players import Player
from tengen.search import SearchParams
from tengen.train.params import SelfPlayParams

_UNFINISHED = 2  # the result of a game that was broken off
_PATIENCE = 3  # games in a row that the opponent may fail in
_WAIT_SECONDS = 0.2
_STOP_SECONDS = 0.1


class OpponentGames:
    """A thread that plays games against one player. Key methods: `start`, `take_games`, `stop`.

    Without a spec it does nothing, so that a run need not ask whether there is an opponent.
    """

    def __init__(
        self,
        spec: str,
        share: float,
        search: SearchParams,
        seed: int,
        settings: Callable[[], SelfPlayParams],
        complain: Callable[[str], None],
    ) -> None:
        """An opponent that has not begun.

        Args:
            spec: The player, or "" for none.
            share: Of all games of the run, at most.
            search: How the network searches.
            seed: Of openings and moves.
            settings: The parameters of self-play as they are now.
            complain: Called with a sentence for people when the opponent fails.
        """
        if not 0 < share <= 1:
            raise SetupError(f"opponent_share must be above 0 and at most 1, not {share:g}")
        self.spec = players.check(spec) if spec else ""
        self.tally = Tally()
        self._share = share
        self._search = search
        self._random = random.Random(derive_seed(seed, 63))
        self._settings = settings
        self._complain = complain
        self._lock = threading.Lock()
        self._finished: list[bytes] = []
        self._taken = 0
        self._allowed = 1.0
        self._games_before = 0
        self._evaluator: core.Evaluator | None = None
        self._player: Player | None = None
        self._game: core.GuestGame | None = None
        self._stopping = threading.Event()
        self._has_failed = False
        self._thread: threading.Thread | None = None

    def start(self, evaluator: core.Evaluator, games: int) -> None:
        """Begins to play; a player that cannot be made is an error here.

        Args:
            evaluator: The network.
            games: Of the run before.
        """
        if not self.spec:
            return
        self._games_before = games
        self._evaluator = evaluator
        self._player = players.create(self.spec)
        self._stopping.clear()
        self._thread = threading.Thread(target=self._work, args=(self._player,), daemon=True)
        self._thread.start()

    def set_evaluator(self, evaluator: core.Evaluator) -> None:
        """The network of the next games."""
        self._evaluator = evaluator

    def take_games(self, games: int) -> bytes:
        """The games that ended since the last call, as `core.read_games` reads them.

        Args:
            games: Of the whole run so far, which decide how many may follow.
        """
        with self._lock:
            finished, self._finished = self._finished, []
            self._taken += len(finished)
            self._allowed = max(1.0, self._share * (games - self._games_before))
        return b"".join(finished)

    def figures(self) -> dict[str, int]:
        """Results from the network's view, for the run's log; nothing without an opponent, or since it failed."""
        if not self.spec or self._has_failed:
            return {}
        return {f"opponent_{name}": count for name, count in vars(self.tally).items()}

    def stop(self) -> None:
        """Ends the thread; the game under way is dropped."""
        self._stopping.set()
        while self._thread is not None and self._thread.is_alive():
            if self._game is not None:
                self._game.stop()
            if self._player is not None:
                self._player.stop()
            self._thread.join(_STOP_SECONDS)

    # -- the thread

    def _work(self, player: Player) -> None:
        """Plays until it is stopped; an opponent that cannot go on plays no part in the run any more."""
        try:
            with player:
                self._play_games(player)
        except Exception as error:  # of the player and its libraries too: whatever it is, the run goes on
            if not self._stopping.is_set():
                self._has_failed = True
                self._complain(f"{describe(error)}: the run goes on without {self.spec}")

    def _play_games(self, player: Player) -> None:
        failures = 0
        while not self._stopping.is_set():
            if self._taken + len(self._finished) >= self._allowed:
                self._stopping.wait(_WAIT_SECONDS)
                continue
            try:
                game = self._play_game(player)
            except Exception as error:
                if not self._stopping.is_set():
                    failures += 1
                    self._complain(f"a game against {self.spec} was broken off: {describe(error)}")
                if failures == _PATIENCE:
                    raise SetupError(f"{_PATIENCE} games in a row were broken off") from error
                continue
            failures = 0
            if game is not None:
                with self._lock:
                    self._finished.append(game)

    def _play_game(self, player: Player) -> bytes | None:
        """One game as bytes, or None when the thread is to end."""
        params = self._settings()
        assert self._evaluator is not None
        seed = self._random.getrandbits(62)
        self._game = game = core.GuestGame(self._evaluator, params, params.kinds(), self._search, seed)
        board = replay(game.record)
        ours = Color(self._random.getrandbits(1))
        player.new_game(self._random.getrandbits(63))
        while not game.is_over:
            if board.turn == ours:
                game.move()
            else:
                game.play(board._cell(board.push(player.choose(board.copy()))))
            if self._stopping.is_set():
                return None
            board = replay(game.record)
        record = game.record
        if record.result != _UNFINISHED:
            won = {1: Color.BLACK, -1: Color.WHITE}.get(record.result)
            self.tally.add(0.5 if won is None else float(won == ours))
        return record.data
