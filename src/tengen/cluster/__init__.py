"""Several machines for one job, with ray. The only room that knows it; `pip install 'tengen[cluster]'`.

The command runs where it is typed and owns what is written: the folder of a run, of a match, of reviews, of a proof.
Every node of the cluster has one worker, which may vanish and come back at any time. ray carries messages and says
which nodes there are; what must not be lost lies in files (`spool`, `tengen.train.origins`), and is sent again until it
is confirmed.

The functions here are the doors; nothing behind them is imported before one is opened.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from tengen.errors import SetupError

if TYPE_CHECKING:
    from tengen.arena.match import Crew, Match
    from tengen.train.pools import StartPool

Spread: TypeAlias = Callable[
    [Callable[[], Callable[[Any], Any]], Iterable[tuple[Any, Any] | None]], Iterator[tuple[Any, Any]]
]
"""Does jobs, given what makes their worker; see `tengen.cluster.crew.spread`."""


def players_of(address: str, learners: int = 0) -> StartPool:
    """The nodes of a cluster as those who play for a training run; `learners` of them help to learn, too."""
    _require_ray()
    from tengen.cluster.pool import ClusterPool

    return partial(ClusterPool, address, learners=learners)


def crew_of(address: str, complain: Callable[[str], None]) -> Callable[[Match], Crew]:
    """The nodes of a cluster as those who play a match; `complain` is told which of them cannot."""
    _require_ray()
    from tengen.cluster.match import ClusterCrew

    return partial(ClusterCrew, address, complain)


def spread_over(address: str, complain: Callable[[str], None]) -> Spread:
    """The nodes of a cluster as those who do independent jobs; `complain` is told which of them cannot."""
    _require_ray()
    from tengen.cluster.crew import spread

    return partial(spread, address, complain)


def _require_ray() -> None:
    if importlib.util.find_spec("ray") is None:
        raise SetupError("a cluster needs ray: pip install 'tengen[cluster]'")
