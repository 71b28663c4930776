"""p-opposition that follows the games."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from tengen.train.opposition import LEAST_GAMES, THRESHOLDS, AdaptiveOpposition


@dataclass
class Game:
    result: int
    samples: list[tuple[int, float, object]]


BLACK_WINS = Game(1, [(4, 0.5, None), (5, -0.6, None), (7, -0.4, None)])
WHITE_WINS = Game(-1, [(4, -0.3, None), (5, 0.8, None)])


def test_nothing_is_done_before_enough_games() -> None:
    opposition = AdaptiveOpposition(500, 0.5)
    opposition.add([BLACK_WINS] * (LEAST_GAMES - 1))
    assert opposition.probability == 0
    opposition.add([BLACK_WINS])
    assert opposition.probability == 0.5


def test_probability_follows_the_imbalance_of_recent_games() -> None:
    opposition = AdaptiveOpposition(100, 0.5)
    opposition.add([BLACK_WINS] * 100)
    assert opposition.probability == 0.5
    opposition.add([WHITE_WINS] * 25)  # 75 to 25 among the latest 100
    assert opposition.probability == pytest.approx(0.25)
    opposition.add([WHITE_WINS] * 25)
    assert opposition.probability == 0
    opposition.add([WHITE_WINS] * 50)
    assert opposition.probability == 0.5, "either colour can be the one that always loses"


def test_threshold_is_the_losers_median_value() -> None:
    opposition = AdaptiveOpposition(100, 0.5)
    opposition.add([BLACK_WINS] * 40)
    assert opposition.threshold == pytest.approx(-0.5)
    opposition.add([WHITE_WINS] * 100)
    assert opposition.threshold == pytest.approx(-0.3)
    opposition.add([Game(-1, [(6, 0.9, None)])] * 100)
    assert opposition.threshold == THRESHOLDS[1], "a loser that was sure to win until the end is not losing at 0.9"
    opposition.add([Game(-1, [(6, -1.0, None)])] * 100)
    assert opposition.threshold == THRESHOLDS[0]


def test_draws_and_broken_off_games_do_not_count() -> None:
    opposition = AdaptiveOpposition(100, 0.5)
    opposition.add([Game(0, []), Game(2, [(3, -0.9, None)])] * 100)
    assert opposition.probability == 0
    assert opposition.threshold == THRESHOLDS[0]


def test_a_run_uses_it_and_goes_on_with_it(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    from tiny_run import TINY, look, run

    selfplay = replace(TINY.selfplay, opposition_adaptive=True, opposition_most=1.0, opening_tries=1)
    trainer, entries = run(
        tmp_path / "run",
        replace(TINY, selfplay=selfplay),
        until=lambda entries: entries[-1]["opposition_moves"] > 0,
    )
    assert any(entry["opposition_probability"] > 0 for entry in entries)
    again = look(tmp_path / "run")
    assert again.recent.opposition.probability == trainer.recent.opposition.probability
    assert again.recent.opposition.threshold == pytest.approx(trainer.recent.opposition.threshold, abs=1e-4)
