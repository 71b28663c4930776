"""Engines as players: they may do what they like, the game goes on and their process ends."""

from __future__ import annotations

import shlex
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tengen import Board, Color, Move
from tengen.arena import GameSetup, Match, play_game
from tengen.errors import SetupError
from tengen.players import create, program
from tengen.players.engine import EnginePlayer
from tengen.players.program import EngineError

FAKE = Path(__file__).with_name("fake_engine.py")


def make(mode: str, log: Path | None = None, seconds: float = 20) -> EnginePlayer:
    command = shlex.join([sys.executable, str(FAKE), mode, *([str(log)] if log else [])])
    player = create(f"engine:time={seconds},{command}")
    assert isinstance(player, EnginePlayer)
    return player


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def wait_for_output(player: EnginePlayer) -> None:
    process = player._process
    assert process is not None
    assert process._unread or program._has_output(process._output, 60)


def has_ended(process: int) -> bool:
    """Whether a process is gone, or a zombie that nobody has asked after."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log.txt"


def test_plays_a_game_and_tells_only_what_is_new(log: Path) -> None:
    setup = GameSetup(size=9, rule="standard")
    with make("good", log) as player:
        record = play_game(player, create("random", 3), setup, Board.from_moves("e5 e6", size=9).moves)
        assert record is not None
        assert record.detail == ""
        assert record.reason in ("five", "draw")
    lines = log.read_text().splitlines()
    assert lines[0] == "START 9"
    assert "INFO timeout_turn 20000" in lines
    assert "INFO rule 1" in lines
    assert lines[7:11] == ["BOARD", "4,4,1", "4,3,2", "DONE"]
    assert all(line.startswith("TURN ") for line in lines[11:-1])
    assert lines[-1] == "END"


def test_begins_on_an_empty_board_and_follows_a_take_back(log: Path) -> None:
    board = Board(size=9)
    with make("good", log) as player:
        assert player.choose(board) == Move(0, 0)
        board.push("e5")
        board.push("e6")
        assert player.choose(board) == Move(0, 0)  # another game than the one it began: told in full
    assert "BEGIN" in log.read_text()
    assert "BOARD" in log.read_text()


@pytest.mark.parametrize(
    ("mode", "reason", "detail"),
    [
        ("crash", "error", "the engine has left"),
        ("hang", "error", "the engine did not answer within"),
        ("garbage", "error", 'the engine answered "��?!" instead of a move'),
        ("illegal", "illegal move", "(99, 99) is off the 9x9 board"),
        ("occupied", "illegal move", "a9 is occupied by black"),
        ("refuse", "error", 'the engine answered "ERROR too small" to START'),
    ],
)
def test_a_bad_engine_loses_and_is_ended(mode: str, reason: str, detail: str) -> None:
    with make(mode, seconds=0.5 if mode == "hang" else 20) as player:
        record = play_game(player, create("random", 1), GameSetup(size=9))
        assert record is not None
        assert (record.winner, record.reason) == (Color.WHITE, reason)
        assert detail in record.detail
        again = play_game(player, create("random", 1), GameSetup(size=9))  # a new game starts afresh
        assert again is not None
        assert len(again.moves) == len(record.moves)
    assert player._process is None


def test_answers_to_info_are_no_moves() -> None:
    with make("answer INFO") as player:
        record = play_game(player, create("random", 1), GameSetup(size=9))
    assert record is not None
    assert (record.reason, record.detail) == ("five", "")


def test_an_engine_that_says_nothing_but_unknown_is_quoted() -> None:
    with make("only UNKNOWN") as player:
        with pytest.raises(EngineError, match='answered "UNKNOWN command" instead of a move'):
            player.choose(Board(size=9))
        assert player._process is None


def test_what_an_engine_says_unasked_is_dropped() -> None:
    board = Board(size=9)
    with make("chatter") as player:
        for reply in ("e5", "e6", "e7"):
            board.push(player.choose(board))
            board.push(reply)
            wait_for_output(player)
        assert player.choose(board) == Move(3, 0)


def test_dropping_lines_does_not_hide_that_the_engine_has_left() -> None:
    with make("crash") as player:
        player.prepare(Board(size=9))
        process = player._process
        assert process is not None
        process._popen.kill()
        wait_until(lambda: has_ended(process._popen.pid))
        process.drop_waiting_lines()
        with pytest.raises(EngineError, match="the engine has left"):
            process.ask([], 20)


def test_an_engine_that_does_not_leave_is_ended() -> None:
    player = make("stay")
    player.choose(Board(size=9))
    process = player._process
    assert process is not None
    player.close()
    assert process._popen.returncode is not None


def test_a_child_that_left_the_session_is_ended_too(tmp_path: Path) -> None:
    """It holds the engine's output open: waiting for the end of that would take for ever."""
    note = tmp_path / "child"
    engine = shlex.join([sys.executable, str(FAKE), "good"])
    script = f"setsid sleep 300 & echo $! > {shlex.quote(str(note))}; exec {engine}"
    player = create(f"engine:time=20,{shlex.join(['sh', '-c', script])}")
    assert player.choose(Board(size=9)) == Move(0, 0)
    child = int(note.read_text())
    assert not has_ended(child)
    closing = threading.Thread(target=player.close, daemon=True)
    closing.start()
    closing.join(60)
    assert not closing.is_alive()
    wait_until(lambda: has_ended(child))


def test_a_flood_without_a_line_is_held_back(log: Path) -> None:
    with make("flood", log) as player:
        player.prepare(Board(size=9))
        time.sleep(0.3)
        assert log.read_text().count("flood") <= 2, "nobody reads it, so the pipe is full"
        with pytest.raises(EngineError, match='the engine answered "aaaa'):
            player.choose(Board(size=9))


def test_an_engine_that_is_silent_at_the_start_loses_its_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tengen.players.engine._START_SECONDS", 0.2)
    silent = f"engine:{shlex.join([sys.executable, str(FAKE), 'silent'])}"
    result = Match([silent, "random"], games=2, setup=GameSetup(size=9)).run()
    assert result.is_complete
    assert result.pair().total.losses == 2
    assert [game.record.detail for game in result.games] == ["the engine did not answer within 0.2 s"] * 2


def test_stop_asks_for_the_move_now() -> None:
    board = Board.from_moves("e5 e6 d5 d6", size=9)
    with make("wait for YXSTOP") as player:
        for _ in range(2):
            board.push(player.choose(board))
            board.push(board.legal_moves[-1])
        chosen: list[Move] = []
        thread = threading.Thread(target=lambda: chosen.append(player.choose(board)))
        thread.start()
        deadline = time.monotonic() + 60
        while thread.is_alive() and time.monotonic() < deadline:
            player.stop()
            thread.join(0.1)
        assert len(chosen) == 1
        assert board.is_legal(chosen[0])


def test_a_missing_program_is_one_sentence() -> None:
    with pytest.raises(SetupError, match='there is no program "no-such-engine" to run'):
        create("engine:no-such-engine --fast")
    with pytest.raises(SetupError, match="the command cannot be read"):
        create("engine:'unfinished")
    with pytest.raises(SetupError, match="engine needs COMMAND"):
        create("engine")
