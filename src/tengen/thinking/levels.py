"""Levels 1 to 10: opponents for people, from a first game to all the machine can do. Level 0 tries to lose."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from dataclasses import dataclass

from tengen import core
from tengen.board import Board, Move
from tengen.errors import SetupError
from tengen.search import Analysis, Mcts, SearchParams
from tengen.theory import Answer
from tengen.thinking.book import analysis_of, by_theory
from tengen.thinking.evaluators import best_evaluator
from tengen.thinking.thought import Budget, Thinking

#: From this level on the book is played where it is asked for.
BOOK_LEVEL = 8
TREE_MEMORY = 96 << 20
WEAKEST_PLAYOUTS = 1_000
CANDIDATES = 12


@dataclass(frozen=True)
class Level:
    """How one level thinks. Key method: `turn`.

    Attributes:
        number: 1 is the weakest that wants to win. Between two levels there are others: 3.4 is `find_level(3.4)`.
        playouts: A move, at most; 0 where time alone decides.
        seconds: Time a move, at most. Where there are playouts, they decide on any machine that is not overloaded.
        temperature: Moves are drawn with probability visits ^ (1 / temperature); 0 takes the best.
        prior_temperature: Above 1 the search trusts its first impression less and looks at odd moves.
        noise: Share of chance in the first impression.
        blindness: Chance a move that the search does not see fives and fours before it walks into them.
        vcf_nodes_root: Nodes of the search for a win by fours; 0 for none.
        vct_nodes_root: The same by threes and fours, and of the enemy's after the move that is about to be played.
        tries_to_lose: The goal is to make the other side win.
        elo: Strength as measured in freestyle on 15x15 (docs/levels.md); alpha-beta of depth 2 is 0.
    """

    number: float
    playouts: int
    seconds: float = 3.0
    temperature: float = 0.0
    prior_temperature: float = 1.35
    noise: float = 0.0
    blindness: float = 0.0
    vcf_nodes_root: int = 0
    vct_nodes_root: int = 0
    tries_to_lose: bool = False
    elo: float = 0.0

    def turn(self, board: Board, seed: int, evaluator: core.Evaluator | None = None, book: bool = False) -> Turn:
        """The level at its move: the same position and seed give the same move, wherever it is asked.

        Args:
            board: The position; the game must not be over.
            seed: Of the game.
            evaluator: What judges positions; the best one that ships if not given.
            book: Whether it plays proven wins from the book, where it is strong enough to have one.
        """
        return Turn(self, board, seed, evaluator, by_theory(board) if book and self.number >= BOOK_LEVEL else None)

    def params(self, sees: bool, seed: int) -> SearchParams:
        """The search of one move.

        Args:
            sees: Whether it sees fives and fours before it walks into them.
            seed: Of the search.
        """
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


class Turn:
    """A level that thinks about one move: step through its `thinking`, or just ask for the `move`.

    Attributes:
        known: The move of the book, if there is one; then nothing need be thought about.
        thinking: The search.
    """

    def __init__(
        self,
        level: Level,
        board: Board,
        seed: int,
        evaluator: core.Evaluator | None = None,
        known: Answer | None = None,
    ) -> None:
        self.known = known
        # Chance belongs to the game and the move, not to the order in which somebody asks.
        self._chance = random.Random(f"{seed}/{board.ply}")
        self._level = level
        sees = self._chance.random() >= level.blindness
        search_seed = self._chance.getrandbits(63)
        if level.tries_to_lose:
            evaluator = core.ReluctantEvaluator(search_seed)
        self.thinking = Thinking(
            board,
            Mcts(evaluator or best_evaluator(board), level.params(sees, search_seed)),
            Budget(playouts=level.playouts, seconds=level.seconds),
            best=CANDIDATES,
        )

    @property
    def analysis(self) -> Analysis:
        """What it knows of the position when the thinking has ended."""
        return self.thinking.analysis if self.known is None else analysis_of(self.known)

    def move(self) -> Move:
        """The move to play when the thinking has ended; to be asked once."""
        if self.known is not None:
            return self.known.move
        best, *others = self.thinking.run().candidates
        if self._level.temperature == 0 or best.proof == "win":
            return best.move
        open_moves = [entry for entry in (best, *others) if entry.proof != "loss" and entry.visits]
        if not open_moves:
            return best.move
        weights = [entry.visits ** (1 / self._level.temperature) for entry in open_moves]
        return self._chance.choices(open_moves, weights)[0].move


LEVELS: Mapping[int, Level] = {
    int(level.number): level
    for level in (
        Level(0, WEAKEST_PLAYOUTS, tries_to_lose=True),
        Level(1, 10, temperature=3.0, prior_temperature=2.6, noise=0.55, blindness=1.0, elo=-781),
        Level(2, 22, temperature=1.5, prior_temperature=2.1, noise=0.5, blindness=0.95, elo=-548),
        Level(3, 32, temperature=1.2, prior_temperature=1.9, noise=0.4, blindness=0.7, elo=-363),
        Level(4, 45, temperature=1.0, prior_temperature=1.7, noise=0.35, blindness=0.5, elo=-146),
        Level(5, 85, temperature=0.8, prior_temperature=1.55, noise=0.3, blindness=0.3, elo=78),
        Level(6, 200, temperature=0.55, prior_temperature=1.4, noise=0.2, blindness=0.1, elo=412),
        Level(7, 500, temperature=0.3, prior_temperature=1.3, noise=0.1, elo=575),
        Level(8, 1_200, temperature=0.15, noise=0.05, vcf_nodes_root=400, elo=935),
        Level(9, 6_000, vcf_nodes_root=10_000, vct_nodes_root=5_000, elo=1177),
        Level(10, 0, 2.0, vcf_nodes_root=20_000, vct_nodes_root=20_000, elo=1403),
    )
}
"""Every level by its number."""

STRONGEST = LEVELS[max(LEVELS)]


def find_level(number: float) -> Level:
    """The level of that number, or one between two levels; SetupError lists those that exist."""
    if number in LEVELS:
        return LEVELS[int(number)]
    if not 1 < number < max(LEVELS):
        raise SetupError(f"there is no level {number}; the levels are {min(LEVELS)} to {max(LEVELS)}")
    return _between(LEVELS[math.floor(number)], LEVELS[math.ceil(number)], number)


def _between(lower: Level, upper: Level, number: float) -> Level:
    """A level between two: amounts of work by their ratio, everything else by its difference."""
    share = number - lower.number

    def amount(low: int, high: int) -> int:
        if not (low and high):  # one of the two has none, or no limit
            return low if share < 0.5 else high
        return round(math.exp((1 - share) * math.log(low) + share * math.log(high)))

    def value(low: float, high: float) -> float:
        return low + share * (high - low)

    return Level(
        number,
        amount(lower.playouts, upper.playouts),
        value(lower.seconds, upper.seconds),
        temperature=value(lower.temperature, upper.temperature),
        prior_temperature=value(lower.prior_temperature, upper.prior_temperature),
        noise=value(lower.noise, upper.noise),
        blindness=value(lower.blindness, upper.blindness),
        vcf_nodes_root=amount(lower.vcf_nodes_root, upper.vcf_nodes_root),
        vct_nodes_root=amount(lower.vct_nodes_root, upper.vct_nodes_root),
        elo=value(lower.elo, upper.elo),
    )
