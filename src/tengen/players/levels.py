"""Levels 1 to 10: opponents for people, from a first game to all the machine can do. Level 0 tries to lose."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass

from tengen import core
from tengen.board import Board, Move
from tengen.errors import SetupError
from tengen.players.network import shipped_network
from tengen.players.parameters import Parameters, parameter
from tengen.players.player import Player, Thoughts
from tengen.players.spec import Kind
from tengen.players.weakest import PLAYOUTS as WEAKEST_PLAYOUTS
from tengen.search import Analysis, Mcts, SearchParams
from tengen.thinking.evaluators import best_evaluator

TREE_MEMORY = 96 << 20
_CANDIDATES = 12


@dataclass(frozen=True)
class Level:
    """How one level thinks.

    Attributes:
        number: 1 is the weakest that wants to win.
        playouts: A move, at most; 0 where time alone decides.
        seconds: Time a move, at most.
        temperature: Moves are drawn with probability visits ^ (1 / temperature); 0 takes the best.
        prior_temperature: Above 1 the search trusts its first impression less and looks at odd moves.
        noise: Share of chance in the first impression.
        blindness: Chance a move that the search does not see fives and fours before it walks into them.
        vcf_nodes_root: Nodes of the search for a win by fours; 0 for none.
        vct_nodes_root: The same by threes and fours, and of the enemy's after the move that is about to be played.
        tries_to_lose: The goal is to make the other side win.
    """

    number: int
    playouts: int
    seconds: float
    temperature: float = 0.0
    prior_temperature: float = 1.35
    noise: float = 0.0
    blindness: float = 0.0
    vcf_nodes_root: int = 0
    vct_nodes_root: int = 0
    tries_to_lose: bool = False

    def params(self, seed: int) -> SearchParams:
        """The search of one move; the same level sees threats or not, as chance decides."""
        sees = random.Random(seed).random() >= self.blindness
        return SearchParams(
            prior_temperature=self.prior_temperature,
            root_noise=self.noise,
            threats=sees,
            vcf_nodes=15 if self.vcf_nodes_root else 0,
            vcf_nodes_root=self.vcf_nodes_root,
            vcf_nodes_defence=10 if self.vcf_nodes_root else 0,
            vct_nodes_root=self.vct_nodes_root,
            vct_nodes_answer=self.vct_nodes_root,
            memory=TREE_MEMORY,
            misere=self.tries_to_lose,
            seed=seed,
        )

    def search(self, board: Board, seed: int) -> Mcts:
        """A search for one move."""
        evaluator = core.ReluctantEvaluator(seed) if self.tries_to_lose else best_evaluator(board)
        return Mcts(evaluator, self.params(seed))

    def pick(self, analysis: Analysis, seed: int) -> Move:
        """The move to play after a search."""
        best = analysis.candidates[0]
        if self.temperature == 0 or best.proof == "win":
            return best.move
        open_moves = [candidate for candidate in analysis.candidates if candidate.proof != "loss" and candidate.visits]
        if not open_moves:
            return best.move
        weights = [candidate.visits ** (1 / self.temperature) for candidate in open_moves]
        return random.Random(seed).choices(open_moves, weights)[0].move


LEVELS: Mapping[int, Level] = {
    level.number: level
    for level in (
        Level(0, WEAKEST_PLAYOUTS, 1.0, tries_to_lose=True),
        Level(1, 20, 0.5, temperature=1.6, prior_temperature=2.2, noise=0.5, blindness=1.0),
        Level(2, 40, 0.5, temperature=1.1, prior_temperature=1.8, noise=0.35, blindness=0.6),
        Level(3, 80, 0.5, temperature=0.8, prior_temperature=1.5, noise=0.25, blindness=0.3),
        Level(4, 150, 0.6, temperature=0.6, prior_temperature=1.4, noise=0.2, blindness=0.15),
        Level(5, 500, 0.7, temperature=0.3, prior_temperature=1.2, noise=0.1),
        Level(6, 800, 0.8, temperature=0.2, noise=0.05, vcf_nodes_root=200),
        Level(7, 2_500, 0.9, vcf_nodes_root=1_000),
        Level(8, 12_000, 1.0, vcf_nodes_root=20_000, vct_nodes_root=20_000),
        Level(9, 50_000, 1.5, vcf_nodes_root=20_000, vct_nodes_root=20_000),
        Level(10, 0, 2.0, vcf_nodes_root=20_000, vct_nodes_root=20_000),
    )
}
"""Every level by its number."""

STRONGEST = LEVELS[max(LEVELS)]


def find_level(number: int) -> Level:
    """The level of that number; SetupError lists those that exist."""
    if number not in LEVELS:
        raise SetupError(f"there is no level {number}; the levels are {min(LEVELS)} to {max(LEVELS)}")
    return LEVELS[number]


@dataclass(frozen=True, kw_only=True)
class LevelParameters(Parameters):
    """Key of `level`: the number itself, as in level:3."""

    number: int = parameter(
        help="From 1, the weakest, to 10; 0 tries to lose.", at_least=min(LEVELS), at_most=max(LEVELS), verbatim=True
    )


class LevelPlayer(Player):
    """Plays at one level, with a fresh tree for every move."""

    def __init__(self, parameters: LevelParameters, name: str, seed: int | None = None) -> None:
        super().__init__(name)
        self._level = find_level(parameters.number)
        self._search: Mcts | None = None
        self.new_game(seed)

    def new_game(self, seed: int | None = None) -> None:
        """Starts a new sequence of chances, the same for the same seed."""
        self._random = random.Random(seed)

    def _think(self, board: Board) -> Move:
        seed = self._random.getrandbits(63)
        self._search = self._level.search(board, seed)
        limit = self._level.playouts
        analysis = self._search.search(board, limit, 0.0 if limit else self._level.seconds, _CANDIDATES)
        # Without candidates there was only one move to choose.
        move = self._level.pick(analysis, seed) if analysis.candidates else self._search.best_move()
        line = next((entry.line for entry in analysis.candidates if entry.move == move), (move,))
        self.thoughts = Thoughts(
            value=analysis.value,
            pv=line,
            visits={entry.move: entry.visits for entry in analysis.candidates},
            playouts=analysis.playouts,
        )
        return move

    def stop(self) -> None:
        """Ends the search with the best move so far."""
        if (search := self._search) is not None:
            search.stop()


KINDS = (
    Kind(
        "level",
        "The opponents of the web board, level:1 to level:10; level:0 tries to lose.",
        LevelParameters,
        LevelPlayer,
        shipped_network,
    ),
)
