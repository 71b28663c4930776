"""The tree is a graph: a position that several orders of moves lead to is there once."""

from __future__ import annotations

import random

import numpy as np
import numpy.typing as npt
import pytest

from tengen import Board, core
from tengen.nets.planes import plane_spec
from tengen.search import Mcts, SearchParams

Planes = npt.NDArray[np.float32]
PLAIN = {"threats": False, "vcf_nodes_root": 0, "vct_nodes_root": 0, "vct_nodes_answer": 0}


class Witness:
    """An evaluator that remembers the stones of every position that it was asked about."""

    def __init__(self, side: int) -> None:
        spec = plane_spec("s4")
        self.seen: list[bytes] = []
        self._side = side
        queue = core.BatchQueue(self._answer, spec.planes, side, side, moves=side * side, max_batch=1)
        self.evaluator = core.BatchedEvaluator(queue, spec, False, 1)

    def _answer(self, planes: Planes) -> tuple[Planes, Planes]:
        self.seen += [position[:2].tobytes() for position in planes]
        return np.zeros((len(planes), self._side**2), np.float32), np.zeros(len(planes), np.float32)


def evaluated(graph: bool, playouts: int, threads: int = 1) -> list[bytes]:
    witness = Witness(7)
    search = Mcts(witness.evaluator, SearchParams(graph=graph, threads=threads, **PLAIN))  # type: ignore[arg-type]
    search.search(Board.from_moves("d4 d5 c4", size=7), playouts=playouts)
    return witness.seen


@pytest.mark.parametrize("threads", [1, 3])
def test_no_position_is_evaluated_twice(threads: int) -> None:
    seen = evaluated(graph=True, playouts=3000, threads=threads)
    assert len(set(seen)) == len(seen) > 1000
    alone = evaluated(graph=False, playouts=3000, threads=threads)
    assert len(set(alone)) < len(alone), "without it some are: otherwise this test says nothing"


def test_visits_of_the_root_are_the_playouts_whatever_the_order_of_moves() -> None:
    """Also where moves are refuted, whose visits are taken back from one of several edges."""
    rng = random.Random(3)
    for _ in range(10):
        board = Board(size=6, n_in_row=4)
        while board.ply < 8:
            board.push(rng.choice(board.legal_moves))
            if board.is_over:
                board = Board(size=6, n_in_row=4)
        search = Mcts(core.UniformEvaluator(), SearchParams(**PLAIN))  # type: ignore[arg-type]
        analysis = search.search(board, playouts=2000, best=100)
        hopeful = [candidate for candidate in analysis.candidates if candidate.proof != "loss"]
        assert all(-1 <= candidate.value <= 1 and candidate.visits >= 0 for candidate in analysis.candidates)
        assert sum(candidate.visits for candidate in hopeful) <= analysis.visits
        if analysis.proof is None:
            assert -1 <= analysis.value <= 1


def test_what_was_found_out_before_a_move_is_kept_after_it() -> None:
    witness = Witness(7)
    search = Mcts(witness.evaluator, SearchParams(memory=1 << 26, **PLAIN))  # type: ignore[arg-type]
    board = Board.from_moves("d4 d5 c4", size=7)
    for _ in range(4):
        analysis = search.search(board, playouts=2500)
        board.push(analysis.candidates[0].move)
    assert len(witness.seen) == len(set(witness.seen)) > 2000


def test_other_games_have_trees_without_it() -> None:
    start = Board.from_moves("d4", size=7)
    params = SearchParams(misere=True, **PLAIN)  # type: ignore[arg-type]
    assert Mcts(core.UniformEvaluator(), params).search(start, playouts=500).playouts == 500
