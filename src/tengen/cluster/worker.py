"""Self-play on one node: threads that play, and a spool that keeps their games until the learner has them."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tengen import core
from tengen.arena.match import derive_seed
from tengen.cluster.spool import Spool, open_spools
from tengen.errors import SetupError
from tengen.nets.loading import load_evaluator
from tengen.search.params import SearchParams
from tengen.train.params import SelfPlayParams
from tengen.train.pools import Games

#: Bytes of games in one report, about.
_REPORT_BYTES = 4 << 20
#: With more bytes of games that nobody takes, a node stops to play.
SPOOL_BYTES = 256 << 20
#: Of the counters of self-play.
COUNTS = (
    *("games", "moves", "samples", "playouts", "opposition_moves", "seconds"),
    *("black_wins", "white_wins", "draws", "unfinished"),
)
_PATIENCE = 0.5


@dataclass(frozen=True)
class Orders:
    """What does not change while a worker plays.

    Attributes:
        run: The name of the run.
        search: How the network searches.
        threads: That play.
        seed: Of the run.
        begun: Games to go on with.
    """

    run: str
    search: SearchParams
    threads: int
    seed: int
    begun: bytes = b""


@dataclass(frozen=True)
class News:
    """What changes: the network, as its file, and the parameters of self-play.

    Attributes:
        number: Of these news.
        network: The number of the network.
        model: Its file.
        params: Of self-play.
        paused: Whether no game begins.
    """

    number: int
    network: int
    model: bytes
    params: SelfPlayParams
    paused: bool


@dataclass(frozen=True)
class Report:
    """What a worker says when it is asked.

    Attributes:
        games: The oldest games that are not confirmed.
        counts: Totals since the worker began, by the names of `COUNTS`.
        news: The number of the latest news that it has.
        network: The number of the network with which new games begin.
        queue: Games that wait.
        under_way: Games as far as they are, if the worker has ended.
    """

    games: list[Games]
    counts: dict[str, float] = field(default_factory=dict)
    news: int = 0
    network: int = 0
    queue: int = 0
    under_way: bytes = b""


class Worker:
    """Plays on one node. Key method: `take`, which can be asked again and again without harm."""

    def __init__(self, orders: Orders) -> None:
        """Does nothing yet: what goes wrong here, ray tells as the death of the process."""
        self._orders = orders
        self._spools: list[Spool] = []
        self._pool: Any = None
        self._news = 0
        self._network = 0
        self._is_paused = False
        self._changed = threading.Condition()
        self._failure: Exception | None = None
        self._stopping = False
        self._keeper: threading.Thread | None = None

    def take(self, taken: Mapping[str, int], news: News | None, seconds: float) -> Report:
        """Forgets what is confirmed, and gives what is not.

        The first call takes over the games that an earlier worker left behind; the first news begin to play.

        Args:
            taken: The games that are recorded: of each worker the number of the next one.
            news: To be followed from now on, if there are any.
            seconds: To wait for a game, if there is none.
        """
        with self._changed:
            self._spools = self._spools or open_spools(self._orders.run)
            for spool in self._spools:
                spool.confirm(taken.get(spool.name, 0))
            for spool in [spool for spool in self._spools[1:] if not spool.games]:
                spool.close()
                self._spools.remove(spool)
        if news is not None and news.number > self._news:
            self._follow(news)
        with self._changed:
            self._changed.wait_for(lambda: self._failure or any(spool.games for spool in self._spools), seconds)
            self._set_paused()
            return self._report()

    def finish(self) -> Report:
        """Ends all games; those under way come along."""
        self._stopping = True
        if self._pool is not None:
            self._pool.stop()
        if self._keeper is not None:
            self._keeper.join()
        with self._changed:
            self._keep(0.0)
            return self._report(self._pool.games_under_way if self._pool is not None else b"")

    def release(self, taken: Mapping[str, int]) -> None:
        """Lets go of the spool: what is confirmed is removed, what is not waits for another worker."""
        with self._changed:
            for spool in self._spools:
                spool.confirm(taken.get(spool.name, 0))
                spool.close()
            self._spools = []

    def _report(self, under_way: bytes = b"") -> Report:
        if self._failure is not None:
            raise self._failure
        games: list[Games] = []
        for spool in self._spools:
            games += spool.waiting(max(1, _REPORT_BYTES - sum(len(given.data) for given in games)))
        counts = {name: getattr(self._pool.counts, name) for name in COUNTS} if self._pool is not None else {}
        queue = sum(spool.games for spool in self._spools)
        return Report(games, counts, self._news, self._network, queue, under_way)

    # -- the threads that play

    def _follow(self, news: News) -> None:
        evaluator = _evaluator(news) if news.network != self._network else None
        if self._pool is None:
            self._start(news, evaluator)
        else:
            self._pool.set_params(news.params, news.params.kinds())
            if evaluator is not None:
                self._pool.set_evaluator(evaluator, news.network)
        self._news, self._network, self._is_paused = news.number, news.network, news.paused

    def _start(self, news: News, evaluator: Any) -> None:
        orders, spool, params = self._orders, self._spools[0], news.params
        seed = derive_seed(orders.seed, int(spool.name, 16), spool.next)
        try:
            self._pool = core.SelfPlayPool(
                *(evaluator, params, params.kinds(), orders.search, orders.threads, seed, orders.begun),
                number=news.network,
            )
        except ValueError as error:  # the network does not play on such boards
            raise SetupError(str(error)) from None
        self._keeper = threading.Thread(target=self._keep_games, name="spool", daemon=True)
        self._keeper.start()

    def _keep_games(self) -> None:
        """Writes each game down as soon as it is finished: what only memory knows can be lost."""
        try:
            while not self._stopping:
                self._keep(_PATIENCE)
        except Exception as error:  # of a thread that plays, or of the disk: said when the next one asks
            with self._changed:
                self._failure = error
                self._changed.notify_all()

    def _keep(self, seconds: float) -> None:
        data = self._pool.take_games(seconds) if self._pool is not None else b""
        if data:
            with self._changed:
                self._spools[0].append(data, self._pool.oldest_network)
                self._set_paused()
                self._changed.notify_all()

    def _set_paused(self) -> None:
        if self._pool is not None:
            self._pool.set_paused(self._is_paused or sum(spool.size for spool in self._spools) > SPOOL_BYTES)


def _evaluator(news: News) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "network.safetensors"
        path.write_bytes(news.model)
        return load_evaluator(path, news.params.random_symmetry)
