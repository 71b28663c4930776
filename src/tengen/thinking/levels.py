"""Levels 1 to 10: opponents for people, from a first game to all the machine can do. Level 0 tries to lose.

How each of them plays, and how it draws its moves, is in the core (cpp/levels): programs without Python have them too.
"""

from __future__ import annotations

from collections.abc import Mapping

from tengen import core
from tengen.board import Board, Move
from tengen.errors import SetupError
from tengen.search import Analysis, Mcts, SearchParams
from tengen.thinking.book import analysis_of, by_theory
from tengen.thinking.evaluators import best_evaluator
from tengen.thinking.thought import Budget, Thinking

#: From this level on the book is played where it is asked for.
BOOK_LEVEL = 8

LEVELS: Mapping[int, core.Level] = {int(level.number): level for level in core.levels()}
"""Every level by its number."""

STRONGEST = LEVELS[max(LEVELS)]

ELOS: Mapping[int, float] = {
    0: 0,  # nobody measured how badly it plays
    1: -658,
    2: -458,
    3: -305,
    4: -70,
    5: 126,
    6: 431,
    7: 691,
    8: 935,
    9: 1228,
    10: 1575,
}
"""Strength as measured in freestyle on 15x15 (docs/levels.md); alpha-beta of depth 2 is 0."""


def find_level(number: float) -> core.Level:
    """The level of that number, or one between two levels; SetupError lists those that exist."""
    try:
        return core.find_level(number)
    except ValueError as error:
        raise SetupError(str(error)) from None


class Turn:
    """A level that thinks about one move: step through its `thinking`, or just ask for the `move`.

    The same position and seed give the same move, wherever it is asked.

    Attributes:
        known: The move of the book, if there is one; then nothing need be thought about.
        thinking: The search.
    """

    def __init__(
        self,
        level: core.Level,
        board: Board,
        seed: int,
        evaluator: core.Evaluator | None = None,
        book: bool = False,
    ) -> None:
        """Begins; nothing is computed yet.

        Args:
            level: Who moves.
            board: The position; the game must not be over.
            seed: Of the game.
            evaluator: What judges positions; the best one that ships if not given.
            book: Whether it plays proven wins from the book, where it is strong enough to have one.
        """
        self.known = by_theory(board) if book and level.number >= BOOK_LEVEL else None
        self._turn = core.LevelTurn(level, seed, board.ply)
        self.thinking = Thinking(
            board,
            Mcts(self._turn.own_evaluator() or evaluator or best_evaluator(board), SearchParams(**self._turn.params)),
            Budget(playouts=level.playouts, seconds=level.seconds),
            best=core.LevelTurn.CANDIDATES,
        )

    @property
    def analysis(self) -> Analysis:
        """What it knows of the position when the thinking has ended."""
        return self.thinking.analysis if self.known is None else analysis_of(self.known)

    def move(self) -> Move:
        """The move to play when the thinking has ended; to be asked once."""
        if self.known is not None:
            return self.known.move
        candidates = self.thinking.run().candidates
        known = [(entry.visits, core.Proof[entry.proof or "none"]) for entry in candidates]
        return candidates[self._turn.choose(known)].move
