"""What `tengen train` shows, in a terminal and elsewhere."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")

from rich.console import Console

from tengen.cli.train_screen import Screen
from tengen.train.loop import Trainer
from tengen.train.params import EvaluationParams, LearnParams, RunParams, SelfPlayParams
from tengen.train.run_folder import OpenRun

PARAMS = RunParams(
    minutes=2.0,
    log_seconds=0.4,
    publish_seconds=0.5,
    tensorboard=False,
    selfplay=SelfPlayParams(sizes=(9,), full_playouts=20, fast_playouts=5, threads=1),
    learn=LearnParams(radius=4, channels=32, batch=64, start_positions=50, reuse=4.0),
    evaluation=EvaluationParams(
        minutes=0.01, games=1, playouts=4, yardsticks=("random",), yardstick_minutes=0.0, yardstick_games=1, share=1.0
    ),
)


def show(folder: Path, console: Console, until: str = "evaluation") -> str:
    """Everything that was shown until an entry of the log had such a key."""
    assert isinstance(console.file, io.StringIO)

    def report(entry: dict[str, Any]) -> None:
        screen.show(entry)
        if until in entry:
            trainer.stop()

    with OpenRun(folder) as run, Screen(console) as screen:
        trainer = Trainer(run, PARAMS, report)
        screen.watch(trainer)
        trainer.run()
        screen.show({"message": "something [odd] happened"})
    return console.file.getvalue()


def test_a_terminal_has_a_live_screen_with_the_board(tmp_path: Path) -> None:
    console = Console(file=io.StringIO(), force_terminal=True, width=120, height=40, color_system=None, highlight=False)
    text = show(tmp_path / "first", console)
    for part in ("tengen train: first", "left", "games", "policy loss", "strength", "random", "●", "self-play, move"):
        assert part in text, part
    assert "something [odd] happened" in text


def test_elsewhere_every_entry_is_a_line(tmp_path: Path) -> None:
    lines = show(tmp_path / "first", Console(file=io.StringIO(), width=80, highlight=False)).splitlines()
    assert lines[-1] == "something [odd] happened"
    assert all(line.startswith("minutes=") for line in lines[:-1])
    assert any(re.search(r"network=\d{3} \(best \d{3}", line) for line in lines)


def test_a_narrow_terminal_has_no_board(tmp_path: Path) -> None:
    console = Console(file=io.StringIO(), force_terminal=True, width=60, height=40, color_system=None, highlight=False)
    text = show(tmp_path / "first", console, until="games")
    assert "self-play, move" not in text
    assert "playing" in text
