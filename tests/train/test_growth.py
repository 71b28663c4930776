"""Playouts that follow those who play."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("torch")

from tiny_run import TINY, look, run

from tengen.errors import SetupError
from tengen.train.growth import PlayoutGrowth
from tengen.train.params import at

POSITIONS = 100.0  # that a node makes in a second, without growth
SPEED = 1000.0  # samples that the learner takes in a second


def play(growth: PlayoutGrowth, nodes: int, reuse: float = 4.0, begin: float = 0.0) -> None:
    """A thousand seconds of so many nodes; the learner takes what it can."""
    for second in range(1, 1001):
        owed = nodes * POSITIONS * reuse / growth.factor
        growth.owe(owed)
        learned = min(owed, SPEED)
        growth.learned(learned, learned / SPEED)
        if second % 20 == 0:
            growth.settle(begin + second)


def test_playouts_grow_until_the_learner_keeps_up_and_shrink_when_nodes_leave() -> None:
    growth = PlayoutGrowth(most=10.0)
    play(growth, nodes=2)
    assert growth.factor == 1, "the learner has time for both"
    play(growth, nodes=10, begin=1000)
    assert 4 < growth.factor < 5, "four times too many positions come, and some time is left to catch up"
    play(growth, nodes=5, begin=2000)
    assert 2 < growth.factor < 2.5
    play(growth, nodes=1, begin=3000)
    assert growth.factor == 1


def test_growth_is_bounded_and_can_be_off() -> None:
    for most in (1.0, 3.0):
        growth = PlayoutGrowth(most)
        play(growth, nodes=100)
        assert growth.factor == most


def test_nothing_changes_before_the_network_learns() -> None:
    growth = PlayoutGrowth(most=4.0, factor=2.0)
    growth.owe(1e6)
    growth.settle(20)
    assert growth.factor == 2


def test_a_run_grows_and_goes_on_where_it_was(tmp_path: Path) -> None:
    params = replace(
        TINY,
        publish_seconds=0.2,
        selfplay=replace(TINY.selfplay, playouts_growth=3.0),
        learn=replace(TINY.learn, reuse=1000.0),
    )
    least = round(at(params.selfplay.full_playouts, 0))
    trainer, entries = run(tmp_path / "run", params, until=lambda entries: entries[-1]["full_playouts"] > least)
    playouts = [entry["full_playouts"] for entry in entries if "message" not in entry]
    assert least <= min(playouts) <= max(playouts) <= 3 * least  # it may have grown before the first line
    assert max(playouts) > least
    assert look(tmp_path / "run").counters.playouts_factor == trainer.counters.playouts_factor > 1


def test_a_run_in_rounds_does_not_grow() -> None:
    with pytest.raises(SetupError, match="leave playouts_growth out"):
        replace(TINY, selfplay=replace(TINY.selfplay, round_games=10, playouts_growth=2.0))
