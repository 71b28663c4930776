"""`tengen` as a person calls it, in this process: quick, and with the same words and exit codes."""

from __future__ import annotations

import hashlib
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tengen.cli import main

#: A small run without evaluations.
_PRESET = """
minutes = 60
log_seconds = 0.3
publish_seconds = 0.5
checkpoint_seconds = {checkpoint_seconds}
probe_positions = 16
tensorboard = false
[selfplay]
rules = ["{rule}"]
sizes = [7, 9]
full_playouts = 30
fast_playouts = 8
threads = 1
[learn]
radius = 4
channels = {channels}
batch = 64
start_positions = 100
reuse = 4.0
[evaluation]
minutes = 0
"""


@dataclass(frozen=True)
class Said:
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str


class Commands:
    """Calls commands. A traceback is no exit code: it fails the test."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch = monkeypatch
        self._capsys = capsys

    def __call__(self, *arguments: object) -> Said:
        self._monkeypatch.setattr(sys, "argv", ["tengen", *map(str, arguments)])
        code = 0
        try:
            main()
        except SystemExit as end:
            code = int(end.code or 0)
        out, err = self._capsys.readouterr()
        if code:
            assert err.startswith("error: ")
            assert err.count("\n") == 1, "one sentence"
        return Said(code, out, err)


@pytest.fixture
def tengen(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Commands:
    """The command."""
    return Commands(monkeypatch, capsys)


def write_preset(path: Path, rule: str = "freestyle", channels: int = 32, checkpoint_seconds: float = 0.6) -> Path:
    """A preset of a small run without evaluations."""
    path.write_text(_PRESET.format(rule=rule, channels=channels, checkpoint_seconds=checkpoint_seconds))
    return path


def contents(folder: Path) -> dict[str, str]:
    """Everything in a folder, by name; two that are equal have the same bytes in the same places."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "folder"
        for path in sorted(folder.rglob("*"))
    }
