"""What the engine does in Swap2: the value decides."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from tengen import Board, core, procedures
from tengen.search import Analysis, Candidate
from tengen.thinking import openings

THREE = Board.from_moves("h8 i9 j8")

Think = Callable[[core.Board, float], tuple[float, int]]


def fixed(values: dict[int, float]) -> Think:
    """A search that goes by the number of stones alone, and plays the first empty point."""
    return lambda board, share: (values[board.ply], board.empties()[0])


@pytest.mark.parametrize(
    ("white", "after_two", "expected"),
    [(0.5, 0.0, 1), (-0.5, 0.0, 0), (0.03, 0.01, 2), (0.03, -0.9, 1), (-0.03, 0.5, 0)],
)
def test_swap2_after_three_stones(white: float, after_two: float, expected: int) -> None:
    cells = core.answer_swap2(THREE._core, fixed({3: white, 5: after_two}), 1)
    assert len(cells) == expected
    board = THREE.copy()
    for cell in cells:
        board.push(board._move(cell))


@pytest.mark.parametrize(("white", "expected"), [(0.2, 1), (-0.2, 0), (0.0, 1)])
def test_swap2_after_five_stones(white: float, expected: int) -> None:
    board = Board.from_moves("h8 i9 j8 a1 o15")
    assert len(core.answer_swap2(board._core, fixed({5: white}), 1)) == expected


@pytest.mark.parametrize("size", [5, 6, 9, 15, 20])
def test_the_stones_of_an_opening_are_the_most_even_ones(size: int) -> None:
    calls: list[list[int]] = []

    def think(board: core.Board, share: float) -> tuple[float, int]:
        calls.append(board.moves)
        return (-0.1 if len(calls) == 3 else 0.4), board.empties()[0]

    chosen = core.answer_swap2(Board(size=size)._core, think, size)
    assert chosen == calls[2]
    assert len(set(chosen)) == 3


@pytest.mark.parametrize(
    ("white", "after_two", "option"), [(0.5, 0.0, "white"), (-0.5, 0.0, "black"), (0.03, 0.01, "add")]
)
def test_engines_and_the_page_decide_alike(white: float, after_two: float, option: str) -> None:
    procedure = procedures.start("swap2", Board())
    procedure.apply(procedures.Place("h8 i9 j8"))
    values = fixed({3: white, 5: after_two})

    def think(board: Board, share: float) -> Analysis:
        value, cell = values(board._core, share)
        move = board._move(cell)
        candidate = Candidate(move=move, visits=1, value=value, prior=1.0, proof=None, line=(move,))
        return Analysis(
            value=value, proof=None, playouts=1, visits=1, seconds=0.0, memory=0, depth=1, candidates=(candidate,)
        )

    assert openings.decide(procedure, think, random.Random(1)) == procedures.Choose(option)
    cells = core.answer_swap2(THREE._core, values, 1)
    assert len(cells) == {"white": 1, "black": 0, "add": 2}[option]
