"""The player that tries to lose: it never makes five if it can help it, and never stands in the way of one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tengen import Board, core
from tengen.arena import GameSetup, Match, random_openings
from tengen.arena.openings import EMPTY_BOARD
from tengen.errors import SetupError
from tengen.players import create
from tengen.search import Mcts, SearchParams

MISERE = SearchParams(misere=True, prior_temperature=1.0)


def tic_tac_toe(moves: str) -> Board:
    return Board.from_moves(moves, size=3, n_in_row=3)


def test_it_makes_no_five_while_there_is_another_move() -> None:
    board = Board.from_moves("h8 a1 h9 a3 h10 a5 h11 a7")
    for seed in range(5):
        assert board.text(create("weakest:playouts=50", seed=seed).choose(board)) not in ("h7", "h12")


def test_it_does_not_block_a_four() -> None:
    board = Board.from_moves("h8 a1 h9 a3 h10 a5 h11")
    for seed in range(5):
        assert board.text(create("weakest:playouts=200", seed=seed).choose(board)) not in ("h7", "h12")


def test_it_wins_only_when_nothing_else_is_left() -> None:
    # x o x
    # o x o     the last point, c1, makes three in a row for black
    # o x .
    board = tic_tac_toe("a3 b3 c3 a2 b2 c2 b1 a1")
    player = create("weakest", seed=1)
    assert board.text(player.choose(board)) == "c1"
    assert player.thoughts is not None
    assert player.thoughts.value == 1  # of the real game: it cannot help winning


def test_a_forced_five_of_the_opponent_is_proven() -> None:
    # x . x     White takes b1. Of the three points left black must take two, and b3 and c1 make three in a row.
    # o x o
    # . . .
    board = tic_tac_toe("a3 a2 c3 c2 b2")
    analysis = Mcts(core.ReluctantEvaluator(1), MISERE).search(board, playouts=2000)
    assert analysis.proof == "loss"
    assert board.text(analysis.candidates[0].move) == "b1"


def test_the_centre_is_the_only_move_that_does_not_win_tic_tac_toe_among_losers() -> None:
    board = Board(size=3, n_in_row=3)
    curious = replace(MISERE, c_puct=10.0)  # also of what it likes less, until that is proven
    analysis = Mcts(core.ReluctantEvaluator(1), curious).search(board, playouts=20_000, best=9)
    assert [board.text(candidate.move) for candidate in analysis.candidates if candidate.proof != "win"] == ["b2"]


def test_values_are_those_of_the_real_game() -> None:
    board = Board.from_moves("h8 a1 h9 a2 h10 a3 h11 a4")
    for evaluator in (core.ReluctantEvaluator(1), core.ExpertEvaluator()):
        assert Mcts(evaluator, MISERE).search(board, playouts=100).value < 0.99


@pytest.mark.parametrize("rule", ["freestyle", "standard", "renju", "caro"])
def test_it_plays_legal_moves_to_the_end_under_every_rule(rule: str) -> None:
    board = Board(size=7, rule=rule)
    player = create("weakest:playouts=20", seed=4)
    while not board.is_over and board.legal_moves:
        board.push(player.choose(board))
    assert board.ply > 20


def test_the_same_seed_plays_the_same_moves() -> None:
    board = Board.from_moves("h8 i9 a1 c4", size=9)
    assert create("weakest", seed=3).choose(board) == create("weakest", seed=3).choose(board)


def test_it_loses_to_random_moves() -> None:
    setup = GameSetup(size=15)
    match = Match(["weakest:playouts=30", "random"], games=6, openings=[EMPTY_BOARD], setup=setup, seed=1)
    (result,) = match.run().as_dict()["results"]
    assert (result["wins"], result["losses"]) == (0, 6)


@pytest.mark.slow
def test_it_loses_to_random_moves_and_to_a_simpler_loser() -> None:
    setup = GameSetup(size=15)
    for opponent, least in (("random", 20), ("weakest:playouts=1", 16)):
        match = Match(["weakest", opponent], games=20, openings=random_openings(10, setup, 1), setup=setup, seed=1)
        (result,) = match.run().as_dict()["results"]
        assert result["losses"] >= least


def test_its_goal_is_not_a_key() -> None:
    with pytest.raises(SetupError, match="misere"):
        create("weakest:misere=false")


def test_the_least_liked_move_is_nothing_that_a_good_player_would_do() -> None:
    five = Board.from_moves("h8 a1 h9 a3 h10 a5 h11 a7")
    block = Board.from_moves("h8 a1 h9 a3 h10 a5 h11")
    for board in (five, block):
        good = create("tengen:playouts=50", seed=1).choose(board)
        for seed in range(5):
            move = create("least-liked:playouts=50", seed=seed).choose(board)
            assert move != good
            assert board.text(move) not in ("h7", "h12")


def test_the_least_liked_move_has_the_fewest_visits() -> None:
    board = Board.from_moves("d4 c3 d3", size=7)
    for seed in range(3):
        player = create("least-liked:playouts=300", seed=seed)
        move = player.choose(board)
        assert player.thoughts is not None
        assert player.thoughts.visits.get(move, 0) == min(player.thoughts.visits.get(m, 0) for m in board.legal_moves)


def test_searching_for_a_loss_beats_doing_the_least_liked_thing() -> None:
    match = Match(["weakest:playouts=100", "least-liked:playouts=50"], games=4, openings=[EMPTY_BOARD], seed=1)
    (result,) = match.run().as_dict()["results"]
    assert (result["wins"], result["losses"]) == (0, 4)
