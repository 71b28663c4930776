"""The protocol's state machine: what is answered, and when."""

from __future__ import annotations

import re

import pytest
from engine_driver import Driver
from hypothesis import given
from hypothesis import strategies as st

from tengen import core
from tengen.board import Color, Move
from tengen.core import ENGINE_ABOUT, Answer

POINT = re.compile(r"\d+,\d+")


def started(size: int = 15) -> Driver:
    driver = Driver()
    assert driver.send(f"START {size}") == ["OK"]
    return driver


def test_about_comes_at_any_time() -> None:
    assert Driver().send("ABOUT") == [ENGINE_ABOUT]
    assert re.fullmatch(r'name="\w+", version="[^"]+", author="[^"]+", country="[^"]+"', ENGINE_ABOUT)


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("START 15", "OK"),
        ("start 20", "OK"),
        ("START 5", "OK"),
        ("START 22", "OK"),
        ("START 4", "ERROR"),
        ("START 23", "ERROR"),
        ("START", "ERROR"),
        ("START fifteen", "ERROR"),
        ("START 15 15", "ERROR"),
        ("START " + "9" * 4000, "ERROR"),
        ("RECTSTART 20,15", "OK"),
        ("RECTSTART 20 , 15", "OK"),
        ("RECTSTART 20", "ERROR"),
        ("RECTSTART 40,15", "ERROR"),
        ("RESTART", "ERROR"),
        ("BEGIN", "ERROR"),
        ("TURN 1,1", "ERROR"),
        ("PLAY 1,1", "ERROR"),
        ("TAKEBACK 1,1", "ERROR"),
        ("YXSHOWFORBID", "ERROR"),
        ("YXNBEST 2", "ERROR"),
        ("DONE", "UNKNOWN"),
        ("1,2,1", "UNKNOWN"),
        ("SUGGEST 1,1", "UNKNOWN"),
        ("\ufffd\ufffd\x01", "UNKNOWN"),
    ],
)
def test_first_line(line: str, answer: str) -> None:
    (said,) = Driver().send(line)
    assert said.split()[0] == answer
    assert said.isascii()
    assert said.isprintable()


@pytest.mark.parametrize(
    "line", ["INFO rule 1", "INFO", "INFO max_memory x", "INFO what 7", "YXHASHCLEAR", "YXSTOP", ""]
)
def test_lines_that_are_never_answered(line: str) -> None:
    assert Driver().send(line) == []
    assert started().send(line) == []


def test_begin_turn_and_take_back() -> None:
    driver = started()
    assert driver.send("BEGIN") == ["0,0"]
    assert driver.send("TURN 1,0") == ["2,0"]
    assert driver.board.moves == [Move(0, 0), Move(1, 0)]
    assert driver.send("TAKEBACK 2,0", "TAKEBACK 1,0") == ["OK", "OK"]
    assert driver.send("TURN 9,9") == ["1,0"]
    assert driver.send("TAKEBACK 5,5")[0].startswith("ERROR")


def test_play_is_echoed_and_played() -> None:
    driver = started()
    assert driver.send("PLAY 7,7", "TURN 8,8") == ["7,7", "0,0"]
    assert driver.board.moves == [Move(7, 7), Move(8, 8)]
    assert driver.send("PLAY 7,7")[0].startswith("ERROR")


@pytest.mark.parametrize("line", ["TURN 7,7", "TURN 15,0", "TURN -1,3", "TURN 7", "TURN a,b", "TURN 7,7,7", "TURN"])
def test_wrong_turns(line: str) -> None:
    driver = started()
    driver.send("TURN 7,7")
    (said,) = driver.send(line)
    assert said.startswith("ERROR")
    assert driver.send("TURN 9,9") == ["1,0"], "the position is as it was"


def test_nothing_is_bound_at_start() -> None:
    driver = started()
    driver.send("INFO rule 4", "INFO timeout_turn 1000", "TURN 7,7")
    assert driver.board.rule == "renju"
    assert driver.questions[-1].deadline == pytest.approx(100.9)
    driver.send("INFO rule 1", "TURN 9,9")
    assert driver.board.rule == "standard"


@pytest.mark.parametrize(
    ("mask", "rule"),
    [
        (0, "freestyle"),
        (1, "standard"),
        (2, "renju"),
        (3, "standard"),
        (4, "renju"),
        (5, "renju"),
        (8, "caro"),
        (9, "caro"),
    ],
)
def test_rules_by_bit_mask(mask: int, rule: str) -> None:
    settings = core.EngineSettings()
    settings.update("rule", str(mask))
    assert settings.rule.name == rule


@pytest.mark.parametrize(
    ("stones", "color"),
    [
        ([], Color.BLACK),
        (["7,7,2"], Color.WHITE),
        (["7,7,1", "8,8,2"], Color.BLACK),
        (["7,7,2", "8,8,1", "9,9,2"], Color.WHITE),
        (["7,7,2", "9,9,2", "8,8,1"], Color.WHITE),
        (["7,7,1"], Color.BLACK),  # not a game, but a position all the same
        (["7,7,1", "1,1,1", "8,8,1"], Color.BLACK),
        (["7,7,2", "1,1,2", "8,8,2"], Color.WHITE),
    ],
)
def test_board_with_any_stones(stones: list[str], color: Color) -> None:
    driver = started()
    assert driver.send("BOARD", *stones, "DONE") == ["0,0"]
    board = driver.board
    assert board.turn == color
    for stone in stones:
        x, y, owner = map(int, stone.split(","))
        assert board.piece_at((x, y)) == (color if owner == 1 else color.other)


@pytest.mark.parametrize(
    "stones",
    [
        ["7,7,3"],
        ["7,7,4"],
        ["7,7"],
        ["7,7,1,1"],
        ["a"],
        ["7,7,1", "7,7,2"],
        ["15,0,1"],
        [f"{x},0,1" for x in range(5)],
        [f"{x},0,2" for x in range(5)] + [f"{x},5,1" for x in (1, 3, 5, 7, 9)],
    ],
)
def test_wrong_boards_are_answered_once(stones: list[str]) -> None:
    (said,) = started().send("BOARD", *stones, "DONE")
    assert said.startswith("ERROR")


def test_full_board() -> None:
    # 1 1 2 2 1 1 ... in pairs of rows: no five anywhere.
    stones = [f"{x},{y},{1 + (x + 2 * (y % 2) + y // 2) // 2 % 2}" for y in range(5) for x in range(5)]
    (said,) = started(5).send("BOARD", *stones, "DONE")
    assert said.startswith("ERROR")


def test_a_block_is_given_up_by_a_new_command() -> None:
    driver = started()
    said = driver.send("BOARD", "7,7,1", "INFO rule 1", "ABOUT", "START 10")
    assert [line.split()[0] for line in said] == [ENGINE_ABOUT.split()[0], "ERROR", "OK"]
    assert driver.send("YXBOARD", "7,7,1", "BEGIN") == ["0,0"]


def test_yxboard_sets_without_an_answer() -> None:
    driver = started()
    assert driver.send("YXBOARD", "7,7,2", "DONE") == []
    assert driver.send("YXNBEST 3") == ["0,0"]
    assert driver.questions[-1].best == 3
    assert driver.send("YXBOARD", "7,7,3", "DONE")[0].startswith("ERROR")


def test_forbidden_points() -> None:
    driver = started()
    # Black (the engine) has two open twos that cross at 7,7.
    stones = ["6,7,1", "0,0,2", "5,7,1", "0,2,2", "7,6,1", "0,4,2", "7,5,1", "0,6,2"]
    driver.send("YXBOARD", *stones, "DONE")
    assert driver.send("YXSHOWFORBID") == ["FORBID ."]
    assert driver.send("INFO rule 4", "YXSHOWFORBID") == ["FORBID 0707."]


def test_who_is_black_after_yxboard() -> None:
    driver = started()
    stones = ["6,7,2", "14,0,1", "8,7,2", "14,2,1", "7,6,2", "14,4,1"]
    driver.send("INFO rule 4", "YXBOARD", *stones, "DONE", "TURN 7,8")
    assert driver.board.turn == Color.WHITE, "the opponent began, and has moved again"
    assert driver.send("YXSHOWFORBID") == ["FORBID 0707."]
    driver.send("YXBOARD", "DONE", "TURN 7,7")
    assert driver.board.turn == Color.WHITE


def test_thinking_is_taken_off_the_time_of_the_game() -> None:
    now = 0.0
    engine = core.Engine(lambda: now)
    engine.receive("START 15")
    engine.answer(Answer())
    engine.receive("INFO timeout_match 10000")
    engine.receive("TURN 7,7")
    assert engine.question is not None
    first = engine.question.deadline - now
    now += 9
    engine.answer(Answer([8 * 15 + 8]))
    engine.receive("TURN 9,9")
    assert engine.question.deadline - now < first / 5


def test_swap2() -> None:
    driver = started()
    assert driver.send("SWAP2BOARD", "DONE") == ["0,0 1,0 2,0"]
    assert driver.send("SWAP2BOARD", "7,7", "8,8", "9,9", "DONE") == ["0,0"]
    assert driver.board.moves == [Move(7, 7), Move(8, 8), Move(9, 9)]
    assert driver.send("SWAP2BOARD", "7,7,1", "8,8,1", "9,9,1", "3,3,2", "4,4,2", "DONE") == ["SWAP"]
    assert driver.send("SWAP2BOARD", "7,7", "DONE")[0].startswith("ERROR")


def test_show_info() -> None:
    assert all(line.startswith("MESSAGE INFO MAX_") for line in Driver().send("YXSHOWINFO"))


# -- while it thinks


def test_lines_while_thinking_wait_for_their_turn() -> None:
    driver = started()
    engine = driver.engine
    assert engine.receive("TURN 7,7") == []
    assert engine.receive("ABOUT") == [ENGINE_ABOUT]
    assert engine.receive("INFO max_node 5") == []
    assert engine.receive("TURN 8,8") == []
    assert engine.receive("NONSENSE") == []
    assert not engine.hurry
    assert engine.answer(Answer([0])) == ["0,0"]
    assert engine.question is not None
    assert engine.question.settings.max_node == 5
    assert engine.answer(Answer([1])) == ["1,0", "UNKNOWN command NONSENSE"]


def test_stop_hurries() -> None:
    driver = started()
    driver.engine.receive("TURN 7,7")
    assert driver.engine.receive("YXSTOP") == []
    assert driver.engine.hurry
    assert driver.think() == ["0,0"]
    assert not driver.engine.hurry


def test_stop_reaches_commands_that_wait() -> None:
    driver = started()
    engine = driver.engine
    for line in ("TURN 7,7", "TURN 8,8", "YXSTOP", "TURN 9,9"):
        assert engine.receive(line) == []
    assert engine.hurry
    engine.answer(Answer([0]))
    assert engine.hurry
    engine.answer(Answer([1]))
    assert engine.question is not None
    assert not engine.hurry


def test_info_does_not_overtake_commands_that_wait() -> None:
    driver = started()
    engine = driver.engine
    for line in ("TURN 7,7", "TURN 8,8", "INFO rule 4", "TURN 9,9"):
        engine.receive(line)
    driver.think()
    assert [question.board.rule.name for question in driver.questions[-3:]] == ["freestyle", "freestyle", "renju"]


def test_start_while_thinking_hurries() -> None:
    driver = started()
    driver.engine.receive("TURN 7,7")
    driver.engine.receive("START 10")
    assert driver.engine.hurry
    assert driver.think() == ["0,0", "OK"]


def test_end_is_silent() -> None:
    driver = started()
    driver.engine.receive("TURN 7,7")
    driver.engine.receive("TURN 8,8")
    assert driver.engine.receive("END") == []
    assert driver.engine.closed
    assert driver.think() == []
    assert driver.send("ABOUT", "START 15") == []


def test_pondering_only_when_asked() -> None:
    driver = started()
    driver.send("TURN 7,7")
    assert driver.engine.ponder is None
    driver.send("INFO pondering 1", "TURN 8,8")
    assert driver.engine.ponder is not None
    assert driver.engine.ponder.ply == 4
    driver.engine.receive("INFO time_left 100")
    assert driver.engine.ponder is not None
    driver.engine.receive("TURN 9,9")
    assert driver.engine.ponder is None


def test_failed_question_is_an_error() -> None:
    driver = Driver()
    driver.engine.receive("START 15")
    assert driver.engine.answer(Answer(error="no memory")) == ["ERROR no memory"]


# -- any lines at all

_points = st.tuples(st.integers(-1, 7), st.integers(-1, 7)).map(lambda p: f"{p[0]},{p[1]}")
_lines = st.one_of(
    st.sampled_from(
        [
            "START 5",
            "START 6",
            "RESTART",
            "BEGIN",
            "ABOUT",
            "YXSHOWFORBID",
            "YXHASHCLEAR",
            "YXNBEST 2",
            "DONE",
            "YXSTOP",
        ]
    ),
    st.sampled_from(["BOARD", "YXBOARD", "SWAP2BOARD", "DONE", "INFO rule 4", "INFO rule 0", "INFO pondering 1"]),
    _points.map("TURN {}".format),
    _points.map("PLAY {}".format),
    _points.map("TAKEBACK {}".format),
    st.tuples(_points, st.integers(0, 4)).map(lambda stone: f"{stone[0]},{stone[1]}"),
    st.text(st.characters(exclude_categories=["Z", "C"]) | st.sampled_from(" \t\x01,"), max_size=20),
)
_ONCE = ("START", "RECTSTART", "RESTART", "BEGIN", "TURN", "PLAY", "TAKEBACK", "YXSHOWFORBID", "YXNBEST", "ABOUT")


@given(st.lists(_lines, max_size=60))
def test_every_command_is_answered_exactly_once(lines: list[str]) -> None:
    driver = Driver()
    block = ""
    for line in ["START 6", *lines]:
        said = driver.send(line)
        command = line.split()[0].upper() if line.split() else ""
        ends_block = (
            block and command in (*_ONCE, "BOARD", "YXBOARD", "SWAP2BOARD", "YXHASHCLEAR") and command != "ABOUT"
        )
        if ends_block:
            if block != "YXBOARD":
                assert said[0].startswith("ERROR")
                said = said[1:]
            block = ""
        if command in _ONCE:
            assert len(said) == 1
        elif command in ("BOARD", "YXBOARD", "SWAP2BOARD"):
            block = command
            assert said == []
        elif command == "DONE" and block:
            assert len(said) == 1 or (block == "YXBOARD" and not said)
            block = ""
        elif command in ("", "INFO", "YXHASHCLEAR", "YXSTOP") or block:
            assert said == []
        elif command == "END":
            return
        elif command != "YXSHOWINFO":
            assert len(said) == 1
            assert said[0].startswith("UNKNOWN")
        for text in said:
            assert text.isascii()
            assert text.isprintable()


@given(st.lists(st.tuples(_lines, st.booleans()), max_size=60))
def test_thinking_late_changes_nothing(script: list[tuple[str, bool]]) -> None:
    """The same answers in the same order, whether the thinking is done at once or lines come meanwhile."""
    quick, slow = Driver(), Driver()
    expected, said = quick.send("START 6"), slow.send("START 6")
    immediate = ("ABOUT", "END", "YXSTOP", "YXSHOWINFO")  # these overtake
    for line, think in script:
        if line.upper().lstrip().startswith(immediate):
            continue
        expected += quick.send(line)
        said += slow.engine.receive(line)
        if think:
            said += slow.think()
    assert said + slow.think() == expected


def test_info_after_start_can_be_prepared_for() -> None:
    driver = Driver()
    driver.send("INFO rule 1")
    assert not driver.engine.outdated, "there is no board yet"
    driver.send("START 15")
    driver.send("INFO rule 4")
    assert driver.engine.outdated
    question = driver.engine.preparation()
    assert (question.kind, question.board.rule.name) == ("prepare", "renju")
    assert not driver.engine.outdated
    assert driver.engine.question is None
