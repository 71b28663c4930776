"""One page: takes its requests, starts its searches, and frees them when it goes."""

from __future__ import annotations

import asyncio
import logging
import threading

from tengen.library import Library
from tengen.thinking.pool import Job
from tengen.web import bookshelf, limits, messages, positions, records
from tengen.web.refusals import BusyError, error_answer
from tengen.web.rooms import Asked, Rooms
from tengen.web.workers import Workers
from tengen.wire import id_in

log = logging.getLogger(__name__)


class Session:
    """The server's side of one connection. Key methods: `handle`, from any thread, and `next_answer`.

    Attributes:
        overflowed: Set when the page reads so slowly that it has to be cut off.
    """

    def __init__(self, workers: Workers, library: Library | None = None, rooms: Rooms | None = None) -> None:
        self._workers = workers
        self._library = library
        self._rooms = rooms or Rooms()
        self._loop = asyncio.get_running_loop()
        self._jobs: dict[int, Job] = {}
        self._lock = threading.Lock()  # of the jobs
        self._closed = False
        self._outbox: asyncio.Queue[str] = asyncio.Queue()
        self._pending = 0  # bytes in the outbox
        self.overflowed = asyncio.Event()

    # -- requests

    def handle(self, text: str | bytes) -> None:
        """Answers one message of the page, after the one before it; what is wrong with it becomes a message too."""
        if self._closed:
            return
        request_id = None
        try:
            request = messages.read_request(text)
            request_id = request.id
            self._dispatch(request)
        except Exception as error:
            self.send(error_answer(error, id_in(text) if request_id is None else request_id))

    def _dispatch(self, request: messages.Request) -> None:
        if isinstance(request, messages.StopRequest):
            self._stop(request)
        elif isinstance(request, bookshelf.ShelfRequest):
            self.send(bookshelf.answer(request, self._library))
        elif isinstance(request, Asked):
            self._rooms.handle(request, self.send)
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
        self._rooms.leave(self.send, request.id)

    def _start(self, request: messages.Request) -> None:
        if request.id in self._jobs or len(self._jobs) >= limits.MAX_JOBS_A_PAGE:
            raise BusyError("too many searches on this page")
        if isinstance(request, messages.ThinkRequest):  # whoever moved is spared the question how it stands
            state = positions.state_of(positions.board_of(request.game))
            self.send(messages.StateAnswer(id=request.id, state=state))
        with self._lock:  # until it is among the jobs, it cannot be done
            job = self._jobs[request.id] = self._workers.start(request, self.send, self._finish)
        if self._closed:
            job.stop(discard=True)

    def _finish(self, job: Job) -> None:
        """Sends the last answer of a job, whose place is free by then: the page may use its number again at once."""
        with self._lock:
            if self._jobs.get(job.id) is job:  # else the page has discarded it
                del self._jobs[job.id]
        if job.last is not None:
            self.send(job.last)

    def close(self) -> None:
        """Frees every search of the page."""
        self._closed = True
        self._rooms.leave(self.send)
        with self._lock:
            jobs = list(self._jobs.values())
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
