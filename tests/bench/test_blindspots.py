"""Blind spots: what ships is what it says, and the miner finds such positions."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from tengen import Board, threats
from tengen.bench import blindspots
from tengen.bench.blindspots import BlindSpot
from tengen.errors import SetupError
from tengen.thinking.evaluators import best_evaluator


@pytest.mark.parametrize("rule", blindspots.RULES)
def test_in_every_shipped_position_the_answer_is_legal_and_the_win_not_seen(rule: str) -> None:
    spots = blindspots.shipped(rule)
    assert len({spot.board.to_text() for spot in spots}) == len(spots) > 0
    for spot in spots:
        assert spot.board.rule == rule
        assert spot.board.is_legal(spot.answer)
        assert 0 <= spot.prior <= 1
        assert spot.value < blindspots.WINNING


@pytest.mark.parametrize("rule", blindspots.RULES)
def test_the_halves_have_nothing_in_common(rule: str) -> None:
    first, aside = (blindspots.shipped(rule, half) for half in ("first", "aside"))
    assert sorted(map(str, first + aside)) == sorted(map(str, blindspots.shipped(rule)))
    assert not {spot.game for spot in first} & {spot.game for spot in aside}


def assert_won(spot: BlindSpot) -> None:
    assert threats.solve(spot.board, "auto", max_nodes=300_000, guide=best_evaluator(spot.board)).wins


@pytest.mark.parametrize("rule", blindspots.RULES)
def test_a_solver_proves_a_win(rule: str) -> None:
    assert_won(blindspots.shipped(rule)[0])


@pytest.mark.slow
@pytest.mark.parametrize("rule", blindspots.RULES)
def test_a_solver_proves_all_wins(rule: str) -> None:
    for spot in blindspots.shipped(rule):
        assert_won(spot)


def test_a_line_says_all_there_is_to_know(tmp_path: Path) -> None:
    board = Board.from_moves("h8 i9 h9 i8")
    spot = BlindSpot(board, board.parse_move("h10"), 0.0125, -0.25, 7)
    path = tmp_path / "spots.txt"
    path.write_text(f"# made up\n{spot}\n")
    (again,) = blindspots.read(path, "freestyle")
    assert dataclasses.asdict(again) == dataclasses.asdict(spot)
    path.write_text("h8 i9 h9\n")
    with pytest.raises(SetupError, match="line 1: this is no blind spot"):
        blindspots.read(path, "freestyle")


def test_a_win_in_one_is_found_at_once_and_an_empty_board_is_no_win() -> None:
    won = Board.from_moves("h8 a1 h9 a2 h10 a3 h11 a4")
    spot = BlindSpot(won, won.parse_move("h12"), 0.0, 0.0, 1)
    assert blindspots.playouts_needed(spot, budgets=(10, 20)) == 10
    assert blindspots.playouts_needed(dataclasses.replace(spot, board=Board()), budgets=(10, 20)) is None


def test_the_distribution() -> None:
    figures = blindspots.summary([1_000, None, 10_000, 2_500])
    assert figures["positions"] == 4
    assert figures["median_playouts"] == 2_500
    assert figures["found_within_500"] == "0.0 %"
    assert figures["found_within_1000"] == "25.0 %"
    assert figures["found_within_50000"] == "75.0 %"
    assert blindspots.summary([None, None])["median_playouts"] == "more than 50,000"
    assert blindspots.summary([]) == {"positions": 0}


def test_mining_the_same_game_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blindspots, "_LONGEST", 14)
    once, again = (list(map(str, blindspots.Miner("freestyle", 1).game(3))) for _ in range(2))
    assert once == again
