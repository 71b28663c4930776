"""How many games a second the learner's machine can take: the real driver, fed by simulated workers.

    python benchmarks/cluster_simulation.py --workers 25 50 100 200 400

Each simulated worker is a node that makes as many bytes of games as so many cores would, from recorded games, and
speaks to the driver through ray as a real one does: numbered games that are sent again until they are confirmed. What
the driver does with them is what a run does: compare numbers, append to shards, wait for the disk, fill the buffer,
confirm. Learning is switched off, so that only taking is measured. A line for each number of workers tells what they
made, what was recorded, and how much waited at the end; where the last number grows, the driver is full.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import ray

from tengen import core
from tengen.cluster.nodes import Node
from tengen.cluster.pool import ClusterPool, _Member
from tengen.cluster.worker import Report
from tengen.nets.default import find
from tengen.nets.loading import load_evaluator
from tengen.train.loop import Trainer
from tengen.train.params import EvaluationParams, LearnParams, RunParams, at, load_preset
from tengen.train.pools import Games, Origin, Playing
from tengen.train.run_folder import OpenRun

#: Bytes of games that a core makes in a second: 700 positions of 142 bytes, see docs/cluster.md.
CORE_BYTES = 100_000
_REPORT_BYTES = 4 << 20


class Workers:
    """Several simulated workers in one process."""

    def __init__(self, games: bytes, bytes_per_second: float) -> None:
        self._games = [game.data for game in core.read_games(games)]
        self._rate = bytes_per_second / (len(games) / len(self._games))
        self._began: dict[str, float] = {}

    def take(self, name: str, taken: int) -> Report:
        """The games after `taken` that would have been made by now."""
        began = self._began.setdefault(name, time.monotonic())
        made = int((time.monotonic() - began) * self._rate)
        most = max(1, int(_REPORT_BYTES / len(self._games[0])))
        numbers = range(taken, min(made, taken + most))
        data = b"".join(self._games[number % len(self._games)] for number in numbers)
        games = [Games(data, Origin(name, taken, len(numbers), network=1))] if data else []
        if not data:
            time.sleep(0.05)
        return Report(games, {}, news=1, network=1, queue=made - taken)


class _Call:
    """A method of a simulated worker, called as one of an actor is."""

    def __init__(self, actor: Any, name: str) -> None:
        self._actor, self._name = actor, name

    def remote(self, taken: dict[str, int], *_: object) -> Any:
        return self._actor.take.remote(self._name, taken.get(self._name, 0))


class _Simulated:
    def __init__(self, actor: Any, name: str) -> None:
        self.take = _Call(actor, name)
        self.release = self.take

    @property
    def finish(self) -> Any:
        raise RuntimeError("the simulation stops without it")


class SimulatedPool(ClusterPool):
    """A cluster whose nodes are simulated."""

    def __init__(self, workers: int, processes: int, games: bytes, cores: int, playing: Playing) -> None:
        self.waiting = 0
        self._wanted = workers
        self._processes = processes
        self._recorded = games
        self._cores = cores
        super().__init__("auto", playing)

    def _look_for_nodes(self) -> None:
        if self._members:
            return
        actor = ray.remote(Workers).options(num_cpus=0, max_concurrency=64)
        actors = [actor.remote(self._recorded, self._cores * CORE_BYTES) for _ in range(self._processes)]
        for number in range(self._wanted):
            name = f"{number:016x}"
            node = Node(name, name, self._cores, 0)
            self._members[name] = _Member(node, _Simulated(actors[number % self._processes], name))

    def _end_games(self) -> None:
        """Notes how many games are made and not recorded."""
        self.waiting = sum(member.report.queue for member in self._members.values())


def record_games(seconds: float) -> bytes:
    """Games of the shipped network, as a run records them."""
    params = load_preset("hour").selfplay
    params = replace(
        params, full_playouts=round(at(params.full_playouts, 0.5)), fast_playouts=round(at(params.fast_playouts, 0.5))
    )
    pool = core.SelfPlayPool(load_evaluator(find("freestyle", 15)), params, params.kinds(), RunParams().search, 1, 1)
    data, end = b"", time.monotonic() + seconds
    while time.monotonic() < end or not data:
        data += pool.take_games(1.0)
    pool.stop()
    return data


def measure(games: bytes, workers: int, options: argparse.Namespace) -> None:
    """Feeds a run for some seconds and prints what came of it."""
    params = RunParams(
        minutes=options.seconds / 60,
        log_seconds=options.seconds,
        publish_seconds=1e6,
        checkpoint_seconds=1e6,
        probe_positions=0,
        tensorboard=False,
        learn=replace(LearnParams(), buffer=2_000_000, start_positions=2_000_000),
        evaluation=EvaluationParams(minutes=0),
    )
    pools: list[SimulatedPool] = []

    def start(playing: Playing) -> SimulatedPool:
        pools.append(SimulatedPool(workers, options.processes, games, options.cores, playing))
        return pools[-1]

    folder = Path(tempfile.mkdtemp(dir=options.folder))
    try:
        with OpenRun(folder / "run") as run:
            trainer = Trainer(run, params, lambda entry: None, None, start)
            trainer.run()
            seconds = trainer.counters.seconds
        size = sum(path.stat().st_size for path in (folder / "run" / "games").glob("*.bin"))
        made = workers * options.cores * CORE_BYTES / 1e6
        print(
            f"{workers:5d} workers {workers * options.cores:6d} cores  made {made:7.1f} MB/s  "
            f"recorded {size / seconds / 1e6:7.1f} MB/s {trainer.counters.positions / seconds:9.0f} positions/s  "
            f"waiting at the end {pools[0].waiting * size / max(1, trainer.counters.games) / 1e6:8.1f} MB",
            flush=True,
        )
    finally:
        shutil.rmtree(folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, nargs="+", default=[25, 50, 100, 200, 400], help="simulated nodes")
    parser.add_argument("--cores", type=int, default=2, help="cores of each")
    parser.add_argument("--processes", type=int, default=2, help="in which they are simulated")
    parser.add_argument("--seconds", type=float, default=10.0, help="for each number of workers")
    parser.add_argument("--games", type=Path, help="a shard of a run; some seconds of self-play if not given")
    parser.add_argument("--folder", type=Path, default=Path("."), help="on the disk that is measured")
    options = parser.parse_args()
    games = options.games.read_bytes() if options.games else record_games(20.0)
    positions = sum(game.positions for game in core.read_games(games))
    print(f"{len(games) / positions:.0f} bytes a position, {len(core.read_games(games))} recorded games", flush=True)
    for workers in options.workers:
        measure(games, workers, options)


if __name__ == "__main__":
    main()
