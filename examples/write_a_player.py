"""A player of your own, known by a spec like all others, in a match."""

import random
from typing import Annotated

from pydantic import Field

from tengen import Board, Move, players
from tengen.arena import Match
from tengen.parameters import Parameters


class HuggerParameters(Parameters):
    """Keys of `hugger`."""

    distance: Annotated[int, Field(ge=1, le=5)] = 1
    """How near to the last stone it plays."""


class Hugger(players.Player):
    """Plays next to the last stone."""

    def __init__(self, parameters: HuggerParameters, name: str, seed: int | None) -> None:
        super().__init__(name)
        self._distance = parameters.distance
        self._random = random.Random(seed)

    def _think(self, board: Board) -> Move:
        last = board.moves[-1] if board.moves else Move(board.width // 2, board.height // 2)
        near = [m for m in board.legal_moves if max(abs(m.x - last.x), abs(m.y - last.y)) <= self._distance]
        return self._random.choice(near or list(board.legal_moves))


players.register(players.Kind("hugger", "Plays next to the last stone.", HuggerParameters, Hugger))
pair = Match(["hugger:distance=2", "random"], games=20, seed=1).run().pair()
print(f"{pair.first} scores {pair.score:.0%} against {pair.second}")
