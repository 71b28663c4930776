"""Fixed opponents by which runs are compared, and how strong they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from tengen.arena import GameSetup

DEFAULT_YARDSTICKS = (
    "mcts:playouts=500",
    "alphabeta:depth=2",
    "alphabeta:depth=4",
    "mcts-expert:playouts=500",
    "alphabeta:depth=6",
)

#: Elo in freestyle on 15x15; the scale begins with the first.
KNOWN: Mapping[str, float] = MappingProxyType({})


def known_ratings(yardsticks: Sequence[str], setups: Sequence[GameSetup]) -> dict[str, float]:
    """The ratings that an evaluation takes as given.

    On other boards and under other rules, and for other yardsticks, only the first one's is: it is 0.
    """
    measured = {spec: KNOWN[spec] for spec in yardsticks if spec in KNOWN}
    if measured and all((setup.size, setup.rule, setup.n_in_row) == (15, "freestyle", 5) for setup in setups):
        return measured
    return {spec: 0.0 for spec in yardsticks[:1]}
