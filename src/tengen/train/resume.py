"""Where a run was when it ended, however it ended: read from its folder, which is not changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

from numpy.typing import NDArray
from pydantic import TypeAdapter

from tengen import core
from tengen.errors import SetupError
from tengen.nets import files
from tengen.train.json_lines import finite
from tengen.train.learners import Learner, make_learner
from tengen.train.origins import next_numbers
from tengen.train.params import RunParams, from_dict
from tengen.train.pools import Games, Origin
from tengen.train.recent_games import RecentGames, positions_of
from tengen.train.run_folder import PARAMS, RunFolder

Complain: TypeAlias = Callable[[str], None]


@dataclass
class RunCounters:
    """What has happened so far, pauses between the parts of a resumed run not counted."""

    seconds: float = 0.0
    games: int = 0
    positions: int = 0
    samples: int = 0
    recorded_samples: int = 0
    credit: float = 0.0
    evaluations: int = 0
    draws_of_samples: int = 0
    networks: int = 0  # that were given to those who play
    shards: int | None = None  # the last shard whose games are counted here, if any; older versions did not say
    playouts_factor: float = 1.0  # as `tengen.train.growth` left it
    taken: dict[str, int] = field(default_factory=dict)  # of each worker the number of the next game

    def without_taken(self, batch: Sequence[Games]) -> list[Games]:
        """Those of the games that are not counted yet: a worker gives again what it did not see confirmed.

        The same games can be in a batch twice, from a worker that was killed and from the one that followed it.
        """
        fresh: list[Games] = []
        taken = dict(self.taken)
        for games in batch:
            if (origin := games.origin) is not None:
                games = _after(taken.get(origin.worker, 0), games, origin)
                taken[origin.worker] = max(taken.get(origin.worker, 0), origin.first + origin.games)
            if games.data:
                fresh.append(games)
        return fresh

    def count(
        self,
        shard: int,
        games: Sequence[core.GameRecord],
        params: RunParams,
        origin: Origin | None = None,
        to_learn: bool = True,
    ) -> None:
        """Counts games that were added to a shard, and, if they are `to_learn`, how much is to be learned for them."""
        positions, rounds, learn = positions_of(games), self.rounds(params), params.learn
        if origin is not None:
            self.taken[origin.worker] = origin.first + len(games)
        self.games += len(games)
        self.positions += positions
        if params.selfplay.round_games:
            self.credit += (self.rounds(params) - rounds) * learn.round_batches * learn.batch_steps * learn.batch
        elif to_learn:
            self.credit += positions * learn.reuse
        self.shards = max(shard, self.shards or 0)

    def rounds(self, params: RunParams) -> int:
        """How many rounds of games have ended; 0 in a run without any."""
        return self.games // params.selfplay.round_games if params.selfplay.round_games else 0


def _after(number: int, games: Games, origin: Origin) -> Games:
    """The games from a number on."""
    known = max(0, number - origin.first)
    if known == 0:
        return games
    left = core.read_games(games.data)[known:]
    return Games(b"".join(game.data for game in left), replace(origin, first=origin.first + known, games=len(left)))


@dataclass(frozen=True)
class Resumed:
    """A run that can go on.

    Attributes:
        learner: The network as it was.
        counters: What has happened so far.
        begun: The games that were under way, as bytes.
    """

    learner: Learner
    counters: RunCounters
    begun: bytes


def settle_params(run: RunFolder, wanted: RunParams, minutes: float | None, complain: Complain) -> RunParams:
    """The parameters of a run: its own if it has begun, but for its length and the opponent, which may come and go."""
    stored = run.load_params()
    for name in ("start", "games"):
        given = getattr(wanted, name)
        if run.has_begun and given and not _is_same(given, (stored or {}).get(name)):
            raise taken(run, name)
    params = wanted
    if stored is not None:
        params = replace(_stored_params(run, stored), opponent=wanted.opponent)
    elif run.has_begun:
        complain(f"{run.path / PARAMS} is missing: the run goes on with the parameters of the preset")
    return params if minutes is None else replace(params, minutes=minutes)


def taken(run: RunFolder, option: str) -> SetupError:
    """What to say to somebody who wants to begin where a run is already."""
    return SetupError(f"{run.path} exists; --{option} is for a new run: choose another --run")


def _is_same(path: str, stored: object) -> bool:
    return isinstance(stored, str) and stored != "" and Path(path).resolve() == Path(stored).resolve()


def _stored_params(run: RunFolder, stored: dict[str, Any]) -> RunParams:
    try:
        return from_dict(stored)
    except SetupError as error:
        raise SetupError(
            f"{run.path / PARAMS}: {error}; mend it, or delete it to go on with the parameters of the preset"
        ) from None


def resume(run: RunFolder, params: RunParams, recent: RecentGames, complain: Complain) -> Resumed:
    """Takes a run up again, or begins a new one.

    Args:
        run: Its folder.
        params: Its parameters.
        recent: Is filled with the latest games.
        complain: Called with a sentence where something is damaged and the run can go on without it.
    """
    learner = make_learner(params)

    def take(state: Mapping[str, NDArray[Any]], counters: Mapping[str, Any]) -> RunCounters:
        checked = TypeAdapter(RunCounters).validate_python(counters)
        learner.load_state(state)
        return checked

    counters = run.take_checkpoint(take, complain)
    count_games = counters is None or counters.shards is not None or counters.games == 0
    if counters is None:
        counters = RunCounters()
        if run.checkpoints():
            learner = make_learner(params)  # the other one may have taken over half of a damaged one
            complain("no checkpoint is sound: the network begins anew, with the games that are there")
        elif params.start:
            _start_from(learner, Path(params.start), complain)
    later = _read_games(run, params, counters, recent, count_games)
    # Time that was logged has passed, even if what was learned in it is lost.
    counters.seconds = max(counters.seconds, 60 * _logged_minutes(run))
    return Resumed(learner, counters, _without_finished(run.load_games_under_way(), later))


def _start_from(learner: Learner, path: Path, complain: Complain) -> None:
    """Takes over the network of another run, or of a file."""
    run = RunFolder(path).take_checkpoint(lambda state, _: state, complain) if path.is_dir() else None
    network = files.load(path) if path.is_file() else None
    if run is None and network is None:
        raise SetupError(f"there is neither a run with a checkpoint nor a network file {path} to start from")
    try:
        if network is not None:
            arrays, info = network
            learner.start_from_network(arrays, info.config)
        elif run is not None:
            learner.start_from(run)
    except (KeyError, RuntimeError, TypeError, ValueError):
        raise SetupError(f"the network of {path} has another shape than the one of this run") from None


def _read_games(
    run: RunFolder, params: RunParams, counters: RunCounters, recent: RecentGames, count: bool
) -> list[core.GameRecord]:
    """Reads the shards back, newest first: as many as the buffer holds, and all that came after the checkpoint.

    What was cut off by a crash is left out.

    Returns:
        The games after the checkpoint, which are counted if `count` says so.
    """
    counted = counters.shards or 0
    shards: list[tuple[int, bytes, list[core.GameRecord]]] = []
    later: list[core.GameRecord] = []
    positions = 0
    for number, path in reversed(run.shards()):
        is_later = count and number > counted
        if not is_later and positions >= recent.capacity(counters.positions):
            break
        data = path.read_bytes()
        games = core.read_games(data)
        positions += positions_of(games)
        shards.append((number, data, games))
        if is_later:
            counters.count(number, games, params)
            for worker, next_number in next_numbers(path, games).items():
                counters.taken[worker] = max(next_number, counters.taken.get(worker, 0))
            later += games
    recent.grow(counters.positions)
    for shard in reversed(shards):
        recent.add(*shard)
    return later


def _logged_minutes(run: RunFolder) -> float:
    """Of the last line that says how long the run has been."""
    said = (finite(entry.get("minutes")) for entry in reversed(run.read_log()))
    return next((minutes for minutes in said if minutes is not None), 0.0)


def _without_finished(begun: bytes, games: Sequence[core.GameRecord]) -> bytes:
    """The games under way that none of these went on from."""

    def is_open(game: core.GameRecord) -> bool:
        return all(later.moves[: len(game.moves)] != game.moves for later in games)

    return b"".join(game.data for game in core.read_games(begun) if is_open(game))
