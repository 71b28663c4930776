"""Files that are either as they were or as they should be, whatever happens in between."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import IO

from tengen.errors import SetupError

_MARK_BYTES = 4


def write_atomically(path: Path, data: bytes) -> None:
    """Writes a file beside its place, makes sure that it is on the disk, and moves it there.

    Raises:
        OSError: The file cannot be written; what was there is unchanged.
    """
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(_MARK_BYTES)}.tmp")
    try:
        with temporary.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
        _sync_folder(path.parent)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise


def remove_leftovers(folder: Path) -> None:
    """Removes what writes that were cut off have left in a folder, which nobody else may be writing to."""
    for leftover in folder.rglob(f".*.{2 * _MARK_BYTES * '[0-9a-f]'}.tmp"):
        leftover.unlink()


def append_whole(path: Path, file: IO[bytes], data: bytes) -> None:
    """Appends all of the data or none of it, so that a full disk leaves no half of anything behind.

    Args:
        path: Of the file, for the error.
        file: Opened for appending, without a buffer.
        data: What to append.

    Raises:
        SetupError: It cannot be written, and why.
    """
    end = file.seek(0, os.SEEK_END)
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[file.write(rest) :]
    except OSError as error:
        file.truncate(end)
        raise SetupError(f"cannot write {path}: {error.strerror or error}") from None


def check_output(path: Path) -> None:
    """SetupError if a file cannot be written there: better said before hours of work than after them."""
    folder = path.parent
    if not folder.is_dir():
        raise SetupError(f'"{path}" cannot be written: there is no folder "{folder}"')
    if path.is_dir() or not os.access(path if path.exists() else folder, os.W_OK):
        raise SetupError(f'"{path}" cannot be written: {"it is a folder" if path.is_dir() else "permission denied"}')


def _sync_folder(folder: Path) -> None:
    """Makes a rename in the folder survive a power loss, where the system can."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
