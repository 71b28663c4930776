"""`tengen match`: players against each other."""

from __future__ import annotations

import json as json_module
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.console import Console

from tengen import players
from tengen.arena import GameSetup, Match, Opening, Sprt, random_openings, read_openings
from tengen.arena import gauntlet as gauntlet_schedule
from tengen.arena import round_robin as round_robin_schedule
from tengen.arena.adjudication import Adjudication
from tengen.arena.balanced import match_openings, shipped_openings
from tengen.arena.folder import description, run
from tengen.arena.openings import EMPTY_BOARD
from tengen.board import RuleName
from tengen.cli.match_view import match_progress, print_result
from tengen.cli.signals import INTERRUPTED
from tengen.cluster import crew_of
from tengen.errors import SetupError
from tengen.games import GOMOKU
from tengen.parameters import Seconds, Side

#: Games of a match, and of one that ends by itself when the sequential test is decided.
_GAMES, _SPRT_GAMES = 50, 20_000


def match(
    *specs: str,
    game: str = GOMOKU,
    games: int | None = None,
    openings: str | None = None,
    seed: int = 0,
    size: Side = 15,
    rule: RuleName = "freestyle",
    n_in_row: int = 5,
    move_limit: int | None = None,
    adjudicate_win: tuple[float, int] | None = None,
    adjudicate_draw: tuple[float, int] | None = None,
    gauntlet: bool = False,
    round_robin: bool = False,
    sprt: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None,
    time: Seconds | None = None,
    concurrency: int = 1,
    cluster: str | None = None,
    save: Path | None = None,
    json: bool = False,
) -> None:
    """Play a match and print wins, losses, draws and Elo.

    Colours alternate and every opening is played twice. `tengen players` lists the players.

    Args:
        specs: The players, like "tengen:playouts=1500" "alphabeta:depth=6".
        game: gomoku, connect4, othello6, othello8, tictactoe or mnk:WxHxK; all but gomoku are played by random, mcts
            and net, and have no use for size, rule and n-in-row.
        games: Games of each pair of players; an even number. 50 if not given, with a sequential test 20000 at most.
        openings: balanced (shipped with Tengen, the default where there are any), random, either of them with a number
            like random:20, a number alone, a file with one opening a line (h8 i9 h10), or none for the empty board;
            as many as needed if no number is given.
        seed: Random seed for openings and players: the same seed gives the same match.
        size: Points on each side.
        rule: The rule of the game.
        n_in_row: Length of the winning row.
        move_limit: Stones after which a game is a draw.
        adjudicate_win: A value and a number of moves, such as 0.98 4: a game is won when both players' searches
            agree on that value for so many moves each; never if not given.
        adjudicate_draw: The same for draws: both are at most this far from 0.
        gauntlet: The first player meets each of the others.
        round_robin: Everybody meets everybody, which is the default.
        sprt: Two Elo differences, such as 0,8: stop when it is clear which of them is closer to the truth.
        time: Seconds a move for all players.
        concurrency: Games at a time.
        cluster: Play on all cores of a ray cluster instead: HOST:PORT of its head, or auto for the one of this machine.
        save: Keep the match in this folder: every game as SGF, as JSON and as text. The same command goes on
            where it was stopped.
        json: Print one JSON object instead of tables.
    """
    if gauntlet and round_robin:
        raise SetupError("a match is a gauntlet or a round robin, not both")
    if games is None:
        games = _SPRT_GAMES if sprt else _GAMES
    setup = GameSetup(size=size, rule=rule, n_in_row=n_in_row, move_limit=move_limit, game=game)
    to_play = Match(
        [players.check(spec) if time is None else players.with_keys(spec, {"time": f"{time:g}"}) for spec in specs],
        games=games,
        openings=_openings(openings, games, setup, seed),
        setup=setup,
        seed=seed,
        concurrency=concurrency,
        schedule=gauntlet_schedule if gauntlet else round_robin_schedule,
        sprt=Sprt.from_text(sprt) if sprt is not None else None,
        adjudication=_adjudication(adjudicate_win, adjudicate_draw),
        crew=None if cluster is None else crew_of(cluster, Console(stderr=True, highlight=False).print),
    )
    with match_progress(to_play) as show:
        result = run(to_play, save, show)
    if json:
        facts = {name: value for name, value in description(to_play).items() if name not in result.as_dict()}
        print(json_module.dumps({**result.as_dict(), **facts}))
    else:
        print_result(Console(highlight=False), to_play, result)
    if not result.is_complete:
        sys.exit(INTERRUPTED)


def _openings(text: str | None, games: int, setup: GameSetup, seed: int) -> list[Opening]:
    if text == "none":
        return [EMPTY_BOARD]
    needed = max(1, games // 2)
    named = re.fullmatch(r"(?:(balanced|random)(?::|$))?([+-]?\d+)?", text or "")
    if named is None:
        assert text is not None
        return read_openings(Path(text), setup)
    kind, number = named[1], int(named[2]) if named[2] else needed
    if kind == "random":
        return random_openings(number, setup, seed)
    if kind == "balanced" and len(shipped_openings(setup)) < number:
        raise SetupError(
            f"only {len(shipped_openings(setup))} balanced openings are shipped for {setup.rule} on "
            f"{setup.size}x{setup.size}, not {number}; make more with: tengen openings make"
        )
    return match_openings(number, setup, seed)


def _adjudication(win: tuple[float, int] | None, draw: tuple[float, int] | None) -> Adjudication:
    for given in (win, draw):
        if given is not None and given[1] < 1:
            raise SetupError(f"adjudication needs a number of moves of at least 1, not {given[1]}")
    rules = Adjudication()
    if win is not None:
        rules = replace(rules, win_value=win[0], win_moves=win[1])
    if draw is not None:
        rules = replace(rules, draw_value=draw[0], draw_moves=draw[1])
    return rules
