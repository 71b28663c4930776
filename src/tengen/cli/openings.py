"""`tengen openings`: balanced openings for matches, and a book of openings to browse."""

from __future__ import annotations

import sys
from pathlib import Path

import cyclopts
from rich.console import Console
from rich.table import Table

from tengen.arena import GameSetup
from tengen.arena.balanced import OpeningsFile, Recipe, shipped_file, shipped_openings
from tengen.board import Board, RuleName
from tengen.book import GamesFile, Tally, shipped_book
from tengen.cli.progress import tracked
from tengen.disk import check_output
from tengen.errors import NoNetworkError, SetupError
from tengen.nets import default
from tengen.nets.files import read_info
from tengen.parameters import Number, Side
from tengen.theory import shipped_theory

app = cyclopts.App(name="openings", help="Balanced openings for matches, and a book of openings to browse.")


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
    path = to or Path(shipped_file(setup).name)
    file = OpeningsFile(path, recipe, count, _judge(rule, size))
    missing = count - len(file.made)
    for _ in tracked(file.lines(), missing):
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


@app.command(name="book")
def make_book(*, rule: RuleName = "freestyle", games: Number = 1000, to: Path | None = None) -> None:
    """Play games from named and balanced openings, and keep how they began and ended: the book that the page browses.

    It can be stopped at any moment; the same command goes on.

    Args:
        rule: The rule of the game.
        games: Number of games in the file.
        to: The file; book-RULE.txt here if not given.
    """
    path = to or Path(f"book-{rule}.txt")
    check_output(path)
    file = GamesFile(path, rule)
    missing = max(0, games - file.games)
    for _ in tracked(file.grow(games), missing):
        pass
    print(f"{file.games} games in {path}")


@app.command(name="replies")
def replies(*moves: str, rule: RuleName = "freestyle") -> None:
    """Print what the book knows of a position: its games, the replies, and whether a win is proven.

    Args:
        moves: The moves that lead to the position, like h8 i9 i7.
        rule: The rule of the game.
    """
    board = Board.from_moves(moves, rule=rule)
    book = shipped_book(rule)
    console = Console(highlight=False)
    console.print(_told(book.at(board)))
    if (proven := shipped_theory(rule).at(board)) is not None:
        console.print(f"proven: {proven.winner} wins{f' by {board.text(proven.move)}' if proven.move else ''}")
    table = Table(box=None, header_style="dim", pad_edge=False)
    for heading in ("move", "games", "black", "white", "drawn"):
        table.add_column(heading, justify="right")
    for reply in book.replies(board):
        tally = reply.tally
        table.add_row(board.text(reply.moves[0]), *map(str, (tally.games, tally.black, tally.white, tally.draws)))
    if table.row_count:
        console.print(table)


def _told(tally: Tally) -> str:
    games = "1 game" if tally.games == 1 else f"{tally.games} games"
    return f"{games}: black won {tally.black}, white {tally.white}, drawn {tally.draws}"


def _judge(rule: str, size: int) -> str:
    try:
        info = read_info(default.find(rule, size))
    except NoNetworkError:
        return "the expert evaluation, because there is no network for the rule"
    return f"the shipped network of {info.created} ({info.games:,} games)"
