"""Levels 1 to 10 as players."""

from __future__ import annotations

import pytest

from tengen import Board
from tengen.errors import SetupError
from tengen.players import create


@pytest.mark.parametrize("number", [0, 1, 3, 5, 7])
@pytest.mark.parametrize(("rule", "size"), [("freestyle", 15), ("renju", 15), ("standard", 6)])
def test_a_level_plays_legal_moves(number: int, rule: str, size: int) -> None:
    board = Board(size=size, rule=rule)
    with create(f"level:{number}", seed=3) as player:
        for _ in range(12):
            if board.is_over:
                break
            move = player.choose(board)
            assert board.is_legal(move)
            board.push(move)


def test_the_same_seed_plays_the_same_game() -> None:
    games = []
    for _ in range(2):
        board = Board()
        player = create("level:2", seed=9)
        for _ in range(8):
            board.push(player.choose(board))
        games.append(board.moves)
    assert games[0] == games[1]


@pytest.mark.parametrize("number", [7, 8, 9])
def test_a_club_player_misses_no_five(number: int) -> None:
    board = Board.from_moves("h8 a1 h9 a2 h10 a3 h11 a4")
    for seed in range(5):
        assert board.text(create(f"level:{number}", seed=seed).choose(board)) in ("h7", "h12")


@pytest.mark.parametrize("spec", ["level", "level:-1", "level:11", "level:five", "level:"])
def test_a_level_that_does_not_exist(spec: str) -> None:
    with pytest.raises(SetupError, match="level"):
        create(spec)
