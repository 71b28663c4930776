"""Writes docs/reliability.md from what the parts have found."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from soak.part import Part

_HEAD = """# Reliability

What Tengen promises, and how often the promise was tried. `make soak` runs every part for ten minutes and adds its
findings to `runs/soak`; `make soak PARTS="protocol sgf" MINUTES=60` runs some of them for longer, each time with other
random numbers. `make soak-report` writes this page. `make soak-short` tries most of it for a few seconds, on every
change; a workflow runs all of it every night. Beside what was tried stands what it is meant to come to. Parts that
measure time (`crowd`, `lateness`) count from a machine that does nothing else.

| part | promise | tried | failed |
|---|---|---|---|
"""
_TAIL = """
A failure is a crash, a hang, a traceback, an internal error, a broken promise or a part that broke itself. What was
found once has a test.

## Besides

| what | command |
|---|---|
| tests of every module, doctests of the package and the examples | `make test` |
| tests that take minutes: killed runs, hundreds of games | `make test-slow`, every night |
| AddressSanitizer and UBSan over the tests of the rules | `make sanitize` |
| thread sanitizer: search, best move during a search, batch queue, self-play | `make tsan` |
| the same game on AVX-512, AVX2 and plain x86-64 | `make test-wheel` |
| lines of the package that tests reach | `make coverage` |
"""


def read(file: Path) -> list[dict[str, Any]]:
    """The runs of a part."""
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def write(path: Path, parts: Iterable[Part], results: Path) -> None:
    """Writes the page."""
    found = [(part, read(results / f"{part.name}.jsonl")) for part in parts]
    rows = "".join(_row(part, entries) for part, entries in found)
    path.write_text(_HEAD + rows + _figures(found) + _faults(found) + _TAIL, encoding="utf-8")


def _row(part: Part, entries: Sequence[Mapping[str, Any]]) -> str:
    tried, failed = (sum(entry[name] for entry in entries) for name in ("tried", "failed"))
    if not entries:
        return f"| `{part.name}` | {part.promise} | no {part.unit} yet | |\n"
    return f"| `{part.name}` | {part.promise} | {tried:,} of {part.goal:,} {part.unit} | {failed:,} |\n"


def _figures(found: Iterable[tuple[Part, Sequence[Mapping[str, Any]]]]) -> str:
    """Measurements of the longest run of each part that makes any."""
    lines = []
    for part, entries in found:
        longest = max(entries, key=lambda entry: entry["tried"], default=None)
        if longest is not None and longest["figures"]:
            figures = ", ".join(f"{name.replace('_', ' ')} {value:,}" for name, value in longest["figures"].items())
            lines.append(f"- `{part.name}` ({longest['tried']:,} {part.unit}): {figures}\n")
    return "\nMeasured in the longest run of each:\n\n" + "".join(lines) if lines else ""


def _faults(found: Iterable[tuple[Part, Sequence[Mapping[str, Any]]]]) -> str:
    lines = [
        f"- `{part.name}`, seed {entry['seed']}: {fault}\n"
        for part, entries in found
        for entry in entries
        for fault in entry["faults"][:3]
    ]
    return "\n## Failures\n\n" + "".join(lines) if lines else ""
