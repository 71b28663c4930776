"""Runs and matches that are killed, or find the disk full, at any moment: nothing is lost, nothing counted twice."""

from __future__ import annotations

import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from soak.part import Limit, Outcome, Part
from tengen import core
from tengen.train.loop import Trainer
from tengen.train.params import load_preset
from tengen.train.run_folder import OpenRun

_TENGEN = [sys.executable, "-c", "from tengen.cli import main; main()"]
_PATIENCE = 300.0
_GAMES = 120
_MATCH = [
    *("match", "random", "mcts:playouts=5", "--games", str(_GAMES), "--size", "9"),
    *("--openings", "random:20", "--seed", "3", "--json", "--save"),
]
_PRESET = """
minutes = {minutes}
log_seconds = 0.3
publish_seconds = 0.5
checkpoint_seconds = 0.6
probe_positions = 16
tensorboard = false
[selfplay]
sizes = [7, 9]
full_playouts = 30
fast_playouts = 8
threads = 1
[learn]
radius = 4
channels = 32
batch = 64
start_positions = 100
reuse = 4.0
[evaluation]
minutes = 0
"""


def _start(arguments: list[str], largest_file: int | None = None) -> subprocess.Popen[str]:
    """A command in a process of its own; no file of it may grow above a limit, which looks to it like a full disk."""

    def limit() -> None:
        if largest_file is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, largest_file))

    return subprocess.Popen(
        [*_TENGEN, *arguments],
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=limit,
    )


def _kill_after(process: subprocess.Popen[str], begun: Callable[[], bool], seconds: float) -> bool:
    """Kills a process some time after it has begun; False if it has ended by itself."""
    end = time.monotonic() + _PATIENCE
    while process.poll() is None and not begun() and time.monotonic() < end:
        time.sleep(0.02)
    time.sleep(seconds)
    killed = process.poll() is None
    process.send_signal(signal.SIGKILL)
    process.communicate()
    return killed


def _lines(file: Path) -> int:
    return file.read_bytes().count(b"\n") if file.exists() else 0


# -- matches


def _kill_matches(chance: random.Random, limit: Limit) -> Outcome:
    outcome = Outcome()
    with tempfile.TemporaryDirectory() as scratch:
        whole = _start([*_MATCH, str(Path(scratch) / "whole")]).communicate()[0]
        number = 0
        while limit.allows(outcome):
            number += 1
            _kill_a_match(Path(scratch) / str(number), whole, chance, limit, outcome)
    return outcome


def _kill_a_match(folder: Path, whole: str, chance: random.Random, limit: Limit, outcome: Outcome) -> None:
    """Kills a match until it ends in spite of that, and compares it with one that was never killed."""
    games = folder / "games.jsonl"
    while limit.allows(outcome):
        before = _lines(games)
        process = _start([*_MATCH, str(folder)])
        if not _kill_after(process, lambda before=before: _lines(games) > before, chance.uniform(0, 0.3)):  # type: ignore[misc]
            break
        outcome.tried += 1
    process = _start([*_MATCH, str(folder)])
    said, complaint = process.communicate()
    if process.returncode or json.loads(said)["results"] != json.loads(whole)["results"] or _lines(games) != _GAMES:
        outcome.fail(f"a match that was killed ended with {complaint or said}")
    if left := list(folder.rglob(".*.tmp")):
        outcome.fail(f"a match that was killed left {left}")


# -- training


def _kill_training(chance: random.Random, limit: Limit) -> Outcome:
    outcome = Outcome()
    with tempfile.TemporaryDirectory() as scratch:
        preset, runs = Path(scratch) / "soak.toml", Path(scratch) / "runs"
        preset.write_text(_PRESET.format(minutes=600))
        games = 0
        while limit.allows(outcome):
            process = _start(["train", "--preset", str(preset), "--runs", str(runs)])
            before = _games_on_disk(runs)
            if not _kill_after(process, lambda before=before: _games_on_disk(runs) > before, chance.uniform(0, 2.5)):  # type: ignore[misc]
                outcome.fail("a run ended by itself")
                return outcome
            outcome.tried += 1
            if (now := _games_on_disk(runs)) <= games:
                outcome.fail(f"{games} games on the disk became {now}")
            games = now
            _check_run(preset, runs / preset.stem, outcome)
    outcome.figures["games"] = games
    return outcome


def _games_on_disk(runs: Path) -> int:
    return sum(len(core.read_games(shard.read_bytes())) for shard in runs.glob("*/games/*.bin"))


def _check_run(preset: Path, run: Path, outcome: Outcome) -> None:
    """Takes a killed run up again: it must count the games that are on the disk."""
    with OpenRun(run) as folder:
        counted = Trainer(folder, load_preset(str(preset)), lambda entry: None).counters.games
    if counted != (there := _games_on_disk(run.parent)):
        outcome.fail(f"a run counts {counted} games, the disk has {there}")


# -- a full disk


def _fill(chance: random.Random, limit: Limit) -> Outcome:
    outcome = Outcome()
    while limit.allows(outcome):
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch)
            preset = folder / "soak.toml"
            preset.write_text(_PRESET.format(minutes=0.02))
            arguments = chance.choice(
                (
                    [*_MATCH, str(folder / "match")],
                    ["train", "--preset", str(preset), "--runs", str(folder / "runs")],
                    ["openings", "make", "--size", "9", "--count", "4", "--to", str(folder / "openings.txt")],
                )
            )
            _fill_once(arguments, int(10 ** chance.uniform(1, 5.5)), folder, outcome)
        outcome.tried += 1
    return outcome


def _fill_once(arguments: list[str], most: int, folder: Path, outcome: Outcome) -> None:
    """Where no file may have more bytes a command says so in a sentence; then, with room, it goes on to its end."""
    process = _start(arguments, most)
    _, complaint = process.communicate()
    if process.returncode not in (0, 1, 2) or complaint.count("error: ") != (process.returncode != 0):
        outcome.fail(f"{arguments[0]} with {most} bytes: code {process.returncode}, {complaint[-300:]}")
    if left := list(folder.rglob(".*.tmp")):
        outcome.fail(f"{arguments[0]} with {most} bytes left {left}")
    again = _start(arguments)
    _, complaint = again.communicate()
    if again.returncode:
        outcome.fail(f"{arguments[0]} does not go on after {most} bytes: {complaint[-300:]}")


PARTS = (
    Part(
        "kill-training",
        "A training run that is killed (-9) at any moment goes on: every game that was on the disk counts, once",
        "kills",
        100,
        _kill_training,
    ),
    Part(
        "kill-matches",
        "A match that is killed (-9) at any moment goes on, and ends like one that never was",
        "kills",
        100,
        _kill_matches,
    ),
    Part(
        "full-disk",
        "On a full disk a match, a run or a file of openings ends with one sentence, and goes on when there is room",
        "commands",
        100,
        _fill,
    ),
)
