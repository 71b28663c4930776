"""The weakest player: it searches for the surest way to lose."""

from __future__ import annotations

from dataclasses import dataclass

from tengen import core
from tengen.players.parameters import parameter
from tengen.players.player import Player
from tengen.players.spec import Kind
from tengen.players.tree_search import TreeSearchParameters, TreeSearchPlayer
from tengen.thinking.levels import WEAKEST_PLAYOUTS


@dataclass(frozen=True, kw_only=True)
class WeakestParameters(TreeSearchParameters):
    """Keys of `weakest`."""

    playouts: int | None = parameter(WEAKEST_PLAYOUTS, "Playouts a move.", at_least=1)
    memory: int = parameter(96 << 20, at_least=1 << 20, at_most=1 << 40)
    prior_temperature: float = 1.0
    misere: bool = parameter(True, hidden=True)


def _weakest(parameters: WeakestParameters, name: str, seed: int | None) -> Player:
    return TreeSearchPlayer(parameters, name, seed, lambda board, seed: core.ReluctantEvaluator(seed))


KINDS = (Kind("weakest", "Tries to lose, whatever the opponent does.", WeakestParameters, _weakest),)
