"""A move after which the enemy wins by continuous threats is not played as long as there are others."""

from __future__ import annotations

import pytest

from tengen import Board, core
from tengen.search import Analysis, Mcts, SearchParams
from tengen.threats import solve

#: Where fifty playouts see the enemy's threats too late.
POSITIONS = (
    "h8 h9 f7 j6 i10 d8 i8",
    "h8 f6 f10 e7 c9 i9 f9 g9 f8",
    "h8 h6 j10 f10 g6 i12 g7 i9 f7",
    "h8 j9 i11 h10 g8 f7 i8 j8 i9 i10 j10 g7 h7 f8 f9 e10 h11",
)
NODES = 50_000


def search(moves: str, nodes: int, playouts: int, threads: int = 1) -> tuple[Board, Analysis]:
    board = Board.from_moves(moves)
    doubt = {"vct_nodes_answer": nodes, "doubt_nodes_per_playout": float(NODES)}
    params = SearchParams(**doubt, threat_share=0, lcb_deviations=0, threads=threads, seed=1)  # type: ignore[arg-type]
    return board, Mcts(core.ExpertEvaluator(), params).search(board, playouts=playouts)


def loses_to_threats(board: Board, analysis: Analysis) -> bool:
    board.push(analysis.candidates[0].move)
    return not board.is_over and solve(board, "vct", max_nodes=20_000).wins


@pytest.mark.parametrize("moves", POSITIONS)
def test_the_move_to_be_played_does_not_lose_to_threats(moves: str) -> None:
    assert loses_to_threats(*search(moves, 0, 50))
    board, analysis = search(moves, NODES, 50)
    assert analysis.proof == "loss" or not loses_to_threats(board, analysis)


@pytest.mark.parametrize("threads", [1, 3])
def test_pauses_for_doubt_cost_no_playouts(threads: int) -> None:
    for playouts in (1, 2, 7, 100):
        _, analysis = search(POSITIONS[0], NODES, playouts, threads)
        assert analysis.playouts == playouts
