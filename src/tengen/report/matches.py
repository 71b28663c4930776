"""The matches behind a report: played in folders of their own, so that a report goes on where it was stopped."""

from __future__ import annotations

import hashlib
import json
import re
import shlex
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TypeAlias

from tengen.arena import GameSetup, Match, MatchResult, round_robin
from tengen.arena.balanced import match_openings
from tengen.arena.folder import OnGame, description, run
from tengen.arena.game import FORFEITS
from tengen.arena.results import Pairing
from tengen.errors import SetupError

Watch: TypeAlias = Callable[[Match, str], AbstractContextManager[OnGame]]
"""Shows a match with a title while it is played."""


class Stopped(Exception):  # noqa: N818  (nothing went wrong)
    """A match was interrupted; its folder has the games so far."""


def make_match(
    specs: Sequence[str],
    games: int,
    seed: int,
    concurrency: int = 1,
    schedule: Callable[[int], list[Pairing]] = round_robin,
) -> Match:
    """The match that `tengen match` plays with these players, games and seed."""
    setup = GameSetup()
    openings = match_openings(games // 2, setup, seed)
    return Match(
        specs, games=games, openings=openings, setup=setup, seed=seed, concurrency=concurrency, schedule=schedule
    )


def command(specs: Sequence[str], games: int, seed: int) -> str:
    """The command that plays the same match."""
    players = " ".join(shlex.quote(spec) for spec in specs)
    return f"tengen match {players} --games {games} --seed {seed}"


def play(match: Match, folder: Path, watch: Watch, title: str) -> MatchResult:
    """Plays a match, or what is left of it.

    Args:
        match: The match.
        folder: Folder of all matches of the report. Each has a folder in it whose name changes with everything the
            games depend on, so that a new network or other openings never meet old games.
        watch: Shows it.
        title: For people.

    Raises:
        Stopped: It was interrupted.
        SetupError: A player failed in a game, so that the results measure something else.
    """
    digest = hashlib.sha256(json.dumps(description(match), sort_keys=True).encode()).hexdigest()[:10]
    place = folder / f"{slug(title)}-{digest}"
    with watch(match, title) as on_game:
        result = run(match, place, on_game)
    if not result.is_complete:
        raise Stopped
    for game in result.games:
        if game.record.reason in FORFEITS:
            number, record = game.scheduled.index + 1, game.record
            raise SetupError(
                f"{title}: game {number} was lost by {record.reason} ({record.detail}); mend that, delete {place} and "
                "start the report again"
            )
    return result


def slug(title: str) -> str:
    """A title as the name of a folder."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:60]
