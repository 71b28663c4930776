"""Bytes from a pipe as lines of text."""

from __future__ import annotations

import re

#: Longer lines are cut: no command needs so much, and a line of megabytes must not cost any.
MAX_LINE = 4096

_END = re.compile(rb"[\r\n]+")


class LineSplitter:
    r"""Cuts a stream of bytes into lines that end in CRLF, LF or CR. Key method: `feed`.

    Empty lines mean nothing in the protocol and are left out, so CRLF needs no special care. Bytes that are no text
    become replacement characters.

    >>> LineSplitter().feed(b"START 15\r\nBEGIN\rEN")
    ['START 15', 'BEGIN']
    """

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> list[str]:
        """The lines that `data` completes."""
        pieces = _END.split(data)
        if len(pieces) == 1:
            self._rest = (self._rest + data)[:MAX_LINE]
            return []
        first, *middle, last = pieces
        lines = [self._rest + first, *middle]
        self._rest = last[:MAX_LINE]
        return [text for line in lines if (text := _text(line))]

    def flush(self) -> list[str]:
        """The last line, if the stream ended without an end of line."""
        text, self._rest = _text(self._rest), b""
        return [text] if text else []


def _text(line: bytes) -> str:
    return line[:MAX_LINE].decode("utf-8", "replace").strip("\ufeff\x00 \t\v\f")
