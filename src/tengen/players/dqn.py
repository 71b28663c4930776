"""The player that learned by Q-learning: it takes the move with the highest value, without a search."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np

from tengen.board import Board, Color, Move
from tengen.errors import SetupError
from tengen.parameters import Parameters, Share
from tengen.players.player import Player, Thoughts
from tengen.players.sight import Sight, obvious_move
from tengen.players.spec import Kind


class DqnParameters(Parameters):
    """Keys of `dqn`."""

    model: str
    """File of a network made by `tengen dqn train`."""
    epsilon: Share = 0.0
    """Share of random moves."""
    sight: Sight = True


class DqnPlayer(Player):
    """Asks a Q-network what every legal move is worth and plays the best."""

    def __init__(self, parameters: DqnParameters, name: str, seed: int | None = None) -> None:
        super().__init__(name)
        path = Path(parameters.model).expanduser()
        if not path.is_file():
            raise SetupError(f'there is no model file "{parameters.model}"')
        self._path = path
        self._epsilon = parameters.epsilon
        self._sight = parameters.sight
        self._network: tuple[Any, Any] | None = None
        self.new_game(seed)

    def new_game(self, seed: int | None = None) -> None:
        """Starts a new sequence of random moves."""
        self._random = random.Random(seed)

    def prepare(self, board: Board) -> None:
        """Loads the network."""
        _, config = self._load()
        if config.kind == "s2" and (board.width, board.height) != (config.size, config.size):
            raise SetupError(
                f"{self._path} plays on {config.size}x{config.size}, not on {board.width}x{board.height} boards"
            )

    def _load(self) -> tuple[Any, Any]:
        if self._network is None:
            from tengen.nets import q_network

            net, config, _ = q_network.load(self._path)
            self._network = net, config
        return self._network

    def _think(self, board: Board) -> Move:
        legal = board.legal_moves
        if self._random.random() < self._epsilon:
            return self._random.choice(legal)
        if self._sight and (seen := obvious_move(board)):
            move, self.thoughts = seen
            return move
        self.prepare(board)
        from tengen.nets import q_network

        net, _ = self._load()
        values = q_network.values(net, _stones(board)[None], np.array([board.turn == Color.BLACK]))[0]
        move = max(legal, key=lambda move: values[move.y * board.width + move.x])
        value = float(np.clip(values[move.y * board.width + move.x], -1, 1))
        self.thoughts = Thoughts(value=value, pv=(move,))
        return move


def _stones(board: Board) -> np.ndarray[Any, np.dtype[np.int8]]:
    stones = np.zeros((board.height, board.width), np.int8)
    for y in range(board.height):
        for x in range(board.width):
            piece = board.piece_at(Move(x, y))
            if piece is not None:
                stones[y, x] = 1 if piece == board.turn else -1
    return stones


KINDS = (Kind("dqn", "The best move by a network that learned by Q-learning; no search.", DqnParameters, DqnPlayer),)
