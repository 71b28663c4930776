"""`tengen dqn`: Q-learning and its experiments."""

from __future__ import annotations

import importlib.util
import json
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import cyclopts
from rich.console import Console

from tengen.cli.signals import stopped_by_signals
from tengen.dqn.params import DqnParams, Illegal, Network
from tengen.errors import SetupError
from tengen.parameters import Number, Seed, Side

app = cyclopts.App(name="dqn", help="Deep Q-learning: train a network of move values, compare rewards.")


@app.command
def train(
    *,
    run: str = "dqn",
    runs: Path = Path("runs"),
    params: Annotated[DqnParams, cyclopts.Parameter(name="*")] = DqnParams(),  # noqa: B008
) -> None:
    """Learn by Q-learning, or go on with a run that was stopped: the same command does both.

    The default learner is ours; that of the course project (docs/origins.md) is --network s2 --reward s2-shaped
    --reward-unit 1e6 --illegal punish --loss squared --steps 2 --no-double --no-symmetries --opening-stones 0. A run
    that exists keeps its parameters, but for --games and --minutes.

    Args:
        run: Name of the run, and of its folder.
        runs: Folder of all runs.
        params: How to play and learn.
    """
    _need_torch()
    from tengen.dqn.loop import DqnTrainer
    from tengen.train.run_folder import OpenRun

    console = Console(highlight=False)

    def show(entry: dict[str, Any]) -> None:
        if "message" in entry:
            return console.print(entry["message"])
        line = " ".join(f"{name}={_short(value)}" for name, value in entry.items())
        # One line that is written over in a terminal, a line for each entry elsewhere.
        console.print(line, end="\r" if console.is_terminal else "\n", overflow="crop", no_wrap=True, crop=True)
        return None

    with OpenRun(runs / run) as folder:
        trainer = DqnTrainer(folder, params, show)
        with stopped_by_signals(trainer.stop):
            trainer.run()
    if trainer.progress < 1:
        console.print(f"\nstopped after {trainer.counters.games:,} games; the same command goes on from here")
    console.print(f"\nplay against it: dqn:model={trainer.folder.path / 'networks' / 'newest.safetensors'}")


@app.command
def compare(
    *,
    size: Side = 15,
    games: Number = 1000,
    points: Number = 4,
    measured_games: Number = 200,
    ours: bool = False,
    network: Network | None = None,
    illegal: Illegal | None = None,
    seed: Seed = 1,
    folder: Path = Path("runs/dqn-compare"),
    picture: Path | None = None,
) -> None:
    """Train with the plain and with the shaped reward for the same number of games, and show what they learned.

    The same command goes on with a comparison that was stopped.

    Args:
        size: Points on each side of the board.
        games: Games of self-play for each reward.
        points: How often each learner is measured on the way.
        measured_games: Games against random at each point.
        ours: Our two rewards and our learner, instead of the course project's.
        network: What learns; s2 unless --ours, then lines.
        illegal: How occupied points are avoided; the course project punishes them.
        seed: Random seed for everything.
        folder: Folder of the runs and of results.json.
        picture: Also draw the curves into this PNG file.
    """
    _need_torch()
    from tengen.dqn import compare as experiment

    if picture is not None and importlib.util.find_spec("matplotlib") is None:
        raise SetupError("pictures need matplotlib: pip install 'tengen[plot]'")
    console = Console(highlight=False)
    changes: dict[str, Any] = {
        name: value for name, value in (("network", network), ("illegal", illegal)) if value is not None
    }
    params = replace(experiment.default_params(size, seed, ours), **changes)
    numbers = sorted({max(1, round(games * (i + 1) / points)) for i in range(points)})
    results = experiment.compare(
        folder, params, numbers, measured_games, lambda result: console.print(json.dumps(result.as_dict()))
    )
    console.print(experiment.table(results), soft_wrap=True)
    if picture is not None:
        experiment.draw(results, picture)
        console.print(f"the picture: {picture}")


def _need_torch() -> None:
    if importlib.util.find_spec("torch") is None:
        raise SetupError("Q-learning needs PyTorch: pip install 'tengen[train]'")


def _short(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
