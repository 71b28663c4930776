"""The cluster as ray tells of it: joining it, its nodes, and something that runs on one of them."""

from __future__ import annotations

import contextlib
import signal
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import ray
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from tengen.cluster.versions import Version, tell_version, version
from tengen.errors import SetupError, TengenError, describe

#: The cluster that runs on this machine.
AUTO = "auto"
_CONNECT_SECONDS = 5.0


@dataclass(frozen=True)
class Node:
    """A machine of the cluster.

    Attributes:
        id: By which ray knows it.
        name: For people.
        cores: That may be used there.
        memory: In bytes, that may be used there.
    """

    id: str
    name: str
    cores: int
    memory: int


@contextlib.contextmanager
def connected(address: str) -> Iterator[None]:
    """Joins a cluster for as long as it lasts.

    Args:
        address: HOST:PORT of its head, or "auto".

    Raises:
        SetupError: There is no such cluster, or it cannot be joined.
    """
    if address != AUTO:
        _check_address(address)
    _silence()
    terminated = signal.getsignal(signal.SIGTERM)  # ray has an idea of its own what should happen
    try:
        ray.init(address=address, log_to_driver=False, logging_level="critical")
    except Exception as error:  # of many kinds, some of them with pages of advice
        raise SetupError(_why_not(address, error)) from None
    finally:
        with contextlib.suppress(ValueError):  # not in the main thread
            signal.signal(signal.SIGTERM, terminated)
    try:
        yield
    finally:
        ray.shutdown()


def _silence() -> None:
    """Lets ray print nothing: a node's death would be pages of stack traces, which commands say in a sentence."""
    ray._private.worker.print_worker_logs = lambda *_, **__: None


def _check_address(address: str) -> None:
    """Asks whether somebody listens there: ray itself would try for a minute and then end the process."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise SetupError(f'"{address}" is no address of a cluster; give HOST:PORT of its head, such as 10.0.0.1:6379')
    try:
        socket.create_connection((host, int(port)), timeout=_CONNECT_SECONDS).close()
    except OSError as error:
        reason = error.strerror or str(error)
        raise SetupError(
            f"no cluster answers at {address} ({reason}); start one with: ray start --head --port {port}"
        ) from None


def _why_not(address: str, error: Exception) -> str:
    if address == AUTO:
        return "no cluster runs on this machine; start one with: ray start --head"
    text = " ".join(str(error).split())
    if "version" in text.lower():
        return f"the cluster at {address} runs another ray or Python: {text}"
    return (
        f"cannot join the cluster at {address}; this machine must be one of its nodes "
        f"(ray start --address {address}): {describe(error)}"
    )


def nodes() -> list[Node]:
    """The machines that are there now and have a core to give."""
    found = []
    for node in ray.nodes():
        cores = int(node["Resources"].get("CPU", 0))
        if node["Alive"] and cores > 0:
            memory = int(node["Resources"].get("memory", 0))
            found.append(Node(node["NodeID"], _name(node), cores, memory))
    return found


def _name(node: dict[str, Any]) -> str:
    """Several nodes may share a machine: the first letters of their ids tell them apart."""
    return f"{node['NodeName']}/{node['NodeID'][:4]}"


def on(node: Node, **options: Any) -> dict[str, Any]:
    """Options of a task or an actor that runs on a node, there alone, and is not repeated by ray.

    It claims no cores, so that two commands can share a cluster.
    """
    return {"num_cpus": 0, "scheduling_strategy": NodeAffinitySchedulingStrategy(node.id, soft=False), **options}


def ask_version(node: Node) -> Any:
    """Asks which Tengen a node has; `refusal_of_version` understands the answer."""
    return ray.remote(tell_version).options(**on(node, max_retries=0)).remote()


def refusal_of_version(node: Node, answer: Version | Exception) -> str | None:
    """Why a node cannot help, as a sentence; None if it can."""
    here = version()
    if isinstance(answer, Exception):
        return f"node {node.name} has no {here}: install the same there with its extra cluster"
    if answer != here:
        return f"node {node.name} has {answer}, this machine has {here}: install the same on both"
    return None


def sentence_in(error: Exception) -> str | None:
    """What a worker said on purpose, if the error is that."""
    cause = getattr(error, "cause", None)
    return str(cause) if isinstance(cause, TengenError) else None
