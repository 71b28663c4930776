"""The parts of a Markdown document, as lines."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence

_WIDTH = 118
_GLUE = "\0"  # a blank where no line may end


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """A table."""
    return ["| " + " | ".join(cells) + " |" for cells in (heads, ["---"] * len(heads), *rows)]


def bullet(text: str) -> str:
    """A point of a list."""
    return _fill(text, first="- ", rest="  ")


def paragraph(text: str) -> str:
    """Plain text."""
    return _fill(text)


def _fill(text: str, first: str = "", rest: str = "") -> str:
    """Lines of the document's width; a command in backquotes stays on one line, to be copied, however long it is."""
    glued = re.sub("`[^`]*`", lambda code: code[0].replace(" ", _GLUE), text)
    lines = textwrap.fill(
        glued, _WIDTH, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False, break_long_words=False
    )
    return lines.replace(_GLUE, " ")
