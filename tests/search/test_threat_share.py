"""A share of the priors belongs to the mover's fours and open threes."""

from __future__ import annotations

import pytest

from tengen import Board, core
from tengen.bench import blindspots
from tengen.search import Mcts, SearchParams
from tengen.thinking.evaluators import best_evaluator


def priors(moves: str, share: float) -> dict[str, float]:
    board = Board.from_moves(moves)
    params = SearchParams(threat_share=share, prior_temperature=1.0, vct_nodes_root=0)
    analysis = Mcts(core.UniformEvaluator(), params).search(board, playouts=400, best=400)
    return {board.text(candidate.move): candidate.prior for candidate in analysis.candidates}


def test_the_share_is_for_fours_and_open_threes() -> None:
    # Black has two stones in a row: four points make an open three of them.
    even, raised = (priors("h8 a1 i8 a15", share) for share in (0.0, 0.3))
    assert even.keys() == raised.keys()
    for point in ("f8", "g8", "j8", "k8"):
        assert raised[point] == pytest.approx(0.7 * even[point] + 0.3 / 4, rel=0.01)
    assert raised["h9"] == pytest.approx(0.7 * even["h9"], rel=0.01)
    assert sum(raised.values()) == pytest.approx(sum(even.values()), rel=0.01)


def test_priors_stay_as_they_are_where_nothing_is_threatened() -> None:
    assert priors("h8 i9", 0.5) == priors("h8 i9", 0.0)


def playouts_needed(rule: str, share: float) -> int:
    needed = 0
    for spot in blindspots.shipped(rule):
        params = SearchParams(threat_share=share, memory=64 << 20, vct_nodes_root=0, vct_nodes_answer=0)
        for playouts in (1000, 3000):
            found = Mcts(best_evaluator(spot.board), params).search(spot.board, playouts=playouts, best=1)
            needed += playouts
            if found.proof == "win" or found.value >= blindspots.WINNING:
                break
    return needed


def test_fewer_wins_are_overlooked_with_it() -> None:
    assert playouts_needed("renju", 0.25) < playouts_needed("renju", 0.0)
