"""`tengen puzzles`: positions with one winning or one saving move."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Literal

import cyclopts
from rich.console import Console
from rich.table import Table

from tengen.cli.progress import tracked
from tengen.disk import check_output
from tengen.errors import SetupError
from tengen.parameters import Number
from tengen.puzzles.judge import PATIENT, Judge
from tengen.puzzles.mine import PuzzleFile
from tengen.puzzles.puzzle import SHIPPED, Puzzle, read, write
from tengen.thinking.levels import Turn, find_level

app = cyclopts.App(name="puzzles", help="Puzzles: positions with one winning or one saving move.")

_LEVELS = (3, 5, 7)
_BANDS = 4


@app.command(name="make")
def make(
    *, rule: Literal["freestyle", "standard", "renju"] = "freestyle", count: Number = 300, to: Path | None = None
) -> None:
    """Mine puzzles from games that a level plays against itself; the solvers check that each has one solution.

    It can be stopped at any moment; the same command goes on.

    Args:
        rule: The rule of the game.
        count: Number of puzzles in the file.
        to: The file; puzzles-RULE.txt here if not given.
    """
    path = to or Path(f"puzzles-{rule}.txt")
    check_output(path)
    file = PuzzleFile(path, rule)
    for _ in tracked(file.grow(count), max(0, count - len(file.made))):
        pass
    print(f"{len(file.made)} puzzles in {path}")


@app.command(name="check")
def check(
    file: Path | None = None,
    *,
    rule: Literal["freestyle", "standard", "renju"] = "freestyle",
    count: Number = 200,
    seed: int = 1,
    to: Path | None = None,
) -> None:
    """Solve random puzzles again, and let levels try their first moves: harder puzzles should be found more rarely.

    Args:
        file: A file of puzzles; those that ship if not given.
        rule: The rule of the game.
        count: Number of puzzles to look at.
        seed: Random seed for which ones.
        to: A file for those that have one solution.
    """
    if to is not None:
        check_output(to)
    puzzles = read(file or SHIPPED / f"{rule}.txt", rule)
    if not puzzles:
        raise SetupError("there is no puzzle in the file")
    chosen = sorted(random.Random(seed).sample(puzzles, min(count, len(puzzles))), key=lambda puzzle: puzzle.rating)
    good = [puzzle for puzzle in tracked(chosen, len(chosen)) if Judge(PATIENT).confirms(puzzle)]
    print(f"{len(good)} of {len(chosen)} have one solution, the one in the file")
    if to is not None:
        write(to, rule, sorted(good, key=lambda puzzle: puzzle.source))
    Console().print(_found_by_levels(chosen, seed))


def _found_by_levels(puzzles: list[Puzzle], seed: int) -> Table:
    """How often levels play the first move, for each quarter of the puzzles from the easiest on."""
    table = Table(box=None, header_style="dim", pad_edge=False)
    for heading in ("ratings", "puzzles", *(f"level {level}" for level in _LEVELS)):
        table.add_column(heading, justify="right")
    size = -(-len(puzzles) // _BANDS)
    for start in range(0, len(puzzles), size):
        band = puzzles[start : start + size]
        shares = [sum(_finds(level, puzzle, seed) for puzzle in band) / len(band) for level in _LEVELS]
        ratings = f"{band[0].rating}-{band[-1].rating}"
        table.add_row(ratings, str(len(band)), *(f"{share:.0%}" for share in shares))
    return table


def _finds(level: int, puzzle: Puzzle, seed: int) -> bool:
    board = puzzle.board()
    return board.text(Turn(find_level(level), board, seed).move()) == puzzle.line[0]
