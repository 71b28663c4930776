"""Those who play the games of a run, behind one small interface: the threads of this process, or somebody else.

The training loop knows nothing of where games come from. It takes them, records them, and says so with `confirm`; what
was not confirmed may come again, and carries its origin so that it is recorded once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from tengen import core
from tengen.errors import SetupError
from tengen.search.params import SearchParams
from tengen.train.params import SelfPlayParams


@dataclass(frozen=True)
class Network:
    """A network that plays.

    Attributes:
        number: How many networks of the run had played before, and one.
        evaluator: For this process.
        to_bytes: The file of the network, for other processes; called at once or never.
    """

    number: int
    evaluator: Any
    to_bytes: Callable[[], bytes]


@dataclass(frozen=True)
class Origin:
    """Who played some games.

    Attributes:
        worker: A name that nobody else has.
        first: The number of the first of these games among all of its games.
        games: How many there are.
        network: The number of the oldest network that played one of them.
    """

    worker: str
    first: int
    games: int
    network: int


@dataclass(frozen=True)
class Games:
    """Finished games as bytes (see `core.read_games`), and where they are from if they may come again."""

    data: bytes
    origin: Origin | None = None


@dataclass(frozen=True)
class Playing:
    """What it takes to play for a run.

    Attributes:
        run: A name of the run that no other run has, wherever it may be.
        network: That plays first.
        params: Of self-play as they are now.
        search: How the network searches.
        seed: Of everything random.
        begun: Games to go on with, as bytes.
        taken: The games that are recorded: of each worker the number of the next one.
        complain: Called with a sentence when something is wrong, but others play on.
    """

    run: str
    network: Network
    params: SelfPlayParams
    search: SearchParams
    seed: int
    begun: bytes
    taken: Mapping[str, int]
    complain: Callable[[str], None]


@dataclass(frozen=True)
class NodeState:
    """What is known about one of the machines that play.

    Attributes:
        name: For people.
        threads: That play there.
        games_per_second: That arrived lately.
        last_seen: Seconds since it was last heard of.
        network: The number of the network that it plays with.
        queue: Games that wait there for their turn.
    """

    name: str
    threads: int
    games_per_second: float
    last_seen: float
    network: int
    queue: int


class Pool(Protocol):
    """Those who play."""

    @property
    def counts(self) -> Any:
        """Totals since the pool was started, with the names of `core.SelfPlayCounts`."""

    @property
    def games_under_way(self) -> bytes:
        """The games as far as they are, for another pool to go on with; after `stop` too."""

    def take(self, seconds: float) -> Sequence[Games]:
        """The games that were finished since the last call; waits up to `seconds` for one."""

    def confirm(self, taken: Mapping[str, int]) -> None:
        """Tells that games are recorded: of each worker the number of the next one."""

    def set_network(self, network: Network) -> None:
        """The network of the next games."""

    def set_params(self, params: SelfPlayParams) -> None:
        """The parameters of the next games."""

    def set_paused(self, paused: bool) -> None:
        """While paused, nobody begins another game."""

    def next_round(self) -> None:
        """Lets another round of games begin, in a run that learns in rounds."""

    @property
    def compute(self) -> Any:
        """Makes passes over batches for a learner (`tengen.nets.fused.Compute`) with the help of others, or None."""

    def nodes(self) -> Sequence[NodeState]:
        """The machines that play, where there are others than this one."""

    def stop(self) -> None:
        """Ends all games; those that were finished can still be taken."""

    def close(self) -> None:
        """Ends everything. What is not confirmed by now is given again by a later pool, if it can come again."""


StartPool: TypeAlias = Callable[[Playing], Pool]


class ThreadPool:
    """Threads of this process. Their games arrive once, and need no confirmation."""

    def __init__(self, playing: Playing) -> None:
        """Starts to play."""
        params = playing.params
        try:
            self._pool = core.SelfPlayPool(
                playing.network.evaluator,
                params,
                params.kinds(),
                playing.search,
                params.concurrency,
                playing.seed,
                playing.begun,
            )
        except ValueError as error:  # the network does not play on such boards
            raise SetupError(str(error)) from None

    @property
    def counts(self) -> Any:
        """Totals since the pool was started."""
        return self._pool.counts

    @property
    def games_under_way(self) -> bytes:
        """The games as far as they are."""
        data: bytes = self._pool.games_under_way
        return data

    def take(self, seconds: float) -> Sequence[Games]:
        """The games that were finished since the last call."""
        data = self._pool.take_games(seconds)
        return [Games(data)] if data else []

    def confirm(self, taken: Mapping[str, int]) -> None:
        """Nothing comes again here."""

    def set_network(self, network: Network) -> None:
        """The network of the next games."""
        self._pool.set_evaluator(network.evaluator)

    def set_params(self, params: SelfPlayParams) -> None:
        """The parameters of the next games."""
        self._pool.set_params(params, params.kinds())

    def set_paused(self, paused: bool) -> None:
        """While paused, nobody begins another game."""
        self._pool.set_paused(paused)

    def next_round(self) -> None:
        """Lets another round of games begin."""
        self._pool.next_round()

    @property
    def compute(self) -> Any:
        """Nobody helps."""
        return None

    def nodes(self) -> Sequence[NodeState]:
        """There is this machine alone."""
        return ()

    def stop(self) -> None:
        """Ends all games."""
        self._pool.stop()

    def close(self) -> None:
        """Ends all games."""
        self._pool.stop()
