"""Players that try to lose: one searches for the surest way, the other does what a good player would not."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Annotated

from tengen import core
from tengen.board import MAX_SIDE, Board, Move
from tengen.games import AnyBoard
from tengen.parameters import Spec
from tengen.players.network import ShippedParameters, evaluator_of, shipped_network
from tengen.players.player import Player
from tengen.players.spec import Kind
from tengen.players.tree_search import TreeSearchParameters, TreeSearchPlayer
from tengen.thinking.levels import LEVELS


class WeakestParameters(TreeSearchParameters):
    """Keys of `weakest`."""

    playouts = LEVELS[0].playouts
    memory = 96 << 20
    prior_temperature = 1.0
    misere: Annotated[bool, Spec(hidden=True)] = True


def _weakest(parameters: WeakestParameters, name: str, seed: int | None) -> Player:
    return TreeSearchPlayer(parameters, name, seed, lambda board, seed: core.ReluctantEvaluator(seed))


class LeastLikedParameters(ShippedParameters):
    """Keys of `least-liked`. Without knowledge of threats, which leaves out moves: here all of them are compared."""

    threats = False
    vcf_nodes = 0
    vcf_nodes_root = 0
    vcf_nodes_defence = 0
    vct_nodes_root = 0
    vct_nodes_answer = 0
    lcb_deviations = 0.0


class LeastLikedPlayer(TreeSearchPlayer):
    """S4's way to lose (docs/origins.md): the point with the lowest probability in what a good player found.

    Points with equally few visits are told apart by the network's probabilities.
    """

    _reported_moves = MAX_SIDE * MAX_SIDE

    def _think(self, board: AnyBoard) -> Move:
        super()._think(board)
        assert self.thoughts is not None
        visits, likely = self.thoughts.visits, self._network_probabilities(board)
        probability = {move: (visits.get(move, 0), likely.get(move, 0.0)) for move in board.legal_moves}
        lowest = min(probability.values())
        chance = random.Random(self._seed + board.ply)
        move = chance.choice([move for move, found in probability.items() if found == lowest])
        self.thoughts = replace(self.thoughts, pv=(move,))
        return move

    def _network_probabilities(self, board: AnyBoard) -> dict[Move, float]:
        evaluator = self._make_evaluator(board, self._seed)
        assert isinstance(board, Board)  # it plays no other games
        assert isinstance(evaluator, core.Evaluator)
        _, cells, priors = evaluator.judge(board._core)
        return {board._move(cell): prior for cell, prior in zip(cells, priors, strict=True)}


def _least_liked(parameters: LeastLikedParameters, name: str, seed: int | None) -> Player:
    return LeastLikedPlayer(parameters, name, seed, evaluator_of(parameters))


KINDS = (
    Kind("weakest", "Tries to lose, whatever the opponent does.", WeakestParameters, _weakest),
    Kind("least-liked", "Plays what `tengen` likes least.", LeastLikedParameters, _least_liked, shipped_network),
)
