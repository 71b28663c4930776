"""`tengen engine` as managers see it: a process behind two pipes."""

from __future__ import annotations

import queue
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from engine_driver import point

from tengen.board import Board
from tengen.thinking.levels import Turn, find_level

PATIENCE = 60.0  # a busy machine must not fail a test
COMMAND = [sys.executable, "-c", "from tengen.cli import engine; engine()"]


class Pipe:
    """An engine's process."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line.decode("ascii").rstrip("\r\n"))
        self._lines.put(None)

    def send(self, *lines: str | bytes, end: bytes = b"\n") -> None:
        assert self.process.stdin is not None
        for line in lines:
            self.process.stdin.write((line.encode() if isinstance(line, str) else line) + end)
        self.process.stdin.flush()

    def read(self) -> str | None:
        return self._lines.get(timeout=PATIENCE)

    def ask(self, *lines: str | bytes, end: bytes = b"\n") -> str:
        self.send(*lines, end=end)
        while (line := self.read()) is not None:
            if not line.startswith(("MESSAGE", "DEBUG")):
                return line
        raise AssertionError("the engine has left")

    def leave(self) -> int:
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait(PATIENCE)


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    pipe = Pipe()
    yield pipe
    pipe.process.kill()
    pipe.process.wait()


SMALL = ("INFO max_node 20", "INFO timeout_turn 60000", "INFO timeout_match 0", "INFO time_left 2147483647")


def play_game(pipe: Pipe, chance: random.Random, end: bytes) -> Board:
    """A game against random moves near the engine's, with INFO in any order and other talk in between."""
    size, (mask, rule) = chance.choice((9, 12, 15)), chance.choice(((0, "freestyle"), (1, "standard"), (4, "renju")))
    assert pipe.ask(f"START {size}", end=end) == "OK"
    infos = [
        *SMALL,
        f"INFO rule {mask}",
        "INFO max_memory 367001600",
        "INFO game_type 1",
        "INFO folder /tmp",
        "INFO x y",
    ]
    chance.shuffle(infos)
    pipe.send(*infos, end=end)
    board = Board(size=size, rule=rule)
    question: tuple[str, ...] = ("BEGIN",)
    if chance.random() < 0.5:
        move = board.push(chance.choice(board.legal_moves))
        question = (f"TURN {move.x},{move.y}",)
    while True:
        board.push(point(pipe.ask(*question, end=end)))
        if board.is_over or board.ply > 60:
            return board
        move = board.push(chance.choice(board.legal_moves))
        if board.is_over:
            return board
        kind = chance.random()
        if kind < 0.1:
            assert pipe.ask("WHAT is this", end=end).startswith("UNKNOWN")
        elif kind < 0.2:
            pipe.send(f"INFO time_left {chance.randrange(10**6, 10**8)}", end=end)
        if kind < 0.8:
            question = (f"TURN {move.x},{move.y}",)
        else:
            stones = [f"{m.x},{m.y},{1 if board.piece_at(m) == board.turn else 2}" for m in board.moves]
            question = ("BOARD", *stones, "DONE")


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"], ids=["LF", "CRLF", "CR"])
def test_games_through_pipes(pipe: Pipe, end: bytes) -> None:
    chance = random.Random(len(end))
    finished = [play_game(pipe, chance, end) for _ in range(8)]
    wins = sum(board.is_over for board in finished)
    assert wins >= 7, "random moves lose"
    pipe.send("END", end=end)
    assert pipe.process.wait(PATIENCE) == 0
    assert pipe.read() is None


@pytest.mark.slow
def test_hundreds_of_games_through_pipes(pipe: Pipe) -> None:
    chance = random.Random(3)
    for game in range(300):
        play_game(pipe, chance, (b"\n", b"\r\n", b"\r")[game % 3])


def test_garbage_and_long_lines(pipe: Pipe) -> None:
    assert pipe.ask("START 15") == "OK"
    pipe.send(*SMALL)
    chance = random.Random(1)
    for _ in range(20):
        noise = bytes(byte for byte in chance.randbytes(200) if byte not in b"\r\n")
        assert pipe.ask(b"?" + noise).startswith("UNKNOWN")
    assert pipe.ask(b"x" * 2**20).startswith("UNKNOWN")
    assert pipe.ask(b"TURN 7,7" + b"7" * 2**20).startswith("ERROR")
    pipe.send(b"INFO folder " + b"x" * 2**20)
    assert pipe.ask(b"TURN 7,7" + b" " * 2**20).count(",") == 1
    assert pipe.ask("BOARD", b"\xff\xfe" * 1000, "DONE").startswith("ERROR")
    assert pipe.ask("START 10") == "OK"
    assert pipe.ask("RECTSTART 20,12") == "OK"
    assert pipe.ask("BEGIN").count(",") == 1


def test_stop_while_thinking(pipe: Pipe) -> None:
    assert pipe.ask("START 20") == "OK"
    pipe.send("INFO timeout_turn 100000000", "TURN 7,7", "INFO time_left 2147483647")
    assert pipe.ask("ABOUT").startswith("name=")
    assert pipe.ask("YXSTOP").count(",") == 1


@pytest.mark.parametrize("last", ["TURN 9,9", "YXSHOWFORBID"])
def test_end_while_thinking_or_pondering(pipe: Pipe, last: str) -> None:
    assert pipe.ask("START 20") == "OK"
    pipe.send("INFO timeout_turn 300", "INFO pondering 1")
    pipe.ask("TURN 7,7")
    pipe.send("INFO timeout_turn 100000000", last, "END")
    assert pipe.process.wait(PATIENCE) == 0


def test_pondering_ends_with_the_opponents_move(pipe: Pipe) -> None:
    assert pipe.ask("START 15") == "OK"
    pipe.send("INFO timeout_turn 200", "INFO pondering 1", "INFO show_detail 1")
    board = Board()
    for _ in range(6):
        move = board.push(next(move for move in board.legal_moves if move.x + move.y > 10))
        board.push(point(pipe.ask(f"TURN {move.x},{move.y}")))
    assert pipe.ask("TAKEBACK 14,14").startswith("ERROR")
    assert pipe.leave() == 0


def test_details_are_told_while_the_search_runs(pipe: Pipe) -> None:
    assert pipe.ask("START 15") == "OK"
    pipe.send("INFO timeout_turn 100000000", "INFO show_detail 1", "TURN 7,7")
    for _ in range(2):
        line = pipe.read()
        assert line is not None
        assert line.startswith("MESSAGE depth ")
        assert "winrate" in line
    assert pipe.ask("YXSTOP").count(",") == 1
    assert pipe.leave() == 0


def test_max_depth_ends_the_search(pipe: Pipe) -> None:
    assert pipe.ask("START 15") == "OK"
    for depth in (1, 9):
        pipe.send("INFO timeout_turn 100000000", f"INFO max_depth {depth}", "INFO show_detail 1", "YXHASHCLEAR")
        pipe.send("YXBOARD", "7,7,2", "8,8,1", "7,8,2", "DONE", "YXNBEST 1")
        said = []
        while (line := pipe.read()) is not None and line.startswith("MESSAGE"):
            said.append(line)
        expected = said[-1].split("line ")[1].split()
        assert len(expected) == depth, "the line is long enough, and it did not take all of the time"


def test_end_of_input_is_an_end_after_the_answers() -> None:
    script = "START 15\nINFO max_node 10\nBEGIN\nTURN 0,0\nYXNBEST 2\nSWAP2BOARD\nDONE"
    done = subprocess.run(COMMAND, input=script.encode(), capture_output=True, timeout=PATIENCE, check=True)
    said = [line for line in done.stdout.decode().splitlines() if not line.startswith("MESSAGE")]
    assert said[:2] == ["OK", "7,7"]
    assert len(said) == 5
    assert done.stderr == b""


@pytest.mark.parametrize("lines", [b"START 15\n", b"START 15\nINFO timeout_turn 60000\nBOARD\n7,7,2\nDONE\n"])
def test_an_interrupt_ends_it_without_a_word(lines: bytes) -> None:
    process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(lines)
    process.stdin.flush()
    assert process.stdout.readline() == b"OK\n"
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=PATIENCE)[1] == b""
    assert process.returncode == 130


def test_a_manager_that_left() -> None:
    process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdout.close()
    process.stdin.write(b"START 15\nINFO timeout_turn 200\nTURN 7,7\n")
    process.stdin.flush()
    try:
        assert process.wait(PATIENCE) == 0
    finally:
        process.kill()
        process.wait()
        process.stdin.close()


LEVEL_MOVES = [row.split() for row in Path(__file__).with_name("level_moves.txt").read_text().splitlines()]


@pytest.mark.parametrize(("level", "seed", "move"), LEVEL_MOVES)
def test_a_level_plays_the_moves_of_the_program_without_python(level: str, seed: str, move: str) -> None:
    """The core's own test asks its engine for the same moves."""
    board = Board.from_moves("h8 i9 g10")
    assert Turn(find_level(int(level)), board, int(seed)).move() == point(move)


def test_the_engine_plays_at_a_level() -> None:
    level, seed, move = LEVEL_MOVES[-1]
    command = [*COMMAND, "--level", level, "--seed", seed]
    conversation = Path(__file__).with_name("level_position.txt").read_bytes()
    said = subprocess.run(command, input=conversation, stdout=subprocess.PIPE, check=True).stdout
    assert move in said.decode().split()
