"""A run that is killed with -9 at random moments, again and again, and goes on."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from tiny_run import look, opened

from tengen import core
from tengen.train.loop import Trainer
from tengen.train.params import RunParams, to_dict

_SCRIPT = """
import json, sys
from pathlib import Path
from tengen.train.loop import Trainer
from tengen.train.params import from_dict
from tengen.train.run_folder import OpenRun
with OpenRun(Path(sys.argv[1])) as run:
    Trainer(run, from_dict(json.loads(sys.argv[2])), lambda entry: None).run()
"""


def games_on_disk(run: Path) -> tuple[int, int]:
    """Complete games in the shards, and their positions."""
    games = [game for shard in sorted((run / "games").glob("*.bin")) for game in core.read_games(shard.read_bytes())]
    return len(games), sum(len(game.samples) for game in games)


def assert_healthy(run: Path, params: RunParams) -> Trainer:
    """Takes a killed run up again and checks that nothing is lost, doubled or out of order."""
    complaints: list[dict[str, Any]] = []
    trainer = look(run, params, complaints.append)
    assert not complaints
    assert (trainer.counters.games, trainer.counters.positions) == games_on_disk(run)
    log = trainer.folder.read_log()
    for name in ("minutes", "games", "positions"):
        values = [entry[name] for entry in log]
        assert values == sorted(values), name
    if log:
        assert trainer.counters.games >= log[-1]["games"]
        assert trainer.counters.seconds >= 60 * log[-1]["minutes"]
    return trainer


def kill_again_and_again(run: Path, params: RunParams, times: int, seed: int) -> None:
    """Starts a run and kills it at a random moment, so many times; then lets it end by itself."""
    chance = random.Random(seed)
    games = 0
    for _ in range(times):
        arguments = [sys.executable, "-c", _SCRIPT, str(run), json.dumps(to_dict(replace(params, minutes=60)))]
        process = subprocess.Popen(arguments, env={**os.environ, "OMP_NUM_THREADS": "1"})
        # It needs a moment to start; what comes after that is a random moment.
        deadline = time.monotonic() + 300
        before = games_on_disk(run)[0] if run.exists() else 0
        while process.poll() is None and time.monotonic() < deadline and games_on_disk(run)[0] == before:
            time.sleep(0.05)
        time.sleep(chance.uniform(0.0, 2.5))
        assert process.poll() is None, "the run ended by itself"
        process.send_signal(signal.SIGKILL)
        process.wait()
        trainer = assert_healthy(run, params)
        assert trainer.counters.games > games
        games = trainer.counters.games
    with opened(run, params, minutes=trainer.counters.seconds / 60 + 0.03) as trainer:
        trainer.run()
    assert trainer.progress == 1
    assert not list(run.rglob(".*.tmp"))
    assert_healthy(run, params)
    losses = [entry["policy_loss"] for entry in trainer.folder.read_log() if "policy_loss" in entry]
    assert all(0 < loss < 10 for loss in losses)
