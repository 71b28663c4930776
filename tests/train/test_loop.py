"""A training run end to end on a small board: it learns, stops, goes on, and survives damage."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")

from killing import games_on_disk, kill_again_and_again
from tiny_run import TINY, look, opened, run

from tengen import Board, SetupError, core
from tengen.errors import ModelFileError
from tengen.nets.line_batch import CONDITIONS
from tengen.nets.loading import load_evaluator
from tengen.search import Mcts
from tengen.train.loop import Trainer
from tengen.train.params import SelfPlayParams, at, from_dict, load_preset, preset_names, to_dict
from tengen.train.resume import RunCounters


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[Trainer, list[dict[str, Any]]]:
    """A run that has ended, not to be changed, and what it reported."""
    return run(tmp_path_factory.mktemp("runs") / "run")


@pytest.fixture
def first(finished: tuple[Trainer, list[dict[str, Any]]], tmp_path: Path) -> Trainer:
    """A copy of the same run, taken up again but not gone on with."""
    shutil.copytree(finished[0].folder.path, tmp_path / "run")
    return look(tmp_path / "run")


def test_a_run_learns_and_leaves_a_network_that_plays(finished: tuple[Trainer, list[dict[str, Any]]]) -> None:
    trainer, entries = finished
    assert trainer.learner.steps > 0
    assert games_on_disk(trainer.folder.path)[0] == trainer.counters.games
    losses = [entry["policy_loss"] for entry in entries if entry.get("policy_loss")]
    assert losses
    evaluator = load_evaluator(trainer.folder.path / "networks" / "newest.safetensors")
    board = Board.from_moves("e5", size=9)
    assert Mcts(evaluator).search(board, playouts=50).candidates
    assert trainer.folder.read_log() == [entry for entry in entries if "message" not in entry]


def test_a_run_goes_on_where_it_was(finished: tuple[Trainer, list[dict[str, Any]]], tmp_path: Path) -> None:
    first, _ = finished
    shutil.copytree(first.folder.path, tmp_path / "run")
    again = look(tmp_path / "run")
    assert again.counters == first.counters
    assert again.learner.steps == first.learner.steps
    for name, array in first.learner.state().items():
        assert (again.learner.state()[name] == array).all(), name
    again, _ = run(tmp_path / "run", until=lambda entries: entries[-1]["games"] > first.counters.games)
    assert again.learner.steps >= first.learner.steps


def test_a_damaged_checkpoint_falls_back_to_the_one_before(first: Trainer, tmp_path: Path) -> None:
    first.folder.save_checkpoint(first.learner.state(), vars(first.counters))
    latest = first.folder.checkpoints()[-1]
    data = bytearray(latest.read_bytes())
    data[len(data) // 2] ^= 1
    latest.write_bytes(bytes(data))
    messages: list[dict[str, Any]] = []
    again = look(tmp_path / "run", TINY, messages.append)
    assert again.learner.steps == first.learner.steps
    assert "checkpoint before" in messages[0]["message"]


def test_games_after_a_checkpoint_without_any_are_counted(first: Trainer, tmp_path: Path) -> None:
    for path in first.folder.checkpoints():
        path.unlink()
    first.folder.save_checkpoint(first.learner.state(), vars(RunCounters()))
    again = look(tmp_path / "run").counters
    assert (again.games, again.positions) == games_on_disk(tmp_path / "run")


def test_a_killed_run_goes_on(tmp_path: Path) -> None:
    kill_again_and_again(tmp_path / "run", TINY, times=3, seed=1)


@pytest.mark.slow
def test_a_run_killed_ten_times_goes_on(tmp_path: Path) -> None:
    kill_again_and_again(tmp_path / "run", TINY, times=10, seed=2)


def test_games_under_way_go_on_unless_they_ended_before_the_crash(first: Trainer, tmp_path: Path) -> None:
    def game(*moves: int) -> bytes:
        return core.write_game(core.Rule.freestyle, 5, 9, 9, 0, 2, moves, [(1, 0.5, [(20, 7)])])

    # Games that go from corner to corner, so that no other one begins like them.
    first.folder.save_games_under_way(game(0, 8, 72) + game(72, 0))
    (tmp_path / "run" / "games" / "000900.bin").write_bytes(game(0, 8, 72, 80))
    trainer, _ = run(tmp_path / "run", until=lambda entries: entries[-1]["games"] > first.counters.games + 2)
    data = b"".join(path.read_bytes() for _, path in trainer.folder.shards())
    games = core.read_games(data + trainer.folder.load_games_under_way())
    assert sum(game.moves[:3] == [0, 8, 72] for game in games) == 1
    (gone_on,) = (game for game in games if game.moves[:2] == [72, 0])
    assert gone_on.samples[0] == core.read_games(game(72, 0))[0].samples[0]


def test_games_after_the_checkpoint_are_counted(first: Trainer, tmp_path: Path) -> None:
    shard = first.folder.shards()[-1][1]
    data = shard.read_bytes()
    lost = core.read_games(data)
    (tmp_path / "run" / "games" / "000900.bin").write_bytes(data + data[:40])  # the last game is cut off
    again = look(tmp_path / "run")
    assert again.counters.games == first.counters.games + len(lost)
    assert again.counters.credit > first.counters.credit
    (tmp_path / "run" / "games" / "000901.bin").write_bytes(b"")
    assert look(tmp_path / "run").counters.games == again.counters.games


def test_a_run_without_a_sound_checkpoint_keeps_its_games_and_says_so(first: Trainer, tmp_path: Path) -> None:
    for path in first.folder.checkpoints():
        path.write_bytes(b"damaged")
    messages: list[dict[str, Any]] = []
    again = look(tmp_path / "run", TINY, messages.append)
    assert again.counters.games == first.counters.games
    assert again.learner.steps == 0
    assert "begins anew" in messages[-1]["message"]


def test_old_games_are_deleted_only_if_asked(tmp_path: Path) -> None:
    small = replace(TINY, keep_games=False, learn=replace(TINY.learn, buffer=120, buffer_least=120))
    oldest = tmp_path / "run" / "games" / "000001.bin"
    trainer, _ = run(tmp_path / "run", small, lambda entries: entries[-1]["games"] > 0 and not oldest.exists())
    games, positions = games_on_disk(tmp_path / "run")
    assert games < trainer.counters.games
    assert positions >= 120
    again = look(tmp_path / "run", small)
    assert again.counters == trainer.counters
    counted = trainer.folder.counters_of(trainer.folder.checkpoints()[0])["shards"]
    assert trainer.folder.shards()[0][0] <= counted, "a checkpoint that may be taken up again needs what came after it"


def test_the_best_network_can_generate(tmp_path: Path) -> None:
    best = replace(TINY, selfplay=replace(TINY.selfplay, generator="best"))
    trainer, entries = run(tmp_path / "run", best)
    assert trainer.evaluation.best() is not None
    assert look(tmp_path / "run", best, entries.append).params.selfplay.generator == "best"
    with pytest.raises(SetupError, match="one of newest, best"):
        SelfPlayParams(generator="oldest")  # type: ignore[arg-type]


def test_the_log_tells_what_learning_did(finished: tuple[Trainer, list[dict[str, Any]]]) -> None:
    trainer, entries = finished
    compared = [entry for entry in entries if "kl" in entry]
    assert compared
    assert all(entry["kl"] >= 0 and entry["variance_after"] <= 1 for entry in compared)
    judged = [entry for entry in entries if "elo" in entry]
    assert judged
    evaluation = judged[0]["evaluation"]
    assert 0 <= int(evaluation["best"]) < int(evaluation["network"])
    assert all(0 <= entry["evaluation_share"] <= 1 for entry in entries)
    assert entries[0]["minutes"] > 0
    assert trainer.stage == "stopping"


def test_schedules() -> None:
    assert at(5, 0.3) == 5
    schedule = ((0.0, 10.0), (0.5, 20.0), (1.0, 40.0))
    assert [at(schedule, progress) for progress in (0.0, 0.25, 0.5, 0.75, 1.0)] == [10, 15, 20, 30, 40]
    assert at(((0.2, 7.0), (0.4, 9.0)), 0.0) == 7


@pytest.mark.parametrize("name", preset_names())
def test_presets_load_and_survive_a_round_trip(name: str) -> None:
    params = load_preset(name)
    assert from_dict(to_dict(params)) == params


def test_bad_presets_are_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="hour"):
        load_preset("century")
    bad = tmp_path / "bad.toml"
    bad.write_text("minuets = 5\n")
    with pytest.raises(SetupError, match='there is no parameter "minuets"'):
        load_preset(str(bad))
    bad.write_text("minutes = = 5\n")
    with pytest.raises(SetupError, match="not a TOML file"):
        load_preset(str(bad))
    for text, sentence in (
        ("minutes = 0", "minutes must be a number above 0 .*, not 0"),
        ('minutes = "long"', 'minutes must be a number above 0 .*, not "long"'),
        ("selfplay = 3", "selfplay must be a table of parameters, not 3"),
        ("[selfplay]\nsizes = 15", "selfplay.sizes must be a list, each entry a whole number from 3 to 22, not 15"),
        ("[search]\nc_puct = -1", "search.c_puct must be a number from 0.001 to 1,000, not -1"),
    ):
        bad.write_text(text)
        with pytest.raises(SetupError, match=sentence):
            load_preset(str(bad))
    bad.write_bytes(b"preset = '\xff'")
    with pytest.raises(SetupError, match="not a TOML file"):
        load_preset(str(bad))


def test_a_run_keeps_its_length_unless_told(first: Trainer, tmp_path: Path) -> None:
    other = replace(TINY, minutes=77.0)
    assert look(tmp_path / "run", other).params.minutes == first.params.minutes
    with opened(tmp_path / "run", other, minutes=5.0) as trainer:
        trainer.stop()
        trainer.run()
    assert look(tmp_path / "run").params.minutes == 5.0, "and keeps it"


def test_one_process_trains_a_run(first: Trainer, tmp_path: Path) -> None:
    with (
        opened(tmp_path / "run"),
        pytest.raises(SetupError, match="is being trained already; choose another --run"),
        opened(tmp_path / "run"),
    ):
        pass


def test_a_network_that_cannot_see_enough_is_refused(tmp_path: Path) -> None:
    renju = replace(TINY, selfplay=replace(TINY.selfplay, rules=("renju",)), learn=replace(TINY.learn, radius=4))
    with pytest.raises(SetupError, match="a line network of radius 4 cannot see all that this rule needs"):
        run(tmp_path / "run", renju)


def check_begins_as(run: Trainer, other: Trainer) -> None:
    """Compares networks, but for the inputs of rules that the other run never played."""
    unplayed = len(CONDITIONS) - 1  # all but freestyle, the first
    for name, array in other.learner.arrays().items():
        begun, known = run.learner.arrays()[name], array
        if name == "window.0.weight":
            begun, known = begun[:-unplayed], known[:-unplayed]
        assert (begun == known).all(), name


def test_a_run_begins_with_the_network_of_another(
    finished: tuple[Trainer, list[dict[str, Any]]], tmp_path: Path
) -> None:
    other = finished[0]
    params = replace(TINY, start=str(other.folder.path))
    trainer = look(tmp_path / "run", params)
    assert trainer.counters.games == 0
    check_begins_as(trainer, other)
    with pytest.raises(SetupError, match=r"neither a run with a checkpoint nor a network file .*nowhere to start from"):
        look(tmp_path / "second", replace(TINY, start=str(tmp_path / "nowhere")))
    with pytest.raises(SetupError, match="has another shape than the one of this run"):
        look(tmp_path / "third", replace(params, learn=replace(TINY.learn, channels=64)))


def test_a_run_begins_with_a_network_from_a_file(
    finished: tuple[Trainer, list[dict[str, Any]]], tmp_path: Path
) -> None:
    network = finished[0].save_network("shared")
    trainer = look(tmp_path / "run", replace(TINY, start=str(network)))
    check_begins_as(trainer, finished[0])
    other = replace(TINY, start=str(network), learn=replace(TINY.learn, channels=64))
    with pytest.raises(SetupError, match="has another shape than the one of this run"):
        look(tmp_path / "second", other)
    (tmp_path / "text").write_text("no network")
    with pytest.raises(ModelFileError, match="is not a model file"):
        look(tmp_path / "third", replace(TINY, start=str(tmp_path / "text")))
