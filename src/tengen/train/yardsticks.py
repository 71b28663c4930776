"""Fixed opponents by which runs are compared, and how strong they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from tengen.arena import GameSetup

#: Elo in freestyle on 15x15, from 175 games of `tengen match ... --games 24 --seed 5` between the last four and
#: alphabeta:depth=6,vct=8; standard errors are about 70 Elo. The first one lost every game against all others: how far
#: below it is was chosen.
KNOWN: Mapping[str, float] = MappingProxyType(
    {
        "mcts:playouts=1000": 0.0,
        "alphabeta:depth=2": 1000.0,
        "mcts-expert:playouts=2000": 1150.0,
        "alphabeta:depth=4": 1250.0,
        "alphabeta:depth=6": 1450.0,
    }
)
DEFAULT_YARDSTICKS = tuple(KNOWN)


def known_ratings(yardsticks: Sequence[str], setups: Sequence[GameSetup]) -> dict[str, float]:
    """The ratings that an evaluation takes as given.

    On other boards, under other rules, in other games, and for other yardsticks, only the first one's is: it is 0.
    """
    measured = {spec: KNOWN[spec] for spec in yardsticks if spec in KNOWN}
    if measured and all(replace(setup, move_limit=None) == GameSetup() for setup in setups):
        return measured
    return dict.fromkeys(yardsticks[:1], 0.0)
