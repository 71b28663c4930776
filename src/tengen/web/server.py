"""Starts the web board on this machine."""

from __future__ import annotations

import contextlib
import logging
import socket
import threading
import webbrowser
from collections.abc import Iterator
from pathlib import Path

import uvicorn
from rich.console import Console

from tengen.errors import SetupError
from tengen.search.params import MAX_THREADS
from tengen.web import limits
from tengen.web.app import create_app
from tengen.web.gate import LOCAL_HOSTS

FIRST_PORT = 8550
_PORTS_TRIED = 50


class _Server(uvicorn.Server):
    """Calls back when it answers, so that the browser is not opened too early."""

    def __init__(self, config: uvicorn.Config, when_ready: threading.Event) -> None:
        super().__init__(config)
        self._when_ready = when_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._when_ready.set()


def serve(
    host: str = "127.0.0.1",
    port: int | None = None,
    threads: int | None = None,
    browser: bool = True,
    runs: Path | None = None,
    analysis_threads: int | None = None,
) -> None:
    """Runs the web board until it is interrupted.

    Args:
        host: Address to listen at; any but the local ones lets other computers in.
        port: To listen at; if not given, the first free one from `FIRST_PORT` on.
        threads: Of the searches of all pages; all cores if not given.
        browser: Open the page.
        runs: Folder of the training runs that can be watched.
        analysis_threads: Of each analysis; half the cores if not given.
    """
    for name, value in (("threads", threads), ("analysis threads", analysis_threads)):
        if value is not None and not 1 <= value <= MAX_THREADS:
            raise SetupError(f"{name} must be from 1 to {MAX_THREADS}, not {value}")
    console = Console(highlight=False)
    with _listen(host, port) as listener:
        name = f"[{host}]" if ":" in host else host
        url = f"http://{name}:{listener.getsockname()[1]}/"
        hosts = LOCAL_HOSTS if host in LOCAL_HOSTS else None
        config = uvicorn.Config(
            create_app(threads, hosts, runs, analysis_threads),
            log_level=logging.WARNING,
            ws_max_size=limits.MAX_MESSAGE_BYTES,
            timeout_graceful_shutdown=1,
        )
        ready = threading.Event()
        threading.Thread(target=_announce, args=(console, url, browser, ready), daemon=True).start()
        with contextlib.suppress(KeyboardInterrupt):
            _Server(config, ready).run(sockets=[listener])


def _announce(console: Console, url: str, browser: bool, ready: threading.Event) -> None:
    ready.wait()
    console.print(f"Tengen is at [bold]{url}[/]  (Ctrl-C ends)")
    if browser:
        webbrowser.open(url)


@contextlib.contextmanager
def _listen(host: str, port: int | None) -> Iterator[socket.socket]:
    """A listening socket; SetupError where there is none to be had."""
    ports = range(FIRST_PORT, FIRST_PORT + _PORTS_TRIED) if port is None else (port,)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    problem: Exception | None = None
    for candidate in ports:
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, candidate))
            listener.listen(256)
        except (OSError, OverflowError) as error:
            listener.close()
            problem = error
            continue
        with listener:
            yield listener
        return
    where = f"port {port}" if port is not None else f"any port from {FIRST_PORT} to {ports[-1]}"
    raise SetupError(f"the web board cannot listen at {host}, {where}: {problem}")
