"""Tree search as a player: what `mcts`, `mcts-expert`, `tengen` and `net` have in common."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Any

from pydantic import Field

from tengen import core
from tengen.board import Board, Move
from tengen.games import AnyBoard
from tengen.parameters import MOST, Spec
from tengen.players.player import Player, Thoughts
from tengen.search import Mcts, SearchParams
from tengen.thinking.book import analysis_of, by_theory
from tengen.thinking.thought import Budget, Thinking

DEFAULT_PLAYOUTS = 1000


class TreeSearchParameters(SearchParams):
    """How long to think, and everything that `SearchParams` lists: each of its fields is a key."""

    playouts: Annotated[int | None, Field(ge=1, le=MOST), Spec(shown=f"{DEFAULT_PLAYOUTS} unless time is given")] = None
    """Playouts a move."""
    time: Annotated[float | None, Field(gt=0, le=MOST)] = None
    """Seconds a move."""

    @property
    def playout_limit(self) -> int:
        """Playouts a move, 0 where time alone decides."""
        return self.playouts or (0 if self.time else DEFAULT_PLAYOUTS)


class TreeSearchPlayer(Player):
    """Searches a tree that it keeps from move to move."""

    _reported_moves = 10

    def __init__(
        self,
        parameters: TreeSearchParameters,
        name: str,
        seed: int | None,
        make_evaluator: Callable[[Any, int], core.Evaluator],
        plays_other_games: bool = False,
        book: bool = False,
    ) -> None:
        """A player.

        Args:
            parameters: How to search, and how long.
            name: The spec.
            seed: None for a different game every time.
            make_evaluator: What judges the positions of a game, given its board and a seed.
            plays_other_games: Whether that can also be a `GameBoard`.
            book: Whether it plays proven wins from the book.
        """
        super().__init__(name)
        self._parameters = parameters
        self._make_evaluator = make_evaluator
        self.plays_other_games = plays_other_games
        self._book = book
        self.new_game(seed)

    def new_game(self, seed: int | None = None) -> None:
        """Begins with an empty tree."""
        self._seed = random.getrandbits(63) if seed is None else seed
        self._search: Mcts | None = None
        self._thinking: Thinking | None = None
        self._game: AnyBoard | None = None

    def prepare(self, board: AnyBoard) -> None:
        """Loads the evaluator, and finds out whether it plays on such a board."""
        self._search_on(board).set_position(board)

    def _search_on(self, board: AnyBoard) -> Mcts:
        if self._search is None or not board.is_same_game(self._game):  # another one may need another network
            self._game = board
            evaluator = self._make_evaluator(board, self._seed)
            self._search = Mcts(evaluator, replace(self._parameters, seed=self._seed))
        return self._search

    def _think(self, board: AnyBoard) -> Move:
        if self._book and isinstance(board, Board) and (known := by_theory(board)) is not None:
            self.thoughts = Thoughts.of(analysis_of(known), known.move)
            return known.move
        limits = self._parameters
        budget = Budget(playouts=limits.playout_limit, seconds=limits.time or 0.0)
        self._thinking = Thinking(board, self._search_on(board), budget, best=self._reported_moves)
        analysis = self._thinking.run()
        move = self._thinking.move
        self.thoughts = Thoughts.of(analysis, move)
        return move

    def stop(self) -> None:
        """Ends the search with the best move so far."""
        if (thinking := self._thinking) is not None:
            thinking.stop()
