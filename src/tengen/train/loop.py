"""The training loop: games come in, positions are learned from, the newest network goes back to self-play."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from tengen import core
from tengen.nets import files
from tengen.nets.files import ModelInfo
from tengen.train.evaluation import Challenger, Evaluation, Verdict
from tengen.train.growth import PlayoutGrowth
from tengen.train.opponent_games import OpponentGames
from tengen.train.params import FIRST_GAMES, MOST_PLAYOUTS, RunParams, SelfPlayParams, at, rate_at, to_dict
from tengen.train.pools import Games, Network, NodeState, Playing, Pool, StartPool, ThreadPool
from tengen.train.probe import Change
from tengen.train.recent_games import RecentGames
from tengen.train.recorded_games import recorded_games
from tengen.train.resume import resume, settle_params, taken
from tengen.train.run_folder import OpenRun
from tengen.train.run_log import Interval, RunLog
from tengen.train.staleness import Staleness


class Trainer:
    """One run. `run` returns when the time is up or `stop` was called."""

    def __init__(
        self,
        folder: OpenRun,
        params: RunParams,
        report: Callable[[dict[str, Any]], None],
        minutes: float | None = None,
        start_pool: StartPool = ThreadPool,
    ) -> None:
        """Takes up the run that is in a folder, or prepares a new one; nothing is written before `run`.

        Args:
            folder: Of the run, opened: nobody else changes it meanwhile.
            params: For a new run; a run that exists keeps its own, but for the opponent, which may come and go.
            report: Called with every line of the log.
            minutes: Length of the run, if it is not that of its parameters.
            start_pool: Starts those who play.
        """
        self.folder = folder
        self._log = RunLog(folder, report)
        self.params = settle_params(folder, params, minutes, self._log.complain)
        self.recent = RecentGames(self.params)
        resumed = resume(folder, self.params, self.recent, self._log.complain)
        self.learner, self.counters = resumed.learner, resumed.counters
        if params.start and folder.has_begun and self.progress >= 1:
            raise taken(folder, "start")
        self.recorded = recorded_games(folder, self.params, self._log.complain)
        self._begun = resumed.begun
        self._rounds_learned = self.counters.rounds(self.params)
        self._start_pool = start_pool
        self._pool: Pool | None = None
        self._published: Network
        self._staleness = Staleness(self.params.learn.oldest_network)
        self._growth = PlayoutGrowth(
            self.params.selfplay.playouts_growth, self.counters.playouts_factor, self.counters.seconds
        )
        self._change: Change | None = None
        self._verdict: Verdict | None = None
        self._stop = False
        self._opponent = OpponentGames(
            self.params.opponent,
            self.params.opponent_share,
            self.params.search,
            self._seed,
            self._selfplay_now,
            self._log.complain,
        )
        self.evaluation = Evaluation(self.params, folder.path, self._log.complain)

    def nodes(self) -> Sequence[NodeState]:
        """The machines that play, where there are others than this one."""
        return self._pool.nodes() if self._pool is not None else ()

    def stop(self) -> None:
        """Ends `run` soon, with everything saved."""
        self._stop = True

    @property
    def stage(self) -> str:
        """What the run is doing, in a few words."""
        if self._stop:
            return "stopping"
        if self.is_learning_first:
            share = self.counters.recorded_samples / self.recorded.samples_first
            return f"learning from {self.params.games} ({share:.0%})"
        if not self._may_learn:
            return "playing the first games"
        return "playing, learning, evaluating" if self.evaluation.is_running else "playing and learning"

    @property
    def is_learning_first(self) -> bool:
        """Whether it learns from recorded games before it plays."""
        return self.counters.recorded_samples < self.recorded.samples_first

    @property
    def progress(self) -> float:
        """Share of the run's time that is over, from 0 to 1."""
        return min(1.0, self.counters.seconds / (60 * self.params.minutes))

    @property
    def _minutes(self) -> float:
        """For files: rounded, and never ahead of the time."""
        return math.floor(self.counters.seconds / 60 * 1000) / 1000

    @property
    def _seed(self) -> int:
        """Of games: each part of a resumed run plays other ones."""
        return self.params.seed * 1_000_003 + self.counters.games

    def run(self) -> None:
        """Plays, learns, evaluates and saves until the time is up; what cannot start changes nothing on disk."""
        if self.progress >= 1:
            return
        self._published = self._newest()
        pool = self._pool = self._start_selfplay()
        self.learner.compute = pool.compute
        try:
            self._opponent.start(self._published.evaluator, self.counters.games)
            self.folder.begin(to_dict(self.params))
            self.folder.save_recorded_games(self.recorded.data)
            try:
                self._work(pool)
            finally:
                self._end(pool)
        finally:
            pool.close()
            self._opponent.stop()
            self._log.close()

    def _work(self, pool: Pool) -> None:
        started = time.monotonic() - self.counters.seconds
        last_publish = last_checkpoint = time.monotonic()
        interval = Interval(pool.counts)
        pool.set_paused(self.is_learning_first)
        while not self._stop and self.progress < 1:
            if self.is_learning_first:
                self._learn_first(pool, interval)
            else:  # waits for games only while there is nothing to learn
                self._collect(pool, 0.0 if self._is_behind else 0.1)
                self._learn(interval)
            self.counters.seconds = time.monotonic() - started
            self._evaluate(pool)
            counts = pool.counts  # before the next round begins
            ended = self._end_round(pool)
            if not self._has_rounds and time.monotonic() - last_publish >= self.params.publish_seconds:
                self._publish(pool)
                last_publish = time.monotonic()
            if ended or (not self._has_rounds and interval.seconds >= self.params.log_seconds):
                self._log.write(self._line(pool, interval, counts), self.params.tensorboard)
                interval = Interval(counts)
            elif interval.tells_after(self.params.log_seconds):  # a line of the log is a whole round
                self._log.tell(self._progress(interval, counts))
            if time.monotonic() - last_checkpoint >= self.params.checkpoint_seconds:
                self._checkpoint(pool)
                last_checkpoint = time.monotonic()

    def _end(self, pool: Pool) -> None:
        """Saves everything, once nobody makes any more of it."""
        pool.stop()
        self._opponent.stop()
        self.evaluation.stop()
        self._collect(pool, 0.0)
        self._checkpoint(pool)

    # -- the steps of the loop

    def _start_selfplay(self) -> Pool:
        return self._start_pool(
            Playing(
                run=self.folder.id,
                network=self._generator(),
                params=self._selfplay_now(),
                search=self.params.search,
                seed=self._seed,
                begun=self._begun,
                taken=self.counters.taken,
                complain=self._log.complain,
            )
        )

    def _generator(self) -> Network:
        """The network that plays."""
        if self.params.selfplay.generator == "best" and (best := self.evaluation.best()) is not None:
            return self._announce(best.evaluator, best.path.read_bytes)
        return self._published

    def _newest(self) -> Network:
        """The network as it is now."""
        return self._announce(
            self.learner.evaluator(), lambda: files.to_bytes(self.learner.arrays(), self._model_info())
        )

    def _announce(self, evaluator: Any, to_bytes: Callable[[], bytes]) -> Network:
        self.counters.networks += 1
        return Network(self.counters.networks, evaluator, to_bytes)

    def _selfplay_now(self) -> SelfPlayParams:
        params, factor = self.params.selfplay, self._growth.factor
        params = replace(
            params,
            full_playouts=min(MOST_PLAYOUTS, round(factor * at(params.full_playouts, self.progress))),
            fast_playouts=min(MOST_PLAYOUTS, round(factor * at(params.fast_playouts, self.progress))),
        )
        if not params.opposition_adaptive:
            return params
        return replace(
            params,
            opposition_threshold=self.recent.opposition.threshold,
            opposition_probability=self.recent.opposition.probability,
        )

    def _collect(self, pool: Pool, seconds: float) -> None:
        """Records what was played, and waits up to `seconds` for it."""
        self._store(pool.take(seconds))
        pool.confirm(self.counters.taken)
        if data := self._opponent.take_games(self.counters.games):
            self._store([Games(data)])

    def _store(self, batch: Sequence[Games]) -> None:
        fresh = self.counters.without_taken(batch)
        if not fresh:
            return
        shard, owed = self.folder.append_games(fresh), self.counters.credit
        for games in fresh:
            records = core.read_games(games.data)
            is_fresh = self._staleness.add(games, self.counters.networks)
            self.counters.count(shard, records, self.params, games.origin, is_fresh)
            if is_fresh:
                self.recent.add(shard, games.data, records)
        self._growth.owe(self.counters.credit - owed)
        self.recent.grow(self.counters.positions)

    def _learn_first(self, pool: Pool, interval: Interval) -> None:
        """Learns from recorded games for at most a second; self-play begins with what has come of it."""
        end = time.monotonic() + 1
        while self.is_learning_first and not self._stop and time.monotonic() < end:
            self._learn_a_batch(self.recorded.buffer, interval)
            self.counters.recorded_samples += self._samples_of_a_batch
        if not self.is_learning_first:
            self._publish(pool)
            pool.set_paused(False)

    def _learn(self, interval: Interval) -> None:
        """Takes as many steps as the new games allow, for at most a second: the loop has more to do."""
        if self._has_rounds and not self._may_learn:
            self.counters.credit = 0.0  # what is owed for the rounds before the first one that counts
        began, owed = time.monotonic(), self.counters.credit
        end = began + 1
        while self._is_behind and not self._stop and time.monotonic() < end:
            if self.recorded.is_next(self.counters.draws_of_samples + 1):
                self._learn_a_batch(self.recorded.buffer, interval)
                continue
            self._learn_a_batch(self.recent.buffer, interval)
            self.counters.credit -= self._samples_of_a_batch
        self._growth.learned(owed - self.counters.credit, time.monotonic() - began)

    def _learn_a_batch(self, buffer: core.SampleBuffer, interval: Interval) -> None:
        self.counters.draws_of_samples += 1
        seed = self.params.seed * 7_919 + self.counters.draws_of_samples
        batch = self.learner.draw(buffer, self.params.learn.batch, seed)
        for _ in range(self.params.learn.batch_steps):
            self.learner.rate = self._learning_rate
            interval.add(self.learner.step(batch, self.progress))
        self.counters.samples += self._samples_of_a_batch

    @property
    def _may_learn(self) -> bool:
        learn = self.params.learn
        return self.recent.buffer.positions >= learn.start_positions and self.counters.games >= learn.start_games

    @property
    def _samples_of_a_batch(self) -> int:
        return self.params.learn.batch * self.params.learn.batch_steps

    @property
    def _is_behind(self) -> bool:
        """Whether there is something to learn now."""
        return self._may_learn and self.counters.credit >= self._samples_of_a_batch

    @property
    def _has_rounds(self) -> bool:
        return self.params.selfplay.round_games > 0

    def _end_round(self, pool: Pool) -> bool:
        """When the latest round has been learned from: lets the next one be played by what was learned."""
        rounds = self.counters.rounds(self.params)
        if rounds == self._rounds_learned or self._is_behind:
            return False
        self._publish(pool)
        for _ in range(rounds - self._rounds_learned):
            pool.next_round()
        self._rounds_learned = rounds
        return True

    @property
    def _learning_rate(self) -> float:
        learn = self.params.learn
        if learn.rate_by_steps:
            return rate_at(learn.rate_by_steps, self.learner.steps + 1)
        if not learn.rate_by_length:
            return at(learn.learning_rate, self.progress)
        length = math.floor(self.recent.mean_length) if self.counters.games >= FIRST_GAMES else 0
        return rate_at(learn.rate_by_length, length)

    def _publish(self, pool: Pool) -> None:
        before = self.recent.probe.look(self._published.evaluator)
        self._published = self._newest()
        self._opponent.set_evaluator(self._published.evaluator)
        self._change = before.compare(self._published.evaluator) if before else None
        if self.params.selfplay.generator == "newest":
            pool.set_network(self._published)
        self._growth.settle(self.counters.seconds)
        self.counters.playouts_factor = self._growth.factor
        pool.set_params(self._selfplay_now())

    def _evaluate(self, pool: Pool) -> None:
        """Takes up what the evaluation found, and starts another when it is time."""
        if (verdict := self.evaluation.take_verdict()) is not None:
            self._verdict = verdict
            if verdict.network.kept and self.params.selfplay.generator == "best":
                pool.set_network(self._generator())
        if self.evaluation.is_due(self._minutes, self.counters.games):
            self.evaluation.begin(Challenger(self.save_network("candidate"), self._minutes, self.counters.games))

    def _progress(self, interval: Interval, counts: core.SelfPlayCounts) -> dict[str, Any]:
        return {
            "minutes": self._minutes,
            "games": self.counters.games,
            **({"round": self.counters.rounds(self.params)} if self._has_rounds else {}),
            "positions": self.counters.positions,
            "samples": self.counters.samples,
            "buffer": self.recent.buffer.positions,
            **interval.learning(self.params.learn.batch),
            "policy_entropy": self.recent.buffer.policy_entropy(2000),
            "learning_rate": self._learning_rate,
            **interval.selfplay(counts),
        }

    def _line(self, pool: Pool, interval: Interval, counts: core.SelfPlayCounts) -> dict[str, Any]:
        selfplay = self._selfplay_now()
        nodes = pool.nodes()
        self.folder.save_nodes(nodes)
        return {
            **self._progress(interval, counts),
            "full_playouts": selfplay.full_playouts,
            "fast_playouts": selfplay.fast_playouts,
            "opposition_probability": selfplay.opposition_probability,
            "opposition_threshold": selfplay.opposition_threshold,
            **self._opponent.figures(),
            **self.recorded.figures(self._published.evaluator),
            **({"nodes": len(nodes), "networks": self.counters.networks} if nodes else {}),
            **self._staleness.take_figures(),
            **(asdict(self._change) if self._change is not None else {}),
            **self._strength(),
        }

    def _strength(self) -> dict[str, Any]:
        """The evaluation that ended since the last line, if one did."""
        values: dict[str, Any] = {"evaluation_share": self.evaluation.share}
        if (verdict := self._verdict) is not None:
            self._verdict = None
            values |= {"elo": verdict.elo, "elo_margin95": verdict.margin95, "evaluation": verdict.as_dict()}
        return values

    # -- disk

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
        counted = min((counters.get("shards") or 0 for counters in checkpoints), default=0)
        self.folder.delete_shards(before=min(self.recent.oldest_shard(), counted))

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
            sizes=selfplay.board_sizes(),
            run=self.folder.path.name,
            games=self.counters.games,
            license="MIT",
            created=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            notes=f"{self.counters.seconds / 60:.1f} minutes, {self.counters.positions} positions",
        )
