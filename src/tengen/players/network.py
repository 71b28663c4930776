"""Players that learned: tree search guided by a network."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, TypeAlias

from pydantic import Field

from tengen.board import Board
from tengen.errors import SetupError
from tengen.nets.loading import load_evaluator
from tengen.parameters import Spec
from tengen.players.player import Player
from tengen.players.spec import Kind, named_network
from tengen.players.tree_search import TreeSearchParameters, TreeSearchPlayer
from tengen.thinking.evaluators import best_evaluator, network_for

Book: TypeAlias = Annotated[
    bool,
    Field(
        description="Whether it plays wins that are proven, from the book: as black, in freestyle and standard on "
        "15x15, where the game follows a certificate that ships."
    ),
]


class ShippedParameters(TreeSearchParameters):
    """Keys of players with the network that ships, or another of its kind."""

    model: Annotated[str, Spec(shown="the shipped network")] = ""
    """File of a line network."""


class TengenParameters(ShippedParameters):
    """Keys of `tengen`."""

    book: Book = False


class NetParameters(TreeSearchParameters):
    """Keys of `net`."""

    model: str
    """File of a network."""


def evaluator_of(parameters: ShippedParameters) -> Callable[[Board, int], Any]:
    """Makes the evaluator of a board: of the network that is named, or of the best one that ships."""
    model = _existing(parameters.model) if parameters.model else None
    return lambda board, seed: load_evaluator(model) if model else best_evaluator(board)


def _tengen(parameters: TengenParameters, name: str, seed: int | None) -> Player:
    return TreeSearchPlayer(parameters, name, seed, evaluator_of(parameters), book=parameters.book)


def shipped_network(parameters: Any, rule: str, size: int) -> Path | None:
    """The network of a player that plays with the shipped one unless it names another."""
    return named_network(parameters) or network_for(rule, size)


def _net(parameters: NetParameters, name: str, seed: int | None) -> Player:
    model = _existing(parameters.model)
    return TreeSearchPlayer(parameters, name, seed, lambda board, seed: load_evaluator(model, seed=seed), True)


def _existing(model: str) -> Path:
    path = Path(model).expanduser()
    if not path.is_file():
        raise SetupError(f'there is no model file "{model}"')
    return path


KINDS = (
    Kind(
        "tengen",
        "Tree search with the line network that ships with Tengen.",
        TengenParameters,
        _tengen,
        shipped_network,
    ),
    Kind("net", "Tree search with a network of yours.", NetParameters, _net),
)
