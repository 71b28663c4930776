"""SPSA finds the best values of a made-up player whose strength is known, and a tuning goes on where it was stopped."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tengen.arena import GameSetup
from tengen.arena.openings import EMPTY_BOARD
from tengen.arena.spsa import Range, Spsa, Trial
from tengen.arena.statistics import expected_score
from tengen.arena.tuning import Tuning, TuningMatches, TuningStep, tuning_folder
from tengen.errors import SetupError

RANGES = (Range("courage", 1.0, 0.0, 4.0), Range("nodes", 10, 0, 100, whole=True))
BEST = {"courage": 2.5, "nodes": 60.0}


class Contest:
    """Pairs of games between made-up players, the weaker the further their values are from the best."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)

    def __call__(self, trial: Trial, pairs: int, before: int) -> float:
        def elo(values: dict[str, float]) -> float:
            ranges = {item.name: item.high - item.low for item in RANGES}
            return -400 * sum(((values[name] - best) / ranges[name]) ** 2 for name, best in BEST.items())

        won = expected_score(elo(dict(trial.plus)) - elo(dict(trial.minus)))
        wins = sum(self._chance.random() < won for _ in range(2 * pairs))
        return 2 * wins - 2 * pairs


def test_it_finds_the_best_values() -> None:
    tuning = Tuning(RANGES, Contest(1), games=20_000, seed=1)
    steps = list(tuning.run())
    assert len(steps) == 2_500
    assert tuning.is_complete
    for item in RANGES:
        assert tuning.values[item.name] == pytest.approx(BEST[item.name], abs=0.1 * (item.high - item.low))


def test_values_stay_in_their_range_and_steps_shrink() -> None:
    state = Spsa(RANGES, pairs=1000, rate=5.0, seed=3)
    widths = []
    for _ in range(1000):
        trial = state.trial()
        assert trial == state.trial()
        widths.append(abs(trial.plus["courage"] - trial.minus["courage"]))
        for values in (trial.plus, trial.minus, state.values):
            assert all(item.low <= values[item.name] <= item.high for item in RANGES)
        state.learn(trial, random.Random(state.pairs).choice((-2, 0, 2)), 1)
    assert max(widths[-100:]) <= 2.1 * RANGES[0].step < max(widths[:100])


def test_a_tuning_that_is_stopped_goes_on_as_if_it_had_not_been(tmp_path: Path) -> None:
    class Deterministic(Contest):
        def __call__(self, trial: Trial, pairs: int, before: int) -> float:
            self._chance = random.Random(before)
            return super().__call__(trial, pairs, before)

    def tuning() -> Tuning:
        return Tuning(RANGES, Deterministic(0), games=200, pairs=3, seed=5)

    whole = tuning()
    expected = list(whole.run())
    assert [step.pairs for step in expected[-2:]] == [99, 100]
    for _ in range(4):
        with tuning_folder(tmp_path / "tuning", {"what": "test"}) as log:
            again = tuning()
            again.resume(log.read())
            for _, step in zip(range(10), again.run(), strict=False):
                log.add(step)
        with (tmp_path / "tuning" / "steps.jsonl").open("a") as file:
            file.write('{"pairs": 9, "res')  # a crash
    with tuning_folder(tmp_path / "tuning", {"what": "test"}) as log:
        assert log.read() == expected
        with (
            pytest.raises(SetupError, match="another tuning is writing to"),
            tuning_folder(tmp_path / "tuning", {"what": "test"}),
        ):
            pass
    with pytest.raises(SetupError, match="holds another tuning"), tuning_folder(tmp_path / "tuning", {"what": "else"}):
        pass


def test_games_decide() -> None:
    ranges = [Range.from_text("playouts=10:2:60", whole=True), Range.from_text("c_puct=1.4:0.5:3")]
    matches = TuningMatches("mcts", ranges, setup=GameSetup(size=7), openings=[EMPTY_BOARD], seed=2, concurrency=2)
    steps = list(Tuning(ranges, matches, games=8, pairs=2, seed=2).run())
    assert [step.pairs for step in steps] == [2, 4]
    assert all(isinstance(step, TuningStep) and -4 <= step.result <= 4 for step in steps)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("c_puct", "is not NAME=START:LEAST:LARGEST"),
        ("c_puct=1:2", "is not NAME=START:LEAST:LARGEST"),
        ("c_puct=a:1:2", "is not NAME=START:LEAST:LARGEST"),
        ("c_puct=3:1:2", "must begin between its least and its largest value"),
        ("c_puct=1:1:1", "must begin between its least and its largest value"),
    ],
)
def test_a_range_that_is_none_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(SetupError, match=sentence):
        Range.from_text(text)


def test_values_that_the_player_does_not_take_are_refused_before_the_first_game() -> None:
    with pytest.raises(SetupError, match="c_puct must be a number from"):
        TuningMatches("mcts", [Range("c_puct", 1, 0, 2)], openings=[EMPTY_BOARD])
    with pytest.raises(SetupError, match="given twice"):
        Tuning([RANGES[0], RANGES[0]], Contest(0), games=100)
    with pytest.raises(SetupError, match="fewer than the 8 of one step"):
        Tuning(RANGES, Contest(0), games=4)
