"""`tengen match`: players against each other."""

from __future__ import annotations

import contextlib
import json as json_module
import math
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TextIO

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from tengen import players
from tengen.arena import (
    GameSetup,
    Match,
    MatchResult,
    Opening,
    Sprt,
    gauntlet,
    random_openings,
    read_openings,
    round_robin,
)
from tengen.arena.match import Pairing, PlayedGame
from tengen.arena.openings import EMPTY_BOARD
from tengen.errors import SetupError

INTERRUPTED = 130  # what a shell expects after Ctrl-C
_SHOWN_FORFEITS = 5


def match(
    *specs: str,
    games: int = 50,
    openings: str | None = None,
    seed: int = 0,
    size: int = 15,
    rule: str = "freestyle",
    n_in_row: int = 5,
    move_limit: int | None = None,
    schedule: str = "round-robin",
    sprt: tuple[float, float] | None = None,
    concurrency: int = 1,
    save: Path | None = None,
    json: bool = False,
) -> None:
    """Play a match and print wins, losses, draws and the Elo difference.

    Colours alternate and every opening is played twice. `tengen players` lists the players.

    Args:
        specs: The players, like "tengen:playouts=1500" "alphabeta:depth=6".
        games: Games of each two players; an even number.
        openings: How many random openings, a file with one a line (h8 i9 h10), or none for the empty board;
            as many as needed if not given.
        seed: Of the openings and the players: the same seed gives the same match.
        size: Points on each side.
        rule: freestyle, standard, renju or caro.
        n_in_row: Length of the winning row.
        move_limit: Stones after which a game is a draw.
        schedule: For more than two players: round-robin, or gauntlet (the first against each other one).
        sprt: Two Elo differences, such as 0 20: stop when it is clear which of them is closer to the truth.
        concurrency: Games at a time.
        save: Write every game to this new file, one JSON object a line.
        json: Print one JSON object instead of tables.
    """
    schedules = {"round-robin": round_robin, "gauntlet": gauntlet}
    if schedule not in schedules:
        raise SetupError(f'there is no schedule "{schedule}"; choose one of {", ".join(schedules)}')
    setup = GameSetup(size=size, rule=rule, n_in_row=n_in_row, move_limit=move_limit)
    to_play = Match(
        [players.check(spec) for spec in specs],
        games=games,
        openings=_openings(openings, games, setup, seed),
        setup=setup,
        seed=seed,
        concurrency=concurrency,
        schedule=schedules[schedule],
        sprt=Sprt(*sprt) if sprt is not None else None,
    )
    with _new_file(save) as file, _progress(to_play) as show:

        def on_game(game: PlayedGame, result: MatchResult) -> None:
            show(result)
            if file is not None:
                print(json_module.dumps(game.as_dict()), file=file, flush=True)

        result = to_play.run(on_game)
    if json:
        print(json_module.dumps({**result.as_dict(), "size": size, "rule": rule, "seed": seed}))
    else:
        _print_result(Console(highlight=False), to_play, result)
    if not result.is_complete:
        sys.exit(INTERRUPTED)


def _openings(text: str | None, games: int, setup: GameSetup, seed: int) -> list[Opening]:
    if text == "none":
        return [EMPTY_BOARD]
    if text is None:
        return random_openings(max(1, games // 2), setup, seed)
    try:
        count = int(text)
    except ValueError:
        return read_openings(Path(text), setup)
    return random_openings(count, setup, seed)


@contextlib.contextmanager
def _new_file(path: Path | None) -> Iterator[TextIO | None]:
    """The opened file, or None; never one that exists, because games are too dear to write over."""
    if path is None:
        yield None
        return
    try:
        file = path.open("x", encoding="utf-8")
    except FileExistsError:
        raise SetupError(f'"{path}" exists already; choose another name for --save') from None
    except OSError as error:
        raise SetupError(f'cannot write the games to "{path}": {error.strerror}') from None
    with file:
        yield file


@contextlib.contextmanager
def _progress(to_play: Match) -> Iterator[Callable[[MatchResult], None]]:
    """A bar with the running score on the terminal, nothing where the output is not one."""
    console = Console(stderr=True)
    bar = Progress(
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.description}"),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
    with bar:
        task = bar.add_task("", total=len(to_play.pairings) * to_play.games)

        def show(result: MatchResult) -> None:
            text = ""
            if len(to_play.specs) == 2:
                pair = result.pair()
                text = f"+{pair.total.wins} -{pair.total.losses} ={pair.total.draws}  Elo {_elo(pair.elo.elo)}"
            bar.update(task, completed=len(result.games), description=text)

        yield show


def _print_result(console: Console, played: Match, result: MatchResult) -> None:
    setup = played.setup
    title = f"{len(result.games)} games, {setup.rule} {setup.size}x{setup.size}, seed {played.seed}"
    if not result.is_complete:
        title += f" (stopped; {result.scheduled} were scheduled)"
    console.print(title)
    for pairing in result.pairings:
        _print_pair(console, result, pairing)
    if result.sprt is not None:
        _print_sprt(console, result, result.sprt)
    _print_forfeits(console, result)


def _print_pair(console: Console, result: MatchResult, pairing: Pairing) -> None:
    pair = result.pair(pairing)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("player", overflow="fold")
    for heading in ("won", "lost", "drawn", "score", "as black", "as white", "ms/move"):
        table.add_column(heading, justify="right", no_wrap=True)
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
        f"Elo difference {_elo(elo.elo)}, 95 % between {_elo(elo.low)} and {_elo(elo.high)}; "
        f"the first is stronger with {100 * elo.los:.1f} % likelihood"
    )


def _print_sprt(console: Console, result: MatchResult, sprt: Sprt) -> None:
    low, high = sprt.bounds
    verdict = {None: "undecided", "elo0": f"{sprt.elo0:+g} Elo accepted", "elo1": f"{sprt.elo1:+g} Elo accepted"}
    console.print(
        f"sequential test {sprt.elo0:+g} against {sprt.elo1:+g} Elo: {verdict[result.decision]}, "
        f"log-likelihood ratio {sprt.llr(result.pair().pairs):.2f} of {low:.2f} to {high:.2f}"
    )


def _print_forfeits(console: Console, result: MatchResult) -> None:
    forfeits = [game for pairing in result.pairings for game in result.pair(pairing).forfeits]
    for game in forfeits[:_SHOWN_FORFEITS]:
        record = game.record
        loser = record.white if record.result == "black" else record.black
        console.print(
            f"game {game.scheduled.index + 1}: {loser} lost by {record.reason}: {record.detail}", markup=False
        )
    if len(forfeits) > _SHOWN_FORFEITS:
        console.print(f"... and {len(forfeits) - _SHOWN_FORFEITS} more games lost by illegal moves or errors")


def _elo(value: float) -> str:
    return f"{value:+.0f}" if math.isfinite(value) else "+∞" if value > 0 else "-∞"
