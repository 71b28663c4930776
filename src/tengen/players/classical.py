"""The classical opponents: alpha-beta, and tree search that judges a leaf by roll-outs or by shapes."""

from __future__ import annotations

import random
from dataclasses import replace

from tengen import core
from tengen.board import Board, Move
from tengen.games import AnyBoard
from tengen.players.player import Player, Thoughts
from tengen.players.sight import Sight, obvious_move
from tengen.players.spec import Kind
from tengen.players.tree_search import TreeSearchParameters, TreeSearchPlayer
from tengen.search.alpha_beta import AlphaBeta, AlphaBetaParams
from tengen.search.params import Selection


class AlphaBetaPlayer(Player):
    """Alpha-beta with an evaluation by hand."""

    def __init__(self, params: AlphaBetaParams, name: str, seed: int | None = None) -> None:
        super().__init__(name)
        self._params = params
        self._stop = core.StopFlag()
        self.new_game(seed)

    def new_game(self, seed: int | None = None) -> None:
        """Forgets all positions; the seed chooses between moves that look equal."""
        self._search = AlphaBeta(replace(self._params, seed=random.getrandbits(63) if seed is None else seed))

    def _think(self, board: Board) -> Move:
        self._stop.clear()
        result = self._search.search(board, self._stop)
        self.thoughts = Thoughts(value=result.value, pv=result.line, depth=result.depth, nodes=result.nodes)
        return result.move

    def stop(self) -> None:
        """Ends the search with the best move so far."""
        self._stop.set()


class TextbookParameters(TreeSearchParameters):
    """The textbook's search, without knowledge of threats."""

    selection: Selection = "uct"
    c_puct = 1.4
    threats = False
    vcf_nodes = 0
    vcf_nodes_root = 0
    vct_nodes_root = 0
    vct_nodes_answer = 0
    prior_temperature = 1.0
    lcb_deviations = 0.0


class MctsParameters(TextbookParameters):
    """Keys of `mcts`."""

    sight: Sight = True


class MctsExpertParameters(TextbookParameters):
    """Keys of `mcts-expert`. The expert knows good moves too: with them as priors it won 20-0 against UCT."""

    selection = "puct"


class MctsPlayer(TreeSearchPlayer):
    """Searches with random roll-outs, which find a five in two moves only by luck: so it looks for those first."""

    def __init__(self, parameters: MctsParameters, name: str, seed: int | None = None) -> None:
        super().__init__(parameters, name, seed, _rollouts, plays_other_games=True)
        self._sight = parameters.sight

    def _think(self, board: AnyBoard) -> Move:
        if self._sight and isinstance(board, Board) and (seen := obvious_move(board)):
            move, self.thoughts = seen
            return move
        return super()._think(board)


def _rollouts(board: AnyBoard, seed: int) -> core.Evaluator:
    return core.RolloutEvaluator(seed)


def _mcts_expert(parameters: MctsExpertParameters, name: str, seed: int | None) -> Player:
    return TreeSearchPlayer(parameters, name, seed, lambda board, seed: core.ExpertEvaluator())


KINDS = (
    Kind("alphabeta", "Alpha-beta with an evaluation of shapes.", AlphaBetaParams, AlphaBetaPlayer),
    Kind("mcts", "Pure Monte Carlo tree search with random roll-outs.", MctsParameters, MctsPlayer),
    Kind("mcts-expert", "Monte Carlo tree search with an evaluation of shapes.", MctsExpertParameters, _mcts_expert),
)
