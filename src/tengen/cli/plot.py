"""`tengen plot`: the curves of training runs as a picture."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

from rich.console import Console

from tengen.errors import SetupError
from tengen.train.history import History, open_run

#: The panels: title, and for each line its name in the log, its style and its label.
_PANELS = (
    (
        "loss (nats)",
        (("policy_loss", "-", "policy"), ("policy_entropy", ":", "targets' entropy"), ("value_loss", "--", "value")),
    ),
    ("games a second", (("games_per_second", "-", ""),)),
    ("share of games won", (("black_wins", "-", "black"), ("white_wins", "--", "white"), ("draws", ":", "drawn"))),
)


def plot(*names: str, to: Path = Path("curves.png"), runs: Path = Path("runs")) -> None:
    """Draw strength, loss, speed and balance of training runs over time.

    The band around the Elo is its 95 % interval.

    Args:
        names: The runs, by name or path; several are drawn into the same picture.
        to: The picture: a .png, .svg or .pdf file.
        runs: Folder of all runs.
    """
    if not names:
        raise SetupError("name a run to draw; `tengen runs` lists them")
    if to.suffix not in (".png", ".svg", ".pdf"):
        raise SetupError(f"the picture must be a .png, .svg or .pdf file, not {to}")
    if importlib.util.find_spec("matplotlib") is None:
        raise SetupError("drawing curves needs matplotlib: pip install 'tengen[plot]'")
    histories = [open_run(name, runs) for name in names]
    try:
        draw(histories).savefig(to, dpi=120)
    except OSError as error:
        raise SetupError(f"cannot write {to}: {error.strerror or error}") from None
    Console(highlight=False, soft_wrap=True).print(f"wrote {to}")


def draw(histories: list[History]) -> Any:
    """The picture of some runs as a matplotlib figure."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 7.5), layout="constrained")
    axes = figure.subplots(2, 2).flat
    strength = next(axes)
    strength.set_title("Elo")
    panels = [(axis, lines) for axis, (_, lines) in zip(axes, _PANELS, strict=True)]
    for (axis, _), (title, _) in zip(panels, _PANELS, strict=True):
        axis.set_title(title)
    for number, history in enumerate(histories):
        color = f"C{number}"
        _draw_strength(strength, history, color)
        for axis, lines in panels:
            for name, style, label in lines:
                minutes, values = history.curve(name)
                # A panel with one line names the runs, the others name their lines, once.
                text = history.name if not label else label if number == 0 else None
                axis.plot(minutes, values, style, color=color, label=text)
    for axis in (strength, *(axis for axis, _ in panels)):
        axis.set_xlabel("minutes of training")
        axis.grid(alpha=0.3)
        if axis.get_legend_handles_labels()[1]:
            axis.legend(fontsize="small")
    figure.suptitle(", ".join(history.name for history in histories))
    return figure


def _draw_strength(axis: Any, history: History, color: str) -> None:
    """The curve with its 95 % interval; a filled point is a network that was kept."""
    curve, _ = history.strength()
    if len(curve) < 2:
        return
    minutes, elo = [point.minutes for point in curve], [point.elo for point in curve]
    axis.plot(minutes, elo, color=color, label=history.name)
    low, high = ([point.elo + sign * point.margin95 for point in curve] for sign in (-1, 1))
    axis.fill_between(minutes, low, high, color=color, alpha=0.15, linewidth=0)
    kept = [point for point in curve if point.kept]
    axis.plot([point.minutes for point in kept], [point.elo for point in kept], "o", color=color, markersize=4)
