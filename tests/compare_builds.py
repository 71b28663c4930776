"""Compares an installed portable wheel with the build in this environment: each instruction set, the same signatures.

Usage: python tests/compare_builds.py PYTHON, with the interpreter of the environment where the wheel is installed.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from pathlib import Path

#: What has a signature, with few positions: this looks for differences, not for speed.
BENCHES = (
    ("rules", "--positions", "50"),
    ("threats", "--positions", "50"),
    ("net", "--positions", "10", "--rounds", "1", "--no-training"),
    ("search", "--playouts", "500", "--rounds", "1"),
)
#: What /proc/cpuinfo calls the part of each instruction set that the others need.
NEEDED = {"avx512": "avx512_vnni", "avx2": "avx2", "baseline": "sse2"}


def signatures(python: Path, core: Path | None = None) -> dict[str, str]:
    """What the benches of an installation sign with, and the instruction set that it runs."""
    environment = {**os.environ, "TENGEN_CORE": str(core)} if core else None
    found: dict[str, str] = {}
    for bench in BENCHES:
        command = [python.with_name("tengen"), "bench", *bench, "--json"]
        figures = json.loads(subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True).stdout)
        found |= {f"{bench[0]} {key}": figures[key] for key in figures if key.endswith("signature")}
    return found


def cores(python: Path) -> list[Path]:
    """The folders of the wheel's builds that this processor runs; none where there is one build alone."""
    code = "import pathlib, tengen; print(pathlib.Path(tengen.__file__).parent / '_cores')"
    folder = Path(subprocess.run([python, "-c", code], stdout=subprocess.PIPE, text=True, check=True).stdout.strip())
    flags = Path("/proc/cpuinfo").read_text(encoding="utf-8") if folder.is_dir() else ""
    return [folder / name for name, flag in NEEDED.items() if flag in flags and (folder / name).is_dir()]


def main() -> None:
    python = Path(sys.argv[1]).absolute()
    expected = signatures(Path(sys.executable))
    for core in (None, *cores(python)):
        name = core.name if core else f"as installed on {platform.machine()}"
        if (found := signatures(python, core)) != expected:
            sys.exit(f"{name}: {found} instead of {expected}")
        print(f"{name}: {len(found)} signatures as expected")


if __name__ == "__main__":
    main()
