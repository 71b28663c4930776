"""`tengen train`: learning from zero."""

from __future__ import annotations

import importlib.util
import signal
from dataclasses import replace
from pathlib import Path

from rich.console import Console

from tengen import players
from tengen.cli.train_screen import Screen
from tengen.errors import SetupError


def train(
    *,
    preset: str = "hour",
    run: str | None = None,
    minutes: float | None = None,
    opponent: str | None = None,
    runs: Path = Path("runs"),
) -> None:
    """Learn from self-play, or go on with a run that was stopped: the same command does both.

    Args:
        preset: A shipped preset (minutes, hour, ...) or a TOML file; a run that exists keeps its own parameters.
        run: Name of the run, and of its folder; the preset's name if not given.
        minutes: Length of the run, if not the preset's; a longer one extends a run that has ended.
        opponent: A player such as engine:COMMAND; a tenth of the games are played against it.
        runs: Folder of all runs.
    """
    if importlib.util.find_spec("torch") is None:
        raise SetupError("training needs PyTorch: pip install 'tengen[train]'")
    from tengen.train.loop import Trainer
    from tengen.train.params import load_preset

    params = load_preset(preset)
    if minutes is not None:
        if minutes <= 0:
            raise SetupError(f"minutes must be above 0, not {minutes}")
        params = replace(params, minutes=minutes)
    if opponent is not None:
        params = replace(params, opponent=players.check(opponent))
    console = Console(highlight=False)
    with Screen(console) as screen:
        trainer = Trainer(runs / (run or Path(preset).stem), params, screen.show)
        screen.watch(trainer)
        previous = {name: signal.signal(name, lambda *_: trainer.stop()) for name in (signal.SIGINT, signal.SIGTERM)}
        try:
            trainer.run()
        finally:
            for name, handler in previous.items():
                signal.signal(name, handler)
    if trainer.progress < 1:
        console.print(f"stopped after {trainer.counters.seconds / 60:.1f} minutes; the same command goes on from here")
    console.print(f"the network: {trainer.folder.path / 'networks' / 'newest.safetensors'}")
