"""Players that do not search."""

from __future__ import annotations

import random
from collections.abc import Iterator

from tengen.board import Board, Color, Move, Shape
from tengen.games import AnyBoard
from tengen.parameters import Parameters, Share
from tengen.players.player import Player
from tengen.players.spec import Kind

_NEAR = range(-1, 2)  # columns and rows from a stone to those beside it


class RandomParameters(Parameters):
    """Keys of `random`: none."""


class RandomPlayer(Player):
    """Plays any legal move, each as likely as the others."""

    plays_other_games = True

    def __init__(self, parameters: RandomParameters, name: str = "random", seed: int | None = None) -> None:
        super().__init__(name)
        self._random = random.Random(seed)

    def _think(self, board: AnyBoard) -> Move:
        return self._random.choice(board.legal_moves)

    def new_game(self, seed: int | None = None) -> None:
        """Starts a new sequence of moves, the same for the same seed."""
        self._random.seed(seed)


class BeginnerParameters(Parameters):
    """Key of `beginner`."""

    attention: Share = 0.85
    """Chance a move that it looks for fives and open fours of the other side."""


class BeginnerPlayer(Player):
    """Plays as people do in their first games: fives and open fours, own ones and most of the enemy's, and open threes.

    Everything else is a stone beside another. The easy levels are made for such people.
    """

    def __init__(self, parameters: BeginnerParameters, name: str = "beginner", seed: int | None = None) -> None:
        super().__init__(name)
        self._attention = parameters.attention
        self._random = random.Random(seed)

    def _think(self, board: Board) -> Move:
        wanted = next(filter(None, self._what_it_sees(board)), None) or _beside_stones(board) or board.legal_moves
        return self._random.choice(wanted)

    def _what_it_sees(self, board: Board) -> Iterator[list[Move]]:
        """Moves to choose from, the most urgent first."""
        own, enemy = board.turn, board.turn.other
        looks = self._random.random() < self._attention
        for color, shape in ((own, Shape.FIVE), (enemy, Shape.FIVE), (own, Shape.OPEN_FOUR), (enemy, Shape.OPEN_FOUR)):
            if color == own or looks:
                yield _makes(board, color, shape)
        yield _makes(board, own, Shape.OPEN_THREE)

    def new_game(self, seed: int | None = None) -> None:
        """Starts a new sequence of chances, the same for the same seed."""
        self._random.seed(seed)


def _makes(board: Board, color: Color, shape: Shape) -> list[Move]:
    """Where a side could make a shape."""
    return [move for move, made in board.shapes(color).items() if shape in made and board.is_legal(move)]


def _beside_stones(board: Board) -> list[Move]:
    points = {Move(stone.x + dx, stone.y + dy) for stone in board.moves for dx in _NEAR for dy in _NEAR}
    return [move for move in board.legal_moves if move in points]


KINDS = (
    Kind("random", "Any legal move, each as likely as the others.", RandomParameters, RandomPlayer),
    Kind(
        "beginner", "Someone in their first games, who sees fives and open fours.", BeginnerParameters, BeginnerPlayer
    ),
)
