"""The games of a worker that nobody has confirmed yet, on the disk of its machine.

spool/RUN/WORKER/lock               held by the process that plays
                 FIRST-NETWORK.bin  games in their order: the number of the first one, and of the network that played

A game is finished when it is here. The process may be killed then: the next worker on the machine finds the spool
without a holder, takes it over with its name and its numbers, and gives the games again.
"""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from typing import IO

from tengen import core
from tengen.disk import append_whole
from tengen.errors import SetupError
from tengen.file_lock import FolderLock
from tengen.train.pools import Games, Origin

#: Where a machine keeps its spools, if not in the user's cache.
PLACE = "TENGEN_SPOOL"
#: A file is followed by another when it has so many bytes.
_SEGMENT_BYTES = 1 << 20


def place() -> Path:
    """The folder of all spools of this machine."""
    return Path(os.environ.get(PLACE) or Path.home() / ".cache" / "tengen" / "spool")


@dataclass
class _Segment:
    """A file of games.

    Attributes:
        path: The file.
        first: The number of its first game.
        network: The number of the oldest network that played one of them.
        ends: Where each game ends.
    """

    path: Path
    first: int
    network: int
    ends: list[int] = field(default_factory=list)

    @property
    def next(self) -> int:
        """The number after that of its last game."""
        return self.first + len(self.ends)

    @property
    def size(self) -> int:
        """In bytes."""
        return self.ends[-1] if self.ends else 0

    def place_of(self, number: int) -> int:
        """Where a game begins."""
        return self.ends[number - self.first - 1] if number > self.first else 0

    def add(self, data: bytes) -> None:
        """Notes where the games end that were appended."""
        self.ends += list(accumulate((len(game.data) for game in core.read_games(data)), initial=self.size))[1:]


class Spool:
    """Games with numbers, kept until they are confirmed. Key methods: `append`, `waiting`, `confirm`."""

    def __init__(self, folder: Path, lock: FolderLock) -> None:
        """Takes over what is there.

        Args:
            folder: Of this spool.
            lock: Of the folder, which is ours.
        """
        self.name = folder.name
        self._folder = folder
        self._lock = lock
        self._file: IO[bytes] | None = None
        self._segments = [_load(path) for path in sorted(folder.glob("*-*.bin"))]
        self.next = max((segment.next for segment in self._segments), default=0)
        self._confirmed = min((segment.first for segment in self._segments), default=0)

    @property
    def games(self) -> int:
        """How many are kept."""
        return max(0, self.next - self._confirmed)

    @property
    def size(self) -> int:
        """How many are kept, about."""
        return sum(segment.size for segment in self._segments)

    def append(self, data: bytes, network: int) -> None:
        """Keeps games that were just finished.

        Args:
            data: The games.
            network: The number of the oldest network that played one of them.

        Raises:
            SetupError: They cannot be written.
        """
        segment = self._segments[-1] if self._file is not None else None
        if self._file is None or segment is None or segment.network != network or segment.size >= _SEGMENT_BYTES:
            segment = self._begin_segment(network)
        assert self._file is not None
        append_whole(segment.path, self._file, data)
        segment.add(data)
        self.next = segment.next

    def _begin_segment(self, network: int) -> _Segment:
        self._close_file()
        segment = _Segment(self._folder / f"{self.next:012d}-{network}.bin", self.next, network)
        try:
            self._file = open(segment.path, "xb", buffering=0)  # noqa: SIM115
        except OSError as error:
            raise SetupError(f"cannot write {segment.path}: {error.strerror}") from None
        self._segments.append(segment)
        return segment

    def waiting(self, most: int) -> list[Games]:
        """The oldest games that are not confirmed, at least one if there is any, and about `most` bytes of them."""
        found: list[Games] = []
        for games in self._waiting():
            found.append(games)
            most -= len(games.data)
            if most <= 0:
                break
        return found

    def _waiting(self) -> Iterator[Games]:
        for segment in self._segments:
            first = max(segment.first, self._confirmed)
            if first < segment.next:
                with open(segment.path, "rb") as file:
                    file.seek(segment.place_of(first))
                    data = file.read(segment.size - segment.place_of(first))
                yield Games(data, Origin(self.name, first, segment.next - first, segment.network))

    def confirm(self, number: int) -> None:
        """Forgets the games before a number: they are recorded elsewhere."""
        self._confirmed = max(self._confirmed, number)
        if self._confirmed > self.next:  # a power cut lost games that had arrived: their numbers are taken
            self._close_file()
            self.next = self._confirmed
        while self._segments and self._segments[0].next <= self._confirmed:
            if len(self._segments) == 1:
                self._close_file()
            self._segments.pop(0).path.unlink(missing_ok=True)

    def close(self) -> None:
        """Lets others take it over; removes it if it is empty."""
        self._close_file()
        is_empty = not self._segments
        if is_empty:
            (self._folder / "lock").unlink(missing_ok=True)
        self._lock.release()
        if is_empty:
            with contextlib.suppress(OSError):  # somebody has taken it over just now
                self._folder.rmdir()
                self._folder.parent.rmdir()

    def _close_file(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None


def _load(path: Path) -> _Segment:
    """A segment as a killed process left it; what was cut off at its end never was a finished game."""
    first, network = path.stem.split("-")
    segment = _Segment(path, int(first), int(network))
    segment.add(path.read_bytes())
    return segment


def open_spools(run: str) -> list[Spool]:
    """The spools of a run on this machine that nobody holds; a new one if there is none.

    Raises:
        SetupError: There can be none.
    """
    folder = place() / run
    try:
        found = [Spool(path, lock) for path in sorted(folder.glob("*")) if (lock := _take(path)) is not None]
        while not found:
            path = folder / secrets.token_hex(8)
            if (lock := _take(path)) is not None:
                found.append(Spool(path, lock))
    except OSError as error:
        raise SetupError(f"cannot keep games in {folder}: {error.strerror}; set {PLACE} to another folder") from None
    return found


def _take(folder: Path) -> FolderLock | None:
    lock = FolderLock(folder, "lock")
    return lock if lock.take() else None
