"""`tengen runs`: training runs side by side."""

from __future__ import annotations

import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tengen.cli.nodes_table import nodes_table
from tengen.train.history import History, find_runs, open_run

_NUMBERS = ("minutes", "games", "positions", "policy", "value", "Elo", "kept")

_UNLIMITED = 1000


def runs(*names: str, runs: Path = Path("runs")) -> None:
    """List training runs, or compare some of them: progress, losses, Elo, and how many networks passed the gate.

    ± is half of the 95 % interval of the Elo.

    Args:
        names: The runs to compare; all of them if not given. A path works too.
        runs: Folder of all runs.
    """
    console = Console(highlight=False)
    if not console.is_terminal:  # a file or a pipe has no edge at which a column would be cut off
        console.width = _UNLIMITED
    found = [open_run(name, runs) for name in names] if names else [History(path) for path, _ in find_runs(runs)]
    if not found:
        console.print(f"there is no run in {runs} yet; start one with: tengen train")
        return
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for title in ("run", "preset"):
        table.add_column(title, no_wrap=True)
    for title in _NUMBERS:
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("active", no_wrap=True)
    for history in found:
        table.add_row(*_row(history))
    console.print(table)
    for history in found:
        if nodes := history.nodes():
            console.print(f"\nnodes that play for {history.name}:", nodes_table(nodes))


def _row(history: History) -> list[str]:
    minutes, planned = history.last("minutes"), history.planned_minutes
    strength, _ = history.strength()
    rated = strength[-1] if len(strength) > 1 else None
    return [
        history.name,
        history.preset or "-",
        f"{minutes or 0:.1f}" + (f"/{planned:g}" if planned else ""),
        _count(history.last("games")),
        _count(history.last("positions")),
        _loss(history.last("policy_loss")),
        _loss(history.last("value_loss")),
        f"{rated.elo:.0f} ± {rated.margin95:.0f}" if rated else "-",
        str(sum(network.kept for network in strength)),
        _ago(time.time() - history.modified),
    ]


def _count(number: float | None) -> str:
    if number is None:
        return "-"
    return (
        f"{number:.0f}" if number < 1000 else f"{number / 1000:.1f}k" if number < 1_000_000 else f"{number / 1e6:.2f}M"
    )


def _loss(loss: float | None) -> str:
    return "-" if loss is None else f"{loss:.3f}"


def _ago(seconds: float) -> str:
    """How long ago it was; a run that was active a moment ago may still run or may have been stopped."""
    for unit, length in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= length:
            return f"{seconds // length:.0f} {unit} ago"
    return f"{max(0, seconds):.0f} s ago"
