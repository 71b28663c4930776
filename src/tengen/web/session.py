"""One page: takes its requests, starts its searches, and frees them when it goes."""

from __future__ import annotations

import asyncio
import json
import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from tengen.errors import TengenError
from tengen.web import limits, messages, positions, records
from tengen.web.jobs import AnalyseJob, Job, Pool, ReviewJob, Send, SolveJob, ThinkJob
from tengen.web.runs import Runs, WatchJob

log = logging.getLogger(__name__)

_JOBS: Mapping[type, Callable[[Any, Send], Job]] = {
    messages.ThinkRequest: ThinkJob,
    messages.ReviewRequest: ReviewJob,
    messages.SolveRequest: SolveJob,
}


class BusyError(TengenError):
    """More than the server takes at a time."""


class Workers:
    """The threads that all pages share: most for searches in slices, one for the solver, which works in one piece."""

    def __init__(self, threads: int, runs: Runs, analysis_threads: int = 1, memory: int = limits.TREE_MEMORY) -> None:
        """Starts the threads.

        Args:
            threads: For the searches of all pages.
            runs: The training runs that pages may watch.
            analysis_threads: With which each analysis works in its slices.
            memory: Bytes for the trees of all searches together.
        """
        self._runs = runs
        self._analysis_threads = analysis_threads
        self._searches = Pool(threads, memory)
        self._solver = Pool(1)
        self._under_way = 0
        self._lock = threading.Lock()

    def start(self, request: messages.Request, send: Send, when_done: Callable[[Job], object]) -> Job:
        """Queues the job that answers a request.

        Raises:
            InputError: The request's game or options are wrong.
            BusyError: There are too many jobs.
        """
        job = self._make(request, send)
        with self._lock:
            if self._under_way >= limits.MAX_JOBS:
                raise BusyError("the server has too many searches under way; try again in a moment")
            self._under_way += 1
        pool = self._solver if isinstance(job, SolveJob) else self._searches
        pool.add(job, lambda job: self._finish(job, when_done))
        return job

    def _make(self, request: messages.Request, send: Send) -> Job:
        if isinstance(request, messages.WatchRequest):
            return WatchJob(request, send, self._runs)
        if isinstance(request, messages.AnalyseRequest):
            return AnalyseJob(request, send, self._analysis_threads)
        if isinstance(request, messages.OpeningRequest):
            from tengen.web.guided_opening import OpeningJob  # late: the first page does not wait for it

            return OpeningJob(request, send)
        return _JOBS[type(request)](request, send)

    def _finish(self, job: Job, when_done: Callable[[Job], object]) -> None:
        with self._lock:
            self._under_way -= 1
        when_done(job)

    def close(self) -> None:
        """Lets all threads end."""
        self._searches.close()
        self._solver.close()


class Session:
    """The server's side of one connection. Key method: `handle`.

    Attributes:
        outbox: Messages for the page, in order; None asks to hang up.
    """

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._loop = asyncio.get_running_loop()
        self._jobs: dict[int, Job] = {}
        self.outbox: asyncio.Queue[messages.Message | None] = asyncio.Queue()

    def handle(self, text: str | bytes) -> None:
        """Answers one message of the page; whatever is wrong with it becomes a message too."""
        request_id = None
        try:
            request = messages.REQUEST.validate_json(text)
            request_id = request.id
            self._dispatch(request)
        except ValidationError as error:
            found = id_in(text)
            number = found if type(found) is int and 0 <= found <= 2**53 else None
            self.send(messages.ErrorAnswer(id=number, code="malformed", message=sentence(error.errors())))
        except BusyError as error:
            self.send(messages.ErrorAnswer(id=request_id, code="busy", message=str(error)))
        except ValueError as error:  # InputError is one
            self.send(messages.ErrorAnswer(id=request_id, code="illegal", message=str(error)))
        except Exception:
            log.exception("a request failed")
            self.send(messages.ErrorAnswer(id=request_id, code="internal", message="the server made a mistake"))

    def _dispatch(self, request: messages.Request) -> None:
        if isinstance(request, messages.StopRequest):
            if (job := self._jobs.get(request.id)) is not None:
                job.stop(request.discard)
                if request.discard:
                    del self._jobs[request.id]  # its place is free at once, whenever a thread gets to it
        elif (answer := answer_at_once(request)) is not None:
            self.send(answer)
        else:
            self._start(request)

    def _start(self, request: messages.Request) -> None:
        if request.id in self._jobs or len(self._jobs) >= limits.MAX_JOBS_A_PAGE:
            raise BusyError("too many searches on this page")
        job = self._workers.start(request, self._send_from_thread, self._done_from_thread)
        self._jobs[job.id] = job

    def send(self, message: messages.Message) -> None:
        """Queues a message for the page."""
        if self.outbox.qsize() > limits.MAX_PENDING:
            self.close()
            self.outbox.put_nowait(None)
        else:
            self.outbox.put_nowait(message)

    def close(self) -> None:
        """Frees every search of the page."""
        for job in self._jobs.values():
            job.stop(discard=True)

    def _send_from_thread(self, message: messages.Message) -> None:
        self._call(lambda: self.send(message))

    def _done_from_thread(self, job: Job) -> None:
        self._call(lambda: self._forget(job))

    def _forget(self, job: Job) -> None:
        if self._jobs.get(job.id) is job:
            del self._jobs[job.id]

    def _call(self, callback: Callable[[], object]) -> None:
        try:
            self._loop.call_soon_threadsafe(callback)
        except RuntimeError:  # the server has shut down
            log.debug("an answer came after the end")


def answer_at_once(request: messages.Request) -> messages.Message | None:
    """The answer to a request that takes no time, or None if it takes a job."""
    if isinstance(request, messages.StateRequest):
        return messages.StateAnswer(id=request.id, state=positions.state_of(positions.board_of(request.game)))
    if isinstance(request, messages.ThreatsRequest):
        return messages.ThreatsAnswer(id=request.id, threats=positions.threats_of(positions.board_of(request.game)))
    if isinstance(request, messages.ImportRequest):
        game, tree = records.read(request)
        return messages.ImportAnswer(id=request.id, game=game, tree=tree)
    if isinstance(request, messages.ExportRequest):
        return messages.ExportAnswer(id=request.id, text=records.write(request), format=request.format)
    return None


def sentence(errors: Sequence[Mapping[str, Any]]) -> str:
    """What is wrong with a message, in one line, from the errors that pydantic lists."""
    first = errors[0]
    where = ".".join(str(part) for part in first["loc"])
    return f"{where}: {first['msg']}" if where else str(first["msg"])


def id_in(text: str | bytes) -> object:
    """The id of a message that is wrong elsewhere, whatever it is, so that people know which one was refused."""
    try:
        return json.loads(text).get("id")
    except (ValueError, AttributeError, RecursionError):
        return None
