"""Input planes against a slow reference that rebuilds each earlier position, and the symmetries."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from tengen import Board, Color, SetupError
from tengen.nets import planes
from tengen.nets.planes import ENCODINGS, encode, encode_batch, transform_planes, transform_policy


def random_game(seed: int, width: int = 15, height: int = 15, plies: int | None = None) -> Board:
    rng = random.Random(seed)
    board = Board(width=width, height=height, n_in_row=5)
    for _ in range(rng.randrange(40) if plies is None else plies):
        if board.is_over:
            break
        board.push(rng.choice(board.legal_moves))
    return board


def stones(board: Board, color: Color) -> npt.NDArray[Any]:
    grid = [[board.piece_at((x, y)) == color for x in range(board.width)] for y in range(board.height)]
    return np.array(grid, dtype=np.float32)


def back(board: Board, plies: int) -> Board:
    earlier = board.copy()
    for _ in range(min(plies, board.ply)):
        earlier.pop()
    return earlier


def history(board: Board, positions: int, first: Color) -> list[npt.NDArray[Any]]:
    return [stones(back(board, k), color) for k in range(positions) for color in (first, first.other)]


def own_steps(board: Board, positions: int) -> list[npt.NDArray[Any]]:
    # With alternating moves the mover's latest k stones are gone 2k plies back, the opponent's 2k - 1 plies back.
    return [
        stones(back(board, max(0, 2 * k - (color != board.turn))), color)
        for k in range(positions)
        for color in (board.turn, board.turn.other)
    ]


def side(board: Board) -> list[npt.NDArray[Any]]:
    return [np.full((board.height, board.width), board.turn == Color.BLACK, dtype=np.float32)]


def last_move(board: Board) -> list[npt.NDArray[Any]]:
    plane = np.zeros((board.height, board.width), dtype=np.float32)
    if board.last_move is not None:
        plane[board.last_move.y, board.last_move.x] = 1
    return [plane]


def reference(board: Board, encoding: str) -> npt.NDArray[Any]:
    four = history(board, 1, board.turn) + last_move(board) + side(board)
    return np.stack(
        {
            "s0": history(board, 6, board.turn) + side(board),
            "s0-by-color": history(board, 6, Color.BLACK) + side(board),
            "agz": history(board, 8, board.turn) + side(board),
            "s0-three": history(board, 1, Color.BLACK) + side(board),
            "s1": own_steps(board, 3),
            "s2": four,
            "s3": history(board, 4, board.turn) + side(board),
            "s4": four,
        }[encoding]
    )


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_planes_equal_the_reference(encoding: str) -> None:
    for seed in range(12):
        board = random_game(seed, width=5 + seed, height=17 - seed)
        np.testing.assert_array_equal(encode(board, encoding), reference(board, encoding))
    for plies in range(10):
        board = random_game(1, plies=plies)
        np.testing.assert_array_equal(encode(board, encoding), reference(board, encoding))


@pytest.mark.parametrize(
    ("encoding", "count"),
    [("s0", 13), ("s0-by-color", 13), ("s0-three", 3), ("agz", 17), ("s1", 6), ("s2", 4), ("s3", 9), ("s4", 4)],
)
def test_number_of_planes(encoding: str, count: int) -> None:
    assert planes.plane_count(encoding) == count
    result = encode(Board(size=11), encoding)
    assert result.shape == (count, 11, 11)
    assert result.dtype == np.float32


def test_s0_by_hand() -> None:
    board = Board.from_moves("a3 c3 b2", size=3, n_in_row=3)  # white to move; a3 is the top left
    result = encode(board, "s0")
    own, opponent = result[0:12:2], result[1:12:2]
    np.testing.assert_array_equal(own[0], [[0, 0, 1], [0, 0, 0], [0, 0, 0]])
    np.testing.assert_array_equal(opponent[0], [[1, 0, 0], [0, 1, 0], [0, 0, 0]])
    np.testing.assert_array_equal(own[1], own[0])  # one step ago black had not played b2
    np.testing.assert_array_equal(opponent[1], [[1, 0, 0], [0, 0, 0], [0, 0, 0]])
    assert not own[2].any()
    assert not own[3:].any()
    assert not opponent[3:].any()
    assert not result[12].any()  # the mover is not the first player
    assert encode(back(board, 1), "s0")[12].all()


def test_s1_by_hand() -> None:
    result = encode(Board.from_moves("a3 c3 b2 c2", size=3, n_in_row=3), "s1")  # black to move
    assert [int(plane.sum()) for plane in result] == [2, 2, 1, 1, 0, 0]
    np.testing.assert_array_equal(result[2], [[1, 0, 0], [0, 0, 0], [0, 0, 0]])


def test_set_up_positions() -> None:
    board = Board.from_stones(["h8", "h9"], ["a1"], turn=Color.BLACK)
    own, opponent, last, first = encode(board, "s2")
    np.testing.assert_array_equal(own, stones(board, Color.BLACK))
    np.testing.assert_array_equal(opponent, stones(board, Color.WHITE))
    assert last.sum() == 1
    assert first.all()


@pytest.mark.parametrize("encoding", ["s0", "s1", "s2", "s3"])
@pytest.mark.parametrize("symmetry", range(8))
def test_symmetry(encoding: str, symmetry: int) -> None:
    board = random_game(5, width=9, height=6, plies=12)
    expected = encode(board.transform(symmetry), encoding)
    np.testing.assert_array_equal(encode(board, encoding, symmetry), expected)
    np.testing.assert_array_equal(transform_planes(encode(board, encoding), symmetry), expected)


@pytest.mark.parametrize("symmetry", range(8))
def test_symmetry_of_a_policy(symmetry: int) -> None:
    board = Board(width=9, height=6)
    policy = np.arange(54, dtype=np.float32)
    turned = transform_policy(policy, symmetry, 9, 6)
    width = 6 if symmetry & 4 else 9
    for move in board.legal_moves:
        to = board.transform_move(move, symmetry)
        assert turned[to.y * width + to.x] == policy[move.y * 9 + move.x]
    batch = np.stack([policy, 2 * policy])
    np.testing.assert_array_equal(transform_policy(batch, symmetry, 9, 6), np.stack([turned, 2 * turned]))


def test_batch() -> None:
    boards = [random_game(seed, plies=seed) for seed in range(9)]
    symmetries = [seed % 8 for seed in range(9)]
    batch = encode_batch(boards, "s0", symmetries)
    assert batch.shape == (9, 13, 15, 15)
    for board, symmetry, result in zip(boards, symmetries, batch, strict=True):
        np.testing.assert_array_equal(result, encode(board, "s0", symmetry))


def test_errors() -> None:
    with pytest.raises(SetupError, match='no plane encoding "s9"; choose one of s0'):
        encode(Board(), "s9")
    with pytest.raises(SetupError, match="a symmetry is a number from 0 to 7"):
        encode(Board(), "s0", 8)
    with pytest.raises(SetupError, match="must have the same size"):
        encode_batch([Board(), Board(size=9)], "s0")
    with pytest.raises(SetupError, match="at least one position"):
        encode_batch([], "s0")
