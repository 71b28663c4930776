"""Machines that are none: a network, processes and temporary files of their own in namespaces, joined by a switch.

Nothing of it is seen outside, and nothing is left behind: a namespace goes with the process that holds it.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from tengen.cluster.spool import PLACE

_HOLD = ("env", "--ignore-signal=CHLD", "sleep", "infinity")  # as the first process it has orphans, which end unmourned


def why_none() -> str | None:
    """Why there can be no such machines here; None if there can."""
    for command in (["unshare", "--net", "--mount", "--pid", "--uts", "--fork", "true"], ["ip", "-V"]):
        try:
            subprocess.run(command, check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError):
            return f"machines with networks of their own need root and the package iproute2: no {' '.join(command)}"
    return None


def _child_of(process: int) -> int:
    """The process that a command runs in which began with starting one."""
    children = Path(f"/proc/{process}/task/{process}/children")
    while not (found := children.read_text().split()):
        time.sleep(0.01)
    return int(found[0])


class _Namespace:
    """Holds namespaces of some kinds; everything in them ends with `end`, or with this process."""

    def __init__(self, *kinds: str) -> None:
        self._kinds = kinds
        hold = ["setpriv", "--pdeathsig=KILL", "unshare", *kinds, "--fork", "--kill-child", *_HOLD]
        self._holder = subprocess.Popen(hold, stderr=subprocess.DEVNULL)
        self.process = _child_of(self._holder.pid)

    def inside(self, *command: str) -> list[str]:
        """The command that does this in there."""
        return ["nsenter", f"--target={self.process}", *self._kinds, *command]

    def do(self, *command: str) -> None:
        """Does something in there."""
        done = subprocess.run(self.inside(*command), capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{' '.join(command)}: {done.stdout} {done.stderr}"

    def end(self) -> None:
        """As if the power had failed."""
        os.kill(self.process, signal.SIGKILL)
        self._holder.wait()


class Switch(_Namespace):
    """Joins machines."""

    def __init__(self) -> None:
        super().__init__("--net")
        self.do("ip", "link", "add", "switch", "type", "bridge")
        self.do("ip", "link", "set", "switch", "up")

    def join(self, machine: Machine) -> None:
        """Connects a machine, which gets its address."""
        port = machine.name
        self.do("ip", "link", "add", port, "type", "veth", "peer", "name", "eth0", "netns", str(machine.process))
        self.do("ip", "link", "set", port, "master", "switch", "up")
        machine.do("ip", "address", "add", f"{machine.address}/24", "dev", "eth0")
        machine.do("ip", "link", "set", "eth0", "up")
        machine.do("ip", "link", "set", "lo", "up")
        machine.do("ip", "route", "add", "default", "dev", "eth0")  # ray asks for the way to the world

    def cut(self, machine: Machine) -> None:
        """Pulls its cable."""
        self.do("ip", "link", "set", machine.name, "down")

    def mend(self, machine: Machine) -> None:
        """Puts it back."""
        self.do("ip", "link", "set", machine.name, "up")


class Machine(_Namespace):
    """A machine with its own address, host name, processes, shared memory and folder of ray.

    Attributes:
        name: Of the host.
        address: In the network.
        spool: Where games wait.
    """

    def __init__(self, number: int, folder: Path) -> None:
        """Boots.

        Args:
            number: From 1; the last one of its address.
            folder: For its files.
        """
        super().__init__("--net", "--mount", "--pid", "--uts")
        self.name, self.address = f"machine{number}", f"10.77.0.{number}"
        self.spool = folder / self.name / "spool"
        self._environment = {
            **os.environ,
            PLACE: str(self.spool),
            "RAY_TMPDIR": "/tmp",
            "RAY_USAGE_STATS_ENABLED": "0",
            "RAY_worker_niceness": "0",  # a nicer one would starve beside other tests
        }
        temporary = folder / self.name / "ray"
        temporary.mkdir(parents=True)
        Path("/tmp/ray").mkdir(exist_ok=True)
        self.do("hostname", self.name)
        self.do("mount", "-t", "proc", "proc", "/proc")
        self.do("mount", "-t", "tmpfs", "tmpfs", "/dev/shm")
        self.do("mount", "--bind", str(temporary), "/tmp/ray")

    def start(self, program: str, *arguments: str) -> subprocess.Popen[bytes]:
        """Begins a program of this Python's environment on it."""
        command = self.inside(str(Path(sys.executable).with_name(program)), *arguments)
        return subprocess.Popen(command, env=self._environment, stdout=subprocess.DEVNULL)

    def workers(self) -> list[str]:
        """The names of those who played on it."""
        return [folder.name for folder in self.spool.glob("*/*")]

    def games_waiting(self) -> list[Path]:
        """What is finished there and not confirmed."""
        return list(self.spool.rglob("*.bin"))


def interrupt(program: subprocess.Popen[bytes]) -> int:
    """As Ctrl-C on the machine where it runs; returns how it ended."""
    os.kill(_child_of(program.pid), signal.SIGINT)
    return program.wait()
