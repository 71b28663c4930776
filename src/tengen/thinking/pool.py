"""Jobs that work in slices, so that a few threads serve many people fairly."""

from __future__ import annotations

import logging
import queue
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, Protocol, TypeAlias

from tengen.search import Analysis
from tengen.thinking.thought import Thinking

SLICE_SECONDS = 0.04
UPDATE_SECONDS = 0.12
"""Between two reports of a running search: about eight a second. As long as nobody waits, slices are as long."""
TREE_MEMORY = 1 << 30
"""Bytes of all trees of a pool together; a tree lives as long as its search. Above it, the largest one has to end."""

log = logging.getLogger(__name__)

Work: TypeAlias = Callable[["Job"], Iterator[Any]]
"""A job's work: each step of the iterator is a slice, and gives what there is to send, or None. What it returns, if it
is a generator, is the last answer (`Job.last`)."""


class Stoppable(Protocol):
    """What a job is busy with."""

    @property
    def memory(self) -> int:
        """Bytes that it holds."""

    def stop(self) -> None:
        """Ends it soon."""


class Job:
    """Work for one request. Key method: `work`, which a thread of the pool calls until it says that it is done.

    Attributes:
        id: Of the request.
        stopped: Whether somebody asked for the end.
        crowded: Whether it has to end because all trees together need too much memory.
        alone: Whether no other job waits for its thread.
        last: The answer with which it has ended, if there is one. It is not sent with the others: whoever queued the
            job takes it when the job is done and its place is free, so that who reads it can ask again.
    """

    def __init__(self, request_id: Any, work: Work, send: Callable[[Any], object]) -> None:
        """A job that has not begun.

        Args:
            request_id: Of the request.
            work: What to do.
            send: Takes what the work gives before its end, in a thread of the pool.
        """
        self.id = request_id
        self.stopped = False
        self.crowded = False
        self.alone = False
        self.last: Any = None
        self._discarded = False
        self._send = send
        self._busy_with: Stoppable | None = None
        self._slices = work(self)

    def stop(self, discard: bool = False) -> None:
        """Ends the job soon: with its best answer so far, or without any."""
        self._discarded = self._discarded or discard
        self.stopped = True
        if (busy_with := self._busy_with) is not None:
            busy_with.stop()

    def release(self) -> None:
        """Ends the job soon so that its memory is free."""
        self.crowded = True
        self.stop()

    @property
    def memory(self) -> int:
        """Bytes of its tree after the last slice."""
        return self._busy_with.memory if self._busy_with is not None else 0

    def work(self) -> bool:
        """Does one slice; True when there is more to do."""
        if self._discarded:
            return False
        try:
            found = next(self._slices)
        except StopIteration as end:
            self.last = None if self._discarded else end.value
            return False
        if found is not None and not self._discarded:
            self._send(found)
        return True

    # -- for the work itself

    def attend(self, to: Stoppable) -> None:
        """Says what the job is busy with: that is stopped when the job is, and its memory is the job's."""
        self._busy_with = to
        if self.stopped:
            to.stop()

    def steps(self, thinking: Thinking) -> Iterator[Analysis | None]:
        """A search to its end, a slice at a time: what it knows where a report is due and at the end; else None."""
        self.attend(thinking)
        reported: float | None = None
        while thinking.ended is None:
            # Every slice has its price; the first one is short, so that there is something to see.
            found = thinking.step(UPDATE_SECONDS if self.alone and reported is not None else SLICE_SECONDS)
            due = reported is None or thinking.ended is not None or found.seconds - reported > UPDATE_SECONDS
            if due:
                reported = found.seconds
            yield found if due else None

    def end_of(self, thinking: Thinking) -> str | None:
        """Why a search of this job has ended, as people should hear it; None if it has not."""
        return "memory" if thinking.ended and self.crowded else thinking.ended


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

    def __init__(self, threads: int, memory: int = TREE_MEMORY, at_once: int = sys.maxsize) -> None:
        """Starts the threads.

        Args:
            threads: How many.
            memory: Bytes for the trees of all jobs together.
            at_once: How many jobs take turns, at most; the others wait until one of these is done.
        """
        self._memory = TreeMemory(memory)
        self._lock = threading.Lock()
        self._waiting: deque[_Entry] = deque()
        self._free_places = at_once
        self._queue: queue.SimpleQueue[_Entry | None] = queue.SimpleQueue()
        self._threads = [
            threading.Thread(target=self._run, name=f"search-{index}", daemon=True) for index in range(threads)
        ]
        for thread in self._threads:
            thread.start()

    def add(self, job: Job, when_done: Callable[[Job], object]) -> None:
        """Queues a job; `when_done` is called from a thread of the pool, and takes its last answer."""
        with self._lock:
            self._waiting.append((job, when_done))
            self._admit()

    def close(self) -> None:
        """Lets the threads end after the slices that they are at.

        It waits for them: what a thread of an interpreter that ends still holds, the core's bindings report as leaked.
        """
        for _ in self._threads:
            self._queue.put(None)
        for thread in self._threads:
            thread.join()

    def _admit(self) -> None:
        while self._waiting and self._free_places:
            self._free_places -= 1
            self._queue.put(self._waiting.popleft())

    def _run(self) -> None:
        while (entry := self._queue.get()) is not None:
            job, when_done = entry
            job.alone = self._queue.empty()
            try:
                more = job.work()
            except Exception:
                log.exception("a job failed")
                more = False
            if more:
                self._memory.note(job)
                self._queue.put(entry)
            else:
                self._leave(job)
                when_done(job)
            del job, entry  # an idle thread keeps no tree alive

    def _leave(self, job: Job) -> None:
        self._memory.forget(job)
        with self._lock:
            self._free_places += 1
            self._admit()


_Entry: TypeAlias = tuple[Job, Callable[[Job], object]]
