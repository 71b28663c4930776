"""Players that learned: tree search guided by a network."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tengen.errors import SetupError
from tengen.players.parameters import parameter
from tengen.players.player import Player
from tengen.players.spec import Kind
from tengen.players.tree_search import TreeSearchParameters


@dataclass(frozen=True, kw_only=True)
class TengenParameters(TreeSearchParameters):
    """Keys of `tengen`."""

    model: str = parameter("", "File of a line network.", shown="the shipped network")


@dataclass(frozen=True, kw_only=True)
class NetParameters(TreeSearchParameters):
    """Keys of `net`."""

    model: str = parameter(help="File of a network.")


def _missing(parameters: Any, name: str, seed: int | None) -> Player:
    raise SetupError(f"{name} is not built yet")


KINDS = (
    Kind("tengen", "Tree search with the line network that ships with Tengen.", TengenParameters, _missing),
    Kind("net", "Tree search with a network of yours.", NetParameters, _missing),
)
