"""Tuning a player's parameters by games, in a folder that can be gone on with.

tuning.json    what is tuned, and how; written once
steps.jsonl    one step a line: the small match that was played, and the values after it
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from tengen import disk, players
from tengen.arena.game import GameSetup
from tengen.arena.match import Crew, Match, derive_seed
from tengen.arena.openings import Opening
from tengen.arena.spsa import Range, Spsa, Trial, Values
from tengen.errors import SetupError
from tengen.file_lock import FolderLock


@dataclass(frozen=True)
class TuningStep:
    """One step: a small match between two sets of values.

    Attributes:
        pairs: Pairs of games that were played, with all steps before.
        result: Games that the first values won, less those that they lost.
        values: The best guess after it.
    """

    pairs: int
    result: float
    values: Values


Play: TypeAlias = Callable[[Trial, int, int], float | None]
"""The result of so many pairs of games of a trial, the second number counting the pairs before; None if stopped."""


class TuningMatches:
    """Plays the trials of a tuning: what `Play` describes."""

    def __init__(
        self,
        spec: str,
        ranges: Sequence[Range],
        *,
        setup: GameSetup | None = None,
        openings: Sequence[Opening],
        seed: int = 0,
        concurrency: int = 1,
        crew: Callable[[Match], Crew] | None = None,
    ) -> None:
        """Checks that the player takes all the values that may be tried.

        Args:
            spec: The player, without the parameters that are tuned.
            ranges: These parameters.
            setup: Board and rule; freestyle on 15x15 if not given.
            openings: Taken in turn.
            seed: Random seed for the players.
            concurrency: Games at a time.
            crew: As for `Match`.
        """
        self._spec = spec
        self._ranges = ranges
        self._setup = setup or GameSetup()
        self._openings = openings
        self._seed = seed
        self._concurrency = concurrency
        self._crew = crew
        for end in ("low", "start", "high"):
            self._player({item.name: getattr(item, end) for item in ranges})

    def _player(self, values: Values) -> str:
        return players.with_keys(self._spec, {item.name: item.text(values[item.name]) for item in self._ranges})

    def __call__(self, trial: Trial, pairs: int, before: int) -> float | None:
        """Plays a small match; a game that a player forfeits ends the tuning."""
        match = Match(
            [self._player(trial.plus), self._player(trial.minus)],
            games=2 * pairs,
            openings=[self._openings[(before + number) % len(self._openings)] for number in range(pairs)],
            setup=self._setup,
            seed=derive_seed(self._seed, before),
            concurrency=self._concurrency,
            crew=self._crew,
        )
        result = match.run()
        if forfeits := result.pair().forfeits:
            raise SetupError(f"a player failed: {forfeits[0].record.detail}")
        total = result.pair().total
        return total.wins - total.losses if result.is_complete else None


class Tuning:
    """A tuning to do. Key method: `run`."""

    def __init__(
        self, ranges: Sequence[Range], play: Play, *, games: int, pairs: int = 4, rate: float = 0.005, seed: int = 0
    ) -> None:
        """Prepares it.

        Args:
            ranges: The parameters.
            play: Compares two sets of values.
            games: How many in all.
            pairs: Pairs of games of a step.
            rate: As for `Spsa`.
            seed: Of everything random.
        """
        if not ranges:
            raise SetupError("name a parameter to tune, such as --param c_puct=1.6:0.5:4")
        names = [item.name for item in ranges]
        if twice := {name for name in names if names.count(name) > 1}:
            raise SetupError(f"{min(twice)} is given twice")
        if games < 2 * pairs or pairs < 1:
            raise SetupError(f"{games} games are fewer than the {2 * pairs} of one step")
        self.ranges = ranges
        self.total = games // 2
        self._pairs = pairs
        self._play = play
        self._state = Spsa(ranges, self.total, rate, seed)

    @property
    def values(self) -> Values:
        """The best guess so far."""
        return self._state.values

    @property
    def is_complete(self) -> bool:
        """Whether all games were played."""
        return self._state.pairs >= self.total

    def resume(self, steps: Iterable[TuningStep]) -> None:
        """Goes on after steps that were made before."""
        for step in steps:
            self._state.pairs = step.pairs
            self._state.values.update(step.values)

    def run(self) -> Iterator[TuningStep]:
        """Makes the steps that are left; ends early where the games were stopped."""
        while not self.is_complete:
            trial = self._state.trial()
            pairs = min(self._pairs, self.total - self._state.pairs)
            result = self._play(trial, pairs, self._state.pairs)
            if result is None:
                return
            self._state.learn(trial, result, pairs)
            yield TuningStep(self._state.pairs, result, dict(self._state.values))


@contextmanager
def tuning_folder(path: Path, description: Mapping[str, Any]) -> Iterator[TuningLog]:
    """The folder of a tuning, which keeps other processes out while it is open.

    Args:
        path: The folder; made if there is none.
        description: What everything in it depends on; a folder with another one is refused.
    """
    lock = FolderLock(path, "steps.jsonl")
    try:
        is_ours = lock.take()
    except OSError as error:
        raise SetupError(f'cannot keep the tuning in "{path}": {error.strerror}') from None
    if not is_ours:
        raise SetupError(f'another tuning is writing to "{path}"')
    try:
        _check(path / "tuning.json", description)
        yield TuningLog(path / "steps.jsonl")
    finally:
        lock.release()


def _check(file: Path, description: Mapping[str, Any]) -> None:
    """Writes what is tuned, or makes sure that it is the same."""
    wanted = json.dumps(description, indent=1) + "\n"
    if not file.exists():
        disk.write_atomically(file, wanted.encode())
    elif file.read_text(encoding="utf-8") != wanted:
        raise SetupError(
            f'"{file.parent}" holds another tuning; choose another folder, or the command that it was made with'
        )


class TuningLog:
    """The steps of a tuning on disk. A line that was cut off is dropped, and its step made again."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> list[TuningStep]:
        """The steps that were made before."""
        data = self._path.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        if len(whole) < len(data):
            with self._path.open("r+b") as file:
                file.truncate(len(whole))
        try:
            return [TuningStep(**json.loads(line)) for line in whole.splitlines()]
        except (ValueError, TypeError):
            raise SetupError(f'"{self._path}" is damaged; choose another folder') from None

    def add(self, step: TuningStep) -> None:
        """Writes a step; it survives whatever happens to the process."""
        with self._path.open("ab", buffering=0) as file:
            disk.append_whole(self._path, file, json.dumps(vars(step)).encode() + b"\n")
