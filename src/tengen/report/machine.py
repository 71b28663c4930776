"""What figures were measured on."""

from __future__ import annotations

import os
import platform
import time
from pathlib import Path

from tengen import __version__, core
from tengen.errors import NoNetworkError
from tengen.nets import default
from tengen.nets.files import read_info


def machine() -> str:
    """The machine in words, like "Intel Xeon, 2 cores, Linux, Python 3.11.7, Tengen 0.1.0 (avx2)"."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return (
        f"{_processor()}, {cores} {'core' if cores == 1 else 'cores'}, {platform.system()}, "
        f"Python {platform.python_version()}, Tengen {__version__} "
        f"({core.instruction_set()})"
    )


def network(rule: str, size: int) -> str:
    """The shipped network that plays a rule, in words."""
    try:
        path = default.find(rule, size)
    except NoNetworkError:
        return "no network is shipped for this rule: the expert evaluation plays"
    return network_file(path)


def network_file(path: Path) -> str:
    """A network by its file, in words."""
    info = read_info(path)
    return f"`{path.name}` of {info.created[:10]}, {info.games:,} games of self-play"


def today() -> str:
    """The date, as in 2025-01-31."""
    return time.strftime("%Y-%m-%d", time.gmtime())


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
