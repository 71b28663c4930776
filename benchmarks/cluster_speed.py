"""What a second node brings, and what ray costs.

    python benchmarks/cluster_speed.py

One node, two nodes, and one and two threads without ray play in turns, again and again, so that what else the machine
does shows as a difference between turns. Every node has one core. Nobody learns, so two cores are enough to measure two
nodes. The figures: playouts and games of two nodes for one of one node; the same of threads, which is all that the
machine's second core can bring (less than twice where two cores share a memory or are two halves of one); and the
shares of playouts that ray costs.
"""

from __future__ import annotations

import argparse
import os
import time
from dataclasses import dataclass, replace
from statistics import mean, median, stdev
from typing import Any

from ray.cluster_utils import Cluster

from tengen.cluster.pool import ClusterPool
from tengen.nets.default import find
from tengen.nets.loading import load_evaluator
from tengen.train.params import RunParams, at, load_preset
from tengen.train.pools import Network, Playing, Pool, ThreadPool

_NODE = {"num_cpus": 1}


@dataclass(frozen=True)
class Rates:
    """Per second."""

    playouts: float
    games: float


def playing(share: float, threads: int = 1) -> Playing:
    """The preset hour's games, with the shipped network, so many threads a node and a share of the playouts."""
    params = load_preset("hour").selfplay
    params = replace(
        params,
        threads=threads,
        full_playouts=max(1, round(share * at(params.full_playouts, 0.5))),
        fast_playouts=max(1, round(share * at(params.fast_playouts, 0.5))),
    )
    path = find("freestyle", 15)
    network = Network(1, load_evaluator(path), path.read_bytes)
    return Playing("speed", network, params, RunParams().search, 1, b"", {}, print)


def measure(pool: Pool, seconds: float) -> Rates:
    """Takes games for some seconds, as a run does; ends the pool."""
    taken: dict[str, int] = {}

    def take(end: float) -> None:
        while time.monotonic() < end:
            for games in pool.take(0.1):
                if games.origin is not None:
                    taken[games.origin.worker] = games.origin.first + games.origin.games
            pool.confirm(taken)

    take(time.monotonic() + seconds / 4)  # until the first games are over
    before, began = pool.counts, time.monotonic()
    take(began + seconds)
    counts, passed = pool.counts, time.monotonic() - began
    pool.close()
    return Rates((counts.playouts - before.playouts) / passed, (counts.games - before.games) / passed)


def on_nodes(cluster: Cluster, nodes: int, share: float, seconds: float) -> Rates:
    """The rates of so many nodes of a cluster."""
    added: list[Any] = [cluster.add_node(**_NODE) for _ in range(nodes)]
    pool = ClusterPool(cluster.address, playing(share))
    while sum(state.network > 0 for state in pool.nodes()) < nodes:
        time.sleep(0.1)
    rates = measure(pool, seconds)
    for node in added:
        cluster.remove_node(node)
    return rates


def tell(name: str, values: list[float], unit: str) -> None:
    """Prints a figure with how far its turns lie apart."""
    spread = f" ± {stdev(values):.3g}" if len(values) > 1 else ""
    print(f"{name:45} {median(values):9.3g} {unit} (turns {mean(values):.3g}{spread})", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=30.0, help="of each measurement")
    parser.add_argument("--turns", type=int, default=4, help="of the four")
    parser.add_argument("--playouts", type=float, default=0.5, help="share of the preset's playouts a move")
    options = parser.parse_args()
    os.environ["RAY_worker_niceness"] = "0"  # noqa: SIM112  # as the thread without ray
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
    found: dict[str, list[Rates]] = {"one node": [], "two nodes": [], "one thread": [], "two threads": []}
    for turn in range(options.turns):
        load = os.getloadavg()[0]
        found["one node"].append(on_nodes(cluster, 1, options.playouts, options.seconds))
        found["two nodes"].append(on_nodes(cluster, 2, options.playouts, options.seconds))
        for threads, name in ((1, "one thread"), (2, "two threads")):
            found[name].append(measure(ThreadPool(playing(options.playouts, threads)), options.seconds))
        for name, rates in found.items():
            print(f"turn {turn + 1} {name:12} {rates[-1].playouts:9.0f} playouts/s {rates[-1].games:6.2f} games/s")
        print(f"load average before: {load:.2f}", flush=True)
    cluster.shutdown()
    turns = list(zip(*found.values(), strict=True))
    tell("two nodes for one node, playouts", [b.playouts / a.playouts for a, b, _, _ in turns], "times")
    tell("two nodes for one node, games", [b.games / max(a.games, 1e-9) for a, b, _, _ in turns], "times")
    tell("two threads for one thread, playouts", [d.playouts / c.playouts for _, _, c, d in turns], "times")
    tell("playouts that ray costs one node", [100 * (1 - a.playouts / c.playouts) for a, _, c, _ in turns], "%")
    tell("playouts that ray costs two nodes", [100 * (1 - b.playouts / d.playouts) for _, b, _, d in turns], "%")


if __name__ == "__main__":
    main()
