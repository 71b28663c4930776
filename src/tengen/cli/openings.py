"""`tengen openings`: balanced openings for matches."""

from __future__ import annotations

import sys
from pathlib import Path

import cyclopts
from rich.console import Console
from rich.progress import track

from tengen.arena import GameSetup
from tengen.arena.balanced import OpeningsFile, Recipe, shipped_file, shipped_openings
from tengen.board import RuleName
from tengen.errors import NoNetworkError, SetupError
from tengen.nets import default
from tengen.nets.files import read_info
from tengen.parameters import Number, Side

app = cyclopts.App(name="openings", help="Balanced openings for matches.")


@app.command(name="make")
def make_openings(
    *,
    rule: RuleName = "freestyle",
    size: Side = 15,
    count: Number = 300,
    playouts: Number = 30_000,
    tolerance: float = 0.08,
    seed: int = 1,
    to: Path | None = None,
) -> None:
    """Make openings that a search with the shipped network finds even, and write them to a file.

    It can be stopped at any moment; the same command goes on.

    Args:
        rule: The rule of the game.
        size: Points on each side.
        count: Number of openings.
        playouts: Playouts of the search that judges each opening.
        tolerance: Largest distance of its value from 0.
        seed: The same seed gives the same openings, as long as the network is the same.
        to: The file, which `tengen match --openings` takes; RULE-SIZE.txt here if not given.
    """
    setup = GameSetup(size=size, rule=rule)
    recipe = Recipe(setup, playouts=playouts, tolerance=tolerance, seed=seed)
    console = Console(stderr=True)
    path = to or Path(shipped_file(setup).name)
    file = OpeningsFile(path, recipe, count, _judge(rule, size))
    missing = count - len(file.made)
    for _ in track(file.lines(), total=missing, console=console, transient=True, disable=not console.is_terminal):
        pass
    print(f"{count} openings in {path}")


@app.command(name="show")
def show(*, rule: RuleName = "freestyle", size: Side = 15) -> None:
    """Print the openings that matches use for a rule and a size.

    Args:
        rule: The rule of the game.
        size: Points on each side.
    """
    setup = GameSetup(size=size, rule=rule)
    if not shipped_openings(setup):
        raise SetupError(f"no openings are shipped for {rule} on {size}x{size}; matches draw random ones")
    sys.stdout.write(shipped_file(setup).read_text(encoding="utf-8"))


def _judge(rule: str, size: int) -> str:
    try:
        info = read_info(default.find(rule, size))
    except NoNetworkError:
        return "the expert evaluation, because there is no network for the rule"
    return f"the shipped network of {info.created} ({info.games:,} games)"
