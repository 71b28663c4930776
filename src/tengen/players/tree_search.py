"""Tree search as a player: what `mcts`, `mcts-expert`, `tengen` and `net` have in common."""

from __future__ import annotations

from dataclasses import dataclass

from tengen.players.parameters import Parameters, parameter

DEFAULT_PLAYOUTS = 1000


@dataclass(frozen=True, kw_only=True)
class TreeSearchParameters(Parameters):
    """How long a tree search thinks and on how many threads."""

    playouts: int | None = parameter(
        None, "Playouts a move.", at_least=1, shown=f"{DEFAULT_PLAYOUTS} unless time is given"
    )
    time: float | None = parameter(None, "Seconds a move.", above=0)
    threads: int = parameter(1, "Threads of one search.", at_least=1, at_most=256)
