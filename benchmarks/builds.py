"""Compares builds of the core: the same signatures, and evaluations of the shipped network a second, as ratios.

    cmake --preset native -DTENGEN_MARCH=x86-64-v3 && cmake --build --preset native --target signatures
    make site
    python benchmarks/builds.py build/native/tests/signatures build/wasm/tests/signatures.js

Programs that end in .js run in Node. The builds take turns, and the best round of each counts.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from pathlib import Path

from tengen.nets import default


def run(program: Path, positions: int) -> tuple[str, float]:
    """What a build computes, and its evaluations a second."""
    start = ["node", "--no-experimental-fetch"] if program.suffix == ".js" else []
    command = [*start, str(program), str(positions), str(default.find("freestyle", 15))]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = re.search(r"(\d+) evaluations/s", done.stderr)
    assert found is not None, done.stderr
    return done.stdout, float(found[1])


def main() -> None:
    """Prints a line for each build; exit 1 if their signatures differ."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", type=Path, nargs="+")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--positions", type=int, default=20)
    arguments = parser.parse_args()
    speeds = dict.fromkeys(arguments.programs, 0.0)
    signatures = set()
    for _ in range(arguments.rounds):
        for program in arguments.programs:
            signature, speed = run(program, arguments.positions)
            signatures.add(signature)
            speeds[program] = max(speeds[program], speed)
    first = speeds[arguments.programs[0]]
    for program, speed in speeds.items():
        print(f"{program}: {speed:,.0f} evaluations/s, {speed / first:.2f} of the first")
    print(*signatures, sep="\n")
    if len(signatures) > 1:
        sys.exit("the builds compute different things")


if __name__ == "__main__":
    main()
