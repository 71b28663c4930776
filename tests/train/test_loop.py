"""A training run end to end on a small board: it learns, stops, goes on, and survives damage."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")

from tengen import Board, SetupError
from tengen.nets.loading import load_evaluator
from tengen.search import Mcts
from tengen.train.loop import Trainer
from tengen.train.params import at, from_dict, load_preset, preset_names, to_dict
from tiny_run import TINY, run

def test_a_run_learns_and_leaves_a_network_that_plays(tmp_path: Path) -> None:
    trainer, entries = run(tmp_path / "run")
    assert trainer.learner.steps > 0
    losses = [entry["policy_loss"] for entry in entries if entry.get("policy_loss")]
    assert losses
    evaluator = load_evaluator(tmp_path / "run" / "networks" / "newest.safetensors")
    board = Board.from_moves("e5", size=9)
    assert Mcts(evaluator).search(board, playouts=50).candidates
    assert trainer.folder.read_log() == [entry for entry in entries if "message" not in entry]


def test_a_run_goes_on_where_it_was(tmp_path: Path) -> None:
    first, _ = run(tmp_path / "run")
    again = Trainer(tmp_path / "run", replace(TINY, minutes=0.2), lambda entry: None)
    assert again.counters == first.counters
    assert again.learner.steps == first.learner.steps
    for name, array in first.learner.state().items():
        assert (again.learner.state()[name] == array).all(), name
    again.run()
    assert again.counters.games > first.counters.games


def test_a_damaged_checkpoint_falls_back_to_the_one_before(tmp_path: Path) -> None:
    first, _ = run(tmp_path / "run")
    first.folder.save_checkpoint(first.learner.state(), vars(first.counters))
    latest = first.folder.checkpoints()[-1]
    data = bytearray(latest.read_bytes())
    data[len(data) // 2] ^= 1
    latest.write_bytes(bytes(data))
    messages: list[dict[str, Any]] = []
    again = Trainer(tmp_path / "run", TINY, messages.append)
    assert again.learner.steps == first.learner.steps
    assert "checkpoint before" in messages[0]["message"]


def test_a_killed_run_goes_on(tmp_path: Path) -> None:
    """Killed with -9 at three moments: the log, the games and the checkpoint stay readable."""
    script = (
        "import sys; from pathlib import Path; from tests_train_params import TINY; from dataclasses import replace;"
        "from tengen.train.loop import Trainer;"
        "Trainer(Path(sys.argv[1]), replace(TINY, minutes=5), lambda entry: None).run()"
    )
    (tmp_path / "tests_train_params.py").write_text(
        "from tengen.train.params import from_dict\nTINY = from_dict(" + repr(to_dict(TINY)) + ")\n"
    )
    games = 0
    for seconds in (4.0, 5.0, 6.0):
        environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
        process = subprocess.Popen([sys.executable, "-c", script, str(tmp_path / "run")], env=environment)
        time.sleep(seconds)
        process.send_signal(signal.SIGKILL)
        process.wait()
        trainer = Trainer(tmp_path / "run", TINY, lambda entry: None)
        assert trainer.counters.games >= games
        games = trainer.counters.games
    trainer, _ = run(tmp_path / "run", replace(TINY, minutes=trainer.counters.seconds / 60 + 0.05))
    assert trainer.counters.games > games


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
    with pytest.raises(SetupError, match='no field "minuets"'):
        load_preset(str(bad))
    bad.write_text("minutes = = 5\n")
    with pytest.raises(SetupError, match="not a TOML file"):
        load_preset(str(bad))
