"""The application: pages, the WebSocket, and the same messages over HTTP."""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
from collections.abc import AsyncIterator, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import Mount, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket

from tengen import __version__, records
from tengen.library import Library
from tengen.procedures import PROCEDURES
from tengen.thinking.levels import ELOS, LEVELS
from tengen.web import bookshelf, connection, limits, messages
from tengen.web.gate import Gate, Guard
from tengen.web.http_api import HttpApi
from tengen.web.networks import Networks
from tengen.web.rooms import Rooms
from tengen.web.runs import Runs
from tengen.web.session import Session
from tengen.web.workers import Workers

STATIC = Path(__file__).with_name("static")


def create_app(
    threads: int | None = None,
    names: Iterable[str] = (),
    runs: Path | None = None,
    analysis_threads: int | None = None,
    library: Path | None = None,
) -> Starlette:
    """The web application. Its `state.closing` is an event; whoever shuts the server down sets it first.

    Args:
        threads: Of the search, for all pages together; all cores if not given.
        names: That this server goes by, besides localhost and its addresses.
        runs: Folder of the training runs that pages may watch.
        analysis_threads: Of each analysis; half the cores if not given.
        library: File of the games that are kept for pages on this computer; none are if not given.
    """
    cores = os.cpu_count() or 1
    workers = Workers(threads or cores, Runs(runs), analysis_threads or max(1, cores // 2), networks=Networks(runs))
    readers = ThreadPoolExecutor(limits.REQUEST_THREADS, "request")
    gate = Gate(names)
    shelf = None if library is None else Library(library)
    rooms = Rooms()
    hello = _hello()
    closing = asyncio.Event()

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        readers.shutdown()
        workers.close()

    async def socket(socket: WebSocket) -> None:
        if (code := gate.refuses(socket)) is not None:
            await socket.close(code)
            return
        with gate.count(socket):
            await socket.accept()
            session = Session(workers, shelf if bookshelf.is_local(socket) else None, rooms)
            session.send(hello)
            await connection.serve(socket, session, readers)

    app = Starlette(
        routes=[
            WebSocketRoute("/ws", socket),
            bookshelf.download(shelf),
            *HttpApi(gate, workers, readers, closing).routes(),
            Mount("/", StaticFiles(directory=STATIC, html=True)),
        ],
        middleware=[Middleware(Guard, gate=gate)],
        lifespan=lifespan,
    )
    app.state.closing = closing
    return app


def _hello() -> messages.Hello:
    procedures = [
        messages.ProcedureInfo(name=rules.name, rule=rules.rule, smallest=rules.smallest)
        for rules in PROCEDURES.values()
    ]
    return messages.Hello(
        version=__version__,
        server=secrets.token_hex(8),
        levels=list(LEVELS),
        elos=list(ELOS.values()),
        requests=messages.REQUEST_TYPES,
        formats=list(records.FORMATS),
        procedures=procedures,
    )
