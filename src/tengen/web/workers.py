"""The threads that all pages share, and which work answers which request."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from tengen.thinking.pool import TREE_MEMORY, Job, Pool
from tengen.web import explanations, jobs, limits, messages, runs
from tengen.web.networks import Networks
from tengen.web.refusals import BusyError

Send: TypeAlias = Callable[[messages.Message], None]
"""Takes a message to the page; may be called from any thread."""


class Workers:
    """Most threads search in slices; one is for the solver, which works in one piece. Key method: `start`."""

    def __init__(
        self,
        threads: int,
        folder: runs.Runs,
        analysis_threads: int = 1,
        memory: int = TREE_MEMORY,
        networks: Networks | None = None,
    ) -> None:
        """Starts the threads.

        Args:
            threads: For the searches of all pages.
            folder: The training runs that pages may watch.
            analysis_threads: With which each analysis works in its slices.
            memory: Bytes for the trees of all searches together.
            networks: Those of training runs; none if not given.
        """
        networks = networks or Networks(None)
        self._kinds: dict[type, jobs.Kind] = {
            messages.ThinkRequest: partial(jobs.think, networks=networks),
            messages.NetworksRequest: partial(jobs.list_networks, networks=networks),
            messages.AnalyseRequest: partial(jobs.analyse, threads=analysis_threads),
            messages.ReviewRequest: jobs.review,
            messages.SolveRequest: jobs.solve,
            messages.ExplainRequest: explanations.explain,
            messages.OpeningRequest: _opening,
            messages.PuzzleRequest: _puzzle,
            messages.AttemptRequest: _attempt,
            messages.OpeningsRequest: _list_openings,
            messages.ExploreRequest: _explore,
            messages.TheoryRequest: _theory,
            messages.WatchRequest: partial(runs.watch, runs=folder),
        }
        self._searches = Pool(threads, memory)
        self._solver = Pool(1)
        self._under_way = 0
        self._lock = threading.Lock()

    def start(self, request: messages.Request, send: Send, when_done: Callable[[Job], object]) -> Job:
        """Queues the job that answers a request; `when_done` takes the last answer, `send` the others.

        Raises:
            BusyError: There are too many jobs.
        """
        with self._lock:
            if self._under_way >= limits.MAX_JOBS:
                raise BusyError("the server has too many searches under way; try again in a moment")
            self._under_way += 1
        kind = self._kinds[type(request)]
        job = Job(request.id, lambda job: jobs.answers(request, kind, job), send)
        pool = self._solver if isinstance(request, messages.SolveRequest) else self._searches
        pool.add(job, lambda job: self._finish(job, when_done))
        return job

    def _finish(self, job: Job, when_done: Callable[[Job], object]) -> None:
        with self._lock:
            self._under_way -= 1
        when_done(job)

    def close(self) -> None:
        """Lets all threads end."""
        self._searches.close()
        self._solver.close()


def _opening(request: messages.OpeningRequest, job: Job) -> jobs.Answers:
    from tengen.web.guided_opening import opening  # late: the first page does not wait for it

    return opening(request, job)


def _puzzle(request: messages.PuzzleRequest, job: Job) -> messages.Message:
    from tengen.web.puzzles import puzzle  # late, too

    return puzzle(request, job)


def _attempt(request: messages.AttemptRequest, job: Job) -> messages.Message:
    from tengen.web.puzzles import attempt

    return attempt(request, job)


def _list_openings(request: messages.OpeningsRequest, job: Job) -> messages.Message:
    from tengen.web.explorer import list_openings

    return list_openings(request, job)


def _explore(request: messages.ExploreRequest, job: Job) -> messages.Message:
    from tengen.web.explorer import explore

    return explore(request, job)


def _theory(request: messages.TheoryRequest, job: Job) -> messages.Message:
    from tengen.web.theory import look_up

    return look_up(request, job)
