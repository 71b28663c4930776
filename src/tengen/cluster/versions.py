"""What must be the same on every machine of a cluster."""

from __future__ import annotations

import functools
import hashlib
from dataclasses import dataclass
from pathlib import Path

import tengen
from tengen.nets.files import FORMAT_VERSION


@dataclass(frozen=True)
class Version:
    """Of a Tengen: its release, the format of its network files, and a fingerprint of its code."""

    release: str
    networks: int
    code: str

    def __str__(self) -> str:
        return f"Tengen {self.release} (networks {self.networks}, code {self.code})"


@functools.cache
def version() -> Version:
    """Of this Tengen. Releases alone do not tell two checkouts apart."""
    package = Path(tengen.__file__).parent
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        digest.update(str(path.relative_to(package)).encode() + b"\0" + path.read_bytes() + b"\0")
    return Version(tengen.__version__, FORMAT_VERSION, digest.hexdigest()[:8])


def tell_version() -> Version:
    """The same, as a task for a node."""
    return version()
