"""How runs are begun and taken up: a start that fails or is refused changes nothing, and none loses a game."""

from __future__ import annotations

import contextlib
import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("torch")

from commands import Commands, contents, tengen, write_preset
from killing import assert_healthy, games_on_disk
from tiny_run import opened, run

from tengen import SetupError
from tengen.errors import ModelFileError
from tengen.nets import files
from tengen.nets.files import ModelInfo
from tengen.nets.line_random import random_arrays
from tengen.train.params import from_dict, load_preset
from tengen.train.run_folder import OpenRun

__all__ = ["tengen"]

PROGRAM = (sys.executable, "-c", "from tengen.cli import main; main()", "train")
#: Minutes in which a run begins and saves.
MOMENT = 0.01


def save_network(path: Path, channels: int) -> Path:
    config = {"radius": 4, "channels": channels}
    info = ModelInfo("line", config, ["freestyle"], [9], "elsewhere", 10, "MIT", "", "")
    files.save(path, random_arrays(4, channels, seed=1), info)
    return path


def start_process(preset: Path, runs: Path, *more: str) -> subprocess.Popen[str]:
    """A run in a process of its own, which has begun to play when this returns."""
    before = games_on_disk(runs / preset.stem)[0]
    process = subprocess.Popen(
        [*PROGRAM, "--preset", str(preset), "--runs", str(runs), *more],
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    while process.poll() is None and games_on_disk(runs / preset.stem)[0] == before:
        time.sleep(0.02)
    assert process.poll() is None, process.communicate()[1]
    return process


# -- starts that fail


def test_a_mistyped_start_can_be_corrected(tengen: Commands, tmp_path: Path) -> None:
    preset, runs = write_preset(tmp_path / "further.toml"), tmp_path / "runs"
    right, wrong = save_network(tmp_path / "right.safetensors", 32), save_network(tmp_path / "wide.safetensors", 64)
    arguments = ("train", "--preset", preset, "--runs", runs, "--minutes", MOMENT)
    typo = tengen(*arguments, "--start", tmp_path / "typo.safetensors")
    assert (typo.code, "typo.safetensors to start from" in typo.err) == (2, True)
    assert not runs.exists()
    shape = tengen(*arguments, "--start", wrong)
    assert (shape.code, "another shape" in shape.err) == (2, True)
    assert not runs.exists()
    assert tengen(*arguments, "--start", right).code == 0
    assert json.loads((runs / "further" / "params.json").read_text())["start"] == str(right)


def test_a_wrong_preset_can_be_corrected(tengen: Commands, tmp_path: Path) -> None:
    preset, runs = tmp_path / "mine.toml", tmp_path / "runs"
    runs.mkdir()
    write_preset(preset, rule="renju")
    arguments = ("train", "--preset", preset, "--runs", runs, "--minutes", MOMENT)
    assert "radius 4 cannot see all that this rule needs" in tengen(*arguments).err
    assert contents(runs) == {}
    preset.write_text(preset.read_text().replace("renju", "chess"))
    assert 'not "chess"' in tengen(*arguments).err
    write_preset(preset, rule="freestyle")
    assert tengen(*arguments).code == 0
    assert json.loads((runs / "mine" / "params.json").read_text())["selfplay"]["rules"] == ["freestyle"]


def test_an_opponent_or_a_folder_that_cannot_be_changes_nothing(tengen: Commands, tmp_path: Path) -> None:
    preset = write_preset(tmp_path / "mine.toml")
    arguments = ("train", "--preset", preset, "--runs", tmp_path, "--minutes", MOMENT)
    (tmp_path / "occupied").write_text("a file")
    before = contents(tmp_path)
    assert 'no player "nobody"' in tengen(*arguments, "--opponent", "nobody").err
    assert "cannot train in" in tengen(*arguments, "--run", "occupied").err
    assert contents(tmp_path) == before


def test_a_start_that_fails_leaves_a_run_as_it_was(tengen: Commands, tmp_path: Path) -> None:
    preset, runs = write_preset(tmp_path / "mine.toml"), tmp_path / "runs"
    arguments = ("train", "--preset", preset, "--runs", runs)
    assert tengen(*arguments, "--minutes", MOMENT).code == 0
    (runs / "mine" / ".params.json.0badcafe.tmp").write_text("of a killed run")
    before = contents(runs)
    assert tengen(*arguments, "--minutes", 9, "--start", save_network(tmp_path / "a.safetensors", 32)).code == 2
    assert tengen(*arguments, "--minutes", 9, "--opponent", "nobody").code == 2
    assert contents(runs) == before


# -- --start and a run that exists


def test_start_is_for_a_new_run(tengen: Commands, tmp_path: Path) -> None:
    preset, runs = write_preset(tmp_path / "further.toml"), tmp_path / "runs"
    first, second = save_network(tmp_path / "a.safetensors", 32), save_network(tmp_path / "b.safetensors", 32)
    arguments = ("train", "--preset", preset, "--runs", runs)
    assert tengen(*arguments, "--minutes", MOMENT, "--start", first).code == 0
    before = contents(runs)
    for more in (("--start", second), ("--start", second, "--minutes", 9), ("--start", first)):
        said = tengen(*arguments, *more)
        assert said.code == 2
        assert said.err == f"error: {runs / 'further'} exists; --start is for a new run: choose another --run\n"
    assert contents(runs) == before
    # The same command with more time: it is not finished then, and just goes on.
    games = games_on_disk(runs / "further")[0]
    assert tengen(*arguments, "--minutes", 3 * MOMENT, "--start", first).code == 0
    assert games_on_disk(runs / "further")[0] >= games


def test_a_finished_run_says_so(tengen: Commands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")  # in one line, however long its folder's name is
    preset, runs = write_preset(tmp_path / "mine.toml"), tmp_path / "runs"
    arguments = ("train", "--preset", preset, "--runs", runs)
    tengen(*arguments, "--minutes", MOMENT)
    before = contents(runs)
    said = tengen(*arguments)
    assert said.code == 0
    assert f"has had its {MOMENT:g} minutes; --minutes gives it more" in said.out
    assert contents(runs) == before


# -- two processes


def test_a_second_process_changes_nothing(tengen: Commands, tmp_path: Path) -> None:
    preset, runs = write_preset(tmp_path / "mine.toml"), tmp_path / "runs"
    process = start_process(preset, runs)
    try:
        process.send_signal(signal.SIGSTOP)  # so that all differences are ours
        before = contents(runs)
        said = tengen("train", "--preset", preset, "--runs", runs, "--minutes", 5, "--opponent", "random")
        assert said.code == 2
        assert said.err == f"error: {runs / 'mine'} is being trained already; choose another --run\n"
        assert contents(runs) == before
    finally:
        process.send_signal(signal.SIGCONT)
        process.send_signal(signal.SIGTERM)
        process.communicate()
    assert process.returncode == 0


def race(runs: Path, preset: Path, chance: random.Random) -> None:
    """Stops a run, and takes it up at the very moment when that is possible."""
    folder, params = runs / preset.stem, load_preset(str(preset))
    process = start_process(preset, runs, "--minutes", "60")  # the last part of it stored a shorter length
    time.sleep(chance.uniform(0.0, 1.5))
    process.send_signal(signal.SIGTERM)
    trainer = None
    while trainer is None:
        with contextlib.suppress(SetupError), opened(folder, params) as trainer:
            assert (trainer.counters.games, trainer.counters.positions) == games_on_disk(folder)
    process.communicate()
    assert process.returncode == 0
    with opened(folder, params, minutes=trainer.counters.seconds / 60 + MOMENT) as trainer:
        trainer.run()
    assert_healthy(folder, params)


def test_no_game_is_lost_between_two_processes(tmp_path: Path) -> None:
    preset = write_preset(tmp_path / "mine.toml")
    race(tmp_path / "runs", preset, random.Random(1))


@pytest.mark.slow
def test_no_game_is_lost_between_two_processes_again_and_again(tmp_path: Path) -> None:
    preset, chance = write_preset(tmp_path / "mine.toml"), random.Random(2)
    for _ in range(20):
        race(tmp_path / "runs", preset, chance)


def test_first_starts_that_fail_together_leave_nothing(tmp_path: Path) -> None:
    """Each makes the folder and takes it away again, under the eyes of the other."""
    code = """
import sys
from pathlib import Path
from tengen.errors import SetupError
from tengen.train.run_folder import OpenRun
entered = 0
for _ in range(1000):
    try:
        with OpenRun(Path(sys.argv[1]) / "runs" / "new") as run:
            owner = run.path / "owner"
            owner.touch(exist_ok=False)
            owner.unlink()
            entered += 1
    except SetupError as error:
        assert "is being trained already" in str(error), error
assert entered
"""
    processes = [subprocess.Popen([sys.executable, "-c", code, str(tmp_path)]) for _ in range(3)]
    assert [process.wait() for process in processes] == [0, 0, 0]


# -- what a run reads, and what it leaves


def test_reading_makes_no_folders(tengen: Commands, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    documents = tmp_path / "documents"
    documents.mkdir()
    preset = write_preset(tmp_path / "mine.toml")
    before = contents(tmp_path)
    assert tengen("train", "--preset", preset, "--runs", tmp_path / "runs", "--start", documents).code == 2
    assert tengen("runs", "--runs", tmp_path / "runs").code == 0
    assert tengen("runs", "documents", "--runs", tmp_path).code == 2
    assert tengen("plot", "documents", "--runs", tmp_path).code == 2
    assert contents(tmp_path) == before


def test_leftovers_of_a_killed_run_go_with_the_next_start(tmp_path: Path) -> None:
    run(tmp_path / "run", until=lambda entries: entries[-1]["games"] > 0)
    names = [
        f"{name}.0badcafe.tmp"
        for name in (".params.json", "checkpoints/.000009.safetensors", "networks/.newest.safetensors")
    ]
    for name in names:
        (tmp_path / "run" / name).write_bytes(b"half")
    with OpenRun(tmp_path / "run"):
        pass
    assert len(list((tmp_path / "run").rglob(".*.tmp"))) == 3, "nothing has begun yet"
    run(tmp_path / "run", until=lambda entries: True)
    assert not list((tmp_path / "run").rglob(".*.tmp"))


@pytest.mark.parametrize(("most_bytes", "checkpoint_seconds"), [(8_000, 60.0), (100_000, 0.6)])
def test_a_full_disk_is_one_sentence_and_the_run_goes_on_later(
    tmp_path: Path, most_bytes: int, checkpoint_seconds: float
) -> None:
    """No file may grow above a limit: that of games comes first, or that of a checkpoint."""
    preset, runs = write_preset(tmp_path / "mine.toml", checkpoint_seconds=checkpoint_seconds), tmp_path / "runs"
    result = subprocess.run(
        [*PROGRAM, "--preset", str(preset), "--runs", str(runs)],
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 2
    assert result.stderr.startswith("error: cannot write ")
    assert result.stderr.count("\n") == 1
    assert not list(runs.rglob(".*.tmp"))
    params = from_dict(json.loads((runs / "mine" / "params.json").read_text()))
    games = assert_healthy(runs / "mine", params).counters.games
    run(runs / "mine", params, until=lambda entries: entries[-1]["games"] > games)
    assert_healthy(runs / "mine", params)


def test_a_network_that_cannot_be_written_whole_leaves_the_old_one(tmp_path: Path) -> None:
    path = save_network(tmp_path / "newest.safetensors", 32)
    before = path.read_bytes()
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limit[1]))
    try:
        with pytest.raises(ModelFileError, match="cannot write"):
            save_network(path, 64)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
    assert path.read_bytes() == before
    assert [found.name for found in tmp_path.iterdir()] == ["newest.safetensors"]
