"""`tengen train`: learning from zero."""

from __future__ import annotations

import importlib.util
from dataclasses import replace
from pathlib import Path

from rich.console import Console

from tengen import players
from tengen.cli.signals import stopped_by_signals
from tengen.cli.train_screen import Screen
from tengen.errors import SetupError
from tengen.parameters import Count


def train(
    *,
    preset: str = "hour",
    run: str | None = None,
    minutes: float | None = None,
    start: Path | None = None,
    opponent: str | None = None,
    games: Path | None = None,
    games_share: float | None = None,
    cluster: str | None = None,
    learners: Count = 0,
    runs: Path = Path("runs"),
) -> None:
    """Learn from self-play and from recorded games, or go on with a run that was stopped: the same command does both.

    Args:
        preset: A shipped preset (minutes, hour, ...) or a TOML file; a run that exists keeps its own parameters.
        run: Name of the run, and of its folder; the preset's name if not given.
        minutes: Length of the run, if not the preset's; more of them extend a run that has ended.
        start: A network file, or the folder of another run: a new run begins with its network, not with random weights.
        opponent: A player such as engine:COMMAND; a tenth of the games are played against it.
        games: Folder with records of games, SGF or PSQ, of people or programs: a new run learns from them first.
        games_share: Share of the later steps that learn from them, too; none if not given.
        cluster: Play on all nodes of a ray cluster: HOST:PORT of its head, or auto for the cluster of this machine.
        learners: Nodes of the cluster that help to learn, too: for when the learner cannot keep up with the games.
        runs: Folder of all runs.
    """
    if importlib.util.find_spec("torch") is None:
        raise SetupError("training needs PyTorch: pip install 'tengen[train]'")
    from tengen.cluster import players_of
    from tengen.train.loop import Trainer
    from tengen.train.params import load_preset
    from tengen.train.pools import ThreadPool
    from tengen.train.run_folder import OpenRun

    start_pool = ThreadPool if cluster is None else players_of(cluster, learners)
    params = load_preset(preset)
    if start is not None:
        params = replace(params, start=str(start))
    if opponent is not None:
        params = replace(params, opponent=players.check(opponent))
    if games is not None:
        params = replace(params, games=str(games))
    if games_share is not None:
        params = replace(params, games_share=games_share)
    console = Console(highlight=False)
    with OpenRun(runs / (run or Path(preset).stem)) as folder, Screen(console) as screen:
        trainer = Trainer(folder, params, screen.show, minutes, start_pool)
        if trainer.counters.games:
            going_on = f"{_minutes(trainer.params.minutes)} by the preset {trainer.params.preset}"
            console.print(f"going on with {folder.path}: {going_on}", soft_wrap=True)
        if trainer.progress >= 1:
            had = _minutes(trainer.params.minutes)
            console.print(f"{folder.path} has had its {had}; --minutes gives it more", soft_wrap=True)
        screen.watch(trainer)
        with stopped_by_signals(trainer.stop):
            trainer.run()
    if trainer.progress < 1:
        console.print(f"stopped after {trainer.counters.seconds / 60:.1f} minutes; the same command goes on from here")
    console.print(f"the network: {folder.path / 'networks' / 'newest.safetensors'}", soft_wrap=True)


def _minutes(minutes: float) -> str:
    return f"{minutes:g} {'minute' if minutes == 1 else 'minutes'}"
