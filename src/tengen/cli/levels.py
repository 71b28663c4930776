"""`tengen levels`: the opponents for people, and how strong they are."""

from __future__ import annotations

from pathlib import Path

import cyclopts

from tengen.cli.report import write_report
from tengen.report.levels import LevelsReport
from tengen.thinking.levels import LEVELS

app = cyclopts.App(name="levels", help="The levels for people, and how strong they are.")


@app.command
def measure(
    *,
    games: int = 20,
    seed: int = 1,
    concurrency: int = 1,
    highest: int = max(LEVELS),
    folder: Path = Path("runs/report-levels"),
    to: Path = Path("docs/levels.md"),
) -> None:
    """Play every level against the one below and against yardsticks, and write their Elo to a document.

    It can be stopped at any moment; the same command goes on.

    Args:
        games: Games of each two players; even.
        seed: Of the match.
        concurrency: Games at a time.
        highest: The last level to measure.
        folder: Where the games are kept.
        to: The document.
    """
    report = LevelsReport(games=games, seed=seed, concurrency=concurrency, highest=highest, folder=folder)
    write_report(report.write, to)
