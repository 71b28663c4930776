"""One position within one budget, whatever the steps."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tengen import Board, core
from tengen.search import Mcts, SearchParams
from tengen.thinking.evaluators import best_evaluator
from tengen.thinking.thought import Budget, Thinking, as_dict, with_winning_line

POSITIONS = ("", "h8 i9 g10", "h8 i9 h9 h10 g8 i8", "h8 a1 i8 a3 j8 a5 k8", "h8 g8 i8 a2 j8 a3 k8")


def thinking(moves: str, budget: Budget, **more: bool) -> Thinking:
    board = Board.from_moves(moves)
    return Thinking(board, Mcts(best_evaluator(board), SearchParams(memory=64 << 20)), budget, best=225, **more)


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(POSITIONS), st.integers(1, 800), st.lists(st.floats(1e-6, 5e-3), min_size=1, max_size=5))
def test_steps_change_nothing(moves: str, playouts: int, slices: list[float]) -> None:
    whole = thinking(moves, Budget(playouts=playouts)).run()
    stepped = thinking(moves, Budget(playouts=playouts))
    steps = 0
    while stepped.ended is None:
        stepped.step(slices[steps % len(slices)])
        steps += 1
    assert stepped.analysis.candidates == whole.candidates
    assert (stepped.analysis.value, stepped.analysis.playouts) == (whole.value, whole.playouts)
    assert stepped.ended == whole.ended


@pytest.mark.parametrize("moves", POSITIONS)
@pytest.mark.parametrize("rule", ["freestyle", "standard", "renju", "caro"])
@pytest.mark.parametrize("params", [{}, {"threats": False}, {"misere": True}], ids=str)
def test_an_analysis_always_has_a_candidate(moves: str, rule: str, params: dict[str, Any]) -> None:
    board = Board.from_moves(moves, rule=rule)
    evaluator = core.ReluctantEvaluator(1) if params.get("misere") else best_evaluator(board)
    for playouts in (1, 50):
        mind = Thinking(board, Mcts(evaluator, SearchParams(memory=64 << 20, **params)), Budget(playouts=playouts))
        mind.step(1e-6)
        assert board.is_legal(mind.analysis.candidates[0].move)
        found = mind.run()
        assert board.is_legal(mind.move)
        assert found.candidates[0].line[0] == mind.move == mind.search.best_move()


@pytest.mark.parametrize(
    ("moves", "budget", "more", "ended"),
    [
        ("h8 i9 g10", Budget(playouts=30), {}, "playouts"),
        ("h8 i9 g10", Budget(seconds=0.02), {}, "time"),
        ("h8 i9 g10", Budget(playouts=10**6, depth=3), {}, "depth"),
        ("h8 a1 i8 a3 j8 a5 k8", Budget(playouts=10**6), {}, "solved"),
        ("h8 g8 i8 a2 j8 a3 k8", Budget(playouts=10**6), {}, "only-move"),
        ("h8 g8 i8 a2 j8 a3 k8", Budget(playouts=40), {"only_move_ends": False}, "playouts"),
    ],
)
def test_it_says_why_it_has_ended(moves: str, budget: Budget, more: dict[str, bool], ended: str) -> None:
    mind = thinking(moves, budget, **more)
    mind.run()
    assert mind.ended == ended
    assert mind.step() is mind.analysis, "after the end nothing happens"


def test_a_stop_is_heard_whenever_it_comes() -> None:
    before = thinking("h8 i9", Budget())
    before.stop()
    before.run()
    between = thinking("h8 i9", Budget())
    between.step(0.001)
    between.stop()
    between.run()
    during = thinking("h8 i9", Budget())
    timer = threading.Timer(0.05, during.stop)
    timer.start()
    during.run()
    assert {before.ended, between.ended, during.ended} == {"stopped"}
    assert before.analysis.candidates


def test_what_is_told_on_the_way() -> None:
    told: list[int] = []
    mind = thinking("h8 i9", Budget(seconds=0.3))
    mind.run(pause=0.05, tell=lambda found: told.append(found.playouts))
    assert 2 <= len(told) <= 6
    assert told == sorted(told)
    assert mind.analysis.playouts >= told[-1]
    assert 0.9 <= mind.share <= 1.0


def test_the_whole_line_of_a_win() -> None:
    board = Board.from_moves("h8 a1 i8 a3 j8 a5")
    mind = thinking("h8 a1 i8 a3 j8 a5", Budget(playouts=10))
    found = as_dict(board, with_winning_line(board, mind.run()))
    assert (found["proof"], found["win_rate"]) == ("win", 1.0)
    assert len(found["candidates"][0]["line"]) == 3


def test_first_impressions() -> None:
    mind = thinking("h8 i9", Budget(playouts=5))
    mind.run()
    priors = mind.priors(10)
    assert 1 <= len(priors) <= 10
    assert list(priors.values()) == sorted(priors.values(), reverse=True)
