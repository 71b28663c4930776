"""Players that do not search."""

from __future__ import annotations

import random

from tengen.board import Move
from tengen.games import AnyBoard
from tengen.parameters import Parameters
from tengen.players.player import Player
from tengen.players.spec import Kind


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


KINDS = (Kind("random", "Any legal move, each as likely as the others.", RandomParameters, RandomPlayer),)
