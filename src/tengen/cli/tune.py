"""`tengen tune`: better constants for a player, by games against itself."""

from __future__ import annotations

import contextlib
import importlib.util
import json as json_module
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from tengen import players
from tengen.arena import GameSetup
from tengen.arena.balanced import match_openings
from tengen.arena.spsa import Range
from tengen.arena.tuning import Tuning, TuningMatches, TuningStep, tuning_folder
from tengen.board import RuleName
from tengen.cli.progress import progress
from tengen.cli.signals import INTERRUPTED
from tengen.cluster import crew_of
from tengen.errors import SetupError
from tengen.parameters import Number, Seconds, Side

_OPENINGS = 200  # drawn where fewer are shipped; the players change from step to step, so the games do too


def tune(
    spec: str,
    *,
    param: list[str],
    games: Number = 4000,
    pairs: Number = 4,
    rate: float = 0.005,
    time: Seconds | None = None,
    seed: int = 0,
    size: Side = 15,
    rule: RuleName = "freestyle",
    concurrency: int = 1,
    cluster: str | None = None,
    save: Path | None = None,
    plot: Path | None = None,
    json: bool = False,
) -> None:
    """Tune numbers of a player by SPSA: it plays against itself with all of them changed a little, again and again.

    Args:
        spec: The player, like tengen, without the parameters to tune.
        param: A parameter and where it begins, its least and its largest value, like c_puct=1.6:0.5:4; several times
            for several of them.
        games: How many in all.
        pairs: Pairs of games of one step; each opening is played with both colours.
        rate: How far one won game moves a value at the end, as a share of its step, which is a twentieth of its range.
        time: Seconds a move.
        seed: Random seed of openings, players and steps.
        size: Points on each side.
        rule: The rule of the game.
        concurrency: Games at a time.
        cluster: Play on all cores of a ray cluster instead: HOST:PORT of its head, or auto for the one of this machine.
            Give as many --pairs as it has cores, or more.
        save: Keep the steps in this folder; the same command goes on where it was stopped.
        plot: Draw the values over the games into this .png, .svg or .pdf file.
        json: Print one JSON object instead of a table.
    """
    if plot is not None and importlib.util.find_spec("matplotlib") is None:
        raise SetupError("drawing needs matplotlib: pip install 'tengen[plot]'")
    if time is not None:
        spec = players.with_keys(spec, {"time": f"{time:g}"})
    ranges = [Range.from_text(text, players.is_whole(spec, text.partition("=")[0].strip())) for text in param]
    setup = GameSetup(size=size, rule=rule)
    openings = match_openings(games // 2, setup, seed, enough=_OPENINGS)
    crew = None if cluster is None else crew_of(cluster, Console(stderr=True, highlight=False).print)
    matches = TuningMatches(spec, ranges, setup=setup, openings=openings, seed=seed, concurrency=concurrency, crew=crew)
    tuning = Tuning(ranges, matches, games=games, pairs=pairs, rate=rate, seed=seed)
    description = {
        "player": spec,
        "network": players.fingerprint(spec, rule, size),
        "parameters": [vars(item) for item in ranges],
        **{"games": games, "pairs": pairs, "rate": rate, "seed": seed, "size": size, "rule": rule},
    }
    steps = _run(tuning, save, description)
    if plot is not None:
        draw(ranges, steps).savefig(plot, dpi=120)
    if json:
        facts = {"complete": tuning.is_complete, "games": 2 * steps[-1].pairs if steps else 0}
        print(json_module.dumps({**description, **facts, "values": tuning.values}))
    else:
        _print_values(tuning, steps, spec)
    if not tuning.is_complete:
        sys.exit(INTERRUPTED)


def _run(tuning: Tuning, save: Path | None, description: dict[str, Any]) -> list[TuningStep]:
    """Makes all steps, in a folder if there is one; Ctrl-C ends between two of them."""
    with contextlib.ExitStack() as stack:
        log = stack.enter_context(tuning_folder(save, description)) if save is not None else None
        steps = log.read() if log is not None else []
        tuning.resume(steps)
        show = stack.enter_context(progress(2 * tuning.total, 2 * steps[-1].pairs if steps else 0))
        for step in tuning.run():
            if log is not None:
                log.add(step)
            steps.append(step)
            values = " ".join(f"{item.name} {item.text(step.values[item.name])}" for item in tuning.ranges)
            show(2 * step.pairs, values)
    return steps


def _print_values(tuning: Tuning, steps: Sequence[TuningStep], spec: str) -> None:
    console = Console(highlight=False, soft_wrap=True)
    played = 2 * steps[-1].pairs if steps else 0
    console.print(f"{played:,} of {2 * tuning.total:,} games")
    table = Table()
    for heading in ("parameter", "began at", "now", "step", "least", "largest"):
        table.add_column(heading, justify="left" if heading == "parameter" else "right")
    for item in tuning.ranges:
        numbers = (item.start, tuning.values[item.name], item.step, item.low, item.high)
        table.add_row(item.name, *(f"{number:.4g}" for number in numbers))
    console.print(table)
    tuned = {item.name: item.text(tuning.values[item.name]) for item in tuning.ranges}
    console.print(f"now test it: tengen match {players.with_keys(spec, tuned)} {spec} --sprt 0,8")


def draw(ranges: Sequence[Range], steps: Sequence[TuningStep]) -> Any:
    """The values over the games as a matplotlib figure, each parameter in a panel of its own."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 2.2 * len(ranges) + 0.6), layout="constrained")
    games = [0, *(2 * step.pairs for step in steps)]
    for axis, item in zip(figure.subplots(len(ranges), squeeze=False).flat, ranges, strict=True):
        axis.plot(games, [item.start, *(step.values[item.name] for step in steps)])
        axis.axhline(item.start, color="0.6", linewidth=0.8, linestyle=":")
        axis.set_title(item.name)
        axis.grid(alpha=0.3)
    axis.set_xlabel("games")
    return figure
