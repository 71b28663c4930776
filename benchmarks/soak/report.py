"""Writes what the parts have found into docs/reliability.md."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from soak.part import Part

BEGIN, END = "<!-- measured: make soak-report -->\n", "<!-- end of what was measured -->\n"
"""Between these lines stands what the parts have found; the rest of the page is written by people."""
_HEAD = """
| part | promise | tried | failed |
|---|---|---|---|
"""


def read(file: Path) -> list[dict[str, Any]]:
    """The runs of a part."""
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def write(path: Path, parts: Iterable[Part], results: Path) -> None:
    """Writes what was found into the page."""
    found = [(part, read(results / f"{part.name}.jsonl")) for part in parts]
    rows = "".join(_row(part, entries) for part, entries in found)
    before, _, rest = path.read_text(encoding="utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    measured = _HEAD + rows + _figures(found) + _faults(found) + "\n"
    path.write_text(before + BEGIN + measured + END + after, encoding="utf-8")


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
    return "\nFailures:\n\n" + "".join(lines) if lines else ""
