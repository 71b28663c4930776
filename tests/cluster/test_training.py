"""Training on several nodes: nothing is lost and nothing counted twice, whoever is killed."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from machines import NODE, TINY, assert_complete, cluster, games_on_disk, kill, ray, spooled, with_threads, workers

from tengen.cluster.nodes import connected
from tengen.cluster.pool import ClusterPool
from tengen.cluster.versions import Version
from tengen.errors import SetupError
from tengen.train.loop import Trainer
from tengen.train.params import RunParams, to_dict
from tengen.train.pools import StartPool
from tengen.train.run_folder import NODES, OpenRun

__all__ = ["cluster"]  # a fixture

_SCRIPT = """
import functools, json, sys
from pathlib import Path
from tengen.cluster.pool import ClusterPool
from tengen.train.loop import Trainer
from tengen.train.params import from_dict
from tengen.train.run_folder import OpenRun
with OpenRun(Path(sys.argv[2])) as run:
    start = functools.partial(ClusterPool, sys.argv[1])
    Trainer(run, from_dict(json.loads(sys.argv[3])), lambda entry: None, None, start).run()
"""


def start_on(cluster: Any) -> StartPool:
    return lambda playing: ClusterPool(cluster.address, playing)


def train(
    cluster: Any, folder: Path, until: Callable[[dict[str, Any]], bool], params: RunParams = TINY
) -> tuple[Trainer, list[dict[str, Any]]]:
    """Trains until a line of the log says so; returns all lines."""
    said: list[dict[str, Any]] = []

    def report(entry: dict[str, Any]) -> None:
        said.append(entry)
        if "message" not in entry and until(entry):
            trainer.stop()

    with OpenRun(folder) as run:
        trainer = Trainer(run, params, report, None, start_on(cluster))
        trainer.run()
    return trainer, said


def test_a_run_on_a_cluster(cluster: Any, tmp_path: Path) -> None:
    trainer, said = train(cluster, tmp_path / "run", lambda entry: "policy_loss" in entry and entry["networks"] > 2)
    assert assert_complete(tmp_path / "run") == trainer.counters.games > 0
    assert not spooled(), "what is recorded leaves the node"
    (node,) = json.loads((tmp_path / "run" / NODES).read_text())
    assert node["threads"] == 1
    assert node["network"] > 1
    assert said[-1]["nodes"] == 1


def test_a_killed_worker_is_replaced(cluster: Any, tmp_path: Path) -> None:
    killed: list[int] = []

    def until(entry: dict[str, Any]) -> bool:
        if entry["games"] > 0 and not killed:
            killed.extend([entry["games"], *workers(cluster)])
            for process in killed[1:]:
                kill(process)
        return bool(killed) and entry["games"] > killed[0] + 20 and bool(entry.get("nodes"))

    trainer, said = train(cluster, tmp_path / "run", until)
    assert any("lost its worker" in entry.get("message", "") for entry in said)
    assert assert_complete(tmp_path / "run") == trainer.counters.games


def test_a_full_disk_ends_the_run_and_loses_nothing(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tengen.train import run_folder

    def full(path: Path, file: Any, data: bytes) -> None:
        raise SetupError(f"cannot write {path}: No space left on device")

    with monkeypatch.context() as patch:

        def until(entry: dict[str, Any]) -> bool:
            if entry["games"] > 0:
                patch.setattr(run_folder, "append_whole", full)
            return False

        with pytest.raises(SetupError, match="No space left"):
            train(cluster, tmp_path / "run", until)
    before = assert_complete(tmp_path / "run")
    assert spooled(), "what was not recorded waits"
    trainer, _ = train(cluster, tmp_path / "run", lambda entry: entry["games"] > before + 20)
    assert assert_complete(tmp_path / "run") == trainer.counters.games > before
    assert not spooled()


def test_bad_input_is_one_sentence_and_changes_nothing(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(params: RunParams, address: str, match: str) -> None:
        start: StartPool = lambda playing: ClusterPool(address, playing)  # noqa: E731
        with OpenRun(tmp_path / "run") as run, pytest.raises(SetupError, match=match):
            Trainer(run, params, lambda entry: None, None, start).run()
        assert not (tmp_path / "run").exists()

    refused(TINY, "nowhere", "no address of a cluster; give HOST:PORT")
    refused(TINY, "127.0.0.1:1", "no cluster answers at 127.0.0.1:1 .*ray start --head")
    refused(with_threads(TINY, 1000), cluster.address, "MB of memory for ray, and needs .* fewer cores")
    monkeypatch.setattr("tengen.cluster.nodes.version", lambda: Version("9.9", 7, "abc"))
    refused(TINY, cluster.address, "has Tengen .*, this machine has Tengen 9.9 .*install the same on both")


def test_ray_prints_nothing_into_what_the_command_shows(cluster: Any, capfd: pytest.CaptureFixture[str]) -> None:
    with connected(cluster.address):
        said = {"lines": ["Raylet is terminated", "*** StackTrace"], "pid": "raylet", "is_err": False}
        ray._private.worker.print_to_stdstream(said, ignore_prefix=False)  # as for the death of a node
    assert "StackTrace" not in capfd.readouterr().out


class Runs:
    """A run in a process of its own, which can be killed and started again."""

    def __init__(self, cluster: Any, folder: Path) -> None:
        self._arguments = [sys.executable, "-c", _SCRIPT, cluster.address, str(folder), json.dumps(to_dict(TINY))]
        self._folder = folder
        self.process = self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(self._arguments, env={**os.environ, "OMP_NUM_THREADS": "1"})

    def kill(self) -> None:
        kill(self.process.pid)
        self.process.wait()
        assert_complete(self._folder)
        self.process = self._start()

    def wait_for_games(self) -> None:
        """Until there are more than now."""
        before, deadline = games_on_disk(self._folder), time.monotonic() + 300
        while games_on_disk(self._folder) <= before:
            assert self.process.poll() is None, "the run ended by itself"
            assert time.monotonic() < deadline, "nobody plays"
            time.sleep(0.1)


def kill_again_and_again(cluster: Any, folder: Path, times: int, seed: int, node_share: float) -> None:
    """Kills workers, drivers and nodes at random moments; then lets the run end by itself."""
    chance = random.Random(seed)
    (folder / "games").mkdir(parents=True)
    runs = Runs(cluster, folder)
    for _ in range(times):
        runs.wait_for_games()
        time.sleep(chance.uniform(0, 2))
        what = chance.random()
        if what < node_share:
            cluster.remove_node(next(iter(cluster.worker_nodes)), allow_graceful=False)
            cluster.add_node(**NODE)
        elif what < node_share + 0.4:
            runs.kill()
        else:
            for process in workers(cluster):
                kill(process)
    runs.wait_for_games()
    kill(runs.process.pid)
    runs.process.wait()
    games = assert_complete(folder)
    trainer, _ = train(cluster, folder, lambda entry: entry["games"] > games + 50)
    assert assert_complete(folder) == trainer.counters.games > games
    assert not spooled(), "every finished game is recorded"


def test_kills_lose_nothing(cluster: Any, tmp_path: Path) -> None:
    kill_again_and_again(cluster, tmp_path / "run", times=2, seed=4, node_share=0)


@pytest.mark.slow
def test_fifty_kills_lose_nothing(cluster: Any, tmp_path: Path) -> None:
    kill_again_and_again(cluster, tmp_path / "run", times=50, seed=1, node_share=0.2)
