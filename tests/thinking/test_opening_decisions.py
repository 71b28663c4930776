"""What Tengen does in opening procedures: the value decides."""

from __future__ import annotations

import random

import pytest

from tengen import Board, procedures
from tengen.board import Move
from tengen.search import Analysis, Candidate
from tengen.thinking import openings

THREE = Board.from_moves("h8 i9 j8")


def opinion(value: float, move: Move) -> Analysis:
    candidate = Candidate(move=move, visits=1, value=value, prior=1.0, proof=None, line=(move,))
    return Analysis(
        value=value, proof=None, playouts=1, visits=1, seconds=0.0, memory=0, depth=1, candidates=(candidate,)
    )


def fixed(values: dict[int, float]) -> openings.Think:
    """A search that goes by the number of stones alone."""
    return lambda board, share: opinion(values[board.ply], board.legal_moves[0])


@pytest.mark.parametrize(
    ("white", "after_two", "expected"),
    [(0.5, 0.0, 1), (-0.5, 0.0, 0), (0.03, 0.01, 2), (0.03, -0.9, 1), (-0.03, 0.5, 0)],
)
def test_swap2_after_three_stones(white: float, after_two: float, expected: int) -> None:
    moves = openings.swap2(THREE, fixed({3: white, 5: after_two}), random.Random(1))
    assert len(moves) == expected
    board = THREE.copy()
    for move in moves:
        board.push(move)


@pytest.mark.parametrize(("white", "expected"), [(0.2, 1), (-0.2, 0), (0.0, 1)])
def test_swap2_after_five_stones(white: float, expected: int) -> None:
    board = Board.from_moves("h8 i9 j8 a1 o15")
    assert len(openings.swap2(board, fixed({5: white}), random.Random(1))) == expected


@pytest.mark.parametrize("size", [5, 6, 9, 15, 20])
def test_the_stones_of_an_opening_are_the_most_even_ones(size: int) -> None:
    calls: list[tuple[Move, ...]] = []

    def think(board: Board, share: float) -> Analysis:
        calls.append(tuple(board.moves))
        return opinion(-0.1 if len(calls) == 3 else 0.4, board.legal_moves[0])

    chosen = openings.swap2(Board(size=size), think, random.Random(size))
    assert chosen == calls[2]
    assert len(set(chosen)) == 3


@pytest.mark.parametrize(
    ("white", "after_two", "option"), [(0.5, 0.0, "white"), (-0.5, 0.0, "black"), (0.03, 0.01, "add")]
)
def test_engines_and_the_page_decide_alike(white: float, after_two: float, option: str) -> None:
    procedure = procedures.start("swap2", Board())
    procedure.apply(procedures.Place("h8 i9 j8"))
    values = fixed({3: white, 5: after_two})
    assert openings.decide(procedure, values, random.Random(1)) == procedures.Choose(option)
    moves = openings.swap2(THREE, values, random.Random(1))
    assert len(moves) == {"white": 1, "black": 0, "add": 2}[option]
