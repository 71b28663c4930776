"""A search in steps: the same result as in one, an end with a reason, and a move at every moment."""

from __future__ import annotations

import math
import threading
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tengen import Board, Color, SetupError, core
from tengen.games import GameBoard
from tengen.search import Analysis, Mcts, SearchParams

#: Where threats are many: the doubt has something to find in some of them.
POSITIONS = (
    "h8",
    "h8 h9 f7 j6 i10 d8 i8",
    "h8 f6 f10 e7 c9 i9 f9 g9 f8",
    "h8 j9 i11 h10 g8 f7 i8 j8 i9 i10 j10 g7 h7 f8 f9 e10 h11",
)
OPEN_FOUR = "h8 a1 i8 a3 j8 a5 k8"
slices = st.lists(st.sampled_from([1e-9, 1e-6, 1e-4, 1e-3, 0.01]), min_size=1, max_size=20)


def everything(analysis: Analysis) -> Analysis:
    """All that does not depend on the clock."""
    return Analysis(**{**vars(analysis), "seconds": 0.0})


def in_steps(search: Mcts, lengths: list[float]) -> Analysis:
    """Steps of these lengths, over and over, to the end of the search."""
    for count in range(100_000):
        analysis = search.step(lengths[count % len(lengths)], best=500)
        assert analysis.candidates
        if analysis.ended is not None:
            return analysis
    raise AssertionError("steps make no progress")


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(POSITIONS), st.integers(1, 1500), slices, st.sampled_from([0.0, 0.25]))
def test_steps_of_any_length_give_the_tree_of_one_search(
    moves: str, playouts: int, lengths: list[float], noise: float
) -> None:
    board = Board.from_moves(moves)
    params = SearchParams(root_noise=noise, memory=64 << 20)
    whole, sliced = (Mcts(core.ExpertEvaluator(), params) for _ in range(2))
    for _ in range(2):  # and once more with the tree that was kept
        expected = whole.search(board, playouts=playouts, best=500)
        sliced.begin(board, playouts=playouts)
        assert everything(in_steps(sliced, lengths)) == everything(expected)
        if board.outcome() or expected.proof:
            return
        board.push(expected.candidates[0].move)
        if board.outcome():
            return


@pytest.mark.parametrize("parallelism", ["tree", "root", "leaf"])
def test_threads_make_all_playouts_in_steps(parallelism: Any) -> None:
    search = Mcts(core.ExpertEvaluator(), SearchParams(threads=3, parallelism=parallelism, vct_nodes_answer=0))
    search.begin(Board.from_moves("h8 i9 h9"), playouts=900)
    analysis = in_steps(search, [1e-9, 1e-4, 1e-3])
    assert analysis.ended == "playouts"
    assert 900 <= analysis.playouts <= 900 + 3


def test_the_reason_of_the_end() -> None:
    board = Board.from_moves("h8 i9")
    search = Mcts(core.UniformEvaluator(), SearchParams(memory=1 << 20))
    assert search.search(board, playouts=100).ended == "playouts"
    assert search.search(board, seconds=0.001).ended == "time"
    assert search.search(board, playouts=10_000_000).ended == "memory"
    assert search.search(Board.from_moves(OPEN_FOUR), playouts=100).ended == "solved"
    assert search.search(Board.from_moves("h8 g8 i8 a2 j8 a3 k8"), playouts=100).ended == "only-move"
    search.begin(board)
    search.stop()
    assert search.analysis().ended is None
    assert search.step().ended == "stopped"
    assert search.analysis().ended == "stopped"


def test_a_step_after_the_end_does_nothing() -> None:
    search = Mcts(core.UniformEvaluator())
    ended = search.search(Board.from_moves("h8 i9"), playouts=100)
    assert search.step() == ended


def test_a_stop_before_the_first_step_is_not_lost() -> None:
    search = Mcts(core.UniformEvaluator())
    board = Board.from_moves("h8 i9")
    search.begin(board, seconds=60)
    search.stop()
    analysis = search.step()
    assert (analysis.ended, analysis.playouts) == ("stopped", 1)
    assert board.is_legal(search.best_move())


def test_stopped_wins_over_memory() -> None:
    search = Mcts(core.UniformEvaluator(), SearchParams(memory=1 << 18))
    search.begin(Board.from_moves("h8 i9"))
    while search.step(1e-9).playouts < 50:
        pass
    search.stop()
    assert search.step().ended == "stopped"


def test_the_time_between_steps_counts() -> None:
    search = Mcts(core.UniformEvaluator())
    search.begin(Board.from_moves("h8 i9"), seconds=0.05)
    assert search.step(1e-9).ended is None
    threading.Event().wait(0.06)
    before = search.analysis().playouts
    analysis = search.step()
    assert analysis.ended == "time"
    assert analysis.playouts == before


def test_an_endless_search_goes_on_until_it_is_stopped() -> None:
    search = Mcts(core.ExpertEvaluator())
    search.begin(Board.from_moves("h8 i9 h9"))
    while (analysis := search.step(0.01)).playouts < 5000:
        assert analysis.ended is None
    threading.Timer(0.05, search.stop).start()
    assert search.step().ended == "stopped"


def test_steps_need_a_beginning() -> None:
    search = Mcts(core.UniformEvaluator())
    with pytest.raises(SetupError, match="begin"):
        search.step()
    board = Board.from_moves("h8 i9")
    search.begin(board, playouts=100)
    search.set_position(board)
    with pytest.raises(SetupError, match="begin"):
        search.step()


@pytest.mark.parametrize("bad", [-1.0, math.nan, math.inf])
def test_limits_that_are_no_limits_are_refused(bad: float) -> None:
    search = Mcts(core.UniformEvaluator())
    with pytest.raises(SetupError, match="seconds"):
        search.begin(Board(), seconds=bad)
    search.begin(Board(), playouts=10)
    with pytest.raises(SetupError, match="seconds"):
        search.step(bad)
    with pytest.raises(SetupError, match="patience"):
        search.step(patience=bad)


def test_a_second_thread_is_refused() -> None:
    search = Mcts(core.UniformEvaluator())
    board = Board.from_moves("h8 i9")
    search.set_position(board)
    worker = threading.Thread(target=lambda: search.search(board, seconds=60))
    worker.start()
    while search.analysis().playouts == 0:
        pass
    for use in (lambda: search.search(board, playouts=1), search.step, lambda: search.set_position(board)):
        with pytest.raises(SetupError, match="another thread"):
            use()
    assert search.analysis().candidates[0].move in board.legal_moves
    assert search.best_move() in board.legal_moves
    search.stop()
    worker.join()
    assert search.analysis().ended == "stopped"


# -- there is always a move


def check_has_a_move(board: Board | GameBoard, params: SearchParams, playouts: int) -> Analysis:
    evaluator = core.UniformEvaluator()
    search = Mcts(evaluator, params)
    analysis = search.search(board, playouts=playouts)
    assert analysis.candidates, board
    assert board.is_legal(analysis.candidates[0].move)
    assert search.best_move() == analysis.candidates[0].move
    return analysis


KINDS = {
    "all": SearchParams(),
    "blind": SearchParams(threats=False),
    "misere": SearchParams(misere=True),
    "root": SearchParams(threads=2, parallelism="root"),
}


@pytest.mark.parametrize("params", KINDS.values(), ids=KINDS.keys())
@pytest.mark.parametrize("playouts", [1, 2, 300])
@pytest.mark.parametrize("rule", ["freestyle", "standard", "renju", "caro"])
def test_an_analysis_always_has_a_candidate(params: SearchParams, playouts: int, rule: str) -> None:
    for moves in ("", "h8", OPEN_FOUR, "h8 g8 i8 a2 j8 a3 k8", "h8 a1 i8 a3 j8 a5 k8 l8", "h8 a1 i8 a3 j8 a5 k8 o1"):
        check_has_a_move(Board.from_moves(moves, rule=rule), params, playouts)


@pytest.mark.parametrize("params", KINDS.values(), ids=KINDS.keys())
def test_the_last_point_is_a_candidate(params: SearchParams) -> None:
    board = Board.from_moves("a1 b1 c3 a4 b3 d2 c2 b2 d3 a3 d4 d1 c4 c1 b4", size=4, n_in_row=4)
    (only,) = board.legal_moves
    assert check_has_a_move(board, params, 10).candidates[0].move == only


def test_a_lost_position_lists_the_moves_that_resist() -> None:
    board = Board.from_moves(OPEN_FOUR)
    analysis = check_has_a_move(board, SearchParams(), 100)
    assert analysis.proof == "loss"
    assert {board.text(candidate.move) for candidate in analysis.candidates} == {"g8", "l8"}
    for candidate in analysis.candidates:
        assert (candidate.proof, candidate.value, candidate.line) == ("loss", -1.0, (candidate.move,))
    assert sum(candidate.prior for candidate in analysis.candidates) == pytest.approx(1)


def test_where_the_only_block_is_forbidden_another_move_is_listed() -> None:
    black, white = ["e8", "f8", "g8", "i8", "j8", "k8"], ["h9", "h10", "h11", "h12", "a1", "a3"]
    board = Board.from_stones(black, white, turn=Color.BLACK, rule="renju")
    assert not board.is_legal("h8")
    analysis = check_has_a_move(board, SearchParams(), 50)
    assert analysis.proof == "loss"


def test_other_games_always_have_a_candidate() -> None:
    for game in ("connect4", "othello8"):
        for playouts in (1, 50):
            check_has_a_move(GameBoard(game), SearchParams(), playouts)
