"""What a second node brings, and what ray costs: playouts of one node, of two, and of one thread without ray.

    python benchmarks/cluster_speed.py

Every node has one core. Nobody learns, so that two cores are enough to measure two nodes.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace

from ray.cluster_utils import Cluster

from tengen.cluster.pool import ClusterPool
from tengen.nets.default import find
from tengen.nets.loading import load_evaluator
from tengen.train.params import RunParams, at, load_preset
from tengen.train.pools import Network, Playing, Pool, ThreadPool


def playing() -> Playing:
    """The preset hour's games, with the shipped network, one thread a node."""
    params = load_preset("hour").selfplay
    params = replace(
        params, full_playouts=round(at(params.full_playouts, 0.5)), fast_playouts=round(at(params.fast_playouts, 0.5))
    )
    path = find("freestyle", 15)
    network = Network(1, load_evaluator(path), path.read_bytes)
    return Playing("speed", network, params, RunParams().search, 1, b"", {}, print)


def measure(name: str, pool: Pool, seconds: float) -> None:
    """Prints games and playouts a second, once all nodes play."""
    taken: dict[str, int] = {}
    before, began = pool.counts, time.monotonic()
    while time.monotonic() - began < seconds:
        for games in pool.take(0.1):
            if games.origin is not None:
                taken[games.origin.worker] = games.origin.first + games.origin.games
        pool.confirm(taken)
    passed, counts = time.monotonic() - began, pool.counts
    print(
        f"{name:22} {(counts.playouts - before.playouts) / passed:9.0f} playouts/s "
        f"{(counts.games - before.games) / passed:6.2f} games/s",
        flush=True,
    )
    pool.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=40.0, help="for each")
    seconds = parser.parse_args().seconds
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
    for nodes in (1, 2):
        cluster.add_node(num_cpus=1)
        pool = ClusterPool(cluster.address, playing())
        while sum(state.network > 0 for state in pool.nodes()) < nodes:
            time.sleep(0.1)
        time.sleep(5)  # the first games are over
        measure(f"{nodes} node{'s' if nodes > 1 else ''}", pool, seconds)
    cluster.shutdown()
    alone = playing()
    measure(
        "a thread without ray",
        ThreadPool(replace(alone, params=replace(alone.params, threads=1))),
        seconds,
    )


if __name__ == "__main__":
    main()
