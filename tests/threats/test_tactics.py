from __future__ import annotations

from collections import Counter

import pytest
from tactics import VCT_NODES_TO_BE_SURE, Judge, Tactic, load

from tengen import Move, threats
from tengen.players import create

TACTICS = load()
WINS = [tactic for tactic in TACTICS if tactic.kind != "save"]
SAVES = [tactic for tactic in TACTICS if tactic.kind == "save"]


def test_there_are_enough_of_each() -> None:
    assert len(TACTICS) >= 60
    counts = Counter((tactic.rule, tactic.kind) for tactic in TACTICS)
    assert all(counts[rule, kind] >= 8 for rule in ("freestyle", "renju") for kind in ("vcf", "vct", "save"))
    assert {tactic.turn for tactic in TACTICS} == {"black", "white"}
    assert len({tactic.moves for tactic in TACTICS}) == len(TACTICS)


@pytest.mark.parametrize("tactic", TACTICS, ids=str)
def test_the_position_is_as_described(tactic: Tactic) -> None:
    board = tactic.board
    assert str(board.turn) == tactic.turn
    assert board.is_legal(tactic.solution)
    assert not board.is_over


@pytest.mark.parametrize("tactic", WINS, ids=str)
def test_the_solver_finds_the_only_winning_move(tactic: Tactic) -> None:
    solution = threats.solve(tactic.board, tactic.kind)
    assert solution.wins
    assert solution.line[0] == Move.parse(tactic.solution)
    if tactic.kind == "vct":
        assert not threats.solve(tactic.board, "vcf").wins


@pytest.mark.parametrize("tactic", SAVES, ids=str)
def test_only_one_move_saves(tactic: Tactic) -> None:
    board = tactic.board
    points = threats.defences(board)
    assert points is not None
    assert Judge().saving_moves(board) == [Move.parse(tactic.solution)]


def test_tengen_plays_the_only_good_move() -> None:
    player = create("tengen:playouts=1500", seed=1)
    wrong = {str(tactic): move for tactic in TACTICS if (move := player.choose(tactic.board).text()) != tactic.solution}
    assert not wrong


@pytest.mark.slow
@pytest.mark.parametrize("tactic", WINS, ids=str)
def test_no_other_move_is_proven_to_win(tactic: Tactic) -> None:
    assert Judge(VCT_NODES_TO_BE_SURE).winning_moves(tactic.board, tactic.kind) == [Move.parse(tactic.solution)]
