"""Lines, time, memory, and the decisions of Swap2."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen import core
from tengen.board import Board
from tengen.protocol.clock import budget
from tengen.protocol.engine import Engine
from tengen.protocol.lines import MAX_LINE, LineSplitter
from tengen.protocol.settings import Settings
from tengen.protocol.thinker import Thinker, search_params
from tengen.search import Analysis, Mcts


@given(
    st.lists(st.text("ABC 123,", min_size=1).filter(lambda text: bool(text.strip()))),
    st.sampled_from([b"\n", b"\r", b"\r\n", b"\n\r\n"]),
    st.data(),
)
def test_lines_however_they_arrive(lines: list[str], end: bytes, data: st.DataObject) -> None:
    stream = b"".join(line.encode() + end for line in lines)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=8)))
    splitter = LineSplitter()
    pieces = [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    found = [line for piece in pieces for line in splitter.feed(piece)] + splitter.flush()
    assert found == [line.strip() for line in lines]


@given(st.lists(st.binary()))
def test_any_bytes(pieces: list[bytes]) -> None:
    splitter = LineSplitter()
    for line in [line for piece in pieces for line in splitter.feed(piece)] + splitter.flush():
        assert line
        assert "\n" not in line
        assert "\r" not in line


def test_long_lines_are_cut() -> None:
    splitter = LineSplitter()
    for _ in range(100):
        assert splitter.feed(b"x" * 65536) == []
    (line,) = splitter.feed(b"y\n")
    assert len(line) == MAX_LINE
    assert splitter.feed(b"BEGIN\n") == ["BEGIN"]


@pytest.mark.parametrize(("turn", "seconds"), [(100, 0.055), (1000, 0.9), (30_000, 27.0), (10, 0.002), (0, 0.04)])
def test_time_a_move(turn: int, seconds: float) -> None:
    assert budget(Settings(timeout_turn=turn), 0) == pytest.approx(seconds)


@given(st.integers(1, 10**6), st.integers(-(10**6), 10**7), st.integers(0, 200))
def test_time_is_never_used_up(turn: int, left: int, own_moves: int) -> None:
    seconds = budget(Settings(timeout_turn=turn, timeout_match=1, time_left=left), own_moves)
    assert seconds > 0
    assert 1000 * seconds <= max(1, turn - min(30, 0.8 * turn)) + 1e-6
    assert 1000 * seconds <= max(1, left / 12) + 1e-6


def test_a_whole_game_fits_its_time() -> None:
    left = 60_000.0
    for own_moves in range(200):
        settings = Settings(timeout_turn=5000, timeout_match=60_000, time_left=int(left))
        left -= 1000 * budget(settings, own_moves)
    assert left > 0


def test_a_whole_game_fits_its_time_without_being_told_what_is_left() -> None:
    settings, spent = Settings(timeout_turn=5000, timeout_match=10_000), 0.0
    for own_moves in range(100):
        spent += budget(settings, own_moves, spent)
    assert spent < 10


def test_time_left_without_limit() -> None:
    settings = Settings(timeout_turn=1000)
    settings.update("time_left", "2147483647")
    assert budget(settings, 0) == pytest.approx(0.9)


@given(st.integers(0, 1 << 40), st.integers(0, 10**9), st.integers(0, 10**7))
def test_memory_stays_below_its_limit(max_memory: int, hash_size: int, turn: int) -> None:
    params = search_params(Settings(max_memory=max_memory, hash_size=hash_size, timeout_turn=turn))
    assert params.memory >= 4 << 20
    if max_memory >= 256 << 20:
        assert 2 * params.memory + (128 << 20) <= max_memory
    if hash_size >= 4096:
        assert params.memory <= hash_size << 10


def test_strength_limits_playouts() -> None:
    limits = [Settings(strength=strength).playouts for strength in (0, 50, 99)]
    assert limits == sorted(limits)
    assert Settings().playouts == 0
    assert Settings(max_node=10, strength=50).playouts == 10


def test_tables_are_made_before_the_first_move(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a network makes at its first use, for either side to move, must not be made during the first move."""
    searched: list[tuple[str, str]] = []
    real = Mcts.search

    def search(self: Mcts, board: Board, *limits: Any, **more: Any) -> Analysis:
        searched.append((board.rule, str(board.turn)))
        return real(self, board, *limits, **more)

    monkeypatch.setattr(Mcts, "search", search)
    engine, thinker = Engine(), Thinker()
    engine.receive("START 15")
    assert engine.question is not None
    engine.answer(thinker.think(engine.question))
    assert searched == [("freestyle", "white"), ("freestyle", "black")]
    engine.receive("INFO rule 4")
    thinker.think(engine.preparation())
    assert searched[2:] == [("renju", "white"), ("renju", "black")]
    thinker.think(engine.preparation())
    assert len(searched) == 4, "the same rule is ready"


def test_a_move_does_not_wait_for_the_network_of_a_new_rule() -> None:
    loaded = threading.Event()

    def load(rule: str, size: int) -> core.Evaluator:
        assert rule == "freestyle" or loaded.wait(60)
        return core.UniformEvaluator()

    engine, thinker = Engine(), Thinker(load)
    engine.receive("START 15")
    assert engine.question is not None
    engine.answer(thinker.think(engine.question))
    engine.receive("INFO timeout_turn 100")
    engine.receive("INFO rule 4")
    thinker.anticipate(engine.preparation())
    engine.receive("TURN 7,7")
    answer = thinker.think(engine.question)
    assert not loaded.is_set()
    assert (len(answer.moves), answer.messages, answer.error) == (1, (), "")
    loaded.set()
