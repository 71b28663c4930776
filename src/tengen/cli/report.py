"""`tengen report`: documents of measured results."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import cyclopts
from rich.console import Console

from tengen.arena import Match, MatchResult
from tengen.arena.folder import OnGame
from tengen.arena.results import MatchGame
from tengen.cli.match_view import match_progress
from tengen.cli.signals import INTERRUPTED
from tengen.disk import check_output
from tengen.report.documents import DOCUMENT_GAMES, DocumentsReport
from tengen.report.levels import LevelsReport
from tengen.report.matches import Stopped, Watch
from tengen.thinking.levels import LEVELS

app = cyclopts.App(name="report", help="Play the games behind a document of measured results, and print it.")


@app.command
def documents(
    *,
    games: int = DOCUMENT_GAMES,
    seed: int = 1,
    concurrency: int = 1,
    engine: str = "",
    model: str = "",
    folder: Path = Path("runs/report-documents"),
    to: Path | None = None,
) -> None:
    """Play the tables of the source documents, and show the results beside the documents' own figures.

    It can be stopped at any moment; the same command goes on.

    Args:
        games: Games of each row; even.
        seed: Random seed of all matches.
        concurrency: Games at a time; with more than one, the times of a move are less certain.
        engine: Command of a Gomocup engine for the last row of the thesis's tables, such as Yixin.
        model: File of the network that plays; the shipped one if not given.
        folder: Where the games are kept.
        to: Write the document to this file instead of printing it.
    """
    report = DocumentsReport(games=games, seed=seed, concurrency=concurrency, engine=engine, model=model, folder=folder)
    _show(report.text, to)


app.command(documents, name="seeds", show=False)  # its former name


@app.command
def levels(
    *,
    games: int = LevelsReport.games,
    seed: int = 1,
    concurrency: int = 1,
    highest: int = max(LEVELS),
    folder: Path = Path("runs/report-levels"),
    to: Path | None = None,
) -> None:
    """Play every level against the one below and against yardsticks, and show their Elo.

    It can be stopped at any moment; the same command goes on.

    Args:
        games: Games of each pair of players; even. Levels that think long play fewer.
        seed: Random seed of the matches.
        concurrency: Games at a time.
        highest: The last level to measure.
        folder: Where the games are kept.
        to: Write the document to this file instead of printing it.
    """
    report = LevelsReport(games=games, seed=seed, concurrency=concurrency, highest=highest, folder=folder)
    _show(report.text, to)


former_levels = cyclopts.App(name="levels", show=False)
former_levels.command(levels, name="measure")


def _show(make: Callable[[Watch], str], to: Path | None) -> None:
    """Plays a report and prints or writes it; says how to go on if it is stopped."""
    if to is not None:
        check_output(to)
    try:
        text = make(_watch)
    except Stopped:
        Console(stderr=True).print("stopped; the same command goes on from here")
        sys.exit(INTERRUPTED)
    if to is None:
        print(text, end="")
    else:
        to.write_text(text, encoding="utf-8")
        print(f"written: {to}")


@contextlib.contextmanager
def _watch(match: Match, title: str) -> Iterator[OnGame]:
    """The bar of a match, and a line when it has ended."""
    with match_progress(match, title) as show:
        last: list[MatchResult] = []

        def on_game(game: MatchGame, result: MatchResult) -> None:
            last[:] = [result]
            show(game, result)

        yield on_game
    if last:
        score = f", {last[0].pair().total}" if len(match.specs) == 2 else ""
        Console(stderr=True, highlight=False).print(f"{title}: {len(last[0].games)} games{score}")
