from __future__ import annotations

import random

import pytest

from tengen import core
from tengen.board import RULES, SYMMETRIES, Board, Color


def score(board: Board) -> int:
    return core.Expert(board._core).score(board._core)


@pytest.mark.parametrize(("rule", "n_in_row"), [*((rule, 5) for rule in RULES), ("freestyle", 4), ("freestyle", 6)])
def test_following_a_board_equals_a_fresh_look(rule: str, n_in_row: int) -> None:
    rng = random.Random(1)
    board = core.Board(11, 11, core.Rule[rule], n_in_row)
    expert = core.Expert(board)
    for _ in range(120):
        for _ in range(rng.randrange(1, 4)):
            if board.ply > 30 or (board.ply and rng.random() < 0.3):
                board.undo()
            else:
                board.play(rng.choice(board.empties()))
        fresh = core.Expert(board)
        assert expert.score(board) == fresh.score(board)
        for move in board.empties():
            assert expert.move_score(board, move) == fresh.move_score(board, move)


def test_follows_another_board() -> None:
    expert = core.Expert(core.Board(15, 15, core.Rule.freestyle, 5))
    other = Board.from_moves("e5 e6 f5", size=9, rule="renju")
    assert expert.score(other._core) == score(other)


def test_symmetries_keep_the_score() -> None:
    board = Board.from_moves("h8 i9 g9 i7 j8 h10 a1", width=15, height=13)
    assert {score(board.transform(i)) for i in SYMMETRIES} == {score(board)}


def test_colours_swapped_is_the_same_game() -> None:
    black, white = ["h8", "g9", "j8"], ["i9", "i7", "h10"]
    assert score(Board.from_stones(black, white, Color.BLACK)) == score(Board.from_stones(white, black, Color.WHITE))


def test_more_is_better() -> None:
    quiet = Board.from_stones(["h8", "a1"], ["o1", "o15"])
    two = Board.from_stones(["h8", "i8"], ["o1", "o15"])
    three = Board.from_stones(["h8", "i8", "j8"], ["o1", "o15", "a8"])
    assert score(quiet) < score(two) < score(three)
    three_of_the_other = Board.from_stones(["o1", "o15", "a8"], ["h8", "i8", "j8"])
    assert score(three_of_the_other) < score(quiet)


def test_value_and_best_moves() -> None:
    board = Board.from_moves("h8 a1 i8 c1 j8")
    expert = core.Expert(board._core)
    value = expert.value(board._core)
    assert -1 < value < 0
    assert value == core.Expert.squash(expert.score(board._core))
    moves = sorted(board._core.candidates(), key=lambda cell: expert.move_score(board._core, cell))
    best = {board.text(board._move(cell)) for cell in moves[-2:]}
    assert best == {"g8", "k8"}
