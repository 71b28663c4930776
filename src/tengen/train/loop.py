"""The training loop: games come in, positions are learned from, the newest network goes back to self-play."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from tengen import core
from tengen.errors import SetupError
from tengen.games import GOMOKU
from tengen.nets import files
from tengen.nets.files import ModelInfo
from tengen.nets.loading import load_evaluator
from tengen.train.evaluation import Candidate, Evaluation, Verdict
from tengen.train.learners import make_learner
from tengen.train.opponent_games import OpponentGames
from tengen.train.opposition import AdaptiveOpposition
from tengen.train.params import Pool, RunParams, SelfPlayParams, at, from_dict, to_dict
from tengen.train.probe import Change, Probe
from tengen.train.run_folder import RunFolder
from tengen.train.tensorboard import EventFiles
from tengen.train.torch_learner import StepLosses


@dataclass
class Counters:
    """What has happened so far, pauses between the parts of a resumed run not counted."""

    seconds: float = 0.0
    games: int = 0
    positions: int = 0
    samples: int = 0
    credit: float = 0.0
    evaluations: int = 0
    draws_of_samples: int = 0
    shards: int | None = None  # the last shard whose games are counted here; older versions did not say


@dataclass
class Interval:
    """Sums since the last line of the log."""

    started: float = field(default_factory=time.monotonic)
    policy: float = 0.0
    value: float = 0.0
    steps: int = 0

    def add(self, losses: StepLosses) -> None:
        """Counts a step."""
        self.policy += losses.policy
        self.value += losses.value
        self.steps += 1

    def losses(self) -> dict[str, float]:
        """Means over the steps; nothing before the first one."""
        if self.steps == 0:
            return {}
        return {"policy_loss": self.policy / self.steps, "value_loss": self.value / self.steps}


class Trainer:
    """One run. `run` returns when the time is up or `stop` was called; calling it again later goes on."""

    def __init__(
        self,
        folder: Path,
        params: RunParams,
        report: Callable[[dict[str, Any]], None],
        minutes: float | None = None,
    ) -> None:
        """Opens a run's folder, and takes up a run that is there.

        Args:
            folder: Of the run.
            params: For a new run; a run that exists keeps its own, but for the opponent, which may come and go.
            report: Called with every line of the log.
            minutes: Length of the run, if it is not that of its parameters.
        """
        self._report = report
        self.folder = RunFolder(folder)
        stored = self.folder.load_params()
        if stored is not None:
            stored.get("learn", {}).setdefault("hidden", files.FIRST_HIDDEN)
        self.params = params if stored is None else replace(from_dict(stored), opponent=params.opponent)
        if minutes is not None:
            self.params = replace(self.params, minutes=minutes)
        if to_dict(self.params) != stored:
            self.folder.save_params(to_dict(self.params))
        self.counters = Counters()
        self.learner = make_learner(self.params)
        self._buffer = core.SampleBuffer(self.params.learn.buffer_least)
        self._positions_in: dict[int, int] = {}  # by shard, of those that the buffer may need
        selfplay = self.params.selfplay
        self.opposition = AdaptiveOpposition(selfplay.opposition_games, selfplay.opposition_most)
        self._probe = Probe(self.params.probe_positions, self.params.seed)
        self._change: Change | None = None
        self.latest_game: core.GameRecord | None = None
        self._stop = False
        self._resume()
        self._opponent = OpponentGames(
            self.params.opponent,
            self.params.opponent_share,
            self.params.search,
            self.params.seed * 1_000_003 + self.counters.games,
            self._selfplay_now,
            self._complain,
        )
        self.evaluation = Evaluation(self.params, folder, self._complain)
        self._verdict: Verdict | None = None

    def stop(self) -> None:
        """Ends `run` soon, with everything saved."""
        self._stop = True

    def _complain(self, sentence: str) -> None:
        self._report({"message": sentence})

    @property
    def stage(self) -> str:
        """What the run is doing, in a few words."""
        if self._stop:
            return "stopping"
        if self._buffer.positions < self.params.learn.start_positions:
            return "playing the first games"
        return "playing, learning, evaluating" if self.evaluation.is_running else "playing and learning"

    @property
    def progress(self) -> float:
        """Share of the run's time that is over, from 0 to 1."""
        return min(1.0, self.counters.seconds / (60 * self.params.minutes))

    @property
    def _minutes(self) -> float:
        """For files: rounded, and never ahead of the time."""
        return math.floor(self.counters.seconds / 60 * 1000) / 1000

    def run(self) -> None:
        """Plays, learns, evaluates and saves until the time is up."""
        with self.folder.lock():
            self._run()

    def _run(self) -> None:
        self._published = self.learner.evaluator()
        self._events = EventFiles(self.folder.path / "events") if self.params.tensorboard else None
        started = time.monotonic() - self.counters.seconds
        pool = self._start_selfplay()
        self._opponent.start(self.learner.evaluator(), self.counters.games)
        last_publish = last_checkpoint = time.monotonic()
        interval = Interval()
        try:
            while not self._stop and self.progress < 1:
                self._collect(pool)
                self._learn(interval)
                self.counters.seconds = time.monotonic() - started
                self._evaluate(pool)
                if time.monotonic() - interval.started >= self.params.log_seconds:
                    self._log(pool, interval)
                    interval = Interval()
                if time.monotonic() - last_publish >= self.params.publish_seconds:
                    self._publish(pool)
                    last_publish = time.monotonic()
                if time.monotonic() - last_checkpoint >= self.params.checkpoint_seconds:
                    self._checkpoint(pool)
                    last_checkpoint = time.monotonic()
        finally:
            pool.stop()
            self._opponent.stop()
            self.evaluation.stop()
            self._store(pool.take_games(0) + self._opponent.take_games(self.counters.games))
            self._checkpoint(pool)
            if self._events is not None:
                self._events.close()

    # -- the steps of the loop

    def _start_selfplay(self) -> Pool:
        params = self.params.selfplay
        try:
            pool: Pool = params.pool_type()(
                self._generator(),
                self._selfplay_now(),
                params.kinds(),
                self.params.search,
                params.concurrency,
                # Each part of a resumed run plays other games.
                self.params.seed * 1_000_003 + self.counters.games,
                self._begun,
            )
        except ValueError as error:  # the network does not play on such boards
            raise SetupError(str(error)) from None
        return pool

    def _generator(self) -> Any:
        """The network that plays: an evaluator of the run's game."""
        if self.params.selfplay.generator == "best" and (best := self.evaluation.best_path()) is not None:
            return load_evaluator(best)
        return self._published

    def _selfplay_now(self) -> SelfPlayParams:
        params = replace(
            self.params.selfplay,
            full_playouts=round(at(self.params.selfplay.full_playouts, self.progress)),
            fast_playouts=round(at(self.params.selfplay.fast_playouts, self.progress)),
        )
        if not params.opposition_adaptive:
            return params
        return replace(
            params,
            opposition_threshold=self.opposition.threshold,
            opposition_probability=self.opposition.probability,
        )

    def _collect(self, pool: Pool) -> None:
        """Waits for games only while there is nothing to learn."""
        self._store(pool.take_games(0.0 if self.counters.credit >= self.params.learn.batch else 0.1))
        self._store(self._opponent.take_games(self.counters.games))

    def _store(self, games: bytes) -> None:
        if not games:
            return
        shard = self.folder.append_games(games)
        self._count(shard, self._take(shard, games))
        self._buffer.set_capacity(self._capacity())

    def _take(self, shard: int, data: bytes) -> list[core.GameRecord]:
        """Hands games to everything that looks at recent ones."""
        games = core.read_games(data)
        self._positions_in[shard] = self._positions_in.get(shard, 0) + sum(len(game.samples) for game in games)
        self._buffer.add(data)
        self.opposition.add(games)
        self._probe.add(games)
        if games:
            self.latest_game = games[-1]
        return games

    def _count(self, shard: int, games: Sequence[core.GameRecord]) -> None:
        positions = sum(len(game.samples) for game in games)
        self.counters.games += len(games)
        self.counters.positions += positions
        self.counters.credit += positions * self.params.learn.reuse
        self.counters.shards = shard

    def _capacity(self) -> int:
        learn = self.params.learn
        return min(learn.buffer, max(learn.buffer_least, int(self.counters.positions * learn.buffer_share)))

    def _learn(self, interval: Interval) -> None:
        """Takes as many steps as the new positions allow, for at most a second: the loop has more to do."""
        learn = self.params.learn
        if self._buffer.positions < learn.start_positions:
            return
        end = time.monotonic() + 1
        while self.counters.credit >= learn.batch and not self._stop and time.monotonic() < end:
            interval.add(self.learner.step(self._draw(learn.batch), self.progress))
            self.counters.credit -= learn.batch
            self.counters.samples += learn.batch

    def _draw(self, count: int) -> Any:
        self.counters.draws_of_samples += 1
        seed = self.params.seed * 7_919 + self.counters.draws_of_samples
        return self.learner.draw(self._buffer, count, seed)

    def _publish(self, pool: Pool) -> None:
        old, self._published = self._published, self.learner.evaluator()
        self._opponent.set_evaluator(self._published)
        if self._published is not old:  # a residual network is changed where it is: there is nothing to compare
            self._change = self._probe.compare(old, self._published)
        if self.params.selfplay.generator == "newest":
            pool.set_evaluator(self._published)
        pool.set_params(self._selfplay_now(), self.params.selfplay.kinds())

    def _evaluate(self, pool: Pool) -> None:
        """Takes up what the evaluation found, and starts another when it is time."""
        if (verdict := self.evaluation.take_verdict()) is not None:
            self._verdict = verdict
            if verdict.network.kept and self.params.selfplay.generator == "best":
                pool.set_evaluator(self._generator())
        if self.evaluation.is_due(self._minutes):
            self.evaluation.begin(Candidate(self.save_network("candidate"), self._minutes, self.counters.games))

    def _log(self, pool: Pool, interval: Interval) -> None:
        seconds = time.monotonic() - interval.started
        counts = pool.counts
        entry: dict[str, Any] = {
            "minutes": self._minutes,
            "games": self.counters.games,
            "positions": self.counters.positions,
            "samples": self.counters.samples,
            "buffer": self._buffer.positions,
            **interval.losses(),
            "policy_entropy": self._buffer.policy_entropy(2000),
            "learning_rate": at(self.params.learn.learning_rate, self.progress),
            "samples_per_second": interval.steps * self.params.learn.batch / seconds,
            **self._rates(counts, seconds),
            **self._opponent.figures(),
            **(asdict(self._change) if self._change is not None else {}),
            **self._strength(),
        }
        self._last_counts = counts
        self.folder.log(entry)
        if self._events is not None:
            self._events.write(entry)
        self._report(entry)

    def _strength(self) -> dict[str, Any]:
        """The evaluation that ended since the last line, if one did."""
        values: dict[str, Any] = {"evaluation_share": self.evaluation.share}
        if (verdict := self._verdict) is not None:
            self._verdict = None
            values |= {"elo": verdict.elo, "elo_margin95": verdict.margin95, "evaluation": verdict.as_dict()}
        return values

    def _rates(self, counts: core.SelfPlayCounts, seconds: float) -> dict[str, float]:
        """Self-play since the last line."""
        last = getattr(self, "_last_counts", None)

        def since(name: str) -> int:
            now: int = getattr(counts, name)
            return now - (getattr(last, name) if last is not None else 0)

        games = max(1, since("games"))
        opposition = self._selfplay_now()
        return {
            "games_per_second": since("games") / seconds,
            "playouts_per_second": since("playouts") / seconds,
            "moves_per_game": since("moves") / games,
            "black_wins": since("black_wins") / games,
            "white_wins": since("white_wins") / games,
            "draws": since("draws") / games,
            "unfinished": since("unfinished") / games,
            "opposition_moves": since("opposition_moves") / games,
            "opposition_probability": opposition.opposition_probability,
            "opposition_threshold": opposition.opposition_threshold,
        }

    # -- disk

    def _resume(self) -> None:
        found = self.folder.load_checkpoint(self._complain)
        if found is not None:
            arrays, counters = found
            self.learner.load_state(arrays)
            self.counters = Counters(**counters)
        elif self.folder.checkpoints():
            self._complain("no checkpoint is sound: the network begins anew, with the games that are there")
        elif self.params.start:
            self._start_from(Path(self.params.start))
        self._begun = self.folder.load_games_under_way()
        self._count_later_games(known=found is not None)
        self._buffer.set_capacity(self._capacity())
        self._refill_buffer()
        # Time that was logged has passed, even if what was learned in it is lost.
        log = self.folder.read_log()
        logged = max((60 * entry["minutes"] for entry in log[-1:] if "minutes" in entry), default=0.0)
        self.counters.seconds = max(self.counters.seconds, logged)

    def _start_from(self, path: Path) -> None:
        """Takes over the network of another run, or of a file."""
        run = RunFolder(path).load_checkpoint(self._complain) if path.is_dir() else None
        network = files.load(path) if path.is_file() else None
        if run is None and network is None:
            raise SetupError(f"there is neither a run with a checkpoint nor a network file {path} to start from")
        try:
            if network is not None:
                arrays, info = network
                self.learner.start_from_network(arrays, info.config)
            elif run is not None:
                self.learner.start_from(run[0])
        except (KeyError, RuntimeError, TypeError, ValueError):
            raise SetupError(f"the network of {path} has another shape than the one of this run") from None

    def _count_later_games(self, known: bool) -> None:
        """Counts the games that were written after the checkpoint, up to the crash."""
        if known and self.counters.shards is None:
            return
        counted = self.counters.shards or 0
        for number, path in self.folder.shards():
            if number > counted:
                games = core.read_games(path.read_bytes())
                self._count(number, games)
                self._begun = _without_finished(self._begun, games)

    def _refill_buffer(self) -> None:
        """Reads the latest shards back, as many as the buffer holds; what was cut off by a crash is left out."""
        shards: list[tuple[int, bytes]] = []
        positions = 0
        for number, path in reversed(self.folder.shards()):
            data = path.read_bytes()
            positions += sum(len(game.samples) for game in core.read_games(data))
            shards.append((number, data))
            if positions >= self._capacity():
                break
        for number, data in reversed(shards):
            self._take(number, data)

    def _checkpoint(self, pool: Pool) -> None:
        self.folder.close_shard()
        self.folder.save_games_under_way(pool.games_under_way)
        self.folder.save_checkpoint(self.learner.state(), vars(self.counters))
        self.save_network("newest")
        if not self.params.keep_games:
            self._delete_old_games()

    def _delete_old_games(self) -> None:
        """Deletes the shards that neither the buffer nor a checkpoint that may have to be taken up again needs."""
        checkpoints = [self.folder.counters_of(path) for path in self.folder.checkpoints()]
        needed = min((counters.get("shards") or 0 for counters in checkpoints), default=0)
        positions = 0
        for shard in sorted(self._positions_in, reverse=True):
            positions += self._positions_in[shard]
            if positions >= self._capacity():
                self.folder.delete_shards(before=min(shard, needed))
                break

    def save_network(self, name: str) -> Path:
        """Writes the average's weights as a network that plays; returns the file."""
        path = self.folder.path / "networks" / f"{name}.safetensors"
        files.save(path, self.learner.arrays(), self._model_info())
        return path

    def _model_info(self) -> ModelInfo:
        selfplay = self.params.selfplay
        return ModelInfo(
            architecture=self.learner.architecture,
            config=self.learner.config,
            rules=selfplay.rule_names(),
            sizes=list(selfplay.sizes) if selfplay.game == GOMOKU else [],
            run=self.folder.path.name,
            games=self.counters.games,
            license="MIT",
            created=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            notes=f"{self.counters.seconds / 60:.1f} minutes, {self.counters.positions} positions",
        )


def _without_finished(begun: bytes, games: Sequence[core.GameRecord]) -> bytes:
    """The games under way that none of these went on from."""

    def is_open(game: core.GameRecord) -> bool:
        return all(later.moves[: len(game.moves)] != game.moves for later in games)

    return b"".join(game.data for game in core.read_games(begun) if is_open(game))
