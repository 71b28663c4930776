"""The nodes of a cluster as those who play for a run: see `tengen.train.pools.Pool`.

A thread of its own, the office, talks to the nodes: one question at a time to each, `take`, and the next one when its
games are recorded. So a learner that is slow is not flooded, and what was not confirmed is simply asked for again. The
office starts a worker on every node that has none; ray restarts nothing.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import ray
from ray.exceptions import RayActorError

from tengen.cluster.helpers import Helpers
from tengen.cluster.membership import Membership
from tengen.cluster.nodes import Node, connected, on, sentence_in
from tengen.cluster.worker import COUNTS, News, Orders, Report, Worker
from tengen.errors import SetupError
from tengen.train.params import SelfPlayParams
from tengen.train.pools import Games, Network, NodeState, Playing

#: Seconds between looks at who is there.
_LOOK_SECONDS = 1.0
#: A worker waits so long for a game before it says that there is none.
_ANSWER_SECONDS = 1.0
#: After an answer a node is left alone for so long, if there are no news for it: every question costs it a part of a
#: playing core, and its games are safe on its disk.
_REST_SECONDS = 1.0
#: The first node must play by then.
_START_SECONDS = 120.0
#: At the end nodes are waited for so long; what they still have waits on their disks.
_STOP_SECONDS = 20.0
_TICK_SECONDS = 0.05
#: Games a second are those of so many seconds.
_RATE_SECONDS = 20.0
#: Bytes that a worker needs beside its trees: the process, the network's tables and the spool's buffers.
_WORKER_BYTES = 300 << 20


@dataclass
class _Member:
    """A node that plays.

    Attributes:
        node: The node.
        worker: Its worker.
        call: The question that it has not answered yet; None while its games are being recorded.
        report: Its last answer.
        seen: When that came.
        arrived: When games came lately, and how many.
    """

    node: Node
    worker: Any
    call: Any = None
    report: Report = field(default_factory=lambda: Report([]))
    seen: float = field(default_factory=time.monotonic)
    arrived: deque[tuple[float, int]] = field(default_factory=deque)

    def is_recorded(self, taken: Mapping[str, int]) -> bool:
        """Whether all games of its last answer are confirmed."""
        origins = [games.origin for games in self.report.games if games.origin is not None]
        return all(taken.get(origin.worker, 0) >= origin.first + origin.games for origin in origins)

    def state(self, now: float) -> NodeState:
        """For people."""
        while self.arrived and self.arrived[0][0] < now - _RATE_SECONDS:
            self.arrived.popleft()
        rate = sum(games for _, games in self.arrived) / _RATE_SECONDS
        report = self.report
        return NodeState(self.node.name, self.node.cores, rate, now - self.seen, report.network, report.queue)


class ClusterPool:
    """Nodes that play. Key methods: those of `Pool`."""

    def __init__(self, address: str, playing: Playing, learners: int = 0) -> None:
        """Joins a cluster and waits until one of its nodes plays.

        Args:
            address: Of the cluster.
            playing: What is played.
            learners: Nodes that help to learn, too: those that join first.

        Raises:
            SetupError: There is no such cluster, or no node of it can play.
        """
        if playing.params.round_games:
            raise SetupError("a run that learns in rounds plays on one machine: leave out --cluster")
        self._playing = playing
        self._begun = playing.begun
        self._lock = threading.Condition()
        self._taken = dict(playing.taken)
        self._inbox: list[Games] = []
        self._members: dict[str, _Member] = {}
        self._membership = Membership(self._refusal_of_memory, playing.complain)
        self._totals: defaultdict[str, float] = defaultdict(float)
        self._under_way: list[bytes] = []
        self._failure: Exception | None = None
        self._stopping = False
        self._helpers = Helpers(learners, playing.complain)
        self._connection = contextlib.ExitStack()
        self._connection.enter_context(connected(address))
        try:
            self._network = playing.network.number
            self._model = playing.network.to_bytes()
            self._params = playing.params
            self._is_paused = False
            self._news_number = 0
            self._announce()
            self._office = threading.Thread(target=self._work, name="cluster", daemon=True)
            self._office.start()
            self._wait_for_a_node()
        except BaseException:
            self.close()
            raise

    def _wait_for_a_node(self) -> None:
        deadline = time.monotonic() + _START_SECONDS
        with self._lock:
            while not any(member.report.news for member in self._members.values()):
                if self._failure is not None:
                    raise self._failure
                if self._membership.is_hopeless:
                    raise SetupError("; ".join(self._membership.refused.values()))
                if time.monotonic() > deadline:
                    raise SetupError("no node of the cluster has begun to play: ray status tells about its nodes")
                self._lock.wait(_TICK_SECONDS)

    # -- for the training loop

    @property
    def counts(self) -> Any:
        """Totals since the pool was started."""
        with self._lock:
            return SimpleNamespace(**{name: self._totals[name] for name in COUNTS})

    @property
    def games_under_way(self) -> bytes:
        """Those of the nodes once they have ended; until then a node alone knows how far its games are."""
        return b"".join(self._under_way)

    def take(self, seconds: float) -> Sequence[Games]:
        """The games that arrived since the last call."""
        with self._lock:
            self._lock.wait_for(lambda: self._inbox or self._failure, seconds)
            if not self._inbox and self._failure is not None:
                raise self._failure
            games, self._inbox = self._inbox, []
            return games

    def confirm(self, taken: Mapping[str, int]) -> None:
        """Tells that games are recorded."""
        with self._lock:
            self._taken = dict(taken)

    def set_network(self, network: Network) -> None:
        """The network of the next games."""
        self._network, self._model = network.number, network.to_bytes()
        self._announce()

    def set_params(self, params: SelfPlayParams) -> None:
        """The parameters of the next games."""
        if params != self._params:
            self._params = params
            self._announce()

    def set_paused(self, paused: bool) -> None:
        """While paused, nobody begins another game."""
        if paused != self._is_paused:
            self._is_paused = paused
            self._announce()

    def next_round(self) -> None:
        """There are no rounds here."""

    def _announce(self) -> None:
        self._news_number += 1
        news = ray.put(News(self._news_number, self._network, self._model, self._params, self._is_paused))
        with self._lock:
            self._news = (self._news_number, news)

    @property
    def compute(self) -> Any:
        """The nodes that help to learn, if that is wanted."""
        return self._helpers.make_pass if self._helpers.wanted else None

    def nodes(self) -> Sequence[NodeState]:
        """The nodes that play."""
        now = time.monotonic()
        with self._lock:
            return [member.state(now) for member in self._members.values()]

    def stop(self) -> None:
        """Ends all games; what is finished comes in, from nodes that answer."""
        if not self._stopping:
            self._stopping = True
            self._office.join()
            self._end_games()

    def close(self) -> None:
        """Lets the workers go: what is recorded leaves their disks."""
        self._stopping = True
        with contextlib.suppress(AttributeError):  # the office may never have been opened
            self._office.join()
        calls = [member.worker.release.remote(self._taken) for member in self._members.values()]
        if calls:
            ray.wait(calls, num_returns=len(calls), timeout=_STOP_SECONDS)
        self._members = {}
        self._connection.close()

    def _end_games(self) -> None:
        calls = {member.worker.finish.remote(): member for member in self._members.values()}
        done, _ = ray.wait(list(calls), num_returns=len(calls), timeout=_STOP_SECONDS) if calls else ([], [])
        for call in done:
            report = self._answer(calls[call], call)
            if report is not None:
                self._under_way.append(report.under_way)

    # -- the office

    def _work(self) -> None:
        last_look = -_LOOK_SECONDS
        try:
            while not self._stopping:
                if time.monotonic() - last_look >= _LOOK_SECONDS:
                    self._look_for_nodes()
                    last_look = time.monotonic()
                self._ask()
                self._listen()
        except Exception as error:  # the cluster itself is gone: the run ends with it, everything saved
            with self._lock:
                self._failure = error if isinstance(error, SetupError) else _lost(error)
                self._lock.notify_all()

    def _look_for_nodes(self) -> None:
        """Invites those that came, and forgets those that went."""
        there = self._membership.look()
        for member in [member for id, member in self._members.items() if id not in there]:
            self._part_with(member, "is gone")

    def _refusal_of_memory(self, node: Node) -> str | None:
        needed = _WORKER_BYTES + self._threads(node) * self._playing.search.memory
        if node.memory >= needed:
            return None
        return (
            f"node {node.name} has {node.memory >> 20} MB of memory for ray, and needs {needed >> 20} MB to play with "
            f"{self._threads(node)} threads: start it with fewer cores (ray start --num-cpus) or more --memory"
        )

    def _threads(self, node: Node) -> int:
        return self._params.threads or node.cores

    def _ask(self) -> None:
        """Asks every node that has nothing else to do."""
        rested = time.monotonic() - _REST_SECONDS
        with self._lock:
            taken, (number, news) = self._taken, self._news
            idle = [member for member in self._members.values() if member.call is None and member.is_recorded(taken)]
        for member in idle:
            is_news = member.report.news != number
            if is_news or member.seen < rested:
                member.call = member.worker.take.remote(taken, news if is_news else None, _ANSWER_SECONDS)

    def _listen(self) -> None:
        calls = {member.call: member for member in self._members.values() if member.call is not None}
        questions = self._membership.questions
        waiting = [*calls, *questions]
        if not waiting:
            time.sleep(_TICK_SECONDS)
            return
        ray.wait(waiting, timeout=_TICK_SECONDS)
        done, _ = ray.wait(waiting, num_returns=len(waiting), timeout=0)
        for call in done:
            if call in calls:
                self._answer(calls[call], call)
            elif (node := self._membership.answer(call)) is not None:
                self._welcome(node)

    def _welcome(self, node: Node) -> None:
        playing, begun = self._playing, self._begun
        self._begun = b""
        orders = Orders(playing.run, playing.search, self._threads(node), playing.seed, begun)
        worker = ray.remote(Worker).options(**on(node, max_restarts=0)).remote(orders)
        self._helpers.invite(node)
        with self._lock:
            self._members[node.id] = _Member(node, worker)

    def _answer(self, member: _Member, call: Any) -> Report | None:
        member.call = None
        try:
            report: Report = ray.get(call)
        except Exception as error:
            if sentence := sentence_in(error):
                self._refuse(member.node, f"node {member.node.name}: {sentence}")
            elif isinstance(error, RayActorError):
                self._part_with(member, "has lost its worker")
            else:
                raise
            return None
        with self._lock:
            for name in COUNTS:
                self._totals[name] += report.counts.get(name, 0) - member.report.counts.get(name, 0)
            games = sum(given.origin.games for given in report.games if given.origin is not None)
            member.report, member.seen = report, time.monotonic()
            if games:
                member.arrived.append((member.seen, games))
            self._inbox += report.games
            self._lock.notify_all()
        return report

    def _refuse(self, node: Node, sentence: str) -> None:
        with self._lock:
            self._members.pop(node.id, None)
        self._membership.refuse(node, sentence)

    def _part_with(self, member: _Member, what: str) -> None:
        with self._lock:
            self._members.pop(member.node.id, None)
        self._membership.forget(member.node)
        self._playing.complain(f"node {member.node.name} {what}; the others play on")


def _lost(error: Exception) -> SetupError:
    text = " ".join(str(error).split())[:200]
    return SetupError(f"the cluster is lost ({type(error).__name__}: {text}); the same command goes on with the run")
