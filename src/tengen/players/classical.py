"""The classical opponents: alpha-beta, and tree search that judges a leaf by roll-outs or by shapes."""

from __future__ import annotations

import random
from dataclasses import dataclass

from tengen import core
from tengen.board import Board, Move
from tengen.games import AnyBoard, GameBoard
from tengen.players.parameters import Parameters, parameter
from tengen.players.player import Player, Thoughts
from tengen.players.sight import SIGHT_HELP, obvious_move
from tengen.players.spec import Kind
from tengen.players.tree_search import TreeSearchParameters, TreeSearchPlayer
from tengen.search.alpha_beta import EVALUATIONS, MAX_DEPTH, MAX_HASH_MEGABYTES, AlphaBeta
from tengen.search.params import CHOICES


@dataclass(frozen=True, kw_only=True)
class AlphaBetaParameters(Parameters):
    """Keys of `alphabeta`."""

    depth: int | None = parameter(
        None, "Plies to look ahead.", at_least=1, at_most=MAX_DEPTH, shown="6 unless time or nodes are given"
    )
    time: float | None = parameter(None, "Seconds a move.", above=0)
    nodes: int | None = parameter(None, "Positions looked at for a move.", at_least=1)
    k: int = parameter(20, "Best-looking moves tried in a quiet position; 0 for all.", at_least=0, at_most=484)
    vct: int = parameter(0, "Plies of wins by continuous threats to look for; 0 for none.", at_least=0, at_most=484)
    hash: int = parameter(64, "Megabytes of remembered positions.", at_least=1, at_most=MAX_HASH_MEGABYTES)
    evaluation: str = parameter(
        "shapes",
        "shapes: what the empty points would make; rows, or s2: rows of stones by S2's table (docs/origins.md).",
        choices=(*EVALUATIONS, "s2"),
    )
    threats: bool = parameter(True, "See fives and open fours without search; S2's search does not.")


class AlphaBetaPlayer(Player):
    """Alpha-beta with an evaluation by hand."""

    def __init__(self, parameters: AlphaBetaParameters, name: str, seed: int | None = None) -> None:
        super().__init__(name)
        self._parameters = parameters
        self._stop = core.StopFlag()
        self.new_game(seed)

    def new_game(self, seed: int | None = None) -> None:
        """Forgets all positions; the seed chooses between moves that look equal."""
        self._search = AlphaBeta(
            depth=self._parameters.depth,
            seconds=self._parameters.time,
            nodes=self._parameters.nodes,
            width=self._parameters.k,
            vct_plies=self._parameters.vct,
            hash_megabytes=self._parameters.hash,
            evaluation="rows" if self._parameters.evaluation == "s2" else self._parameters.evaluation,
            use_threats=self._parameters.threats,
            seed=random.getrandbits(63) if seed is None else seed,
        )

    def _think(self, board: Board) -> Move:
        self._stop.clear()
        result = self._search.search(board, self._stop)
        self.thoughts = Thoughts(value=result.value, pv=result.line, depth=result.depth, nodes=result.nodes)
        return result.move

    def stop(self) -> None:
        """Ends the search with the best move so far."""
        self._stop.set()


@dataclass(frozen=True, kw_only=True)
class TextbookParameters(TreeSearchParameters):
    """The textbook's search, without knowledge of threats."""

    selection: str = parameter("uct", choices=CHOICES["selection"])
    c_puct: float = 1.4
    threats: bool = False
    vcf_nodes: int = 0
    vcf_nodes_root: int = 0
    vct_nodes_root: int = 0
    vct_nodes_answer: int = 0
    prior_temperature: float = 1.0


@dataclass(frozen=True, kw_only=True)
class MctsParameters(TextbookParameters):
    """Keys of `mcts`."""

    sight: bool = parameter(True, SIGHT_HELP)


@dataclass(frozen=True, kw_only=True)
class MctsExpertParameters(TextbookParameters):
    """Keys of `mcts-expert`. The expert knows good moves too: with them as priors it won 20-0 against UCT."""

    selection: str = parameter("puct", choices=CHOICES["selection"])


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


def _rollouts(board: AnyBoard, seed: int) -> core.Evaluator | core.GameEvaluator:
    return core.RolloutGameEvaluator(seed) if isinstance(board, GameBoard) else core.RolloutEvaluator(seed)


def _mcts_expert(parameters: MctsExpertParameters, name: str, seed: int | None) -> Player:
    return TreeSearchPlayer(parameters, name, seed, lambda board, seed: core.ExpertEvaluator())


KINDS = (
    Kind("alphabeta", "Alpha-beta with an evaluation of shapes.", AlphaBetaParameters, AlphaBetaPlayer),
    Kind("mcts", "Pure Monte Carlo tree search with random roll-outs.", MctsParameters, MctsPlayer),
    Kind("mcts-expert", "Monte Carlo tree search with an evaluation of shapes.", MctsExpertParameters, _mcts_expert),
)
