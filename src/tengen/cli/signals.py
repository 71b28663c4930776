"""Long jobs that end in good order."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Callable, Iterator

INTERRUPTED = 130
"""The exit code that a shell expects after Ctrl-C."""


@contextlib.contextmanager
def stopped_by_signals(stop: Callable[[], None]) -> Iterator[None]:
    """While it lasts Ctrl-C and `kill` call `stop` instead of ending the process."""
    previous = {name: signal.signal(name, lambda *_: stop()) for name in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for name, handler in previous.items():
            signal.signal(name, handler)
