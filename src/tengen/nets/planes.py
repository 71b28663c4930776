"""What the convolutional networks see of a position, and the symmetries of a board for augmentation.

A plane is one number for each point: 1 where it says yes, 0 elsewhere. Everything is seen from the side to move
("own", "opponent"), except in ``s0-by-color`` and ``s0-three``, which exist to repeat S0's comparisons.

The position *k steps ago* is what stood on the board before the latest k stones (of either side) were placed; before
the first move the board was empty, so a young game has empty history planes. "Own" always means the side to move now,
in every position of the history, as in AlphaGo Zero. The first player is black.

============== ====== =================================================================================================
encoding       planes meaning, in order
============== ====== =================================================================================================
``s0``             13 own and opponent stones of the latest 6 positions (now, 1 step ago, ... 5 steps ago: own now,
                      opponent now, own 1 step ago, ...); 1 everywhere when the mover is the first player
``s0-by-color``    13 the same with black and white for own and opponent
``s0-three``        3 S0's first attempt: black stones, white stones, 1 everywhere when the mover is the first player
``agz``            17 as ``s0`` with 8 positions: AlphaGo Zero's input
``s1``              6 the three last steps of each side: own stones now, without the mover's latest stone, without its
                      two latest; the opponent's likewise, interleaved as above; no plane for the colour
``s2``, ``s4``      4 own stones, opponent stones, the latest move, 1 everywhere when the mover is the first player
``s3``              9 as ``s0`` with 4 positions: 8 history planes, 4 for each side, and the first player's. The chapter
                      speaks of AlphaGo Zero's history, 8 positions; the networks trained with it used 4
============== ====== =================================================================================================
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from tengen import core
from tengen.board import SYMMETRIES, Board
from tengen.errors import SetupError
from tengen.games import is_game

Floats: TypeAlias = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Encoding:
    """Which planes a network sees, in this order.

    Attributes:
        positions: How many positions, newest first: two planes each, own stones and opponent stones.
        own_steps: Each step back takes away a stone of the plane's own side instead of one ply.
        by_color: Black's and white's stones instead of own and opponent.
        last_move: A plane with the latest stone alone.
        side: A plane that is 1 everywhere when the first player is to move.
    """

    positions: int
    own_steps: bool = False
    by_color: bool = False
    last_move: bool = False
    side: bool = False

    def spec(self) -> core.PlaneSpec:
        """The same for the C++ core."""
        return core.PlaneSpec(**asdict(self))


_FOUR_PLANES = Encoding(positions=1, last_move=True, side=True)

#: The encodings by name.
ENCODINGS: Mapping[str, Encoding] = {
    "s0": Encoding(positions=6, side=True),
    "s0-by-color": Encoding(positions=6, side=True, by_color=True),
    "agz": Encoding(positions=8, side=True),
    "s0-three": Encoding(positions=1, side=True, by_color=True),
    "s1": Encoding(positions=3, own_steps=True),
    "s2": _FOUR_PLANES,
    "s3": Encoding(positions=4, side=True),
    "s4": _FOUR_PLANES,
}


def plane_spec(encoding: str) -> core.PlaneSpec:
    """The encoding of that name as the C++ core wants it; another game than Gomoku has planes of its own."""
    if is_game(encoding):
        return core.PlaneSpec()
    if encoding not in ENCODINGS:
        raise SetupError(f'there is no plane encoding "{encoding}"; choose one of {", ".join(ENCODINGS)}')
    return ENCODINGS[encoding].spec()


def plane_count(encoding: str) -> int:
    """The number of planes of an encoding; the name of another game than Gomoku stands for its own."""
    if is_game(encoding):
        return core.make_game(encoding).plane_count
    return plane_spec(encoding).planes


def encode(board: Board, encoding: str, symmetry: int = 0) -> Floats:
    """The planes of a position, float32 [planes, height, width].

    Args:
        board: The position, with the moves that led to it.
        encoding: A name from `ENCODINGS`.
        symmetry: The planes of ``board.transform(symmetry)``.
    """
    planes: Floats = encode_batch([board], encoding, [symmetry])[0]
    return planes


def encode_batch(boards: Sequence[Board], encoding: str, symmetries: Sequence[int] | None = None) -> Floats:
    """The planes of positions of one size, float32 [batch, planes, height, width].

    Args:
        boards: The positions.
        encoding: A name from `ENCODINGS`.
        symmetries: One for each position; none are applied if not given.
    """
    spec = plane_spec(encoding)
    symmetries = [0] * len(boards) if symmetries is None else symmetries
    shapes = {_shape(board, symmetry) for board, symmetry in zip(boards, symmetries, strict=True)}
    if len(shapes) != 1:
        raise SetupError("a batch must have at least one position, and all of them must have the same size")
    planes = np.empty((len(boards), spec.planes, *shapes.pop()), dtype=np.float32)
    for board, symmetry, out in zip(boards, symmetries, planes, strict=True):
        core.encode_planes(board._core, spec, out, symmetry)
    return planes


def transform_planes(planes: npt.NDArray[Any], symmetry: int) -> npt.NDArray[Any]:
    """Planes [..., height, width] under a symmetry, as a view: [..., width, height] if it swaps x and y."""
    _check_symmetry(symmetry)
    if symmetry & 1:
        planes = planes[..., ::-1]
    if symmetry & 2:
        planes = planes[..., ::-1, :]
    return planes.swapaxes(-1, -2) if symmetry & 4 else planes


def transform_policy(policy: npt.NDArray[Any], symmetry: int, width: int, height: int) -> npt.NDArray[Any]:
    """A policy [..., height * width] over the points under a symmetry: where `Board.transform_move` takes them.

    Args:
        policy: One number for each point, row by row.
        symmetry: 0 to 7.
        width: Columns of the board before the symmetry.
        height: Rows of the board before the symmetry.
    """
    grid = policy.reshape(*policy.shape[:-1], height, width)
    return transform_planes(grid, symmetry).reshape(policy.shape)


def _shape(board: Board, symmetry: int) -> tuple[int, int]:
    _check_symmetry(symmetry)
    return (board.width, board.height) if symmetry & 4 else (board.height, board.width)


def _check_symmetry(symmetry: int) -> None:
    if symmetry not in SYMMETRIES:
        raise SetupError(f"a symmetry is a number from 0 to 7, not {symmetry}")
