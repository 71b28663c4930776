"""`GameBoard`: checked moves, names, and the same behaviour as `Board` where they share it."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from tengen import Color, GameOverError, IllegalMoveError, Move, NotationError, SetupError
from tengen.errors import InputError
from tengen.games import GOMOKU, GameBoard, check_game, names


def test_a_game_of_connect_four() -> None:
    board = GameBoard.from_moves("connect4", "4 1 4 1 4 1")
    assert board.turn == Color.BLACK
    assert board.push("4") == Move(3, 2)
    outcome = board.outcome()
    assert outcome is not None
    assert (outcome.winner, str(outcome)) == (Color.BLACK, "black wins")
    assert board.legal_moves == []
    with pytest.raises(GameOverError, match="the game is over, black wins"):
        board.push("1")
    assert board.pop() == Move(3, 2)
    assert not board.is_over
    assert str(board).splitlines()[-1] == "O . . X . . ."


def test_a_column_that_is_full() -> None:
    board = GameBoard.from_moves("connect4", "1 1 1 1 1 1")
    with pytest.raises(IllegalMoveError, match="1 is not a legal move of connect4 here; these are: 2, 3"):
        board.push("1")
    assert board.ply == 6


def test_passes_have_a_name() -> None:
    board = GameBoard("othello6")
    assert board.text((0, 6)) == "pass"
    assert board.parse_move("pass") == Move(0, 6)
    assert not board.is_legal("pass")


@pytest.mark.parametrize("text", ["", "z9", "8", "4 ", "h"])
def test_text_that_is_no_move(text: str) -> None:
    board = GameBoard("tictactoe")
    with pytest.raises(NotationError, match="is not a move of tictactoe"):
        board.push(text)
    assert not board.is_legal(text)


def test_boards_compare_by_game_and_moves() -> None:
    first, second = GameBoard.from_moves("connect4", "1 2"), GameBoard.from_moves("connect4", [(0, 5), (1, 5)])
    assert first == second
    copy = first.copy()
    copy.pop()
    assert copy != first
    assert not first.is_same_game(GameBoard("tictactoe"))


def test_names() -> None:
    assert names() == ["connect4", "misere", "othello6", "othello8", "tictactoe"]
    assert check_game(GOMOKU) == GOMOKU
    with pytest.raises(SetupError, match='there is no game "go"; the games are gomoku, connect4'):
        check_game("go")
    with pytest.raises(SetupError, match=r"tengen\.Board"):
        GameBoard(GOMOKU)
    with pytest.raises(InputError, match="no move to take back"):
        GameBoard("tictactoe").pop()


@pytest.mark.parametrize("point", [(7, 4), (-1, 1), (0, 6), (1, 2, 3), (0,)])
def test_points_off_the_board(point: tuple[int, ...]) -> None:
    board = GameBoard("connect4")
    assert not board.is_legal(point)  # type: ignore[arg-type]
    with pytest.raises(IllegalMoveError, match="is not a move of connect4"):
        board.push(point)  # type: ignore[arg-type]


def test_copies_pickles_and_numpy() -> None:
    board = GameBoard.from_moves("connect4", "4 4 3")
    for twin in (copy.deepcopy(board), copy.copy(board), pickle.loads(pickle.dumps(board))):
        assert twin == board
        twin.pop()
        assert twin != board
    assert repr(board) == '<GameBoard connect4 "4 4 3">'
    assert board.push((np.int64(0), np.int64(5))) == Move(0, 5)
