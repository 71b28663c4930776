"""A proof on disk: what is claimed, and all that was learnt, in the order in which it was."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO

from tengen import core, disk
from tengen.board import Color
from tengen.errors import InputError, SetupError
from tengen.file_lock import FileLock
from tengen.theory import Claim

VERSION = 1
EVENTS = "events.txt"

#: Events about a position as a whole, with an effort and moves instead of a move.
_WITH_EFFORT = (core.ProofEventKind.tried, core.ProofEventKind.pondered)


class ProofFolder:
    """The folder of one proof. A power cut at any moment loses at most what came last.

    `proof.json` holds the claim. `events.txt` has a line for each thing learnt: its kind, the position, the move (for
    "tried" and "pondered" the effort), for "opened" the replies that are left open, and for a position that was
    "pondered", or "tried" with all effort, the moves that a tree search found promising, with guesses at the work that
    each takes.
    """

    def __init__(self, path: Path, claim: Claim | None = None) -> None:
        """Opens a folder, or begins one if there is a claim.

        Raises:
            SetupError: The folder holds the proof of another claim, or none, or is in use.
        """
        self.path = path
        file = path / "proof.json"
        if not file.exists():
            if claim is None:
                raise SetupError(f'there is no proof in "{path}"; begin one with: tengen prove MOVES --folder {path}')
            path.mkdir(parents=True, exist_ok=True)
            text = json.dumps({"version": VERSION, **dataclasses.asdict(claim)}, indent=1) + "\n"
            disk.write_atomically(file, text.encode())
        self.claim = self._read_claim(file)
        if claim is not None and claim != self.claim:
            raise SetupError(f'"{path}" holds the proof of another claim, {self.claim}; choose another folder')
        self._lock = FileLock(path / "lock")
        self._events: IO[bytes] | None = None

    @staticmethod
    def _read_claim(file: Path) -> Claim:
        try:
            values = json.loads(file.read_text(encoding="utf-8"))
            if values.pop("version") != VERSION:
                raise SetupError(f'"{file}" was written by another version of Tengen')
            return Claim(**{**values, "winner": Color(values["winner"])})
        except (ValueError, KeyError, TypeError, AttributeError):
            raise SetupError(f'"{file}" cannot be read; choose another folder') from None

    def __enter__(self) -> ProofFolder:
        """Opens it for writing, for this process alone."""
        if not self._lock.take():
            raise SetupError(f'another process works on the proof in "{self.path}"')
        disk.remove_leftovers(self.path)
        self._events = open(self.path / EVENTS, "a+b", buffering=0)
        self._drop_torn_end(self._events)
        return self

    def __exit__(self, *error: object) -> None:
        if self._events is not None:
            self._events.close()
        self._lock.release()

    @staticmethod
    def _drop_torn_end(file: IO[bytes]) -> None:
        """A crash can leave half a line."""
        end = file.seek(0, os.SEEK_END)
        start = max(0, end - (1 << 16))
        file.seek(start)
        tail = file.read()
        if not tail.endswith(b"\n"):
            file.truncate(start + tail.rfind(b"\n") + 1)

    def add(self, events: Iterable[core.ProofEvent]) -> None:
        """Writes what was learnt; when this returns it survives whatever happens to the process."""
        assert self._events is not None, "the folder is not open"
        disk.append_whole(self.path / EVENTS, self._events, "".join(map(self._line, events)).encode())
        os.fsync(self._events.fileno())

    def events(self) -> Iterator[core.ProofEvent]:
        """What was learnt before.

        Raises:
            SetupError: A line is damaged.
        """
        file = self.path / EVENTS
        if not file.exists():
            return
        with open(file, encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                if not line.endswith("\n"):
                    return  # being written at this moment
                try:
                    yield self._event(line.split())
                except (InputError, KeyError, ValueError, IndexError):
                    raise SetupError(f'line {number} of "{file}" is damaged; delete it and it is found again') from None

    def _line(self, event: core.ProofEvent) -> str:
        words = [event.kind.name, self.claim.write_position(event.position.stones)]
        if event.move >= 0:
            words.append(self.claim.point(event.move))
        if event.kind == core.ProofEventKind.opened and event.replies:
            words.append(self.claim.write_cells(event.replies))
        if event.kind in _WITH_EFFORT:
            words.append(str(event.effort))
            if event.moves:
                words += [self.claim.write_cells(event.moves), ",".join(f"{cost:.4g}" for cost in event.costs)]
        return " ".join(words) + "\n"

    def _event(self, words: list[str]) -> core.ProofEvent:
        event = core.ProofEvent()
        event.kind = core.ProofEventKind[words[0]]
        event.position = core.ProofPosition(self.claim.read_position(words[1]))
        if event.kind not in _WITH_EFFORT:
            event.move = self.claim.cell(words[2])
        else:
            event.effort = int(words[2])
            if len(words) > 3:
                event.moves = self.claim.read_cells(words[3])
                event.costs = [float(cost) for cost in words[4].split(",")]
                if len(event.moves) != len(event.costs):
                    raise ValueError("a cost for each move")
        if event.kind == core.ProofEventKind.opened and len(words) > 3:
            event.replies = self.claim.read_cells(words[3])
        return event
