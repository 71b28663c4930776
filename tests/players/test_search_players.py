"""Players that search: they see what is on the board, keep their limits, and can be stopped."""

from __future__ import annotations

import threading
import time

import pytest

from tengen import Board, Move
from tengen.arena import GameSetup, play_game
from tengen.players import create

SEARCHERS = ("alphabeta:depth=2", "alphabeta:depth=4,k=8,vct=4", "mcts:playouts=2000", "mcts-expert:playouts=300")


MATE_IN_ONE = (
    ("h8 a1 h9 a2 h10 a3 h11 b5", {"h12", "h7"}),
    ("h8 a1 i9 a2 j10 a4 l12 a5", {"k11"}),
    ("e5 h8 e6 h9 a1 h10 c3 h12 o15", {"h11"}),
)


@pytest.mark.parametrize("spec", SEARCHERS)
@pytest.mark.parametrize("rule", ["freestyle", "standard", "renju", "caro"])
@pytest.mark.parametrize(("moves", "wins"), MATE_IN_ONE)
def test_a_mate_in_one_is_played(spec: str, rule: str, moves: str, wins: set[str]) -> None:
    board = Board.from_moves(moves, rule=rule)
    assert board.text(create(spec, seed=1).choose(board)) in wins


@pytest.mark.parametrize("spec", SEARCHERS)
def test_a_four_is_blocked(spec: str) -> None:
    board = Board.from_moves("h8 h7 h9 a1 h10 a3 h11")
    assert board.text(create(spec, seed=1).choose(board)) == "h12"


@pytest.mark.parametrize("spec", SEARCHERS)
def test_the_same_seed_gives_the_same_game(spec: str) -> None:
    games = []
    player, opponent = create(spec), create("random")
    for _ in range(2):
        record = play_game(player, opponent, GameSetup(size=9, move_limit=12), seeds=(5, 6))
        assert record is not None
        assert record.detail == ""
        games.append(record.moves)
    assert games[0] == games[1]


@pytest.mark.parametrize("spec", SEARCHERS)
def test_thoughts(spec: str) -> None:
    board = Board.from_moves("h8 i9 i8 j9")
    player = create(spec, seed=1)
    move = player.choose(board)
    thoughts = player.thoughts
    assert thoughts is not None
    assert thoughts.value is not None
    assert -1 <= thoughts.value <= 1
    assert thoughts.pv[0] == move
    assert thoughts.text(board)
    if spec.startswith("mcts"):
        assert thoughts.playouts == int(spec.partition("=")[2])
        assert thoughts.visits[move] == max(thoughts.visits.values())


@pytest.mark.parametrize("spec", ["alphabeta:time=300", "mcts:time=300", "mcts-expert:time=300"])
def test_stop_from_another_thread(spec: str) -> None:
    board = Board.from_moves("h8 i9 i8 j9")
    player = create(spec, seed=1)
    chosen: list[Move] = []
    thread = threading.Thread(target=lambda: chosen.append(player.choose(board)), daemon=True)
    thread.start()
    deadline = time.monotonic() + 60
    while thread.is_alive() and time.monotonic() < deadline:
        player.stop()
        thread.join(0.05)
    assert len(chosen) == 1
    assert board.is_legal(chosen[0])


@pytest.mark.parametrize("spec", ["alphabeta:time=0.05", "mcts:time=0.05", "mcts-expert:time=0.05"])
@pytest.mark.parametrize("rule", ["freestyle", "renju"])
def test_plays_whole_games_on_time_alone(spec: str, rule: str) -> None:
    record = play_game(create(spec), create("random"), GameSetup(size=9, rule=rule))
    assert record is not None
    assert record.detail == ""
    assert record.result == "black"


def test_another_rule_gets_another_network() -> None:
    """One player, asked about games of different rules: the network for freestyle is not one for renju."""
    player = create("tengen:playouts=10", seed=1)
    for rule in ("freestyle", "renju", "standard", "freestyle"):
        board = Board(rule=rule)
        board.push("h8")
        assert board.is_legal(player.choose(board))
