"""What Tengen does in opening procedures: the value decides."""

from __future__ import annotations

import random

import pytest

from tengen import Board, procedures
from tengen.board import Move
from tengen.search import Analysis, Candidate
from tengen.thinking import openings


def opinion(value: float, move: Move) -> Analysis:
    candidate = Candidate(move=move, visits=1, value=value, prior=1.0, proof=None, line=(move,))
    return Analysis(
        value=value, proof=None, playouts=1, visits=1, seconds=0.0, memory=0, depth=1, candidates=(candidate,)
    )


def fixed(values: dict[int, float]) -> openings.Think:
    """A search that goes by the number of stones alone."""
    return lambda board, share: opinion(values[board.ply], board.legal_moves[0])


@pytest.mark.parametrize(
    ("white", "after_two", "option"), [(0.5, 0.0, "white"), (-0.5, 0.0, "black"), (0.03, 0.01, "add")]
)
def test_the_value_decides(white: float, after_two: float, option: str) -> None:
    procedure = procedures.start("swap2", Board())
    procedure.apply(procedures.Place("h8 i9 j8"))
    values = fixed({3: white, 5: after_two})
    assert openings.decide(procedure, values, random.Random(1)) == procedures.Choose(option)
