"""What every player promises."""

from __future__ import annotations

import pytest

from tengen import Board, Move
from tengen.errors import GameOverError, SetupError
from tengen.games import AnyBoard
from tengen.players import Kind, Player, Thoughts, create, registry
from tengen.players.simple import RandomParameters


class FirstPoint(Player):
    def __init__(self, parameters: RandomParameters, name: str, seed: int | None) -> None:
        super().__init__(name)

    def _think(self, board: AnyBoard) -> Move:
        return board.legal_moves[0]


def test_random_plays_legal_moves_the_same_with_the_same_seed() -> None:
    games = []
    for _ in range(2):
        board = Board(size=6, rule="renju")
        player = create("random", seed=5)
        while not board.is_over:
            assert board.is_legal(board.push(player.choose(board))) is False  # now occupied
        games.append(board.moves)
    assert games[0] == games[1]


@pytest.mark.parametrize(
    ("moves", "wanted"),
    [
        ("h8 a1 h9 a2 h10 a3 h11 a4", {"h7", "h12"}),  # its own five
        ("a1 h8 c1 h9 a3 h10 c3 h11", {"h7", "h12"}),  # the enemy's five
        ("h8 a1 h9 a3 h10 c1", {"h7", "h11"}),  # an open four
        ("a1 h8 c1 h9 a3 h10", {"h7", "h11"}),  # the enemy's
        ("h8", {"g7", "g8", "g9", "h7", "h9", "i7", "i8", "i9"}),  # nothing to see: beside a stone
    ],
)
def test_a_beginner_sees_what_is_plain(moves: str, wanted: set[str]) -> None:
    board = Board.from_moves(moves)
    assert {board.text(create("beginner:attention=1", seed=seed).choose(board)) for seed in range(60)} <= wanted


def test_a_beginner_overlooks_the_enemy_now_and_then() -> None:
    board = Board.from_moves("a1 h8 c1 h9 a3 h10 c3 h11")
    stopped = [board.text(create("beginner", seed=seed).choose(board)) in ("h7", "h12") for seed in range(80)]
    assert 50 < sum(stopped) < 80


def test_random_without_a_seed_differs() -> None:
    board = Board()
    assert len({create("random").choose(board) for _ in range(20)}) > 1


def test_new_game_with_a_seed_forgets_the_last_game() -> None:
    board = Board()
    player = create("random", seed=1)
    player.new_game(7)
    first = [player.choose(board) for _ in range(5)]
    player.new_game(7)
    assert [player.choose(board) for _ in range(5)] == first


def test_a_finished_game_has_no_move() -> None:
    board = Board.from_moves("a1 a2 b1 b2 c1 c2 d1 d2 e1")
    with pytest.raises(GameOverError, match="random has no move to choose: the game is over, black wins"):
        create("random").choose(board)


def test_thoughts_as_text() -> None:
    board = Board()
    thoughts = Thoughts(value=0.305, pv=(Move(7, 7), Move(8, 6)), playouts=1500)
    assert thoughts.text(board) == "value +0.30, 1,500 playouts, expects h8 i9"
    assert Thoughts().text(board) == ""


def test_create_refuses_what_does_not_exist() -> None:
    with pytest.raises(SetupError, match="there is no player"):
        create("nobody")
    with pytest.raises(SetupError, match='there is no model file "no/such/file"'):
        create("net:model=no/such/file")


def test_a_kind_of_ones_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_kinds", known := dict(registry._kinds))
    monkeypatch.setattr(registry, "KINDS", known)
    registry.register(Kind("first-point", "The first legal point.", RandomParameters, FirstPoint))
    assert create("first-point").choose(Board()) == Board().legal_moves[0]
    assert "first-point" in registry.describe()


@pytest.mark.parametrize(
    ("name", "message"),
    [("random", "already"), ("My Player", "small letters"), ("a:b", "small letters"), ("", "small")],
)
def test_names_that_a_kind_cannot_have(name: str, message: str) -> None:
    with pytest.raises(SetupError, match=message):
        registry.register(Kind(name, "", RandomParameters, FirstPoint))
