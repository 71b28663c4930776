"""Strength while training: the gate, the yardsticks, Elo, and what is left of them after a crash."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tengen import SetupError
from tengen.arena.results import Tally
from tengen.nets import files
from tengen.nets.files import ModelInfo
from tengen.nets.line_random import random_arrays
from tengen.train.evaluation import Challenger, Evaluation, Verdict, game_setups
from tengen.train.history import History
from tengen.train.journal import FILE, Journal, JudgedNetwork
from tengen.train.params import EvaluationParams, LearnParams, RunParams, SelfPlayParams
from tengen.train.yardsticks import DEFAULT_YARDSTICKS, KNOWN, known_ratings

RADIUS, CHANNELS = 4, 32
PARAMS = RunParams(
    selfplay=SelfPlayParams(sizes=(7, 9)),
    evaluation=EvaluationParams(
        minutes=1.0, games=2, playouts=4, yardsticks=("random",), yardstick_minutes=3.0, yardstick_games=1, share=1.0
    ),
)


def save_network(path: Path, seed: int) -> Path:
    info = ModelInfo("line", {"radius": RADIUS, "channels": CHANNELS}, ["freestyle"], [7], "run", 10, "MIT", "", "n")
    files.save(path, random_arrays(RADIUS, CHANNELS, seed), info)
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "networks").mkdir()
    return tmp_path


def judge(evaluation: Evaluation, folder: Path, minutes: float, seed: int) -> Verdict | None:
    evaluation.begin(Challenger(save_network(folder / "networks" / "candidate.safetensors", seed), minutes, 100))
    while evaluation.is_running:
        if (verdict := evaluation.take_verdict()) is not None:
            return verdict
        time.sleep(0.01)
    return None


def best_name(evaluation: Evaluation) -> str | None:
    best = evaluation.best()
    return best.name if best is not None else None


def with_gate(gate: float) -> RunParams:
    return replace(PARAMS, evaluation=replace(PARAMS.evaluation, gate=gate))


def test_networks_that_pass_the_gate_are_kept_with_what_is_known_about_them(folder: Path) -> None:
    evaluation = Evaluation(with_gate(1e-9), folder, pytest.fail)
    assert evaluation.is_due(0.0)
    assert judge(evaluation, folder, 0.0, seed=1) is None, "the first network has nobody to meet"
    verdict = judge(evaluation, folder, 1.0, seed=2)
    assert verdict is not None
    assert verdict.network.best == "000"
    tally = evaluation.journal.tally("001", "000")
    assert tally.games == 4
    assert verdict.network.score == tally.points / 4
    assert verdict.yardsticks["random"].games == 2
    if verdict.network.kept:
        info = files.read_info(folder / "networks" / "001.safetensors")
        assert f"{tally} against 000" in info.notes
        assert best_name(evaluation) == "001"
    assert verdict.network.kept == (tally.points > 0)


def test_a_network_that_fails_is_rated_but_not_kept(folder: Path) -> None:
    evaluation = Evaluation(with_gate(1.0), folder, pytest.fail)
    judge(evaluation, folder, 0.0, seed=1)
    verdict = judge(evaluation, folder, 1.0, seed=1)  # the same network cannot win every game against itself
    assert verdict is not None
    assert not verdict.network.kept
    assert not (folder / "networks" / "001.safetensors").exists()
    assert best_name(evaluation) == "000"
    assert np.isfinite(verdict.elo)


@pytest.mark.parametrize(("won", "kept"), [(5, False), (6, True)])
def test_the_gate_is_passed_above_its_share(
    folder: Path, monkeypatch: pytest.MonkeyPatch, won: int, kept: bool
) -> None:
    """S0: above 0.55, that is six of ten games; five and a draw are 0.55."""
    evaluation = Evaluation(with_gate(0.55), folder, pytest.fail)
    judge(evaluation, folder, 0.0, seed=1)

    def play(name: str, evaluator: object, opponent: str, player: object, games: int) -> Tally:
        results = [1.0] * won + [0.5] + [0.0] * (9 - won)
        for points in results:
            evaluation.journal.add_game(name, opponent, points)
        return evaluation.journal.tally(name, opponent)

    monkeypatch.setattr(evaluation, "_play", play)
    verdict = judge(evaluation, folder, 1.0, seed=1)
    assert verdict is not None
    assert verdict.network.kept == kept


def test_schedules(folder: Path) -> None:
    evaluation = Evaluation(with_gate(1.0), folder, pytest.fail)
    judge(evaluation, folder, 0.0, seed=1)
    assert not evaluation.is_due(0.9)
    assert evaluation.is_due(1.0)
    by_games = replace(with_gate(1.0), evaluation=replace(with_gate(1.0).evaluation, every_games=250))
    resumed = Evaluation(by_games, folder, pytest.fail)  # the network was judged after 100 games
    assert not resumed.is_due(1000.0, games=349)
    assert resumed.is_due(0.0, games=350)
    met = {minutes: judge(evaluation, folder, minutes, seed=1) for minutes in (1.0, 2.0, 4.0)}
    assert [bool(verdict and verdict.yardsticks) for verdict in met.values()] == [True, False, True]
    never = replace(PARAMS, evaluation=replace(PARAMS.evaluation, minutes=0.0))
    assert not Evaluation(never, folder, pytest.fail).is_due(1e9)


def test_everything_is_taken_up_again(folder: Path) -> None:
    evaluation = Evaluation(with_gate(1e-9), folder, pytest.fail)
    for minutes, seed in ((0.0, 1), (1.0, 2), (2.0, 3)):
        judge(evaluation, folder, minutes, seed)
    again = Evaluation(with_gate(1e-9), folder, pytest.fail)
    assert again.journal.networks == evaluation.journal.networks
    assert again.journal.ratings() == evaluation.journal.ratings()
    assert not again.is_due(2.5)
    assert again.is_due(3.0)


def test_a_journal_that_was_cut_off_is_read_up_to_there(folder: Path) -> None:
    journal = Journal(folder)
    journal.add_network(JudgedNetwork("000", 0.0, 0, None, None, True))
    journal.add_game("001", "000", 1.0)  # killed before 001 was judged
    text = (folder / FILE).read_text()
    (folder / FILE).write_text(text + '{"kind": "network", "name": "001", "min')
    again = Journal(folder)
    assert [network.name for network in again.networks] == ["000"]
    assert again.next_name() == "002", "games of another network must not count for the next one"
    assert set(again.ratings()) == {"000"}
    again.add_network(JudgedNetwork("002", 2.0, 50, "000", 0.5, False))
    assert [network.name for network in Journal(folder).networks] == ["000", "002"]


def test_a_damaged_best_network_falls_back_to_the_one_before(folder: Path) -> None:
    journal = Journal(folder)
    for number in (0, 1):
        save_network(folder / "networks" / f"00{number}.safetensors", number)
        journal.add_network(JudgedNetwork(f"00{number}", float(number), 0, None, None, True))
    data = bytearray((folder / "networks" / "001.safetensors").read_bytes())
    data[-5] ^= 1
    (folder / "networks" / "001.safetensors").write_bytes(bytes(data))
    messages: list[str] = []
    assert best_name(Evaluation(PARAMS, folder, messages.append)) == "000"
    assert "the one before" in messages[0]


def test_games_wait_while_evaluation_has_had_its_share(folder: Path) -> None:
    params = replace(PARAMS, evaluation=replace(PARAMS.evaluation, share=1e-9))
    evaluation = Evaluation(params, folder, pytest.fail)
    judge(evaluation, folder, 0.0, seed=1)
    evaluation.begin(Challenger(save_network(folder / "networks" / "candidate.safetensors", 2), 1.0, 100))
    while evaluation.share == 0:
        time.sleep(0.01)
    time.sleep(0.3)
    assert evaluation.is_running
    assert evaluation.journal.tally("001", "000").games <= 1
    evaluation.stop()
    assert evaluation.take_verdict() is None
    assert [network.name for network in evaluation.journal.networks] == ["000"]


def test_threads_that_wait_for_a_network_do_not_count_as_computing(folder: Path) -> None:
    shares = []
    for threads in (2, 32):
        params = replace(PARAMS, selfplay=SelfPlayParams(sizes=(9,), threads=threads), learn=LearnParams(network="s4"))
        evaluation = Evaluation(params, folder, pytest.fail)
        evaluation._began, evaluation._busy = time.monotonic() - 1000, 100.0
        shares.append(evaluation.share)
    assert shares[0] == pytest.approx(shares[1], rel=0.01)


def test_an_evaluation_that_fails_is_given_up_with_a_sentence(folder: Path) -> None:
    messages: list[str] = []
    evaluation = Evaluation(PARAMS, folder, messages.append)
    judge(evaluation, folder, 0.0, seed=1)
    candidate = folder / "networks" / "candidate.safetensors"
    candidate.write_bytes(b"nothing")
    evaluation.begin(Challenger(candidate, 1.0, 100))
    while evaluation.is_running:
        assert evaluation.take_verdict() is None
        time.sleep(0.01)
    assert len(messages) == 1
    assert not evaluation.is_due(1.5), "not again at once"


@pytest.mark.filterwarnings("error::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.parametrize("kind", [np.linalg.LinAlgError, RuntimeError, OSError])
def test_whatever_an_evaluation_raises_is_a_sentence_and_the_next_one_is_tried(
    folder: Path, kind: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    messages: list[str] = []
    evaluation = Evaluation(with_gate(1e-9), folder, messages.append)
    judge(evaluation, folder, 0.0, seed=1)

    def fail() -> None:
        raise kind("Singular matrix")

    with monkeypatch.context() as patch:
        patch.setattr(evaluation.journal, "ratings", fail)
        assert judge(evaluation, folder, 1.0, seed=2) is None
    assert messages == [f"this evaluation was given up: {kind.__name__}: Singular matrix"]
    assert evaluation.is_due(2.0)
    assert judge(evaluation, folder, 2.0, seed=3) is not None
    assert len(messages) == 1


def test_history_shows_curve_and_yardsticks(folder: Path) -> None:
    evaluation = Evaluation(with_gate(1e-9), folder, pytest.fail)
    for minutes, seed in ((0.0, 1), (1.0, 2), (4.0, 3)):
        judge(evaluation, folder, minutes, seed)
    curve, yardsticks = History(folder).strength()
    assert [point.minutes for point in curve] == [0.0, 1.0, 4.0]
    assert [result.opponent for result in yardsticks] == ["random"]
    assert yardsticks[0].network == "002"


def test_known_ratings_hold_where_they_were_measured() -> None:
    kinds = game_setups(RunParams())
    assert known_ratings(DEFAULT_YARDSTICKS, kinds) == dict(KNOWN)
    assert known_ratings(("alphabeta:depth=2", "random"), kinds) == {"alphabeta:depth=2": KNOWN["alphabeta:depth=2"]}
    assert known_ratings(("random", "mcts"), kinds) == {"random": 0.0}
    assert known_ratings(DEFAULT_YARDSTICKS, game_setups(PARAMS)) == {DEFAULT_YARDSTICKS[0]: 0.0}


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"yardsticks": ("nobody",)}, 'no player "nobody"'),
        ({"games": 0}, "games must be a whole number from 1 to 10,000, not 0"),
        ({"gate": 1.5}, "gate must be a number above 0 and up to 1, not 1.5"),
        ({"share": 0.0}, "share must be a number above 0 and up to 1, not 0.0"),
    ],
)
def test_bad_parameters_are_one_sentence(values: dict[str, object], sentence: str) -> None:
    with pytest.raises(SetupError, match=sentence):
        EvaluationParams(**values)  # type: ignore[arg-type]
