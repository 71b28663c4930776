"""What the experiments share: each one owns a section of a document, and running it again replaces that section."""

from __future__ import annotations

import math
import re
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tengen.arena.results import MatchResult
from tengen.report.machine import machine, today
from tengen.report.markdown import paragraph, table


def finished(result: MatchResult) -> MatchResult:
    """The result of a match, if it was played to its end."""
    if not result.is_complete:
        raise SystemExit("stopped: no result is written")
    return result


class Section:
    """A section under way. Key methods: `text`, `table` and `picture` add to it, `write` puts it into the document."""

    def __init__(self, name: str, title: str, document: Path | None) -> None:
        """An empty section.

        Args:
            name: Name of the script, without ".py".
            title: The heading.
            document: The Markdown file that the section belongs to; None prints it and writes nothing.
        """
        self._name = name
        self._document = document
        arguments = [word for word in sys.argv[1:] if not word.startswith("--to") and word != str(document)]
        command = shlex.join(["python", f"experiments/{name}.py", *arguments])
        self._lines = [f"## {title}", "", f"`{command}`", "", paragraph(f"{machine()}; {today()}."), ""]

    def text(self, text: str) -> None:
        """Adds a paragraph."""
        self._lines += [paragraph(text), ""]

    def table(self, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """Adds a table."""
        self._lines += [*table(heads, rows), ""]

    def picture(self, figure: Any, title: str) -> None:
        """Adds a matplotlib figure, which is written beside the document."""
        if self._document is None:
            return
        path = self._document.parent / "images" / f"{self._name}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, dpi=110)
        self._lines += [f"![{title}](images/{path.name})", ""]

    def write(self) -> None:
        """Prints the section, and puts it where it was in the document, or at its end."""
        first, last = f"<!-- experiments/{self._name}.py writes this -->", f"<!-- end of {self._name}.py -->"
        section = "\n".join([first, *self._lines]).rstrip() + f"\n\n{last}"
        print(section)
        if self._document is None:
            return
        known = self._document.read_text(encoding="utf-8") if self._document.exists() else "# Experiments\n"
        pattern = re.compile(re.escape(first) + ".*?" + re.escape(last), re.DOTALL)
        if pattern.search(known):
            changed = pattern.sub(lambda _: section, known)
        else:
            changed = known.rstrip() + f"\n\n{section}\n"
        self._document.write_text(changed, encoding="utf-8")


def spread(values: Sequence[float]) -> str:
    """The mean and its standard error, like "3.1 ± 0.4"; the value alone if there is one."""
    mean = sum(values) / len(values)
    if len(values) < 2:
        return f"{mean:.3g}"
    variance = sum((value - mean) ** 2 for value in values) / (len(values) - 1)
    return f"{mean:.3g} ± {math.sqrt(variance / len(values)):.2g}"


def new_figure(columns: int) -> tuple[Any, list[Any]]:
    """An empty matplotlib figure with some plots side by side, and the plots."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(3.6 * columns, 3.2), layout="constrained")
    return figure, list(figure.subplots(1, columns, squeeze=False)[0])
