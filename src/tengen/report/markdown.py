"""The parts of a Markdown document, as lines."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

_WIDTH = 118


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """A table."""
    return ["| " + " | ".join(cells) + " |" for cells in (heads, ["---"] * len(heads), *rows)]


def bullet(text: str) -> str:
    """A point of a list."""
    return textwrap.fill(text, _WIDTH, initial_indent="- ", subsequent_indent="  ", break_on_hyphens=False)


def paragraph(text: str) -> str:
    """Plain text."""
    return textwrap.fill(text, _WIDTH, break_on_hyphens=False)
