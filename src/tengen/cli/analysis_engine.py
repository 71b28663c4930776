"""`tengen analysis-engine`: analysis for other programs, JSON lines in and out."""

from __future__ import annotations

import io
import json
import os
import sys
import threading
from collections.abc import Generator
from typing import Any, Literal, TextIO, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tengen.board import MAX_SIDE, Board, RuleName
from tengen.parameters import Number, Side, Threads
from tengen.search import Mcts, SearchParams
from tengen.thinking.evaluators import best_evaluator
from tengen.thinking.pool import Job, Pool
from tengen.thinking.thought import Budget, Thinking, as_dict, with_winning_line
from tengen.wire import id_in, sentence

#: Of one query; as many are under way as there are threads.
TREE_MEMORY = 256 << 20
_Answer: TypeAlias = dict[str, Any]


class Query(BaseModel):
    """One line of input: a position to analyse, or with `action` "stop" the end of an earlier query.

    Attributes:
        id: Any text; the answers repeat it.
        action: "analyse", or "stop" to end the query with the same id, which then answers with what it has.
        moves: The game so far.
        rule: As in `Board`.
        size: Points on each side.
        playouts: When to stop.
        best: How many moves to list.
        updates: Whether to answer several times a second until the end.
    """

    model_config = ConfigDict(extra="forbid")
    id: str = Field(max_length=200)
    action: Literal["analyse", "stop"] = "analyse"
    moves: list[str] = Field(default_factory=list, max_length=MAX_SIDE * MAX_SIDE)
    rule: RuleName = "freestyle"
    size: Side = 15
    playouts: Number = 1_000
    best: int = Field(5, ge=1, le=MAX_SIDE * MAX_SIDE)
    updates: bool = False


def analysis_engine(*, threads: Threads | None = None) -> None:
    """Analyse positions for another program: JSON lines on stdin, JSON lines on stdout.

    Example of a line: {"id": "a", "moves": ["h8", "i9"], "rule": "renju", "playouts": 5000}. Queries run side by side
    and are answered as they end; {"id": "a", "action": "stop"} ends one early. At the end of the input the rest is
    finished.

    Args:
        threads: Number of threads; all cores if not given.
    """
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # a line that is no UTF-8 is answered like any wrong line
    LineAnalysis(threads or os.cpu_count() or 1, sys.stdout).run(sys.stdin)


class LineAnalysis:
    """Runs queries and writes their answers. Key method: `run`."""

    def __init__(self, threads: int, output: TextIO) -> None:
        # One position at a time and thread: a query that waits has no tree yet, so trees never crowd each other.
        self._pool = Pool(threads, memory=2 * threads * TREE_MEMORY, at_once=threads)
        self._output = output
        self._jobs: dict[str, Job] = {}
        self._lock = threading.Condition()
        self._unread: OSError | None = None  # why an answer could not be written

    def run(self, lines: TextIO) -> None:
        """Takes queries until the input ends, then waits for the last answer.

        Raises:
            OSError: Nobody reads the answers any more; the queries that were running have ended.
        """
        try:
            for line in lines:
                if self._unread:
                    break
                if line.strip():
                    self._take(line)
            with self._lock:
                self._lock.wait_for(lambda: self._unread or not self._jobs)
        finally:
            self._close()
        if self._unread:
            raise self._unread

    def _close(self) -> None:
        """Ends what still runs, after Ctrl-C too: the interpreter must not end while a thread is inside the core."""
        with self._lock:
            for job in self._jobs.values():
                job.stop(discard=True)
            self._lock.wait_for(lambda: not self._jobs)
        self._pool.close()

    def _take(self, line: str) -> None:
        name = None
        try:
            query = Query.model_validate_json(line)
            name = query.id
            if query.action == "stop":
                with self._lock:
                    job = self._jobs.get(name)
                if job is not None:
                    job.stop()
            else:
                self._start(query)
        except ValidationError as error:
            found = id_in(line)
            self._write(found if isinstance(found, str) else None, {"error": sentence(error.errors())})
        except ValueError as error:
            self._write(name, {"error": str(error)})

    def _start(self, query: Query) -> None:
        board = Board.from_moves(query.moves, size=query.size, rule=query.rule)
        job = Job(query.id, lambda job: _answers(query, board, job), lambda answer: self._write(query.id, answer))
        with self._lock:
            if query.id in self._jobs:
                raise ValueError(f'a query with the id "{query.id}" is still running')
            self._jobs[query.id] = job
        self._pool.add(job, self._end)

    def _end(self, job: Job) -> None:
        """Writes the last answer of a query, whose id may be used again from then on."""
        with self._lock:
            del self._jobs[job.id]
            if job.last is not None:
                self._write(job.id, job.last)
            self._lock.notify_all()

    def _write(self, name: str | None, answer: _Answer) -> None:
        with self._lock:
            try:
                print(json.dumps({"id": name, **answer}), file=self._output, flush=True)
            except OSError as error:  # in a thread of the pool: `run` has to hear of it
                self._unread = error
                self._lock.notify_all()


def _answers(query: Query, board: Board, job: Job) -> Generator[_Answer | None, None, _Answer | None]:
    """What is known about a position: at the end, and before if the query asks for updates."""
    try:
        search = Mcts(best_evaluator(board), SearchParams(memory=TREE_MEMORY))
        thinking = Thinking(board, search, Budget(playouts=query.playouts), best=query.best, only_move_ends=False)
        for found in job.steps(thinking):
            ended = job.end_of(thinking)
            answer: _Answer | None = None
            if found and (query.updates or ended):
                thought = as_dict(board, with_winning_line(board, found))
                answer = {**thought, "done": ended is not None, "ended": ended}
            if ended:
                return answer
            yield answer
    except ValueError as error:
        return {"error": str(error)}
    return None
