"""Lines, time, memory, and the decisions of Swap2."""

from __future__ import annotations

import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen import core
from tengen.core import LineSplitter, time_budget


def settings(**values: int) -> core.EngineSettings:
    """What INFO with these values says."""
    result = core.EngineSettings()
    for name, value in values.items():
        result.update(name, str(value))
    return result


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
    assert found == [line.strip().encode() for line in lines]


@given(st.lists(st.binary()))
def test_any_bytes(pieces: list[bytes]) -> None:
    splitter = LineSplitter()
    for line in [line for piece in pieces for line in splitter.feed(piece)] + splitter.flush():
        assert line
        assert b"\n" not in line
        assert b"\r" not in line


def test_long_lines_are_cut() -> None:
    splitter = LineSplitter()
    for _ in range(100):
        assert splitter.feed(b"x" * 65536) == []
    (line,) = splitter.feed(b"y\n")
    assert len(line) == core.MAX_LINE
    assert splitter.feed(b"BEGIN\n") == [b"BEGIN"]


@pytest.mark.parametrize(("turn", "seconds"), [(100, 0.055), (1000, 0.9), (30_000, 27.0), (10, 0.002), (0, 0.04)])
def test_time_a_move(turn: int, seconds: float) -> None:
    assert time_budget(settings(timeout_turn=turn), 0) == pytest.approx(seconds)


@given(st.integers(1, 10**6), st.integers(-(10**6), 10**7), st.integers(0, 200))
def test_time_is_never_used_up(turn: int, left: int, own_moves: int) -> None:
    seconds = time_budget(settings(timeout_turn=turn, timeout_match=1, time_left=left), own_moves)
    assert seconds > 0
    assert 1000 * seconds <= max(1, turn - min(30, 0.8 * turn)) + 1e-6
    assert 1000 * seconds <= max(1, left / 12) + 1e-6


def test_a_whole_game_fits_its_time() -> None:
    left = 60_000.0
    for own_moves in range(200):
        limits = settings(timeout_turn=5000, timeout_match=60_000, time_left=int(left))
        left -= 1000 * time_budget(limits, own_moves)
    assert left > 0


def test_a_whole_game_fits_its_time_without_being_told_what_is_left() -> None:
    limits, spent = settings(timeout_turn=5000, timeout_match=10_000), 0.0
    for own_moves in range(100):
        spent += time_budget(limits, own_moves, spent)
    assert spent < 10


def test_time_left_without_limit() -> None:
    limits = settings(timeout_turn=1000, time_left=2147483647)
    assert time_budget(limits, 0) == pytest.approx(0.9)


@given(st.integers(0, 1 << 40), st.integers(0, 10**9), st.integers(0, 10**7))
def test_memory_stays_below_its_limit(max_memory: int, hash_size: int, turn: int) -> None:
    limits = settings(max_memory=max_memory, hash_size=hash_size, timeout_turn=turn)
    memory = core.engine_tree_memory(limits, 128 << 20)
    assert memory >= 4 << 20
    if max_memory >= 256 << 20:
        assert 2 * memory + (128 << 20) <= max_memory
    if hash_size >= 4096:
        assert memory <= hash_size << 10


def test_strength_limits_playouts() -> None:
    limits = [settings(strength=strength).playouts for strength in (0, 50, 99)]
    assert limits == sorted(limits)
    assert settings().playouts == 0
    assert settings(max_node=10, strength=50).playouts == 10


def started(thinker: core.Thinker) -> core.Engine:
    """An engine whose first game is prepared."""
    engine = core.Engine(time.monotonic)
    engine.receive("START 15")
    assert engine.question is not None
    assert engine.answer(thinker.think(engine.question)) == ["OK"]
    return engine


def test_evaluators_are_made_before_the_first_move() -> None:
    """What a game needs is made when it is prepared, once for each rule."""
    made: list[tuple[str, int]] = []

    def make(rule: core.Rule, side: int) -> core.Evaluator:
        made.append((rule.name, side))
        return core.UniformEvaluator()

    thinker = core.Thinker(make)
    engine = started(thinker)
    assert made == [("freestyle", 15)]
    engine.receive("INFO rule 4")
    thinker.think(engine.preparation())
    thinker.think(engine.preparation())
    assert made == [("freestyle", 15), ("renju", 15)]


def test_a_move_does_not_wait_for_the_network_of_a_new_rule() -> None:
    loaded = threading.Event()

    def make(rule: core.Rule, side: int) -> core.Evaluator:
        assert rule.name == "freestyle" or loaded.wait(60)
        return core.UniformEvaluator()

    thinker = core.Thinker(make)
    engine = started(thinker)
    engine.receive("INFO timeout_turn 100")
    engine.receive("INFO rule 4")
    thinker.anticipate(engine.preparation())
    engine.receive("TURN 7,7")
    assert engine.question is not None
    answer = thinker.think(engine.question)
    assert not loaded.is_set()
    assert (len(answer.moves), answer.messages, answer.error) == (1, [], "")
    loaded.set()
