"""Long jobs that end in good order."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Callable, Iterator

INTERRUPTED = 130
"""The exit code that a shell expects after Ctrl-C."""


#: `kill`, and the end of the terminal's session where the system tells of it.
_ENDINGS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


def end_like_ctrl_c() -> None:
    """Lets `kill` and the end of a session do what Ctrl-C does, so that nothing we started is left behind."""
    for name in _ENDINGS:
        if signal.getsignal(name) == signal.SIG_DFL:  # nohup ignores one of them, and means it
            signal.signal(name, signal.default_int_handler)


@contextlib.contextmanager
def stopped_by_signals(stop: Callable[[], None]) -> Iterator[None]:
    """While it lasts Ctrl-C, `kill` and the end of the session call `stop` instead of ending the process."""
    heard = [signal.SIGINT, *(name for name in _ENDINGS if signal.getsignal(name) != signal.SIG_IGN)]
    previous = {name: signal.signal(name, lambda *_: stop()) for name in heard}
    try:
        yield
    finally:
        for name, handler in previous.items():
            signal.signal(name, handler)
