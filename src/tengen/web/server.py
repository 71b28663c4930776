"""Starts the web board on this machine."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import ipaddress
import logging
import socket
import threading
import webbrowser
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import h11
import uvicorn
from rich.console import Console
from starlette.applications import Starlette
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from tengen.errors import SetupError
from tengen.web import limits
from tengen.web.app import create_app

FIRST_PORT = 8550
_PORTS_TRIED = 50


class Server(uvicorn.Server):
    """Says when it answers, so that the browser is not opened too early, and lets nobody wait who asks at the end."""

    def __init__(self, app: Starlette) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                http=_HttpProtocol,
                ws=_WebSocketProtocol,
                log_level=logging.WARNING,
                ws_max_size=limits.MAX_MESSAGE_BYTES,
                ws_per_message_deflate=False,  # it would be done in the event loop, where everybody waits
                timeout_graceful_shutdown=1,
            )
        )
        self._closing: asyncio.Event = app.state.closing
        self.answers = threading.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begins to answer."""
        await super().startup(sockets)
        # Whoever collects garbage holds up all threads. What is there now stays: it need not be looked through again.
        gc.collect()
        gc.freeze()
        self.answers.set()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Ends."""
        self._closing.set()
        await super().shutdown(sockets)


class _HttpProtocol(H11Protocol):
    """Hangs up on whoever connects and then does not say what they want, for whom uvicorn waits for ever."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._watch(None)

    def _watch(self, seen: object) -> None:
        self.loop.call_later(limits.HANDSHAKE_SECONDS, self._look, seen)

    def _look(self, seen: object) -> None:
        """Ends a connection that waits for the same request as the last time."""
        if self.transport.is_closing() or self.transport.get_protocol() is not self:
            return  # gone, or a WebSocket by now, which has its own pings
        waits = self.cycle is None or self.cycle.response_complete
        if waits and self.cycle is seen:
            self.transport.abort()
        else:
            self._watch(self.cycle if waits else None)

    def send_400_response(self, msg: str) -> None:
        """Says that a request makes no sense, unless it was answered before its end came."""
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            super().send_400_response(msg)
        else:
            self.transport.close()
        if self.cycle is not None:
            self.cycle.disconnected = True  # whatever it has still to say


class _WebSocketProtocol(WebSocketsSansIOProtocol):
    """Hangs up on whoever does not take what is on its way to them when the connection ends."""

    async def run_asgi(self) -> None:
        await super().run_asgi()
        self.loop.call_later(limits.FAREWELL_SECONDS, self.transport.abort)


def serve(
    host: str = "127.0.0.1",
    port: int | None = None,
    threads: int | None = None,
    browser: bool = True,
    runs: Path | None = None,
    analysis_threads: int | None = None,
    names: Sequence[str] = (),
    library: Path | None = None,
) -> None:
    """Runs the web board until it is interrupted.

    Args:
        host: Address to listen at; any but the local ones lets other computers in.
        port: To listen at; if not given, the first free one from `FIRST_PORT` on.
        threads: Of the searches of all pages; all cores if not given.
        browser: Open the page.
        runs: Folder of the training runs that can be watched.
        analysis_threads: Of each analysis; half the cores if not given.
        names: By which browsers reach this computer, besides its addresses and its own name.
        library: File of the games that are kept for pages on this computer; none are if not given.
    """
    own = socket.gethostname()
    with listen(host, port) as listener:
        server = Server(create_app(threads, (host, own, f"{own}.local", *names), runs, analysis_threads, library))
        urls = _urls(host, listener.getsockname()[1])
        threading.Thread(target=_announce, args=(urls, browser, server.answers), daemon=True).start()
        with contextlib.suppress(KeyboardInterrupt):
            server.run(sockets=[listener])


def _announce(urls: list[str], browser: bool, answers: threading.Event) -> None:
    answers.wait()
    console = Console(highlight=False)
    console.print(f"Tengen is at [bold]{urls[0]}[/]  (Ctrl-C ends)", soft_wrap=True)
    for url in urls[1:]:
        console.print(f"for other computers: [bold]{url}[/]", soft_wrap=True)
    if browser:
        webbrowser.open(urls[0])


def _urls(host: str, port: int) -> list[str]:
    """Where the board is: for this computer, and for others if it listens at all addresses."""
    hosts = [host]
    if _is_any(host):
        hosts = ["127.0.0.1", *_lan_address()]
    return [f"http://[{name}]:{port}/" if ":" in name else f"http://{name}:{port}/" for name in hosts]


def _is_any(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return False


def _lan_address() -> list[str]:
    """The address by which others reach this computer, if it has one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, contextlib.suppress(OSError):
        probe.connect(("192.0.2.1", 9))  # chooses the way to elsewhere; nothing is sent
        return [probe.getsockname()[0]]
    return []


@contextlib.contextmanager
def listen(host: str, port: int | None) -> Iterator[socket.socket]:
    """A listening socket; SetupError where there is none to be had."""
    ports = range(FIRST_PORT, FIRST_PORT + _PORTS_TRIED) if port is None else (port,)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    problem: Exception | None = None
    for candidate in ports:
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # connections inherit it: who takes nothing is gone
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(1000 * limits.SEND_SECONDS))
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
