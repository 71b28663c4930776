"""Monte-Carlo tree search on a board, of Gomoku or any other game."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from tengen import core
from tengen.board import Move
from tengen.errors import GameOverError, SetupError
from tengen.games import AnyBoard
from tengen.search.params import SearchParams


@dataclass(frozen=True)
class Candidate:
    """One move as a search sees it.

    Attributes:
        move: The move.
        visits: How often the search tried it.
        value: Mean result for the mover, in [-1, 1]; exact where there is a proof.
        prior: What the evaluator thought of it before the search, noise included.
        proof: "win", "loss" or "draw" for the mover when it is certain, otherwise None.
        line: The move and the expected continuation.
    """

    move: Move
    visits: int
    value: float
    prior: float
    proof: str | None
    line: tuple[Move, ...]


@dataclass(frozen=True)
class Analysis:
    """What a search knows at one moment.

    Attributes:
        value: For the side to move, in [-1, 1].
        proof: "win", "loss" or "draw" for the side to move when it is certain, otherwise None.
        playouts: Playouts of the running or last search.
        visits: Visits of the position, with those kept from earlier searches.
        seconds: Since the search began.
        memory: Bytes of the tree.
        depth: Depth of the deepest playout.
        candidates: The best moves, best first. There is always one once the search has made a step.
        ended: Why the search ended: "solved", "only-move", "playouts", "time", "memory" or "stopped"; None while it
            goes on.
        cpu_seconds: CPU time of the steps that are over, where one thread searches; otherwise 0.
    """

    value: float
    proof: str | None
    playouts: int
    visits: int
    seconds: float
    memory: int
    depth: int
    candidates: tuple[Candidate, ...]
    ended: str | None = None
    cpu_seconds: float = field(default=0.0, compare=False)  # two searches that know the same are equal

    @property
    def win_rate(self) -> float:
        """The value as a probability from 0 to 1."""
        return (1 + self.value) / 2


class Mcts:
    """A search tree that follows a game.

    A search runs to its end (`search`), or is begun with all its limits and then worked on in steps (`begin`, `step`):
    with one thread and a limit of playouts the result is the same, however long the steps are. One thread at a time
    does this; others may call `stop`, `analysis` and `best_move` meanwhile.

    >>> search = Mcts(core.UniformEvaluator())
    >>> from tengen import Board
    >>> board = Board.from_moves("h8 a1 h9 a2 h10 a3 h11 a4")
    >>> search.search(board, playouts=100).candidates[0].proof
    'win'
    """

    def __init__(self, evaluator: core.Evaluator, params: SearchParams | None = None) -> None:
        """A search with no tree yet.

        Args:
            evaluator: Values and priors of positions.
            params: How to search.
        """
        self.params = params or SearchParams()
        self._evaluator = evaluator
        self._core: core.Mcts | None = None
        self._board: AnyBoard | None = None
        self._lock = threading.Lock()
        self._forks = core.forks()  # of the process that the tree is in
        self._seconds: float | None = None  # the limit of the search that was begun

    def search(
        self,
        board: AnyBoard,
        playouts: int = 0,
        seconds: float = 0.0,
        best: int = 5,
        patience: float = 0.0,
        only_move_ends: bool = True,
    ) -> Analysis:
        """Thinks about a position until a limit is reached, it is solved, or `stop` is called.

        What is known from the last search is kept if `board` continues the same game.

        Args:
            board: The position; it must not be over.
            playouts: Limit, 0 for none.
            seconds: Limit, 0 for none.
            best: How many moves the analysis lists.
            patience: So long after `seconds` what is known is returned, although a busy machine has not let the search
                come to its end; the next call waits for that. 0 waits at once.
            only_move_ends: Whether the search ends where only one move is possible: enough for who plays it, but not to
                judge the position.
        """
        if playouts == 0 and seconds == 0:
            raise SetupError("a search needs a limit: playouts or seconds")
        with self._alone():
            self._begin(board, playouts, seconds, only_move_ends)
            return self._step(0.0, best, patience)

    def begin(self, board: AnyBoard, playouts: int = 0, seconds: float = 0.0, only_move_ends: bool = True) -> None:
        """Begins to think about a position, as `search` does, but leaves the thinking to `step`.

        Without any limit the search goes on until it is solved or stopped, or its memory is used up.

        Args:
            board: The position; it must not be over.
            playouts: Limit, 0 for none.
            seconds: Limit, 0 for none. The time between steps counts as well.
            only_move_ends: As for `search`.
        """
        with self._alone():
            self._begin(board, playouts, seconds, only_move_ends)

    def step(self, seconds: float = 0.0, best: int = 5, patience: float = 0.0) -> Analysis:
        """Goes on with the search that was begun. Does nothing if it has ended.

        Args:
            seconds: For so long, or a little longer: one playout or question to a solver is made in any case. 0 for
                until the end.
            best: How many moves the analysis lists.
            patience: So long after the step should be over what is known is returned, although a busy machine has not
                let it come to its end; the next call waits for that. 0 waits at once.
        """
        with self._alone():
            return self._step(seconds, best, patience)

    def _begin(self, board: AnyBoard, playouts: int, seconds: float, only_move_ends: bool) -> None:
        _check_limits(playouts=playouts, seconds=seconds)
        self._take(board).begin(playouts, seconds, only_move_ends)
        self._seconds = seconds

    def _step(self, seconds: float, best: int, patience: float) -> Analysis:
        _check_limits(seconds=seconds, patience=patience)
        if self._core is None or self._seconds is None:
            raise SetupError("there is no search to go on with: call begin() first")
        self._core.step(seconds, seconds or self._seconds, patience)
        return self.analysis(best)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Refuses a second thread."""
        if not self._lock.acquire(blocking=False):
            raise SetupError("this search is running in another thread: wait for its end, or call stop() and then wait")
        try:
            self._come_home()
            yield
        finally:
            self._lock.release()

    def _come_home(self) -> None:
        """Begins anew in a forked child: the tree's threads are in the other process, and so is the queue's."""
        if self._forks == core.forks():
            return
        if isinstance(self._evaluator, core.BatchedEvaluator):
            raise SetupError("this network works in another process: load it again after a fork")
        self._forks, self._core, self._board = core.forks(), None, None

    def set_position(self, board: AnyBoard) -> None:
        """Takes a position without thinking about it; keeps the tree if the game goes on. Ends a search under way."""
        with self._alone():
            self._take(board)

    def _take(self, board: AnyBoard) -> core.Mcts:
        if (outcome := board.outcome()) is not None:
            raise GameOverError(f"there is nothing to search: the game is over, {outcome}")
        try:
            if self._core is None:
                self._core = core.Mcts(board._core, self._evaluator, self.params)
            elif not self._follow(board):
                self._core.set_root(board._core)
        except ValueError as error:  # a network that does not play on this board
            raise SetupError(str(error)) from None
        except MemoryError:
            megabytes = self.params.memory >> 20
            raise SetupError(f"there is no room for a tree of {megabytes:,} MB; choose a smaller memory") from None
        self._board = board.copy()
        self._seconds = None
        return self._core

    def _follow(self, board: AnyBoard) -> bool:
        """Advances the tree along the moves played since, if `board` continues the last position."""
        assert self._core is not None
        old, new = self._board, board._core.moves
        if old is None or len(new) < old.ply or not old.is_same_game(board) or new[: old.ply] != old._core.moves:
            return False
        played = board.copy()
        for _ in new[old.ply :]:
            played.pop()
        return played == old and all(self._core.advance(cell) for cell in new[old.ply :])

    def stop(self) -> None:
        """Ends the search that runs or was begun, soon; it still has a move."""
        if self._core is not None:
            self._core.stop()

    def analysis(self, best: int = 5, line: int = 20) -> Analysis:
        """What is known now, also while a search runs.

        Args:
            best: How many moves to list.
            line: How many moves of each continuation.
        """
        if self._core is None or self._board is None:
            raise SetupError("there is no analysis before the first search")
        report = self._core.report(best, line)
        move = self._board._move
        # A search for a loss counts losses as wins; what it reports is about the real game.
        sign, proof_name = (-1, _OPPOSITE) if self.params.misere else (1, _SAME)
        return Analysis(
            value=sign * report.value,
            proof=proof_name[report.proof],
            playouts=report.playouts,
            visits=report.visits,
            seconds=report.seconds,
            memory=report.memory,
            depth=report.depth,
            candidates=tuple(
                Candidate(
                    move=move(entry.move),
                    visits=entry.visits,
                    value=sign * entry.value,
                    prior=entry.prior,
                    proof=proof_name[entry.proof],
                    line=tuple(move(cell) for cell in entry.line),
                )
                for entry in report.moves
            ),
            ended=None if self._seconds is None else _ENDS[report.ended],
            cpu_seconds=self._core.cpu_seconds if self.params.threads == 1 else 0.0,
        )

    def best_move(self) -> Move:
        """The move to play after `search`."""
        if self._core is None or self._board is None:
            raise SetupError("there is no best move before the first search")
        return self._board._move(self._core.best_move())


_SAME = {core.Proof.none: None, core.Proof.win: "win", core.Proof.loss: "loss", core.Proof.draw: "draw"}
_ENDS = {
    core.SearchEnd.running: None,
    core.SearchEnd.solved: "solved",
    core.SearchEnd.only_move: "only-move",
    core.SearchEnd.playouts: "playouts",
    core.SearchEnd.time: "time",
    core.SearchEnd.memory: "memory",
    core.SearchEnd.stopped: "stopped",
}
_OPPOSITE = {**_SAME, core.Proof.win: "loss", core.Proof.loss: "win"}


def _check_limits(**limits: float) -> None:
    for name, value in limits.items():
        if not (math.isfinite(value) and value >= 0):
            raise SetupError(f"{name} must be a number from 0 on, not {value}")
