"""What every player that wants to win sees: a five, a five to be stopped, a four that cannot be stopped."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tengen import Board, Color, Move, Shape
from tengen.nets import files
from tengen.nets.files import ModelInfo
from tengen.nets.line_random import random_arrays
from tengen.players import create

PLAYERS = (
    "tengen:playouts=100",
    "alphabeta:depth=1",
    "alphabeta:depth=2",
    "mcts:playouts=10",
    "mcts:playouts=100,sight=false,threats=true,vcf_nodes=15",
    "mcts-expert:playouts=100",
    "net:model=RANDOM,playouts=20",
    "dqn:model=UNTRAINED",
    "level:7",  # the first that overlooks nothing by intention
)
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


@cache
def model(name: str, folder: Path) -> Path:
    """A network that has learned nothing: what its player sees is not the network's."""
    path = folder / f"{name}.safetensors"
    rest: dict[str, Any] = {"rules": [], "sizes": [], "run": "", "games": 0, "license": "MIT", "created": ""}
    if name == "RANDOM":
        files.save(path, random_arrays(5, 32), ModelInfo("line", {"radius": 5, "channels": 32}, **rest))
    else:
        q_network = pytest.importorskip("tengen.nets.q_network")
        config = q_network.QConfig("s2", 15, 4)
        q_network.save(path, q_network.make(config), config, rest)
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


def with_model(spec: str, folder: Path) -> str:
    for name in ("RANDOM", "UNTRAINED"):
        if name in spec:
            return spec.replace(name, str(model(name, folder)))
    return spec


def moves_of(spec: str, rule: str, wanted: Callable[[Board], bool]) -> list[tuple[Board, Move]]:
    return [(board, create(spec, seed=1).choose(board)) for board in positions(rule, wanted)]


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("spec", PLAYERS)
def test_a_five_is_made(spec: str, rule: str, folder: Path) -> None:
    for board, move in moves_of(with_model(spec, folder), rule, can_win_at_once):
        assert move in fives(board, board.turn), board


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("spec", PLAYERS)
def test_a_five_is_stopped(spec: str, rule: str, folder: Path) -> None:
    for board, move in moves_of(with_model(spec, folder), rule, must_stop_a_five):
        assert move in fives(board, board.turn.other), board


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("spec", PLAYERS)
def test_a_four_that_cannot_be_stopped_is_made(spec: str, rule: str, folder: Path) -> None:
    """Or something better: whatever the enemy answers, a five follows."""
    for board, move in moves_of(with_model(spec, folder), rule, can_make_an_open_four):
        mover = board.turn
        board = board.copy()
        board.push(move)
        assert not fives(board, board.turn), board
        threatened = fives_after_a_pass(board, mover)
        assert threatened, board
        if len(threatened) == 1:  # a four on the way to a longer win: the block must not end it
            board.push(threatened.pop())
            reply = create(with_model(spec, folder), seed=1).choose(board)
            board.push(reply)
            assert board.is_over or fives_after_a_pass(board, mover), board


def fives_after_a_pass(board: Board, color: Color) -> set[Move]:
    return {move for move, shapes in board.shapes(color).items() if Shape.FIVE in shapes}
