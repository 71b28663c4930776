"""The server: pages, the WebSocket, and the same messages over HTTP."""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
from collections.abc import AsyncIterator, Callable
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.base import BaseHTTPMiddleware, RequestResponseEndpoint
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from tengen import __version__, records
from tengen.players.levels import LEVELS
from tengen.procedures import PROCEDURES
from tengen.review import CLASSES
from tengen.web import messages
from tengen.web.gate import LOCAL_HOSTS, TRY_LATER, BodyLimit, Gate
from tengen.web.runs import Runs
from tengen.web.session import Session, Workers

STATIC = Path(__file__).with_name("static")
API_PATHS = ("/api/ask", "/api", "/openapi.json", "/asyncapi.json")

_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
        "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",  # asked again each time, answered from the cache by its tag: never a stale module
}


class LateApp:
    """An application that is made when it is asked for the first time."""

    def __init__(self, make: Callable[[], ASGIApp]) -> None:
        self._make = make
        self._made: asyncio.Task[ASGIApp] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        if self._made is None:
            self._made = asyncio.create_task(asyncio.to_thread(self._make))  # the pages are served meanwhile
        app = await asyncio.shield(self._made)
        await app(scope, receive, send)


def create_app(
    threads: int | None = None,
    hosts: frozenset[str] | None = LOCAL_HOSTS,
    runs: Path | None = None,
    analysis_threads: int | None = None,
) -> Starlette:
    """The web application.

    Args:
        threads: Of the search, for all pages together; all cores if not given.
        hosts: Names that this server goes by, None for any.
        runs: Folder of the training runs that pages may watch.
        analysis_threads: Of each analysis; half the cores if not given.
    """
    cores = os.cpu_count() or 1
    workers = Workers(threads or cores, Runs(runs), analysis_threads or max(1, cores // 2))
    gate = Gate(hosts)
    hello = messages.Hello(
        version=__version__,
        server=secrets.token_hex(8),
        levels=list(LEVELS),
        formats=list(records.FORMATS),
        procedures=[
            messages.ProcedureInfo(name=rules.name, rule=rules.rule, smallest=rules.smallest)
            for rules in PROCEDURES.values()
        ],
        mistakes=dict(CLASSES),
    )

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        workers.close()

    async def guard(request: Request, call_next: RequestResponseEndpoint) -> Response:
        if not gate.knows(request.headers.get("host")):
            return JSONResponse({"detail": "this server does not go by that name"}, status_code=421)
        response = await call_next(request)
        for name, value in _HEADERS.items():
            response.headers.setdefault(name, value)
        return response

    async def socket(socket: WebSocket) -> None:
        if (code := gate.refuses(socket)) is not None:
            await socket.close(code)
            return
        await socket.accept()
        with gate.count(socket):
            await _serve(socket, Session(workers), hello)

    def make_api() -> ASGIApp:
        from tengen.web.http_api import create_api  # late: the first page does not wait for it

        return create_api(gate, workers)

    api = LateApp(make_api)
    return Starlette(
        routes=[
            WebSocketRoute("/ws", socket),
            *(Route(path, api) for path in API_PATHS),
            Mount("/", StaticFiles(directory=STATIC, html=True)),
        ],
        middleware=[Middleware(BodyLimit), Middleware(BaseHTTPMiddleware, dispatch=guard)],
        lifespan=lifespan,
    )


async def _serve(socket: WebSocket, session: Session, hello: messages.Hello) -> None:
    """Reads and writes until either side hangs up."""
    session.send(hello)
    writer = asyncio.create_task(_write(socket, session))
    try:
        while True:
            session.handle(await socket.receive_text())
    except (WebSocketDisconnect, RuntimeError, KeyError):
        pass  # gone, cut off by the writer, or sent bytes where text is due
    finally:
        session.close()
        writer.cancel()
        with contextlib.suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
            await writer


async def _write(socket: WebSocket, session: Session) -> None:
    while (message := await session.outbox.get()) is not None:
        await socket.send_text(message.model_dump_json())
    await socket.close(TRY_LATER)
