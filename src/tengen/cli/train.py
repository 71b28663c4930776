"""`tengen train`: learning from zero."""

from __future__ import annotations

import importlib.util
import signal
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table

from tengen import players
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
    screen = _Screen(console)
    with screen:
        trainer = Trainer(runs / (run or Path(preset).stem), params, screen.show)
        screen.folder = trainer.folder.path
        previous = signal.signal(signal.SIGINT, lambda *_: trainer.stop())
        try:
            trainer.run()
        finally:
            signal.signal(signal.SIGINT, previous)
    if trainer.progress < 1:
        console.print(f"stopped after {trainer.counters.seconds / 60:.1f} minutes; the same command goes on from here")
    console.print(f"the network: {trainer.folder.path / 'networks' / 'newest.safetensors'}")


class _Screen:
    """One live table in a terminal, a plain line for each entry elsewhere."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._live = Live(console=console, transient=False) if console.is_terminal else None
        self._messages: list[str] = []
        self.folder: Path | None = None

    def __enter__(self) -> _Screen:
        (self._live or nullcontext()).__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        (self._live or nullcontext()).__exit__(*error)

    def show(self, entry: dict[str, Any]) -> None:
        """Shows a line of the log, or a message."""
        if "message" in entry:
            self._messages.append(entry["message"])
            if self._live is None:
                self._console.print(entry["message"])
            return
        if self._live is None:
            self._console.print(" ".join(f"{key}={_short(value)}" for key, value in entry.items()), soft_wrap=True)
        else:
            self._live.update(Group(_table(str(self.folder), entry), *self._messages[-3:]))


def _short(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


#: What the live table shows: title, and how it is made from an entry.
_ROWS: tuple[tuple[str, Callable[[dict[str, Any]], str]], ...] = (
    ("time", lambda e: f"{e['minutes']:.1f} minutes"),
    ("games", lambda e: f"{e['games']:,}  ({e['games_per_second']:.1f}/s, {e['playouts_per_second']:,.0f} playouts/s)"),
    ("positions", lambda e: f"{e['positions']:,}  ({e['buffer']:,} in the buffer)"),
    ("learned from", lambda e: f"{e['samples']:,}  ({e['samples_per_second']:,.0f}/s)"),
    ("policy loss", lambda e: f"{e['policy_loss']:.3f}  (entropy of the targets {e['policy_entropy']:.3f})"),
    ("value loss", lambda e: f"{e['value_loss']:.3f}"),
    ("game", lambda e: f"{e['moves_per_game']:.1f} moves, black wins {e['black_wins']:.0%}, draws {e['draws']:.0%}"),
)


def _table(title: str, entry: dict[str, Any]) -> Table:
    table = Table(title=f"tengen train: {title}", show_header=False)
    for name, text in _ROWS:
        table.add_row(name, text(entry))
    return table
