"""Runs parts of the soak, each in a process of its own, and writes what they found to a folder of JSON lines.

python -m soak run --minutes 10 --results runs/soak          # every part
python -m soak run protocol sgf --minutes 60 --results runs/soak
python -m soak report --results runs/soak --to docs/reliability.md

Runs add up: each begins with the next seed, or with --seed, and the report counts all of them.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from soak import (
    crowd,
    fairness,
    kills,
    lateness,
    memory,
    odd_messages,
    odd_requests,
    openapi,
    parsers,
    protocol,
    report,
)
from soak.part import Limit, Part

PARTS: dict[str, Part] = {
    part.name: part
    for module in (protocol, odd_messages, odd_requests, openapi, fairness, crowd, parsers, kills, memory, lateness)
    for part in module.PARTS  # type: ignore[attr-defined]
}
_GRACE = 600.0
"""Seconds after its time in which a part may come to its end."""


def run_part(part: Part, seconds: float, count: int, results: Path, seed: int | None = None) -> bool:
    """Runs a part in a process of its own, which may crash or hang; whether nothing went wrong."""
    file = results / f"{part.name}.jsonl"
    if seed is None:
        seed = 1 + max((entry["seed"] for entry in report.read(file)), default=0)
    began = time.monotonic()
    arguments = [sys.executable, "-m", "soak", "part", part.name, str(seed), str(seconds), str(count)]
    try:
        done = subprocess.run(arguments, stdout=subprocess.PIPE, text=True, timeout=seconds + _GRACE, check=False)
        found = json.loads(done.stdout) if done.returncode == 0 else _broken(f"exit code {done.returncode}")
    except subprocess.TimeoutExpired:
        found = _broken("it did not end")
    entry = {"seed": seed, "seconds": round(time.monotonic() - began, 1), "commit": _commit(), **found}
    results.mkdir(parents=True, exist_ok=True)
    with file.open("a", encoding="utf-8") as log:
        log.write(json.dumps(entry) + "\n")
    print(f"{part.name}: {entry['tried']:,} {part.unit} in {entry['seconds']} s, {entry['failed']} failed", flush=True)
    for fault in entry["faults"]:
        print(f"  {fault}")
    return not entry["failed"]


def _broken(reason: str) -> dict[str, Any]:
    return {"tried": 0, "failed": 1, "faults": [f"the part itself broke: {reason}"], "figures": {}}


def _commit() -> str:
    command = ["git", "rev-parse", "--short", "HEAD"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run", help="try to break things")
    run.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    run.add_argument("--minutes", type=float, default=10.0, help="for each part, at most")
    run.add_argument("--share", type=float, default=1.0, help="of each part's goal, at most")
    run.add_argument("--seed", type=int, help="of this run; for several of one part at the same time")
    run.add_argument("--untimed", action="store_true", help="without parts that want the machine for themselves")
    one = commands.add_parser("part", help="one part in this process")
    one.add_argument("name", choices=PARTS)
    one.add_argument("seed", type=int)
    one.add_argument("seconds", type=float)
    one.add_argument("count", type=int)
    write = commands.add_parser("report", help="write down what was found")
    write.add_argument("--to", type=Path, default=Path("docs/reliability.md"))
    for command in (run, write):
        command.add_argument("--results", type=Path, default=Path("runs/soak"))
    options = parser.parse_args()
    if options.command == "part":
        found = PARTS[options.name].run(random.Random(options.seed), Limit(options.seconds, options.count))
        print(json.dumps(dataclasses.asdict(found)))
        return 0
    if options.command == "report":
        report.write(options.to, PARTS.values(), options.results)
        return 0
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"there is no part {', '.join(sorted(unknown))}")
    names = options.parts or [name for name, part in PARTS.items() if not (options.untimed and part.alone)]
    fine = []
    for name in names:
        count = max(1, round(options.share * PARTS[name].goal))
        fine.append(run_part(PARTS[name], 60 * options.minutes, count, options.results, options.seed))
    return 0 if all(fine) else 1


if __name__ == "__main__":
    sys.exit(main())
