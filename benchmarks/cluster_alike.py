"""Whether a run on a cluster learns as one without it: losses at equal positions, and a match of the two networks.

    python benchmarks/cluster_alike.py --minutes 4 --games 200

Two runs with the same parameters, one after the other: with a thread of this process, and on a cluster of one node with
one core. A column for each tells its losses when it had so many positions; the two last networks then play a match.
Two runs are never equal, on a cluster or not: `--twice` makes both without a cluster and tells what that alone makes.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

from ray.cluster_utils import Cluster

from tengen.arena import GameSetup, Match, random_openings
from tengen.cluster import players_of
from tengen.train.loop import Trainer
from tengen.train.params import EvaluationParams, RunParams, load_preset
from tengen.train.pools import StartPool, ThreadPool
from tengen.train.run_folder import OpenRun

_LOSSES = ("policy_loss", "value_loss")


def params_of(minutes: float, size: int, seed: int) -> RunParams:
    """The preset minutes on a small board, with one thread and without evaluation, which would be a third player.

    Nothing follows the clock, so that equal positions have been learned from equally.
    """
    params = load_preset("minutes")
    return replace(
        params,
        minutes=minutes,
        seed=seed,
        log_seconds=5.0,
        publish_seconds=5.0,
        tensorboard=False,
        selfplay=replace(params.selfplay, sizes=(size,), threads=1, full_playouts=48),
        learn=replace(params.learn, learning_rate=4e-3, average_rate=0.03),
        evaluation=EvaluationParams(minutes=0),
    )


def train(folder: Path, params: RunParams, start_pool: StartPool) -> list[dict[str, Any]]:
    """Makes a run; returns the lines of its log that have losses."""
    with OpenRun(folder) as run:
        Trainer(run, params, lambda entry: None, None, start_pool).run()
        return [entry for entry in run.read_log() if "policy_loss" in entry]


@contextlib.contextmanager
def one_node() -> Iterator[StartPool]:
    """A cluster of a head and one node with one core."""
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
    try:
        cluster.add_node(num_cpus=1)
        yield players_of(cluster.address)
    finally:
        cluster.shutdown()


def losses_until(entries: list[dict[str, Any]], begin: float, end: float) -> dict[str, float]:
    """Mean losses of the lines that were written between two numbers of positions."""
    lines = [entry for entry in entries if begin < entry["positions"] <= end]
    return {name: fmean(line[name] for line in lines) for name in _LOSSES} if lines else {}


def compare(names: list[str], runs: list[list[dict[str, Any]]], steps: int) -> None:
    """Prints the losses of both at equal positions."""
    last = min(entries[-1]["positions"] for entries in runs)
    print(f"{'positions':>10}", *(f"{name + ': ' + loss:>32}" for loss in _LOSSES for name in names))
    for step in range(steps):
        begin, end = last * step / steps, last * (step + 1) / steps
        found = [losses_until(entries, begin, end) for entries in runs]
        if all(found):
            print(f"{end:10.0f}", *(f"{losses[loss]:32.4f}" for loss in _LOSSES for losses in found), flush=True)


def play_match(folders: list[Path], options: argparse.Namespace) -> None:
    """Lets the last networks of the two runs meet, and prints what came of it."""
    specs = [f"net:model={folder}/networks/newest.safetensors,playouts={options.playouts}" for folder in folders]
    setup = GameSetup(size=options.size)
    openings = random_openings(options.games // 2, setup, seed=options.seed)
    pair = Match(specs, games=options.games, openings=openings, setup=setup, seed=options.seed).run().pair()
    print(f"{folders[0].name} against {folders[1].name}: {pair.total} ({options.games} games), Elo {pair.elo}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=4.0, help="of each run")
    parser.add_argument("--size", type=int, default=9, help="of the board")
    parser.add_argument("--games", type=int, default=200, help="of the match")
    parser.add_argument("--playouts", type=int, default=50, help="of a move of the match")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--twice", action="store_true", help="both without a cluster: what chance alone makes")
    options = parser.parse_args()
    os.environ["RAY_worker_niceness"] = "0"  # noqa: SIM112  # as the thread without ray
    names = ["without", "again without" if options.twice else "cluster"]
    with tempfile.TemporaryDirectory() as place:
        folders = [Path(place) / name.replace(" ", "-") for name in names]
        runs = [train(folders[0], params_of(options.minutes, options.size, options.seed), ThreadPool)]
        second = params_of(options.minutes, options.size, options.seed + options.twice)
        with contextlib.nullcontext(ThreadPool) if options.twice else one_node() as start_pool:
            runs.append(train(folders[1], second, start_pool))
        if not all(runs):
            parser.error("nothing was learned in so short a time: give more --minutes")
        compare(names, runs, steps=8)
        play_match(folders, options)


if __name__ == "__main__":
    main()
