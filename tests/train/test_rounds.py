"""Learning in rounds, as S0 and S1 do: some games, some batches, and the next games by what was learned."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")

from tiny_run import TINY, look, opened

from tengen import SetupError, core
from tengen.search import SearchParams
from tengen.train.loop import Trainer
from tengen.train.params import LearnParams, RunParams, SelfPlayParams, load_preset
from tengen.train.resume import RunCounters


def in_rounds(games: int, threads: int, **learn: Any) -> RunParams:
    """A run without evaluation, in rounds of so many games."""
    return replace(
        TINY,
        evaluation=replace(TINY.evaluation, minutes=0.0),
        selfplay=replace(
            TINY.selfplay, sizes=(7,), opening_tries=1, longest_game=1.0, round_games=games, threads=threads
        ),
        learn=replace(TINY.learn, batch=32, start_positions=1, **learn),
    )


def train(folder: Path, params: RunParams, rounds: int) -> tuple[Trainer, list[tuple[int, int, int]]]:
    """Trains for some rounds; also returns games, steps and draws of samples at the end of each of them."""
    ends: list[tuple[int, int, int]] = []

    def report(entry: dict[str, Any]) -> None:
        if entry["round"] > len(ends) and not trainer._is_behind:
            ends.append((trainer.counters.games, trainer.learner.steps, trainer.counters.draws_of_samples))
        if len(ends) >= rounds:
            trainer.stop()

    with opened(folder, params, report) as trainer:
        trainer.run()
    return trainer, ends


def test_s0_learns_15_minibatches_of_512_after_ten_games() -> None:
    """Section 5.3 and figures 5.2 and 5.3."""
    params = load_preset("s0")
    counters = RunCounters()
    learn = params.learn
    for game in range(1, 21):
        counters.count(1, [core.read_games(a_game())[0]], params)
        assert counters.credit == game // 10 * 15 * 512
    assert (params.selfplay.threads, learn.batch, learn.batch_steps) == (10, 512, 1)


def test_s1_takes_five_steps_on_one_batch_after_each_game_from_the_63rd_on() -> None:
    """Its code, and "500 groups, that is after 63 games of self-play"."""
    params = load_preset("s1")
    counters = RunCounters()
    counters.count(1, core.read_games(a_game() * 3), params)
    assert counters.credit == 3 * 5 * params.learn.batch
    assert (params.learn.round_batches, params.learn.batch_steps) == (1, 5)
    assert params.learn.start_games * 8 >= 500 > (params.learn.start_games - 1) * 8
    assert params.learn.start_positions == 500


def a_game() -> bytes:
    """A game of two moves, of which one is learned from."""
    return core.write_game(core.Rule.renju, 5, 11, 11, 0, 1, [60, 61], [(1, 0.0, [(61, 1)])])


def test_nobody_plays_while_a_round_is_learned_from(tmp_path: Path) -> None:
    _, ends = train(tmp_path / "run", in_rounds(3, threads=2, round_batches=4), rounds=3)
    assert ends == [(3, 4, 4), (6, 8, 8), (9, 12, 12)]


def test_steps_are_repeated_on_a_batch_and_begin_with_enough_games(tmp_path: Path) -> None:
    params = in_rounds(1, threads=1, round_batches=1, batch_steps=5, start_games=3)
    _, ends = train(tmp_path / "run", params, rounds=4)
    assert ends == [(1, 0, 0), (2, 0, 0), (3, 5, 1), (4, 10, 2)]


def test_a_round_is_told_with_all_that_s0_logs(tmp_path: Path) -> None:
    """Figures 5.2 and 5.3: loss and its parts, KL, explained variance before and after, rate, moves and seconds."""
    params = replace(in_rounds(2, threads=1, round_batches=2), log_seconds=1e-3)  # told of more often than logged
    trainer, _ = train(tmp_path / "run", params, rounds=3)
    log = trainer.folder.read_log()
    assert [entry["round"] for entry in log] == [1, 2, 3]
    entry = log[-1]
    assert entry["loss"] == pytest.approx(entry["policy_loss"] + entry["value_loss"], abs=1e-6)
    assert {"kl", "variance_before", "variance_after", "learning_rate"} <= entry.keys()
    assert entry["moves_per_game"] > 4
    assert entry["seconds_per_game"] > 0
    assert entry["round"] == entry["games"] // 2


def test_a_run_goes_on_in_the_middle_of_a_round(tmp_path: Path) -> None:
    params = in_rounds(4, threads=1, round_batches=1_000_000)
    stops: list[Trainer] = []

    def report(entry: dict[str, Any]) -> None:
        if trainer.learner.steps:
            trainer.stop()
            stops.append(trainer)

    with opened(tmp_path / "run", params, report) as trainer:
        trainer.run()
    again = look(tmp_path / "run", params)
    assert stops
    assert again.counters.credit == trainer.counters.credit > 0
    assert again.learner.steps == trainer.learner.steps


def test_the_pool_waits_for_the_next_round() -> None:
    params = SelfPlayParams(sizes=(7,), full_playouts=4, fast_playouts=4, opening_tries=1, round_games=5)
    pool = core.SelfPlayPool(
        core.UniformEvaluator(), params, params.kinds(), SearchParams(memory=1 << 20), threads=3, seed=1
    )
    for round_number in (1, 2):
        while pool.counts.games < 5 * round_number:
            pool.take_games(0.1)
        pool.take_games(0.1)  # what was counted after the last one took what there was
        assert pool.games_under_way == b""
        assert pool.take_games(0.2) == b""
        pool.next_round()
    pool.stop()


def test_a_rate_by_steps_falls_after_its_steps(tmp_path: Path) -> None:
    params = in_rounds(1, threads=1, round_batches=1, batch_steps=2, rate_by_steps=((3, 0.01), (100, 0.001)))
    trainer, _ = train(tmp_path / "run", params, rounds=1)
    assert trainer.learner.rate == 0.01, "of the second step"
    assert trainer._learning_rate == 0.01
    trainer.learner.steps = 3
    assert trainer._learning_rate == 0.001
    with pytest.raises(SetupError, match="leave one of them out"):
        LearnParams(rate_by_steps=((1, 0.1),), rate_by_length=((1, 0.1),))
