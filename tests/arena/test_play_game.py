"""One game: who wins, why, and what is recorded."""

from __future__ import annotations

import json

import pytest
from scripted import FirstPointPlayer, ScriptedPlayer

from tengen import Board, Color, Move
from tengen.arena import GameResult, GameSetup, play_game
from tengen.errors import SetupError
from tengen.players import Player, create


def play(black: Player, white: Player, opening: str = "", **setup: object) -> GameResult:
    game_setup = GameSetup(**setup)  # type: ignore[arg-type]
    moves = Board.from_moves(opening, size=game_setup.size).moves
    record = play_game(black, white, game_setup, moves)
    assert record is not None
    return record


def test_a_five_wins() -> None:
    record = play(ScriptedPlayer(["c1", "d1", "e1"], "b"), ScriptedPlayer(["c2", "d2"], "w"), "a1 a2 b1 b2", size=9)
    assert (record.black, record.white) == ("b", "w")
    assert (record.winner, record.reason, record.result) == (Color.BLACK, "five", "black")
    assert len(record.moves) == 9
    assert record.opening_length == 4
    assert len(record.seconds) == 5


def test_the_side_to_move_after_the_opening_begins() -> None:
    record = play(ScriptedPlayer([]), ScriptedPlayer(["a1"]), "e5 e6 d5 d6 c5 c6 b5", size=9)
    assert record.moves[-1] == Move(0, 8)
    assert (record.winner, record.reason) == (Color.WHITE, "error")  # black's script is empty


def test_an_illegal_move_loses() -> None:
    record = play(ScriptedPlayer(["a1"]), ScriptedPlayer(["a1"]), size=9)
    assert (record.winner, record.reason) == (Color.BLACK, "illegal move")
    assert record.detail == "a1 is occupied by black"
    assert record.moves == (Move(0, 8),)
    assert len(record.seconds) == 2


def test_a_forbidden_move_loses() -> None:
    record = play(ScriptedPlayer(["f1"]), ScriptedPlayer([]), "b1 a3 c1 c3 d1 e3 e1 a1 g1 i5", size=9, rule="renju")
    assert (record.winner, record.reason) == (Color.WHITE, "illegal move")
    assert record.detail == "f1 is forbidden for black: overline"


def test_nonsense_instead_of_a_move_loses() -> None:
    class Nonsense(Player):
        def _think(self, board: Board) -> Move:
            return None  # type: ignore[return-value]

    record = play(Nonsense("nonsense"), create("random"), size=9)
    assert (record.winner, record.reason) == (Color.WHITE, "illegal move")


def test_an_exception_loses() -> None:
    record = play(ScriptedPlayer(["a1"]), ScriptedPlayer([None]), size=9)
    assert (record.winner, record.reason, record.detail) == (Color.BLACK, "error", "RuntimeError: out of order")


def test_failing_to_start_loses() -> None:
    class Broken(ScriptedPlayer):
        def new_game(self, seed: int | None = None) -> None:
            raise RuntimeError("no start")

    record = play(create("random"), Broken([]), size=9)
    assert (record.winner, record.reason, record.detail) == (Color.BLACK, "error", "RuntimeError: no start")


def test_a_player_cannot_change_the_game() -> None:
    class Cheat(Player):
        def _think(self, board: Board) -> Move:
            move = board.legal_moves[0]
            board.push(board.legal_moves[1])
            return move

    record = play(Cheat("cheat"), FirstPointPlayer("honest"), size=5)
    assert record.moves[:2] == (Move(0, 0), Move(1, 0))


def test_the_move_limit_is_a_draw() -> None:
    record = play(create("random", 1), create("random", 2), move_limit=6)
    assert (record.winner, record.reason, record.result) == (None, "move limit", "draw")
    assert len(record.moves) == 6


def test_a_full_board_is_a_draw() -> None:
    record = play(create("random", 1), create("random", 2), size=3)
    assert (record.winner, record.reason) == (None, "draw")
    assert len(record.moves) == 9


def test_the_record_is_json() -> None:
    record = play(create("random", 1), create("random", 2), size=3)
    loaded = json.loads(json.dumps(record.as_dict()))
    assert Board.from_moves(loaded["moves"], size=3).moves == list(record.moves)
    assert loaded["result"] == "draw"


def test_setup_is_checked_at_once() -> None:
    with pytest.raises(SetupError, match="there is no rule"):
        GameSetup(rule="chess")
    with pytest.raises(SetupError, match="the move limit must be at least 1, not 0"):
        GameSetup(move_limit=0)
