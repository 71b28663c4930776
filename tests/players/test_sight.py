"""What every player that wants to win sees: a five, a five to be stopped, a four that cannot be stopped."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

import pytest

from tengen import Board, Color, Move, Shape
from tengen.players import create

PLAYERS = (
    "tengen:playouts=100",
    "alphabeta:depth=1",
    "alphabeta:depth=2",
    "mcts:playouts=10000",
    "mcts:playouts=100,threats=true,vcf_nodes=15",
    "mcts-expert:playouts=100",
    "level:6",
)
#: The textbook's search knows no threats, and roll-outs of random moves find a five in two moves only by luck.
WITH_KNOWLEDGE = tuple(spec for spec in PLAYERS if spec != "mcts:playouts=10000")
RULES = ("freestyle", "renju")
POSITIONS = 8


def fives(board: Board, color: Color) -> set[Move]:
    """Where a stone of a colour would win at once."""
    return {move for move, shapes in board.shapes(color).items() if Shape.FIVE in shapes and board.is_legal(move)}


def can_win_at_once(board: Board) -> bool:
    return bool(fives(board, board.turn))


def must_stop_a_five(board: Board) -> bool:
    return not fives(board, board.turn) and len(fives(board, board.turn.other)) == 1


def can_make_an_open_four(board: Board) -> bool:
    if fives(board, board.turn) or fives(board, board.turn.other):
        return False
    return any(Shape.OPEN_FOUR in shapes and board.is_legal(move) for move, shapes in board.shapes(board.turn).items())


@cache
def positions(rule: str, wanted: Callable[[Board], bool]) -> list[Board]:
    """From games of random moves near each other."""
    rng = random.Random(f"{rule} {wanted.__name__}")
    found: list[Board] = []
    while len(found) < POSITIONS:
        board = Board(rule=rule)
        board.push("h8")
        while not board.is_over and board.ply < 40:
            near = [move for move in map(board._move, board._core.candidates()) if board.is_legal(move)]
            board.push(rng.choice(near))
            if not board.is_over and wanted(board):
                found.append(board)
                break
    return found


def moves_of(spec: str, rule: str, wanted: Callable[[Board], bool]) -> list[tuple[Board, Move]]:
    return [(board, create(spec, seed=1).choose(board)) for board in positions(rule, wanted)]


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("spec", PLAYERS)
def test_a_five_is_made(spec: str, rule: str) -> None:
    for board, move in moves_of(spec, rule, can_win_at_once):
        assert move in fives(board, board.turn), board


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("spec", PLAYERS)
def test_a_five_is_stopped(spec: str, rule: str) -> None:
    for board, move in moves_of(spec, rule, must_stop_a_five):
        assert move in fives(board, board.turn.other), board


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("spec", WITH_KNOWLEDGE)
def test_a_four_that_cannot_be_stopped_is_made(spec: str, rule: str) -> None:
    """Or something better: whatever the enemy answers, a five follows."""
    for board, move in moves_of(spec, rule, can_make_an_open_four):
        mover = board.turn
        board = board.copy()
        board.push(move)
        assert not fives(board, board.turn), board
        threatened = fives_after_a_pass(board, mover)
        assert threatened, board
        if len(threatened) == 1:  # a four on the way to a longer win: the block must not end it
            board.push(threatened.pop())
            reply = create(spec, seed=1).choose(board)
            board.push(reply)
            assert board.is_over or fives_after_a_pass(board, mover), board


def fives_after_a_pass(board: Board, color: Color) -> set[Move]:
    return {move for move, shapes in board.shapes(color).items() if Shape.FIVE in shapes}
