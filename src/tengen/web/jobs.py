"""Searches as jobs that work in slices, so that a few threads serve many pages fairly."""

from __future__ import annotations

import logging
import queue
import random
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from tengen import threats
from tengen.board import Board
from tengen.players.levels import STRONGEST, find_level
from tengen.search import Analysis, Mcts, SearchParams
from tengen.thinking.evaluators import best_evaluator
from tengen.web import limits, messages, positions

SLICE_SECONDS = 0.04
UPDATE_SECONDS = 0.12
"""Between two reports of a running search: about eight a second. As long as nobody waits, slices are as long."""

Send: TypeAlias = Callable[[messages.Message], None]
"""Takes a message to the page; may be called from any thread."""

CROWDED = "the searches of all pages need too much memory; try again in a moment"

log = logging.getLogger(__name__)


class Job(ABC):
    """Work for one request. Key method: `work`, which a thread of the pool calls until it says that it is done.

    Attributes:
        id: Of the request.
        crowded: Whether it has to end because the trees of all pages need too much memory.
        alone: Whether no other job waits for its thread.
    """

    def __init__(self, request_id: int, send: Send) -> None:
        self.id = request_id
        self.crowded = False
        self.alone = False
        self._send = send
        self._stopped = threading.Event()
        self._discarded = threading.Event()

    def stop(self, discard: bool = False) -> None:
        """Ends the job soon: with its best answer so far, or without any."""
        if discard:
            self._discarded.set()
        self._stopped.set()
        self._interrupt()

    def release(self) -> None:
        """Ends the job soon so that its memory is free."""
        self.crowded = True
        self.stop()

    @property
    def memory(self) -> int:
        """Bytes of its tree after the last slice."""
        return 0

    def work(self) -> bool:
        """Does one slice; True when there is more to do."""
        return not self._discarded.is_set() and self._slice()

    def send(self, message: messages.Message) -> None:
        """Sends an answer unless nobody waits for it."""
        if not self._discarded.is_set():
            self._send(message)

    @property
    def stopped(self) -> bool:
        """Whether somebody asked for the end."""
        return self._stopped.is_set()

    @abstractmethod
    def _slice(self) -> bool: ...

    def _interrupt(self) -> None:  # noqa: B027  (a short slice need not be interrupted)
        """Ends the running slice early."""


class TreeMemory:
    """How much the trees of all searches hold. Key method: `note`, which ends the largest when it is too much.

    There are no idle trees to drop: a tree goes with its job, and a job whose page is gone ends at its next slice.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._held: dict[Job, int] = {}
        self._lock = threading.Lock()

    def note(self, job: Job) -> None:
        """Takes down a job's size after a slice."""
        with self._lock:
            self._held[job] = job.memory
            going_on = {other: size for other, size in self._held.items() if not other.stopped}
            # What has been told to end is as good as free: one job at a time pays, not all.
            if sum(going_on.values()) > self._limit:
                max(going_on, key=going_on.__getitem__).release()

    def forget(self, job: Job) -> None:
        """A job is done."""
        with self._lock:
            self._held.pop(job, None)


class Pool:
    """A few threads and one queue: a job that is not done goes to the end, so everybody gets on at the same pace."""

    def __init__(self, threads: int, memory: int = limits.TREE_MEMORY) -> None:
        """Starts the threads.

        Args:
            threads: How many.
            memory: Bytes for the trees of all jobs together.
        """
        self._memory = TreeMemory(memory)
        self._queue: queue.SimpleQueue[tuple[Job, Callable[[Job], object]] | None] = queue.SimpleQueue()
        self._threads = [
            threading.Thread(target=self._run, name=f"search-{index}", daemon=True) for index in range(threads)
        ]
        for thread in self._threads:
            thread.start()

    def add(self, job: Job, when_done: Callable[[Job], object]) -> None:
        """Queues a job; `when_done` is called from a thread of the pool."""
        self._queue.put((job, when_done))

    def close(self) -> None:
        """Lets the threads end after the slices that they are at.

        It waits for them: what a thread of an interpreter that ends still holds, the core's bindings report as leaked.
        """
        for _ in self._threads:
            self._queue.put(None)
        for thread in self._threads:
            thread.join()

    def _run(self) -> None:
        while (entry := self._queue.get()) is not None:
            job, when_done = entry
            job.alone = self._queue.empty()
            try:
                more = job.work()
            except ValueError as error:  # InputError and the core's std::invalid_argument: sentences for people
                job.send(messages.ErrorAnswer(id=job.id, code="illegal", message=str(error)))
                more = False
            except Exception:
                log.exception("a search failed")
                job.send(messages.ErrorAnswer(id=job.id, code="internal", message="the search failed"))
                more = False
            if more:
                self._memory.note(job)
                self._queue.put(entry)
            else:
                self._memory.forget(job)
                when_done(job)
            del job, entry  # an idle thread keeps no tree alive


class SlicedSearch:
    """A tree search that goes on from slice to slice. Key method: `advance`.

    Attributes:
        board: The position.
        playouts: Of all slices.
        done: Whether more slices would find nothing new.
    """

    def __init__(self, board: Board, search: Mcts, only_move_ends: bool = False) -> None:
        """A search that has not begun.

        Args:
            board: The position.
            search: With an empty tree.
            only_move_ends: As for `Mcts.search`.
        """
        self.board = board
        self.playouts = 0
        self.done = False
        self._search = search
        self._only_move_ends = only_move_ends
        self._analysis: Analysis | None = None
        self._start = time.monotonic()

    @property
    def seconds(self) -> float:
        """Since the request, waiting included."""
        return time.monotonic() - self._start

    @property
    def analysis(self) -> Analysis:
        """What is known about the position after the last slice."""
        assert self._analysis is not None
        return self._analysis

    @property
    def memory(self) -> int:
        """Bytes of the tree."""
        return self._analysis.memory if self._analysis is not None else 0

    @property
    def full(self) -> bool:
        """Whether it is done because the tree has no room left."""
        return self.done and self.analysis.proof is None

    def advance(self, playouts: int, best: int, seconds: float = SLICE_SECONDS) -> Analysis:
        """Searches for one slice, or fewer playouts."""
        found = self._go_on(max(1, playouts), seconds, best, self._only_move_ends)
        if not found.candidates and found.proof is None:
            # The search ended before it tried a move: there is only one, or the slice went into a search for threats.
            found = self._go_on(2, 0.0, best, only_move_ends=False)
        self._analysis = found
        self.done = found.proof is not None or found.playouts == 0
        return found

    def _go_on(self, playouts: int, seconds: float, best: int, only_move_ends: bool) -> Analysis:
        found = self._search.search(self.board, playouts, seconds, best, only_move_ends=only_move_ends)
        self.playouts += found.playouts
        return found

    def priors(self) -> dict[str, float]:
        """What the evaluator thought of the moves before the search, the best of them."""
        known = self._search.analysis(best=limits.MAX_MOVES)
        ranked = sorted(known.candidates, key=lambda candidate: -candidate.prior)[: limits.MAX_PRIORS]
        return {self.board.text(candidate.move): round(candidate.prior, 4) for candidate in ranked}

    def thought(self) -> messages.Thought:
        """The message about it."""
        analysis = self.analysis
        if analysis.proof == "win" and len(analysis.candidates[0].line) == 1:
            analysis = self._with_winning_line(analysis)
        return positions.thought_of(self.board, analysis, self.playouts, self.seconds)

    def _with_winning_line(self, analysis: Analysis) -> Analysis:
        """The search stops at the first move of a win by fours; people want to see the rest."""
        best = analysis.candidates[0]
        line = threats.solve(
            self.board,
            "auto",
            max_nodes=limits.LINE_NODES,
            max_seconds=limits.LINE_SECONDS,
            guide=best_evaluator(self.board),
        ).line
        if line:
            best = replace(best, move=line[0], line=tuple(line), visits=best.visits if line[0] == best.move else 0)
        return replace(analysis, candidates=(best, *analysis.candidates[1:]))

    def interrupt(self) -> None:
        """Ends the slice that is running."""
        self._search.stop()


class ThinkJob(Job):
    """A move of a level, or a hint.

    The level's time runs from the request on: with many pages waiting, a search gets fewer playouts, not more time.
    """

    def __init__(self, request: messages.ThinkRequest, send: Send) -> None:
        super().__init__(request.id, send)
        self._purpose = request.purpose
        self._level = STRONGEST if request.purpose == "hint" else find_level(request.level)
        self._seconds = limits.HINT_SECONDS if request.purpose == "hint" else self._level.seconds
        self._seed = random.getrandbits(63)
        board = positions.board_of(request.game)
        self._search = SlicedSearch(board, self._level.search(board, self._seed), only_move_ends=True)
        self._reported = 0.0

    def _slice(self) -> bool:
        search, limit = self._search, self._level.playouts
        analysis = search.advance((limit or 1 << 30) - search.playouts, best=12)
        share = max(search.seconds / self._seconds, search.playouts / limit if limit else 0.0)
        if not (self.stopped or share >= 1 or search.done):
            if search.seconds - self._reported > UPDATE_SECONDS:
                self._reported = search.seconds
                self.send(messages.Progress(id=self.id, share=round(share, 3), thought=search.thought()))
            return True
        board = search.board.copy()
        move = self._level.pick(analysis, self._seed)
        text = board.text(move)
        board.push(move)
        self.send(
            messages.MoveAnswer(
                id=self.id,
                purpose=self._purpose,
                move=text,
                thought=search.thought(),
                state=positions.state_of(board),
            )
        )
        return False

    def _interrupt(self) -> None:
        self._search.interrupt()

    @property
    def memory(self) -> int:
        """Bytes of its tree after the last slice."""
        return self._search.memory


class AnalyseJob(Job):
    """Analysis of one position until it is stopped, solved or full."""

    def __init__(self, request: messages.AnalyseRequest, send: Send, threads: int = 1) -> None:
        super().__init__(request.id, send)
        self._best = request.best
        self._playouts = request.playouts
        board = positions.board_of(request.game)
        params = SearchParams(memory=limits.ANALYSIS_MEMORY, threads=threads, seed=random.getrandbits(63))
        self._search = SlicedSearch(board, Mcts(best_evaluator(board), params))
        self._reported = 0.0
        self._heat: dict[str, float] | None = None

    def _slice(self) -> bool:
        search = self._search
        # Every slice has its price; the first one is short, so that there is something to see.
        seconds = UPDATE_SECONDS if self.alone and self._heat is not None else SLICE_SECONDS
        search.advance(self._playouts - search.playouts, self._best, seconds)
        ended = self._ended()
        if ended or search.seconds - self._reported > UPDATE_SECONDS or self._heat is None:
            self._reported = search.seconds
            self._heat = self._heat or search.priors()
            self.send(
                messages.AnalysisAnswer.model_validate(
                    {
                        "id": self.id,
                        "thought": search.thought(),
                        "heat": self._heat,
                        "done": ended is not None,
                        "ended": ended,
                    }
                )
            )
        return ended is None

    def _ended(self) -> str | None:
        search = self._search
        reasons = {
            "solved": search.done and not search.full,
            "memory": search.full or self.crowded,
            "stopped": self.stopped,
            "playouts": search.playouts >= self._playouts,
            "time": search.seconds > limits.MAX_ANALYSIS_SECONDS,
        }
        return next((reason for reason, true in reasons.items() if true), None)

    @property
    def memory(self) -> int:
        """Bytes of its tree after the last slice."""
        return self._search.memory

    def _interrupt(self) -> None:
        self._search.interrupt()


class ReviewJob(Job):
    """The win rate at every position of a game, one after the other."""

    def __init__(self, request: messages.ReviewRequest, send: Send) -> None:
        super().__init__(request.id, send)
        self._board = positions.board_of(request.game)
        self._playouts = request.playouts
        self._total = self._board.ply + (0 if self._board.is_over else 1)
        self._ply = 0
        self._moves = self._board.moves
        self._search = self._search_at(0) if self._total else None

    def _search_at(self, ply: int) -> SlicedSearch:
        board = Board.from_moves(self._moves[:ply], size=self._board.width, rule=self._board.rule)
        return SlicedSearch(board, Mcts(best_evaluator(board), SearchParams(memory=limits.ANALYSIS_MEMORY, seed=1)))

    def _slice(self) -> bool:
        if self.crowded:
            self.send(messages.ErrorAnswer(id=self.id, code="busy", message=CROWDED))
        if self._search is None or self.stopped:
            return False
        self._search.advance(self._playouts - self._search.playouts, best=3)
        enough = self._search.playouts >= self._playouts or self._search.done
        if not enough and self._search.seconds < limits.REVIEW_SECONDS:
            return True
        done = self._ply + 1 >= self._total
        self.send(
            messages.ReviewAnswer(
                id=self.id, ply=self._ply, total=self._total, thought=self._search.thought(), done=done
            )
        )
        self._ply += 1
        self._search = None if done else self._search_at(self._ply)
        return not done

    @property
    def memory(self) -> int:
        """Bytes of its tree after the last slice."""
        return self._search.memory if self._search else 0


class SolveJob(Job):
    """A forced win, looked for in one piece with a limit of time."""

    def __init__(self, request: messages.SolveRequest, send: Send) -> None:
        super().__init__(request.id, send)
        self._board = positions.board_of(request.game)
        self._kind = request.kind
        self._flag = threats.StopFlag()

    def _slice(self) -> bool:
        found = threats.solve(
            self._board,
            self._kind,
            max_nodes=20_000_000,
            max_seconds=limits.SOLVE_SECONDS,
            stop=self._flag,
            guide=best_evaluator(self._board),
        )
        self.send(
            messages.SolutionAnswer.model_validate(
                {
                    "id": self.id,
                    "status": found.status,
                    "kind": found.kind,
                    "line": positions.texts(self._board, found.line),
                    "nodes": found.nodes,
                    "seconds": round(found.seconds, 3),
                }
            )
        )
        return False

    def _interrupt(self) -> None:
        self._flag.set()
