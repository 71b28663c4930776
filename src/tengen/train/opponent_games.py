"""Games against another player, mixed into the data of a run.

S0 (section 6.3) trains on games against a strong engine too: self-play alone never sees some of its moves. Here the
network plays against any player, such as `engine:COMMAND`, in one thread beside self-play. What the network's own
searches found is recorded as in self-play; the opponent's moves are only played.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from tengen import core, players
from tengen.arena.game import GameSetup
from tengen.arena.match import derive_seed
from tengen.arena.openings import draw, is_quiet
from tengen.arena.results import Tally
from tengen.board import Board, Color, Move
from tengen.errors import SetupError, describe
from tengen.players import Player
from tengen.search import Analysis, Mcts, SearchParams
from tengen.train.params import SelfPlayParams, at

Sample: TypeAlias = tuple[int, float, list[tuple[int, int]]]
"""Stones on the board, value for the mover, and (cell, weight) of the moves to learn; see `core.write_game`."""

_UNFINISHED = 2  # the result of a game that was broken off
_MOST_WEIGHT = 65535
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
            settings: The parameters of self-play as they are now: kinds of games, playouts, noise, temperatures.
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
        self._mcts: Mcts | None = None
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
            if self._mcts is not None:
                self._mcts.stop()
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
        board = self._opening(params)
        opening_plies = board.ply
        playouts = max(1, round(at(params.full_playouts, 0)))  # `settings` gives the number of the moment
        ours = Color(self._random.getrandbits(1))
        assert self._evaluator is not None
        self._mcts = mcts = Mcts(self._evaluator, self._search_params(params))
        player.new_game(self._random.getrandbits(63))
        samples: list[Sample] = []
        winner: Color | None = None
        result = 0
        while (outcome := board.outcome()) is None:
            if board.ply >= params.longest_game * board.width * board.height:
                result = _UNFINISHED
                break
            if board.turn == ours:
                analysis = mcts.search(board, playouts=playouts, best=board.width * board.height)
                if analysis.candidates:
                    samples.append(_sample(board, analysis, params.least_visits))
                if analysis.proof is not None:
                    winner = {"win": ours, "loss": ours.other, "draw": None}[analysis.proof]
                    break
                move = self._pick(analysis, params, board.ply - opening_plies) or mcts.best_move()
            else:
                move = player.choose(board)
            if self._stopping.is_set():
                return None
            board.push(move)
        if outcome is not None:
            winner = outcome.winner
        if winner is not None:
            result = 1 if winner == Color.BLACK else -1
        if result != _UNFINISHED:
            self.tally.add(0.5 if winner is None else float(winner == ours))
        return _to_bytes(board, opening_plies, result, samples)

    def _opening(self, params: SelfPlayParams) -> Board:
        kind = self._random.choice(params.kinds())
        setup = GameSetup(size=kind.width, rule=kind.rule.name, n_in_row=kind.n_in_row)
        while True:
            board = draw(setup, self._random, range(params.opening_stones + 1))
            if board is not None and (board.ply == 0 or is_quiet(board)):
                return board

    def _search_params(self, params: SelfPlayParams) -> SearchParams:
        return replace(
            self._search,
            root_noise=params.root_noise,
            root_noise_total_alpha=params.root_noise_total_alpha,
            seed=self._random.getrandbits(62) + 1,
        )

    def _pick(self, analysis: Analysis, params: SelfPlayParams, moves_played: int) -> Move | None:
        """A move by visits, or None where the search has no choice to offer."""
        early = moves_played < params.early_moves
        temperature = params.early_temperature if early else params.late_temperature
        choices = [entry for entry in analysis.candidates if entry.visits > 0 and entry.proof != "loss"]
        if not choices or temperature <= 0:
            return None
        most = max(entry.visits for entry in choices)
        weights = [(entry.visits / most) ** (1 / temperature) for entry in choices]
        return self._random.choices(choices, weights)[0].move


def _sample(board: Board, analysis: Analysis, least_visits: float) -> Sample:
    """What there is to learn from a search, by the rules of self-play (`GameRunner::sample_of`)."""
    moves = [entry for entry in analysis.candidates if entry.proof != "loss"]
    if analysis.proof == "loss" or not moves:
        return board.ply, analysis.value, []
    if analysis.proof == "win":
        return board.ply, analysis.value, [(board._cell(analysis.candidates[0].move), 1)]
    most = max(1, *(entry.visits for entry in moves))
    scale = min(1.0, _MOST_WEIGHT / most)
    least = max(1.0, least_visits * most)
    visits = [(board._cell(entry.move), round(entry.visits * scale)) for entry in moves if entry.visits >= least]
    return board.ply, analysis.value, [(cell, weight) for cell, weight in visits if weight > 0]


def _to_bytes(board: Board, opening_plies: int, result: int, samples: list[Sample]) -> bytes:
    return core.write_game(
        core.Rule[board.rule],
        board.n_in_row,
        board.width,
        board.height,
        opening_plies,
        result,
        [board._cell(move) for move in board.moves],
        samples,
    )
