"""A run of Q-learning: play, remember, learn, save."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from tengen.dqn.environment import DRAWN, ILLEGAL, WON, Environment
from tengen.dqn.learner import QLearner
from tengen.dqn.memory import Ply, ReplayMemory, returns_of
from tengen.dqn.params import LIMITS, DqnCounters, DqnParams
from tengen.errors import SetupError
from tengen.nets import q_network
from tengen.train.run_folder import OpenRun


class _Interval:
    """Sums since the last line of the log."""

    def __init__(self) -> None:
        self.started = time.monotonic()
        self.loss = 0.0
        self.reward = 0.0
        self.steps = self.moves = self.games = self.plies = self.wins = self.illegal = 0


class DqnTrainer:
    """One run. `run` returns when a limit is reached or `stop` was called; the same folder goes on later.

    The replay memory is not saved: a run that goes on fills it again before it learns.
    """

    def __init__(self, folder: OpenRun, params: DqnParams, report: Callable[[dict[str, Any]], None]) -> None:
        """Takes up the run that is in a folder, or prepares a new one; nothing is written before `run`.

        Args:
            folder: Folder of the run, opened: nobody else changes it meanwhile.
            params: For a new run; a run that exists keeps its own, but for its limits.
            report: Called with every line of the log.
        """
        self.folder = folder
        stored = self.folder.load_params()
        self.params = params
        if stored is not None:
            self.params = replace(DqnParams(**stored), **{name: getattr(params, name) for name in LIMITS})
        if not self.params.games and not self.params.minutes:
            raise SetupError("a run needs a limit: games or minutes")
        self._report = report
        self.counters = DqnCounters()
        self.learner = QLearner(self.params)
        self._stop = False
        self._credit = 0.0
        self._resume()

    def stop(self) -> None:
        """Ends `run` soon, with everything saved."""
        self._stop = True

    @property
    def progress(self) -> float:
        """Share of the run that is over, from 0 to 1: by games or by time, whichever is nearer to its end."""
        games = self.counters.games / self.params.games if self.params.games else 0.0
        minutes = self.counters.seconds / (60 * self.params.minutes) if self.params.minutes else 0.0
        return min(1.0, max(games, minutes))

    def run(self) -> None:
        """Plays and learns until a limit is reached."""
        params, counters = self.params, self.counters
        started = time.monotonic() - counters.seconds
        last_checkpoint = time.monotonic()
        counters.parts += 1
        # Each part of a resumed run plays other games.
        self._random = np.random.default_rng([params.seed, counters.parts])
        self._environment = Environment(params, params.boards, int(self._random.integers(2**62)))
        self._environment.reset(np.ones(params.boards, np.bool_), params.opening_stones)
        self._memory = ReplayMemory(params.memory, params.size)
        self._returns = returns_of(params)
        interval = _Interval()
        self.folder.begin(asdict(params))
        try:
            while not self._stop and self.progress < 1:
                self._play(interval)
                self._learn(interval)
                counters.seconds = time.monotonic() - started
                if time.monotonic() - interval.started >= params.log_seconds:
                    self._log(interval)
                    interval = _Interval()
                if time.monotonic() - last_checkpoint >= params.checkpoint_seconds:
                    self._checkpoint()
                    last_checkpoint = time.monotonic()
        finally:
            if interval.moves:
                self._log(interval)
            self._checkpoint()

    # -- the steps of the loop

    def _play(self, interval: _Interval) -> None:
        """A move on every board."""
        params, environment = self.params, self._environment
        stones, black = environment.stones(), environment.black()
        moves = environment.random_moves()
        choosing = self._random.random(params.boards) >= params.epsilon_after(self.counters.moves)
        if choosing.any():
            moves[choosing] = self.learner.choose(stones[choosing], black[choosing])
        step = environment.play(moves)
        illegal, rewards, status = step.status == ILLEGAL, step.rewards, step.status
        if illegal.any():
            # The bad choice is a lesson of its own; the game goes on with a random move.
            instead = np.where(illegal, environment.random_moves(), -1)
            status = np.where(illegal, environment.play(instead).status, status)
        ended, plies = (status == WON) | (status == DRAWN), environment.plies()
        environment.reset(ended, params.opening_stones)
        ply = Ply(stones, black, moves, rewards, ended | illegal, status)
        batch = self._returns.push(ply, environment.stones(), environment.black())
        if batch is not None:
            self._memory.add(batch)
            self._credit += len(moves) * params.reuse
        self.counters.moves += len(moves)
        self.counters.games += int(ended.sum())
        interval.moves += len(moves)
        interval.games += int(ended.sum())
        interval.plies += int(plies[ended].sum())
        interval.wins += int((step.status == WON).sum())
        interval.illegal += int(illegal.sum())
        interval.reward += float(rewards.sum())

    def _learn(self, interval: _Interval) -> None:
        params = self.params
        if len(self._memory) < params.start:
            self._credit = 0.0
            return
        while self._credit >= params.batch and not self._stop:
            batch = self._memory.sample(params.batch, self._random)
            interval.loss += self.learner.step(batch, self.progress, self._random)
            interval.steps += 1
            self._credit -= params.batch
        self.counters.steps = self.learner.steps

    def _log(self, interval: _Interval) -> None:
        seconds = max(1e-9, time.monotonic() - interval.started)
        games = max(1, interval.games)
        entry = {
            "minutes": round(self.counters.seconds / 60, 3),
            "games": self.counters.games,
            "moves": self.counters.moves,
            "steps": self.counters.steps,
            "epsilon": round(self.params.epsilon_after(self.counters.moves), 4),
            "loss": interval.loss / max(1, interval.steps),
            "reward_per_move": interval.reward / max(1, interval.moves),
            "moves_per_game": interval.plies / games,
            "won": interval.wins / games,
            "illegal": interval.illegal / max(1, interval.moves),
            "moves_per_second": interval.moves / seconds,
            "steps_per_second": interval.steps / seconds,
        }
        self.folder.log(entry)
        self._report(entry)

    # -- disk

    def _resume(self) -> None:
        def take(arrays: dict[str, Any], values: dict[str, Any]) -> DqnCounters:
            counters = DqnCounters(**values)
            self.learner.load_state(arrays, counters.steps)
            return counters

        counters = self.folder.take_checkpoint(take, lambda text: self._report({"message": text}))
        if counters is not None:
            self.counters = counters
        elif self.folder.checkpoints():
            self.learner = QLearner(self.params)  # the other one may have taken over half of a damaged one

    def _checkpoint(self) -> None:
        self.folder.save_checkpoint(self.learner.state(), vars(self.counters))
        self.save_network("newest")

    def save_network(self, name: str) -> Path:
        """Writes the network as a file that plays; returns its path."""
        path = self.folder.path / "networks" / f"{name}.safetensors"
        info = {
            "rules": [self.params.rule],
            "sizes": [self.params.size],
            "run": self.folder.path.name,
            "games": self.counters.games,
            "license": "MIT",
            "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            "notes": f"{self.counters.seconds / 60:.1f} minutes, {self.counters.moves} moves",
        }
        q_network.save(path, self.learner.net, self.learner.config, info)
        return path
