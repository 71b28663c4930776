"""Files of JSON lines that grow at their end and survive being cut off there."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any


def append_line(path: Path, entry: Mapping[str, Any]) -> None:
    """Adds a line; if a crash cut the last one off, what is left of it stays a line of its own."""
    with open(path, "a+b") as file:
        if file.tell() > 0:
            file.seek(-1, os.SEEK_END)
            if file.read(1) != b"\n":
                file.write(b"\n")
        file.write(json.dumps(dict(entry)).encode() + b"\n")


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """All complete lines; there are none if there is no file."""
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return
    for line in text.splitlines():
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        if isinstance(entry, dict):
            yield entry
