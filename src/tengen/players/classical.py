"""The classical opponents: alpha-beta, and tree search that judges a leaf by roll-outs or by shapes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tengen.errors import SetupError
from tengen.players.parameters import Parameters, parameter
from tengen.players.player import Player
from tengen.players.spec import Kind
from tengen.players.tree_search import TreeSearchParameters

DEFAULT_DEPTH = 6


@dataclass(frozen=True, kw_only=True)
class AlphaBetaParameters(Parameters):
    """Keys of `alphabeta`."""

    depth: int | None = parameter(
        None, "Plies to look ahead.", at_least=1, at_most=60, shown=f"{DEFAULT_DEPTH} unless time is given"
    )
    time: float | None = parameter(None, "Seconds a move.", above=0)
    k: int = parameter(20, "Best-looking moves tried in a position.", at_least=1)
    vct: int = parameter(0, "Plies of continuous fours and threes searched at the leaves.", at_least=0, at_most=60)
    hash: int = parameter(64, "Megabytes of remembered positions.", at_least=1, at_most=65536)


@dataclass(frozen=True, kw_only=True)
class MctsParameters(TreeSearchParameters):
    """Keys of `mcts` and `mcts-expert`."""

    c: float = parameter(1.4, "How much is explored: UCT's constant.", above=0)


def _missing(parameters: Any, name: str, seed: int | None) -> Player:
    raise SetupError(f"{name} is not built yet")


KINDS = (
    Kind("alphabeta", "Alpha-beta with an evaluation of shapes.", AlphaBetaParameters, _missing),
    Kind("mcts", "Pure Monte Carlo tree search with random roll-outs.", MctsParameters, _missing),
    Kind("mcts-expert", "Monte Carlo tree search with an evaluation of shapes.", MctsParameters, _missing),
)
