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
from tengen.report.matches import Stopped, Watch
from tengen.report.seeds import DOCUMENT_GAMES, SeedsReport

app = cyclopts.App(name="report", help="Write documents of measured results.")


@app.command
def seeds(
    *,
    games: int = DOCUMENT_GAMES,
    seed: int = 1,
    concurrency: int = 1,
    engine: str = "",
    model: str = "",
    folder: Path = Path("runs/report-seeds"),
    to: Path = Path("docs/results.md"),
) -> None:
    """Play the tables of the source documents and write them beside the documents' own figures.

    It can be stopped at any moment; the same command goes on.

    Args:
        games: Games of each row; even.
        seed: Of all matches.
        concurrency: Games at a time; more than one makes the times a move less sure.
        engine: Command of a Gomocup engine for S0's last row, such as Yixin.
        model: File of the network that plays; the shipped one if not given.
        folder: Where the games are kept.
        to: The document.
    """
    report = SeedsReport(games=games, seed=seed, concurrency=concurrency, engine=engine, model=model, folder=folder)
    write_report(report.write, to)


def write_report(write: Callable[[Path, Watch], None], to: Path) -> None:
    """Plays and writes a report; says where it is, or how to go on."""
    try:
        write(to, _watch)
    except Stopped:
        Console(stderr=True).print("stopped; the same command goes on from here")
        sys.exit(INTERRUPTED)
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
