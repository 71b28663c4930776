"""The levels of the web board as players."""

from __future__ import annotations

import random
from typing import Annotated

from pydantic import Field

from tengen.board import Board, Move
from tengen.errors import SetupError
from tengen.parameters import Parameters, Spec
from tengen.players.network import Book, shipped_network
from tengen.players.player import Player, Thoughts
from tengen.players.spec import Kind
from tengen.thinking.levels import BOOK_LEVEL, LEVELS, Turn, find_level
from tengen.thinking.thought import Thinking


class LevelParameters(Parameters):
    """Keys of `level`: the number itself, as in level:3, and before it what else is asked for: level:book=true,9."""

    number: Annotated[int, Field(ge=min(LEVELS), le=max(LEVELS)), Spec(verbatim=True)]
    """From 1, the weakest, to 10; 0 tries to lose."""
    book: Book = False


class LevelPlayer(Player):
    """Plays at one level, with a fresh tree for every move."""

    def __init__(self, parameters: LevelParameters, name: str, seed: int | None = None) -> None:
        super().__init__(name)
        self._level = find_level(parameters.number)
        self._book = parameters.book
        if self._book and self._level.number < BOOK_LEVEL:
            raise SetupError(f"level {parameters.number} has no book; the levels from {BOOK_LEVEL} on have one")
        self._thinking: Thinking | None = None
        self.new_game(seed)

    def new_game(self, seed: int | None = None) -> None:
        """Starts a new sequence of chances, the same for the same seed."""
        self._seed = random.getrandbits(63) if seed is None else seed

    def _think(self, board: Board) -> Move:
        turn = Turn(self._level, board, self._seed, book=self._book)
        self._thinking = turn.thinking
        if turn.known is None:
            turn.thinking.run()
        move = turn.move()
        self.thoughts = Thoughts.of(turn.analysis, move)
        return move

    def stop(self) -> None:
        """Ends the search with the best move so far."""
        if (thinking := self._thinking) is not None:
            thinking.stop()


KINDS = (
    Kind(
        "level",
        "The opponents of the web board, level:1 to level:10; level:0 tries to lose.",
        LevelParameters,
        LevelPlayer,
        shipped_network,
    ),
)
