"""The weakest player: it searches for the surest way to lose."""

from __future__ import annotations

from typing import Annotated

from tengen import core
from tengen.parameters import Spec
from tengen.players.player import Player
from tengen.players.spec import Kind
from tengen.players.tree_search import TreeSearchParameters, TreeSearchPlayer
from tengen.thinking.levels import WEAKEST_PLAYOUTS


class WeakestParameters(TreeSearchParameters):
    """Keys of `weakest`."""

    playouts = WEAKEST_PLAYOUTS
    memory = 96 << 20
    prior_temperature = 1.0
    misere: Annotated[bool, Spec(hidden=True)] = True


def _weakest(parameters: WeakestParameters, name: str, seed: int | None) -> Player:
    return TreeSearchPlayer(parameters, name, seed, lambda board, seed: core.ReluctantEvaluator(seed))


KINDS = (Kind("weakest", "Tries to lose, whatever the opponent does.", WeakestParameters, _weakest),)
