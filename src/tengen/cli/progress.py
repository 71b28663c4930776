"""How far long work has come: a bar on a terminal; elsewhere, where a log may be read, a line a minute."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias, TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

#: Between two lines of a log.
_SECONDS = 60.0

Item = TypeVar("Item")
Show: TypeAlias = Callable[[int, str], None]
"""Takes how much is done, and a few words."""


@contextlib.contextmanager
def progress(total: int, done: int = 0, text: str = "") -> Iterator[Show]:
    """Shows on the standard error how far the work inside has come."""
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    if not console.is_terminal:
        yield _lines(console, total)
        return
    columns = BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"), TimeRemainingColumn()
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(text, total=total, completed=done)
        yield lambda done, text: bar.update(task, completed=done, description=text)


def _lines(console: Console, total: int) -> Show:
    last = time.monotonic()

    def show(done: int, text: str) -> None:
        nonlocal last
        if time.monotonic() - last >= _SECONDS:
            last = time.monotonic()
            console.print(f"{done:,} of {total:,}  {text}".rstrip(), markup=False)

    return show


def tracked(items: Iterable[Item], total: int, text: str = "") -> Iterator[Item]:
    """The items, each counted as done when the next one is asked for."""
    with progress(total, text=text) as show:
        for done, item in enumerate(items, start=1):
            yield item
            show(done, text)
