"""Which games of a shard other machines played: a file of lines beside the shard, so that no game is recorded twice.

A line is written before its games are, so there are no games of a worker without a line. After a crash there may be
lines whose games are missing, some or all: those never were confirmed, and come again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import accumulate
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from tengen import core
from tengen.disk import append_whole
from tengen.train.json_lines import read_lines
from tengen.train.pools import Games, Origin


@dataclass(frozen=True)
class _Line(Origin):
    """An origin, and the byte of the shard at which its games begin."""

    begin: int


_LINE = TypeAdapter(_Line)


def file_beside(shard: Path) -> Path:
    """Where the origins of a shard's games are."""
    return shard.with_suffix(".jsonl")


def write_origins(shard: Path, end: int, batch: Sequence[Games]) -> bool:
    """Writes where games are from that are about to be appended; on the disk when it returns.

    Args:
        shard: The file to which they are appended.
        end: Its length now.
        batch: The games in their order.

    Returns:
        Whether there was anything to say.
    """
    begins = accumulate((len(games.data) for games in batch), initial=end)
    lines = [
        json.dumps({**asdict(games.origin), "begin": begin})
        for games, begin in zip(batch, begins, strict=False)
        if games.origin is not None
    ]
    if lines:
        path = file_beside(shard)
        with open(path, "ab", buffering=0) as file:
            append_whole(path, file, "".join(f"{line}\n" for line in lines).encode())
            os.fsync(file.fileno())
    return bool(lines)


def next_numbers(shard: Path, games: Sequence[core.GameRecord]) -> dict[str, int]:
    """Of each worker the number of the game after the last one that is in a shard.

    Args:
        shard: The file.
        games: All sound games in it.
    """
    begins = list(accumulate((len(game.data) for game in games), initial=0))[:-1]
    places = {begin: place for place, begin in enumerate(begins)}
    taken: dict[str, int] = {}
    for entry in read_lines(file_beside(shard)):
        try:
            line = _LINE.validate_python(entry)
        except ValidationError:
            continue
        if line.begin in places:
            sound = min(line.games, len(games) - places[line.begin])
            taken[line.worker] = max(taken.get(line.worker, 0), line.first + sound)
    return taken
