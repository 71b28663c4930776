"""Independent jobs on all cores of a cluster: games of a match, reviews, questions of a proof. Each result comes once.

A job that was on a node that vanished is given to another one. Whoever takes the results records them, so what a
command has recorded is not done again when it is started again; nothing else has to survive.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

import ray
from ray.exceptions import RayActorError

from tengen.cluster.membership import Membership
from tengen.cluster.nodes import Node, connected, on, sentence_in
from tengen.errors import SetupError

Key = TypeVar("Key", bound=Hashable)

_LOOK_SECONDS = 1.0
_TICK_SECONDS = 0.2
#: A job that lost so many workers is what kills them.
_MOST_LOSSES = 5
_DRAINED = object()


class _Hand:
    """A process on a node that does one job at a time."""

    def __init__(self) -> None:
        self._do: Callable[[Any], Any] | None = None

    def do(self, make: Callable[[], Callable[[Any], Any]], job: Any) -> Any:
        # Not in the constructor: what goes wrong there, ray tells as the death of the process.
        self._do = self._do or make()
        return self._do(job)


@dataclass
class _Member:
    """A process, and what it does."""

    node: Node
    hand: Any
    key: Any = None


def spread(
    address: str,
    complain: Callable[[str], None],
    make: Callable[[], Callable[[Any], Any]],
    jobs: Iterable[tuple[Key, Any] | None],
) -> Iterator[tuple[Key, Any]]:
    """Does jobs on all cores of a cluster; gives each result with its key, as they come.

    Args:
        address: Of the cluster.
        complain: Called with a sentence when a node cannot help.
        make: Called once in every process; gives what does a job. It is sent there, as jobs and results are.
        jobs: With their keys; each is drawn when it can soon begin. None says that there is none at the moment, but may
            be one after another result.

    Raises:
        SetupError: There is no such cluster, or no node of it can do the work.
    """
    with connected(address):
        yield from _Spread(make, jobs, complain).results()


class _Spread:
    def __init__(
        self,
        make: Callable[[], Callable[[Any], Any]],
        jobs: Iterable[tuple[Any, Any] | None],
        complain: Callable[[str], None],
    ) -> None:
        self._make = make
        self._source = iter(jobs)
        self._is_drained = False
        self._jobs: dict[Any, Any] = {}  # that are not done
        self._complain = complain
        self._todo: deque[Any] = deque()  # those that nobody does
        self._losses: dict[Any, int] = {}
        self._idle: list[_Member] = []
        self._busy: dict[Any, _Member] = {}
        self._shaken: set[str] = set()  # nodes that lost a process: they get no more jobs until all are done there
        self._membership = Membership(lambda node: None, complain)

    def results(self) -> Iterator[tuple[Any, Any]]:
        last_look = -_LOOK_SECONDS
        while self._has_jobs():
            if time.monotonic() - last_look >= _LOOK_SECONDS:
                self._membership.look()
                last_look = time.monotonic()
                if self._membership.is_hopeless:
                    raise SetupError("; ".join(self._membership.refused.values()))
            while self._idle and self._draw():
                member = self._idle.pop()
                member.key = self._todo.popleft()
                self._busy[member.hand.do.remote(self._make, self._jobs[member.key])] = member
            yield from self._listen()

    def _has_jobs(self) -> bool:
        """Whether there is, or may be, something to do."""
        return self._draw() or bool(self._jobs) or not self._is_drained

    def _draw(self) -> bool:
        """Whether there is a job that nobody does."""
        if not self._todo and not self._is_drained:
            job = next(self._source, _DRAINED)
            self._is_drained = job is _DRAINED
            if isinstance(job, tuple):
                self._jobs[job[0]] = job[1]
                self._todo.append(job[0])
        return bool(self._todo)

    def _listen(self) -> Iterator[tuple[Any, Any]]:
        waiting = [*self._busy, *self._membership.questions]
        if not waiting:
            time.sleep(_TICK_SECONDS)
            return
        done, _ = ray.wait(waiting, timeout=_TICK_SECONDS)
        for call in done:
            if call in self._busy:
                member = self._busy.pop(call)
                try:
                    result = ray.get(call)
                except Exception as error:
                    self._lose(member, error)
                else:
                    del self._jobs[member.key]
                    self._idle.append(member)
                    yield member.key, result
                self._start_anew(member.node)
            elif (node := self._membership.answer(call)) is not None:
                hand = ray.remote(_Hand).options(**on(node, max_restarts=0))
                self._idle += [_Member(node, hand.remote()) for _ in range(node.cores)]

    def _lose(self, member: _Member, error: Exception) -> None:
        """A process has not done its job: another one does, unless it was no accident."""
        node = member.node
        if sentence := sentence_in(error):
            raise SetupError(f"node {node.name}: {sentence}") from None
        if not isinstance(error, RayActorError):
            raise error
        self._todo.appendleft(member.key)
        self._losses[member.key] = self._losses.get(member.key, 0) + 1
        if self._losses[member.key] >= _MOST_LOSSES:
            raise SetupError(f"{_MOST_LOSSES} workers were lost at the same job: is there enough memory on the nodes?")
        if node.id not in self._shaken:
            self._complain(f"node {node.name} has lost a worker; its job goes to another")
        self._shaken.add(node.id)

    def _start_anew(self, node: Node) -> None:
        """Lets a shaken node join again, if it is still there, once none of its processes has anything to do."""
        if node.id not in self._shaken:
            return
        self._idle = [member for member in self._idle if member.node.id != node.id]
        if all(member.node.id != node.id for member in self._busy.values()):
            self._shaken.discard(node.id)
            self._membership.forget(node)
