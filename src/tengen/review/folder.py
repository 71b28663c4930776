"""Reviews of many games: a folder of records in, a folder of JSON out, which can be stopped and gone on with.

FOLDER/NAME.json   the review of the record NAME: its moves as `report.as_dict` gives them; written once, whole
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from tengen import disk, records
from tengen.errors import InputError, SetupError, TengenError
from tengen.review.report import as_dict
from tengen.review.reviewer import final_position, reviewer_for

#: How records end.
SUFFIXES = tuple(f".{name}" for name in records.FORMATS)

Review: TypeAlias = dict[str, Any]
Spread: TypeAlias = Callable[[Callable[[], Callable[[Any], Any]], Iterable[tuple[str, Any]]], Iterator[tuple[str, Any]]]
"""Does jobs, given what makes their worker; gives the results with their keys as they come."""


@dataclass(frozen=True)
class Task:
    """A record to review, as bytes: whoever does it need not have the file."""

    name: str
    data: bytes


@dataclass(frozen=True)
class TaskReviewer:
    """Reviews records.

    Attributes:
        playouts: For each position.
        rule: If not what the records say.
        size: Points on each side, where a record does not say.
    """

    playouts: int
    rule: str | None
    size: int

    def __call__(self) -> Callable[[Task], Review]:
        """Gives what reviews a record."""
        return self.review

    def review(self, task: Task) -> Review:
        """The review of a record; what is wrong with it, if it is none."""
        try:
            game = records.parse(task.data, size=self.size)
            if not game.moves:
                raise InputError("the game has no moves")
            rule = self.rule or game.rule or "freestyle"
            reviewer = reviewer_for(final_position(game, rule), self.playouts)
            return {
                "game": task.name,
                "rule": rule,
                "playouts": self.playouts,
                "moves": [as_dict(game, move) for move in reviewer.review(game, rule)],
            }
        except TengenError as error:
            return {"game": task.name, "error": str(error)}


def here(make: Callable[[], Callable[[Any], Any]], jobs: Iterable[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
    """Does jobs one after the other."""
    do = make()
    for name, job in jobs:
        yield name, do(job)


def review_folder(folder: Path, to: Path, reviewer: TaskReviewer, spread: Spread = here) -> Iterator[Review]:
    """Reviews all records of a folder that have no review yet; gives each review once it is on the disk.

    Args:
        folder: With the records.
        to: Where the reviews go; made if it is not there.
        reviewer: How they are reviewed.
        spread: Who does it.

    Raises:
        SetupError: There is nothing to review, or the reviews cannot be written.
    """
    paths = sorted(path for path in folder.iterdir() if path.suffix.lower() in SUFFIXES)
    if not paths:
        raise SetupError(f'there is no record in "{folder}"; records end in {", ".join(SUFFIXES)}')
    left = {path.name: Task(path.name, path.read_bytes()) for path in paths if not (to / f"{path.name}.json").exists()}
    try:
        for name, review in spread(reviewer, left.items()):
            to.mkdir(parents=True, exist_ok=True)
            disk.write_atomically(to / f"{name}.json", json.dumps(review, indent=1).encode())
            yield review
    except OSError as error:
        raise SetupError(f'cannot write the reviews to "{to}": {error.strerror}') from None
