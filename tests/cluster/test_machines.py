"""Three machines with networks of their own, set up as docs/cluster.md says: one of them is cut off for a while."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from machines import TINY, assert_complete, recorded
from namespaces import Machine, Switch, interrupt, why_none

from tengen.train.params import to_dict
from tengen.train.run_folder import PARAMS

pytestmark = pytest.mark.skipif(why_none() is not None, reason=str(why_none()))

PLAYS = ("--address=10.77.0.1:6379", "--num-cpus=1")
#: Seconds after which ray gives a node up that it does not hear of: five questions, each of ten seconds, and pauses.
GIVEN_UP = 65.0


def wait_for(what: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 600
    while not what():
        assert time.monotonic() < deadline, "it does not happen"
        time.sleep(0.2)


@pytest.fixture
def switch() -> Iterator[Switch]:
    switch = Switch()
    yield switch
    switch.end()


@pytest.fixture
def machines(switch: Switch, tmp_path: Path) -> Iterator[list[Machine]]:
    """A head that does not play, and two machines that do."""
    machines = [Machine(number, tmp_path) for number in (1, 2, 3)]
    try:
        for machine in machines:
            switch.join(machine)
        head, *others = machines
        start_ray(head, "--head", "--port=6379", "--num-cpus=0", "--include-dashboard=false")
        for machine in others:
            start_ray(machine, *PLAYS)
        yield machines
    finally:
        for machine in machines:
            machine.end()


def start_ray(machine: Machine, *options: str) -> None:
    """Tries again where others use the machine so much that ray gives up."""

    def start() -> bool:
        if machine.start("ray", "start", *options).wait() == 0:
            return True
        machine.start("ray", "stop", "--force").wait()
        return False

    wait_for(start)


def games_of(machine: Machine, run: Path) -> int:
    """How many of its games are recorded."""
    return sum(len(numbers) for worker, numbers in recorded(run).items() if worker in machine.workers())


def cut_off(switch: Switch, machines: list[Machine], run: Path, seconds: float) -> None:
    """Trains while a machine is cut off for some seconds; it is started again if ray has given it up meanwhile."""
    head, other, lonely = machines
    run.mkdir()
    (run / PARAMS).write_text(json.dumps(to_dict(TINY)))  # a run that is there keeps its parameters
    training = head.start("tengen", "train", "--cluster=auto", f"--runs={run.parent}", f"--run={run.name}")
    wait_for(lambda: games_of(other, run) > 0 and games_of(lonely, run) > 0)
    switch.cut(lonely)
    time.sleep(seconds)
    before = games_of(other, run)
    wait_for(lambda: games_of(other, run) > before)
    switch.mend(lonely)
    before = games_of(lonely, run)
    if seconds > GIVEN_UP:
        lonely.start("ray", "stop", "--force").wait()
        start_ray(lonely, *PLAYS)
    wait_for(lambda: games_of(lonely, run) > before)
    before = games_of(other, run) + games_of(lonely, run)
    assert interrupt(training) == 0
    assert assert_complete(run) >= before
    assert not other.games_waiting() + lonely.games_waiting(), "every finished game is recorded"


def test_a_cut_network_loses_nothing(switch: Switch, machines: list[Machine], tmp_path: Path) -> None:
    cut_off(switch, machines, tmp_path / "run", seconds=5)


@pytest.mark.slow
def test_a_machine_that_ray_gave_up_loses_nothing(switch: Switch, machines: list[Machine], tmp_path: Path) -> None:
    cut_off(switch, machines, tmp_path / "run", seconds=GIVEN_UP + 15)
