"""Several nodes on one machine, and a run on them whose games are counted."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tengen import core
from tengen.cluster.spool import PLACE
from tengen.train.json_lines import read_lines
from tengen.train.params import EvaluationParams, LearnParams, RunParams, SelfPlayParams

ray = pytest.importorskip("ray")
from ray.cluster_utils import Cluster  # noqa: E402

TINY = RunParams(
    minutes=60,
    log_seconds=0.3,
    publish_seconds=1.0,
    checkpoint_seconds=1.5,
    probe_positions=0,
    tensorboard=False,
    selfplay=SelfPlayParams(sizes=(7,), full_playouts=8, fast_playouts=4, opening_tries=1, threads=1),
    learn=LearnParams(radius=4, channels=32, batch=64, start_positions=100, reuse=1.0),
    evaluation=EvaluationParams(minutes=0),
)
NODE = {"num_cpus": 1, "memory": 2 << 30, "object_store_memory": 80 << 20}


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A head that does not play, and one node that does."""
    os.environ[PLACE] = str(tmp_path_factory.mktemp("spool"))
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ["RAY_worker_niceness"] = "0"  # noqa: SIM112  # a nicer one would starve beside other tests
    head = {**NODE, "num_cpus": 0, "include_dashboard": False}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    cluster.add_node(**NODE)
    yield cluster
    ray.shutdown()
    cluster.shutdown()
    del os.environ[PLACE]


def workers(cluster: Any) -> list[int]:
    """The processes that play on this cluster: there may be others on the machine."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if path.read_bytes().startswith(b"ray::Worker") and cluster.address.encode() in _parent_of(path.parent):
                found.append(int(path.parent.name))
        except OSError:
            continue  # it has ended meanwhile
    return found


def _parent_of(process: Path) -> bytes:
    """How the process was called that started this one."""
    parent = process.joinpath("stat").read_text().rpartition(")")[2].split()[1]
    return Path("/proc", parent, "cmdline").read_bytes()


def kill(process: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)


def recorded(run: Path) -> dict[str, list[int]]:
    """The numbers of all recorded games of each worker, in the order in which they were recorded."""
    found: dict[str, list[int]] = {}
    for shard in sorted((run / "games").glob("*.bin")):
        begins, place = [], 0
        for game in core.read_games(shard.read_bytes()):
            begins.append(place)
            place += len(game.data)
        for line in read_lines(shard.with_suffix(".jsonl")):
            sound = [begin for begin in begins if begin >= line["begin"]][: line["games"]]
            found.setdefault(line["worker"], []).extend(line["first"] + place for place in range(len(sound)))
    return found


def assert_complete(run: Path) -> int:
    """No game of a worker is missing and none is there twice, in a run that nobody writes to; returns how many."""
    found = recorded(run)
    for numbers in found.values():
        assert numbers == list(range(len(numbers)))
    assert games_on_disk(run) == sum(map(len, found.values()))
    return games_on_disk(run)


def games_on_disk(run: Path) -> int:
    """How many games there are; others may come meanwhile."""
    return sum(len(core.read_games(shard.read_bytes())) for shard in (run / "games").glob("*.bin"))


def spooled() -> list[Path]:
    """What waits on the disk."""
    return list(Path(os.environ[PLACE]).rglob("*.bin"))


def with_threads(params: RunParams, threads: int) -> RunParams:
    return replace(params, selfplay=replace(params.selfplay, threads=threads))
