"""How a match looks in the terminal: a bar while it is played, tables afterwards."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from tengen.arena import Match, MatchResult, Sprt
from tengen.arena.results import MatchGame, Pairing
from tengen.arena.statistics import elo_text
from tengen.cli.progress import progress

_SHOWN_FORFEITS = 5


@contextlib.contextmanager
def match_progress(to_play: Match, title: str = "") -> Iterator[Callable[[MatchGame, MatchResult], None]]:
    """The running score."""
    with progress(len(to_play.pairings) * to_play.games, text=title) as show_progress:

        def show(game: MatchGame, result: MatchResult) -> None:
            text = title
            if len(to_play.specs) == 2:
                pair = result.pair()
                text += f" +{pair.total.wins} -{pair.total.losses} ={pair.total.draws}  Elo {elo_text(pair.elo.elo)}"
                if to_play.sprt is not None:
                    text += f"  LLR {to_play.sprt.llr(pair.pairs):+.2f}"
            show_progress(len(result.games), text)

        yield show


def print_result(console: Console, played: Match, result: MatchResult) -> None:
    """Prints what came out of a match."""
    setup = played.setup
    title = f"{len(result.games)} games, {setup}, seed {played.seed}"
    if not result.is_complete:
        title += f" (stopped; {result.scheduled} were scheduled)"
    if thinking := sum(sum(game.record.seconds) for game in result.games):  # all but nothing is lost between moves
        title += f"; {3600 * played.concurrency * len(result.games) / thinking:,.0f} an hour"
    console.print(f"{title}; adjudication: {played.adjudication}")
    if len(result.players) > 2:
        _print_ratings(console, result)
        _print_cross_table(console, result)
    else:
        _print_pair(console, result, result.pairings[0])
    _print_speeds(console, result)
    if result.sprt is not None:
        _print_sprt(console, result, result.sprt)
    _print_forfeits(console, result)


def _print_pair(console: Console, result: MatchResult, pairing: Pairing) -> None:
    pair = result.pair(pairing)
    table = _table("player", "won", "lost", "drawn", "score", "as black", "as white", "ms/move")
    sides = ((pair.as_black, pair.as_white), (pair.as_white.reverse(), pair.as_black.reverse()))
    for place, (as_black, as_white) in zip(pairing, sides, strict=True):
        total = as_black + as_white
        table.add_row(
            escape(result.players[place]),
            *(str(count) for count in (total.wins, total.losses, total.draws)),
            f"{100 * total.points / max(1, total.games):.1f} %",
            str(as_black),
            str(as_white),
            f"{1000 * result.seconds_a_move(place):.1f}",
        )
    console.print(table)
    elo = pair.elo
    console.print(
        f"Elo difference {elo_text(elo.elo)}, 95 % between {elo_text(elo.low)} and {elo_text(elo.high)}; "
        f"the first is stronger with {100 * elo.los:.1f} % likelihood"
    )


def _print_ratings(console: Console, result: MatchResult) -> None:
    table = _table("player", "Elo", "±", "games", "score", "won", "lost", "drawn", "ms/move")
    ratings = result.ratings()
    for place in ranking(result):
        total = result.total(place)
        table.add_row(
            escape(f"{place + 1} {result.players[place]}"),
            elo_text(ratings[place].elo),
            f"{ratings[place].margin95:.0f}",
            str(total.games),
            f"{100 * total.points / max(1, total.games):.1f} %",
            *(str(count) for count in (total.wins, total.losses, total.draws)),
            f"{1000 * result.seconds_a_move(place):.1f}",
        )
    console.print(table)
    console.print("Elo by maximum likelihood with a draw model, mean 0; ± is half of the 95 % interval")


def _print_cross_table(console: Console, result: MatchResult) -> None:
    """Points of the row's player against the column's; players have their numbers of the command line."""
    order = ranking(result)
    table = _table("points against", *(str(place + 1) for place in order))
    scores = {}
    for first, second in result.pairings:
        total = result.pair((first, second)).total
        scores[first, second], scores[second, first] = total, total.reverse()
    for row in order:
        cells = [
            f"{scores[row, column].points:g}/{scores[row, column].games}" if (row, column) in scores else "·"
            for column in order
        ]
        table.add_row(escape(f"{row + 1} {result.players[row]}"), *cells)
    console.print(table)


def ranking(result: MatchResult) -> list[int]:
    """The players' places in the list, best rating first."""
    ratings = result.ratings()
    return sorted(range(len(ratings)), key=lambda place: -ratings[place].elo)


def _table(first: str, *others: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column(first, overflow="fold")
    for heading in others:
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def _print_speeds(console: Console, result: MatchResult) -> None:
    """How fast the tree searches were, by the players' numbers of the command line."""
    speeds = [(place + 1, result.playouts_per_cpu_second(place)) for place in range(len(result.players))]
    if known := [f"{speed:,.0f} (player {number})" for number, speed in speeds if speed is not None]:
        console.print(f"playouts a CPU second: {', '.join(known)}")


def _print_sprt(console: Console, result: MatchResult, sprt: Sprt) -> None:
    low, high = sprt.bounds
    verdict = {None: "undecided", "elo0": f"{sprt.elo0:+g} Elo accepted", "elo1": f"{sprt.elo1:+g} Elo accepted"}
    console.print(
        f"sequential test {sprt.elo0:+g} against {sprt.elo1:+g} Elo: {verdict[result.decision]}, "
        f"log-likelihood ratio {sprt.llr(result.pair().pairs):.2f} of {low:.2f} to {high:.2f}"
    )


def _print_forfeits(console: Console, result: MatchResult) -> None:
    forfeits = [game for pairing in result.pairings for game in result.pair(pairing).forfeits]
    for game in sorted(forfeits, key=lambda game: game.scheduled.index)[:_SHOWN_FORFEITS]:
        record = game.record
        loser = record.white if record.result == "black" else record.black
        console.print(
            f"game {game.scheduled.index + 1}: {loser} lost by {record.reason}: {record.detail}", markup=False
        )
    if len(forfeits) > _SHOWN_FORFEITS:
        console.print(f"... and {len(forfeits) - _SHOWN_FORFEITS} more games lost by illegal moves or errors")
