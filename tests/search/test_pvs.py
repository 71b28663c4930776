"""Principal variation search with a network: `search=pvs`."""

from __future__ import annotations

import random
import threading
import time

import pytest

from tengen import Board, SetupError, threats
from tengen.games import GameBoard
from tengen.search import Analysis, Mcts, SearchParams
from tengen.thinking.evaluators import best_evaluator

QUIET = "i9 h11 i11 g9 m13 f12"


def search_on(board: Board, **params: object) -> Mcts:
    return Mcts(best_evaluator(board), SearchParams(search="pvs", **params))  # type: ignore[arg-type]


def random_positions(count: int, rule: str, seed: int) -> list[Board]:
    chance = random.Random(seed)
    found: list[Board] = []
    while len(found) < count:
        board = Board(rule=rule)
        for _ in range(chance.randint(4, 30)):
            near = [move for move in board.legal_moves if abs(move.x - 7) < 4 and abs(move.y - 7) < 4]
            if board.is_over or not near:
                break
            board.push(chance.choice(near))
        if not board.is_over:
            found.append(board)
    return found


def essence(found: Analysis) -> tuple[object, ...]:
    return found.value, found.playouts, found.candidates


def test_an_empty_board() -> None:
    found = search_on(Board()).search(Board(), playouts=100)
    assert Board().is_legal(found.candidates[0].move)
    assert found.ended in ("playouts", "only-move")


@pytest.mark.parametrize("rule", ["freestyle", "standard", "renju", "caro"])
def test_moves_are_legal_and_claims_are_true(rule: str) -> None:
    for board in random_positions(12, rule, 3):
        found = search_on(board).search(board, playouts=400)
        best = found.candidates[0]
        assert board.is_legal(best.move)
        assert best.line[0] == best.move
        if best.proof == "win":
            board.push(best.move)
            if not board.is_over:
                answer = Mcts(best_evaluator(board)).search(board, playouts=20_000)
                assert answer.proof == "loss"


def test_a_five_is_made_and_stopped() -> None:
    board = Board.from_moves("h8 a1 i8 a3 j8 a5 k8")
    assert search_on(board).search(board, playouts=100).proof == "loss"
    board.push("a7")
    found = search_on(board).search(board, playouts=100)
    assert found.proof == "win"
    assert board.text(found.candidates[0].move) in ("g8", "l8")


def test_equal_budgets_give_equal_results_however_they_are_sliced() -> None:
    board = Board.from_moves(QUIET)
    whole = search_on(board).search(board, playouts=3000)
    sliced = search_on(board)
    sliced.begin(board, playouts=3000)
    while (found := sliced.step(0.001)).ended is None:
        assert found.playouts < 3000
    assert essence(found) == essence(whole)
    assert whole.ended == "playouts"


def test_deeper_searches_look_deeper() -> None:
    board = Board.from_moves(QUIET)
    depths = [search_on(board).search(board, playouts=nodes).depth for nodes in (100, 10_000)]
    assert depths[0] < depths[1]


def test_a_win_by_threats_is_found() -> None:
    board = Board.from_moves("h8 h9 i8 g8 j8 k8 i7 i9 j7 h7 j6 k5")
    assert threats.solve(board).wins
    found = search_on(board, vct_nodes_root=0, vcf_nodes_root=0, vcf_nodes=0).search(board, playouts=5000)
    assert found.proof == "win"


def test_it_follows_a_game() -> None:
    board = Board()
    search = search_on(board)
    while not board.is_over and board.ply < 12:
        board.push(search.search(board, playouts=200).candidates[0].move)
    board.pop()
    assert board.is_legal(search.search(board, playouts=200).candidates[0].move)


def test_stop_and_a_second_look_from_another_thread() -> None:
    board = Board.from_moves(QUIET)
    search = search_on(board)
    search.begin(board)
    thread = threading.Thread(target=search.step)
    thread.start()
    end = time.monotonic() + 60
    while search.analysis().playouts < 500:
        assert time.monotonic() < end
    search.stop()
    thread.join(60)
    assert not thread.is_alive()
    assert search.analysis().ended == "stopped"


def test_a_search_that_is_given_up_in_the_middle() -> None:
    board = Board.from_moves(QUIET)
    search = search_on(board)
    search.begin(board)
    assert search.step(0.001).ended is None
    assert search.search(board, playouts=50).ended == "playouts"
    search.begin(board)
    search.step(0.001)
    del search


def test_what_it_does_not_play() -> None:
    with pytest.raises(SetupError, match="search=pvs plays Gomoku alone"):
        search_on(Board(), misere=True).search(Board(), playouts=10)


def test_other_games() -> None:
    from tengen import core

    board = GameBoard("connect4")
    with pytest.raises(SetupError, match="search=pvs plays Gomoku alone"):
        Mcts(core.UniformEvaluator(), SearchParams(search="pvs")).search(board, playouts=10)
