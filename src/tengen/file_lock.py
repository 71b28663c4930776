"""A lock between processes, in the shape of a file."""

from __future__ import annotations

import contextlib
import fcntl
import os
from pathlib import Path
from typing import IO


class FileLock:
    """A lock that one process holds at a time; it goes with the process, however that ends.

    Another system needs another `_lock`, and nothing else.
    """

    def __init__(self, path: Path) -> None:
        """Does not take the lock yet.

        Args:
            path: The file that stands for it; its folder exists.
        """
        self._path = path
        self._file: IO[bytes] | None = None
        self._is_new = False

    def take(self) -> bool:
        """Takes the lock if nobody has it; does not wait."""
        while True:
            file, is_new = self._open()
            if not _lock(file):
                file.close()
                return False
            if _is_at(file, self._path):
                self._file, self._is_new = file, is_new
                return True
            file.close()  # the one who held the lock has removed its file meanwhile: there may be another by now

    def release(self, undo: bool = False) -> None:
        """Lets others take it.

        Args:
            undo: Remove the file, if it was not there before.
        """
        if self._file is None:
            return
        if undo and self._is_new:
            self._path.unlink(missing_ok=True)
        self._file.close()
        self._file = None

    def _open(self) -> tuple[IO[bytes], bool]:
        while True:
            with contextlib.suppress(FileExistsError):
                return open(self._path, "xb"), True
            with contextlib.suppress(FileNotFoundError):  # removed since
                return open(self._path, "r+b"), False


def _lock(file: IO[bytes]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_at(file: IO[bytes], path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False
