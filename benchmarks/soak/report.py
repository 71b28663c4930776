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
    """Writes what was found into the page. Of parts that the folder does not know, the page keeps what it says."""
    before, _, rest = path.read_text(encoding="utf-8").partition(BEGIN)
    measured, _, after = rest.partition(END)
    found = [(part, read(results / f"{part.name}.jsonl")) for part in parts]
    rows, figures, faults = "", "", ""
    for part, entries in found:
        kept = [line for line in measured.splitlines(keepends=True) if f"`{part.name}`" in line] if not entries else []
        rows += "".join(line for line in kept if line.startswith("|")) or _row(part, entries)
        figures += "".join(line for line in kept if line.startswith(f"- `{part.name}` (")) or _figures(part, entries)
        faults += "".join(line for line in kept if line.startswith(f"- `{part.name}`,")) or _faults(part, entries)
    measured = _HEAD + rows
    if figures:
        measured += "\nMeasured in the longest run of each:\n\n" + figures
    if faults:
        measured += "\nFailures:\n\n" + faults
    path.write_text(before + BEGIN + measured + "\n" + END + after, encoding="utf-8")


def _row(part: Part, entries: Sequence[Mapping[str, Any]]) -> str:
    tried, failed = (sum(entry[name] for entry in entries) for name in ("tried", "failed"))
    if not entries:
        return f"| `{part.name}` | {part.promise} | no {part.unit} yet | |\n"
    return f"| `{part.name}` | {part.promise} | {tried:,} of {part.goal:,} {part.unit} | {failed:,} |\n"


def _figures(part: Part, entries: Sequence[Mapping[str, Any]]) -> str:
    """Measurements of the longest run, if it made any."""
    longest = max(entries, key=lambda entry: entry["tried"], default=None)
    if longest is None or not longest["figures"]:
        return ""
    figures = ", ".join(f"{name.replace('_', ' ')} {value:,}" for name, value in longest["figures"].items())
    return f"- `{part.name}` ({longest['tried']:,} {part.unit}): {figures}\n"


def _faults(part: Part, entries: Iterable[Mapping[str, Any]]) -> str:
    return "".join(
        f"- `{part.name}`, seed {entry['seed']}: {fault}\n" for entry in entries for fault in entry["faults"][:3]
    )
