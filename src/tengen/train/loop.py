"""The training loop: games come in, positions are learned from, the newest network goes back to self-play."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tengen import core
from tengen.nets import files
from tengen.nets.files import ModelInfo
from tengen.train.learner import LineLearner, StepLosses
from tengen.train.opponent_games import OpponentGames
from tengen.train.params import RunParams, at, from_dict, to_dict
from tengen.train.run_folder import RunFolder


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


class Trainer:
    """One run. `run` returns when the time is up or `stop` was called; calling it again later goes on."""

    def __init__(self, folder: Path, params: RunParams, report: Callable[[dict[str, Any]], None]) -> None:
        """Opens a run's folder, and takes up a run that is there.

        Args:
            folder: Of the run.
            params: For a new run; a run that exists keeps its own.
            report: Called with every line of the log.
        """
        self.folder = RunFolder(folder)
        stored = self.folder.load_params()
        if stored is None:
            self.folder.save_params(to_dict(params))
            self.params = params
        else:
            # An opponent may come and go.
            self.params = replace(from_dict(stored), minutes=params.minutes, opponent=params.opponent)
        self._report = report
        self.counters = Counters()
        self.learner = LineLearner(self.params.learn, self.params.seed)
        self._buffer = core.SampleBuffer(self.params.learn.buffer_least)
        self._stop = False
        self._resume()
        self._opponent = OpponentGames(
            self.params.opponent,
            self.params.opponent_share,
            self.params.search,
            self.params.seed * 1_000_003 + self.counters.games,
            self._selfplay_now,
            lambda sentence: self._report({"message": sentence}),
        )

    def stop(self) -> None:
        """Ends `run` soon, with everything saved."""
        self._stop = True

    @property
    def progress(self) -> float:
        """Share of the run's time that is over, from 0 to 1."""
        return min(1.0, self.counters.seconds / (60 * self.params.minutes))

    def run(self) -> None:
        """Plays, learns and saves until the time is up."""
        started = time.monotonic() - self.counters.seconds
        pool = self._start_selfplay()
        self._opponent.start(self.learner.evaluator())
        last_publish = last_checkpoint = time.monotonic()
        interval = Interval()
        try:
            while not self._stop and self.progress < 1:
                self._collect(pool)
                self._learn(interval)
                self.counters.seconds = time.monotonic() - started
                if time.monotonic() - interval.started >= self.params.log_seconds:
                    self._log(pool, interval)
                    interval = Interval()
                if time.monotonic() - last_publish >= self.params.publish_seconds:
                    self._publish(pool)
                    last_publish = time.monotonic()
                if time.monotonic() - last_checkpoint >= self.params.checkpoint_seconds:
                    self._checkpoint()
                    last_checkpoint = time.monotonic()
        finally:
            pool.stop()
            self._opponent.stop()
            self._store(pool.take_games(0) + self._opponent.take_games(self.counters.games))
            self._checkpoint()

    # -- the steps of the loop

    def _start_selfplay(self) -> core.SelfPlayPool:
        params = self.params.selfplay
        return core.SelfPlayPool(
            self.learner.evaluator(),
            self._selfplay_now(),
            params.kinds(),
            self.params.search,
            params.threads or os.cpu_count() or 1,
            # Each part of a resumed run plays other games.
            self.params.seed * 1_000_003 + self.counters.games,
        )

    def _selfplay_now(self) -> Any:
        params = self.params.selfplay
        return replace(
            params,
            full_playouts=round(at(params.full_playouts, self.progress)),
            fast_playouts=round(at(params.fast_playouts, self.progress)),
        )

    def _collect(self, pool: core.SelfPlayPool) -> None:
        """Waits for games only while there is nothing to learn."""
        self._store(pool.take_games(0.0 if self.counters.credit >= self.params.learn.batch else 0.1))
        self._store(self._opponent.take_games(self.counters.games))

    def _store(self, games: bytes) -> None:
        if not games:
            return
        self.folder.append_games(games)
        for game in core.read_games(games):
            self.counters.games += 1
            self.counters.positions += len(game.samples)
            self.counters.credit += len(game.samples) * self.params.learn.reuse
        self._buffer.add(games)
        self._buffer.set_capacity(self._capacity())

    def _capacity(self) -> int:
        learn = self.params.learn
        return min(learn.buffer, max(learn.buffer_least, int(self.counters.positions * learn.buffer_share)))

    def _learn(self, interval: Interval) -> None:
        """Takes a few steps, as many as the new positions allow."""
        learn = self.params.learn
        if self._buffer.positions < learn.start_positions:
            return
        for _ in range(8):
            if self.counters.credit < learn.batch:
                return
            interval.add(self.learner.step(self._draw(learn.batch), self.progress))
            self.counters.credit -= learn.batch
            self.counters.samples += learn.batch

    def _draw(self, count: int) -> list[dict[str, Any]]:
        self.counters.draws_of_samples += 1
        seed = self.params.seed * 7_919 + self.counters.draws_of_samples
        return self._buffer.sample(count, self.params.learn.result_share, seed)

    def _publish(self, pool: core.SelfPlayPool) -> None:
        pool.set_evaluator(self.learner.evaluator())
        self._opponent.set_evaluator(self.learner.evaluator())
        pool.set_params(self._selfplay_now(), self.params.selfplay.kinds())

    def _log(self, pool: core.SelfPlayPool, interval: Interval) -> None:
        seconds = time.monotonic() - interval.started
        counts = pool.counts
        steps = max(1, interval.steps)
        entry = {
            "minutes": round(self.counters.seconds / 60, 3),
            "games": self.counters.games,
            "positions": self.counters.positions,
            "samples": self.counters.samples,
            "buffer": self._buffer.positions,
            "policy_loss": interval.policy / steps,
            "value_loss": interval.value / steps,
            "policy_entropy": self._buffer.policy_entropy(2000),
            "learning_rate": at(self.params.learn.learning_rate, self.progress),
            "samples_per_second": interval.steps * self.params.learn.batch / seconds,
            **self._rates(counts, seconds),
            **self._opponent.figures(),
        }
        self._last_counts = counts
        self.folder.log(entry)
        self._report(entry)

    def _rates(self, counts: core.SelfPlayCounts, seconds: float) -> dict[str, float]:
        """Self-play since the last line."""
        last = getattr(self, "_last_counts", None)

        def since(name: str) -> int:
            now: int = getattr(counts, name)
            return now - (getattr(last, name) if last is not None else 0)

        games = max(1, since("games"))
        return {
            "games_per_second": since("games") / seconds,
            "playouts_per_second": since("playouts") / seconds,
            "moves_per_game": since("moves") / games,
            "black_wins": since("black_wins") / games,
            "draws": since("draws") / games,
            "unfinished": since("unfinished") / games,
        }

    # -- disk

    def _resume(self) -> None:
        found = self.folder.load_checkpoint()
        if found is None:
            return
        arrays, counters, complaints = found
        for complaint in complaints:
            self._report({"message": complaint})
        self.learner.load_state(arrays)
        self.counters = Counters(**counters)
        self._buffer.set_capacity(self._capacity())
        self._refill_buffer()

    def _refill_buffer(self) -> None:
        """Reads the latest shards back, as many as the buffer holds; what was cut off by a crash is left out."""
        shards: list[bytes] = []
        positions = 0
        for path in reversed(self.folder.shards()):
            data = path.read_bytes()
            positions += sum(len(game.samples) for game in core.read_games(data))
            shards.append(data)
            if positions >= self._capacity():
                break
        for data in reversed(shards):
            self._buffer.add(data)

    def _checkpoint(self) -> None:
        self.folder.close_shard()
        self.folder.save_checkpoint(self.learner.state(), vars(self.counters))
        self.save_network("newest")

    def save_network(self, name: str) -> Path:
        """Writes the average's weights as a network that plays; returns the file."""
        path = self.folder.path / "networks" / f"{name}.safetensors"
        files.save(path, self.learner.arrays(), self._model_info())
        return path

    def _model_info(self) -> ModelInfo:
        learn, selfplay = self.params.learn, self.params.selfplay
        return ModelInfo(
            architecture="line",
            config={"radius": learn.radius, "channels": learn.channels},
            rules=list(selfplay.rules),
            sizes=list(selfplay.sizes),
            run=self.folder.path.name,
            games=self.counters.games,
            license="MIT",
            created=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            notes=f"{self.counters.seconds / 60:.1f} minutes, {self.counters.positions} positions",
        )
