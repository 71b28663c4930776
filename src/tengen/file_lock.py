"""Locks between processes, in the shape of files."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import IO

import portalocker

#: Times that a folder may vanish while it is locked.
_TRIES = 100


class FileLock:
    """A lock that one process holds at a time; it goes with the process, however that ends."""

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


class FolderLock:
    """The lock of a folder, which is made where there is none; letting go of the lock can undo that too."""

    def __init__(self, folder: Path, name: str) -> None:
        """Does nothing yet.

        Args:
            folder: The folder.
            name: Of the file in it that stands for the lock.
        """
        self._folder = folder
        self._lock = FileLock(folder / name)
        self._made: list[Path] = []

    def take(self) -> bool:
        """Makes the folder and takes its lock if nobody has it; does not wait.

        Raises:
            OSError: There can be no such folder; nothing has changed.
        """
        try:
            return self._make_and_take()
        except OSError:
            self._remove_made()
            raise

    def release(self, undo: bool = False) -> None:
        """Lets others take it.

        Args:
            undo: Remove its file and the folder, if they were not there before and nothing else is in it.
        """
        self._lock.release(undo)
        if undo:
            self._remove_made()

    def _make_and_take(self) -> bool:
        tries = 0
        while True:
            try:
                self._made += _make(self._folder)
                return self._lock.take()
            except (FileNotFoundError, FileExistsError):
                # Another process may undo a start of its own, and take the folder away while we are about to use it.
                tries += 1
                if tries == _TRIES:
                    raise

    def _remove_made(self) -> None:
        for folder in reversed(self._made):
            with contextlib.suppress(OSError):  # somebody else has put something there
                folder.rmdir()


def _make(folder: Path) -> list[Path]:
    """Makes a folder with those above it; returns the ones that were not there, outermost first."""
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    return missing[::-1]


def _lock(file: IO[bytes]) -> bool:
    try:
        portalocker.lock(file, portalocker.LockFlags.EXCLUSIVE | portalocker.LockFlags.NON_BLOCKING)
    except portalocker.AlreadyLocked:
        return False
    return True


def _is_at(file: IO[bytes], path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False
