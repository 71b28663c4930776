"""Files of JSON lines that grow at their end and survive being cut off there."""

from __future__ import annotations

import contextlib
import json
import math
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tengen.disk import append_whole


def append_line(path: Path, entry: Mapping[str, Any]) -> None:
    """Adds a line; if a crash cut the last one off, what is left of it stays a line of its own."""
    line = json.dumps(dict(entry)).encode() + b"\n"
    with open(path, "a+b", buffering=0) as file:
        if file.seek(0, os.SEEK_END) > 0:
            file.seek(-1, os.SEEK_END)
            if file.read(1) != b"\n":
                line = b"\n" + line
        append_whole(path, file, line)


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """All lines that are JSON objects; there are none if there is no file."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return iter(())
    return _objects(data)


class LineReader:
    """Reads a file again and again, each time only what was added."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = 0
        self._place = 0

    def read(self) -> tuple[list[dict[str, Any]], bool]:
        """The objects of the whole lines that were added, and whether this is another file than before."""
        try:
            with open(self._path, "rb") as file:
                state = os.fstat(file.fileno())
                is_other = self._place > 0 and (state.st_ino != self._file or state.st_size < self._place)
                if is_other:
                    self._place = 0
                file.seek(self._place)
                data = file.read()
        except FileNotFoundError:
            is_other, self._place = self._place > 0, 0
            return [], is_other
        whole = data[: data.rfind(b"\n") + 1]  # the last line may be half written
        self._file, self._place = state.st_ino, self._place + len(whole)
        return list(_objects(whole)), is_other


def finite(value: object) -> float | None:
    """A number as lines should have it, or None for anything else that may stand there."""
    with contextlib.suppress(OverflowError):
        if isinstance(value, int | float) and math.isfinite(value):
            return float(value)
    return None


def _objects(data: bytes) -> Iterator[dict[str, Any]]:
    for line in data.split(b"\n"):
        try:
            entry = json.loads(line.decode(errors="replace"))
        except (ValueError, RecursionError):
            continue
        if isinstance(entry, dict):
            yield entry
