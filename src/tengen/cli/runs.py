"""`tengen runs`: training runs side by side."""

from __future__ import annotations

import time
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

from tengen.train.history import History, find_runs, open_run

_NUMBERS = ("minutes", "games", "positions", "policy loss", "value loss", "Elo", "networks kept")


def runs(*names: str, runs: Path = Path("runs")) -> None:
    """List training runs, or compare some of them.

    Args:
        names: The runs to compare; all of them if not given. A path works too.
        runs: Folder of all runs.
    """
    console = Console(highlight=False)
    found = [open_run(name, runs) for name in names] if names else find_runs(runs)
    if not found:
        console.print(f"there is no run in {runs} yet; start one with: tengen train")
        return
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for title in ("run", "preset"):
        table.add_column(title, no_wrap=True)
    for title in _NUMBERS:
        table.add_column(title, justify="right")
    table.add_column("last active")
    for history in found:
        table.add_row(*_row(history))
    console.print(table)


def _row(history: History) -> list[str]:
    minutes, planned = history.last("minutes"), history.params.get("minutes")
    strength, _ = history.strength()
    rated = strength[-1] if len(strength) > 1 else None
    return [
        history.name,
        history.params.get("preset") or "-",
        f"{minutes or 0:.1f}" + (f" of {planned:g}" if planned else ""),
        _count(history.last("games")),
        _count(history.last("positions")),
        _loss(history.last("policy_loss")),
        _loss(history.last("value_loss")),
        f"{rated.elo:.0f} ± {rated.error:.0f}" if rated else "-",
        str(sum(network.kept for network in strength)),
        _ago(time.time() - history.modified),
    ]


def _count(number: int | None) -> str:
    return "-" if number is None else f"{number:,}"


def _loss(loss: float | None) -> str:
    return "-" if loss is None else f"{loss:.3f}"


def _ago(seconds: float) -> str:
    for unit, length in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if seconds >= length:
            number = int(seconds // length)
            return f"{number} {unit}{'s' if number > 1 else ''} ago"
    return "now"
