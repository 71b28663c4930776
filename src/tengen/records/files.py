"""Records in files; the name's ending or the content says which format it is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from tengen.records import pos, psq, sgf
from tengen.records.game import MAX_BYTES, Game, RecordError

_WRITERS: dict[str, Callable[[Game], bytes]] = {"sgf": sgf.write, "psq": psq.write, "pos": pos.write}
FORMATS = tuple(_WRITERS)

T = TypeVar("T")


def parse(data: bytes | str, format: str = "", size: int = 15) -> Game:
    """A game from the content of a file.

    Args:
        data: The bytes of the file; or its text, whatever encoding it names.
        format: One of `FORMATS`, or "" to tell by the content.
        size: For `pos` text, which does not say it.

    Raises:
        RecordError: The content is not a record of a game.
    """
    raw = data.encode("utf-8", "replace") if isinstance(data, str) else data
    format = format or _format(raw)
    if format not in FORMATS:
        raise RecordError(f'there is no format "{format}"; choose one of {", ".join(FORMATS)}')
    if format == "sgf":
        return sgf.read(data)
    return psq.read(raw) if format == "psq" else pos.read(raw, size)


def _format(data: bytes) -> str:
    """What the content looks like."""
    start = data[:200].lstrip(b"\xef\xbb\xbf \t\r\n")
    return "sgf" if start.startswith(b"(") else "psq" if start[:9].lower() == b"piskvorky" else "pos"


def write(game: Game, format: str) -> bytes:
    """A game as the content of a file; RecordError if it makes no sense.

    Args:
        game: The game.
        format: One of `FORMATS`.
    """
    return _WRITERS[format](game)


def load(path: str | Path, size: int = 15) -> Game:
    """A game from a file; the first one if there are several.

    Args:
        path: The file; its content says which format it is.
        size: For `pos` text.

    Raises:
        RecordError: There is no such file, or it is not a record of a game.
    """
    return _load(path, lambda data: parse(data, size=size))


def load_all(path: str | Path, size: int = 15, refused: Callable[[RecordError], None] | None = None) -> list[Game]:
    """All games of a file; SGF files may have several.

    Args:
        path: The file; its content says which format it is.
        size: For `pos` text.
        refused: Called for each game of an SGF file that makes no sense, and the others are returned; without it such
            a game is an error.

    Raises:
        RecordError: There is no such file, or one of its games is none.
    """
    return _load(path, lambda data: sgf.read_all(data, refused) if _format(data) == "sgf" else [parse(data, size=size)])


def _load(path: str | Path, read: Callable[[bytes], T]) -> T:
    try:
        with Path(path).open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise RecordError(f'"{path}" cannot be read: {error.strerror}') from None
    try:
        return read(data)
    except RecordError as error:
        if _format(data) != "pos":
            raise
        # Anything that is neither of the others is taken for moves, so this may be no record at all.
        raise RecordError(
            f'"{path}" is not a game: it is neither SGF nor PSQ, and not a text of moves like h8i9h9 ({error})'
        ) from None


def save(game: Game, path: str | Path) -> None:
    """Writes a file in the format that its name's ending says.

    Raises:
        RecordError: The ending is not a known format, the game makes no sense, or the file cannot be written.
    """
    ending = Path(path).suffix.lower().lstrip(".")
    if ending not in FORMATS:
        raise RecordError(f'"{path}" does not end in {", ".join("." + name for name in FORMATS)}')
    try:
        Path(path).write_bytes(write(game, ending))
    except OSError as error:
        raise RecordError(f'"{path}" cannot be written: {error.strerror}') from None
