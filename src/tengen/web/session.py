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
    """The server's side of one connection. Key methods: `handle`, which any thread may call, and `next_answer`.

    Attributes:
        overflowed: Set when the page reads so slowly that it has to be cut off.
    """

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._loop = asyncio.get_running_loop()
        self._jobs: dict[int, Job | None] = {}  # None while a job is made
        self._lock = threading.Lock()  # of the jobs
        self._closed = False
        self._outbox: asyncio.Queue[str] = asyncio.Queue()
        self._pending = 0  # bytes in the outbox
        self.overflowed = asyncio.Event()

    # -- requests

    def handle(self, text: str | bytes) -> None:
        """Answers one message of the page; whatever is wrong with it becomes a message too."""
        if self._closed:
            return
        request_id = None
        try:
            request = messages.REQUEST.validate_json(text)
            request_id = request.id
            self._dispatch(request)
        except Exception as error:
            self.send(error_answer(error, id_in(text) if request_id is None else request_id))

    def _dispatch(self, request: messages.Request) -> None:
        if isinstance(request, messages.StopRequest):
            self._stop(request)
        elif (answer := answer_at_once(request)) is not None:
            self.send(answer)
        else:
            self._start(request)

    def _stop(self, request: messages.StopRequest) -> None:
        with self._lock:
            # The place of a job that is not wanted is free at once, whenever a thread gets to it.
            job = self._jobs.pop(request.id, None) if request.discard else self._jobs.get(request.id)
        if job is not None:
            job.stop(request.discard)

    def _start(self, request: messages.Request) -> None:
        with self._lock:
            if request.id in self._jobs or len(self._jobs) >= limits.MAX_JOBS_A_PAGE:
                raise BusyError("too many searches on this page")
            self._jobs[request.id] = None
        try:
            if isinstance(request, messages.ThinkRequest):  # whoever moved is spared the question how it stands
                state = positions.state_of(positions.board_of(request.game))
                self.send(messages.StateAnswer(id=request.id, state=state))
            job = self._workers.start(request, self.send, self._forget)
        except Exception:
            with self._lock:
                del self._jobs[request.id]
            raise
        with self._lock:
            if request.id in self._jobs:  # else it is done already
                self._jobs[request.id] = job
        if self._closed:
            job.stop(discard=True)

    def _forget(self, job: Job) -> None:
        with self._lock:
            if self._jobs.get(job.id, job) in (None, job):
                self._jobs.pop(job.id, None)

    def close(self) -> None:
        """Frees every search of the page."""
        self._closed = True
        with self._lock:
            jobs = [job for job in self._jobs.values() if job is not None]
        for job in jobs:
            job.stop(discard=True)

    # -- answers

    def send(self, message: messages.Message) -> None:
        """Queues a message for the page; from any thread, which also writes it as JSON."""
        text = message.model_dump_json()
        try:
            self._loop.call_soon_threadsafe(self._post, text)
        except RuntimeError:  # the server has shut down
            log.debug("an answer came after the end")

    def _post(self, text: str) -> None:
        self._pending += len(text)
        if self._pending > limits.MAX_PENDING:
            self.close()
            self.overflowed.set()
        else:
            self._outbox.put_nowait(text)

    async def next_answer(self) -> str:
        """The next message for the page; the one before it has been taken."""
        text = await self._outbox.get()
        self._pending -= len(text)
        return text


def answer_at_once(request: messages.Request) -> messages.Message | None:
    """The answer to a request that takes no search, or None if it takes a job."""
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


def error_answer(error: Exception, request_id: object) -> messages.ErrorAnswer:
    """What the page is told about a request that failed."""
    if isinstance(error, ValidationError):
        code, message = "malformed", sentence(error.errors())
    elif isinstance(error, BusyError):
        code, message = "busy", str(error)
    elif isinstance(error, records.TooLargeError):
        code, message = "large", str(error)
    elif isinstance(error, ValueError):  # InputError and the core's std::invalid_argument: sentences for people
        code, message = "illegal", str(error)
    else:
        log.error("a request failed", exc_info=error)
        code, message = "internal", "the server made a mistake"
    number = request_id if type(request_id) is int and 0 <= request_id <= 2**53 else None
    return messages.ErrorAnswer.model_validate({"id": number, "code": code, "message": message})


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
