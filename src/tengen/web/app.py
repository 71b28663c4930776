"""The server: pages, the WebSocket, and the same messages over HTTP."""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from urllib.parse import urlsplit

from fastapi import FastAPI, Request, Response, WebSocket, WebSocketDisconnect
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse
from fastapi.staticfiles import StaticFiles
from starlette.middleware.base import RequestResponseEndpoint
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.types import Message as Event

from tengen import __version__
from tengen.players.levels import LEVELS
from tengen.web import api_page, limits, messages, records
from tengen.web.runs import Runs
from tengen.web.session import BusyError, Session, Workers, answer_at_once, sentence

STATIC = Path(__file__).with_name("static")
LOCAL_HOSTS = frozenset({"127.0.0.1", "localhost", "::1"})
POLICY_VIOLATION, TRY_LATER = 1008, 1013  # close codes of RFC 6455

_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
        "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",  # asked again each time, answered from the cache by its tag: never a stale module
}


class Gate:
    """Who may connect: pages of this server only, and not too many."""

    def __init__(self, hosts: frozenset[str] | None) -> None:
        """A gate.

        Args:
            hosts: Names that this server goes by, None for any. A page of another site that has pointed its own name
                at this machine is turned away by it.
        """
        self._hosts = hosts
        self._clients: Counter[str] = Counter()
        self._asking: Counter[str] = Counter()

    def knows(self, host: str | None) -> bool:
        """Whether a Host header names this server."""
        return self._hosts is None or _name(host) in self._hosts

    def refuses(self, socket: WebSocket) -> int | None:
        """The close code for a connection that is not let in."""
        host, origin = socket.headers.get("host"), socket.headers.get("origin")
        # Browsers always send the origin of the page; other programs are not a risk for the person at the browser.
        if not self.knows(host) or (origin is not None and urlsplit(origin).netloc != host):
            return POLICY_VIOLATION
        crowded = self._clients[_client(socket)] >= limits.MAX_CONNECTIONS_A_CLIENT
        return TRY_LATER if crowded or self._clients.total() >= limits.MAX_CONNECTIONS else None

    @contextlib.contextmanager
    def count(self, socket: WebSocket) -> Iterator[None]:
        """Counts a connection while it lasts."""
        with _counted(self._clients, _client(socket)):
            yield

    @contextlib.contextmanager
    def count_question(self, request: Request) -> Iterator[None]:
        """Counts a question over HTTP while it is answered; BusyError if its client asks too many at a time."""
        client = _client(request)
        if self._asking[client] >= limits.MAX_JOBS_A_PAGE:
            raise BusyError(f"you have {limits.MAX_JOBS_A_PAGE} questions under way; wait for an answer")
        with _counted(self._asking, client):
            yield


@contextlib.contextmanager
def _counted(counts: Counter[str], name: str) -> Iterator[None]:
    counts[name] += 1
    try:
        yield
    finally:
        counts[name] -= 1
        if not counts[name]:
            del counts[name]


class BodyLimit:
    """Refuses bodies that are too large, before anything reads them into memory."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        if scope["type"] != "http" or scope["method"] in ("GET", "HEAD"):  # their bodies are never read
            await self._app(scope, receive, send)
            return
        body = b""
        while (event := await receive())["type"] == "http.request":
            body += event.get("body", b"")
            if len(body) > limits.MAX_MESSAGE_BYTES:
                await _refusal("malformed", f"a message has at most {limits.MAX_MESSAGE_BYTES} bytes", 413)(
                    scope, receive, send
                )
                return
            if not event.get("more_body"):
                break
        whole: Event | None = {"type": "http.request", "body": body, "more_body": False}

        async def replay() -> Event:
            nonlocal whole
            event, whole = whole, None
            return event if event is not None else await receive()

        await self._app(scope, replay, send)


def _refusal(code: str, message: str, status: int) -> JSONResponse:
    answer = messages.ErrorAnswer.model_validate({"id": None, "code": code, "message": message})
    return JSONResponse(answer.model_dump(), status_code=status)


def _name(host: str | None) -> str | None:
    try:
        return urlsplit(f"//{host}").hostname
    except ValueError:
        return None


def _client(connection: WebSocket | Request) -> str:
    return connection.client.host if connection.client else ""


def create_app(
    threads: int | None = None,
    hosts: frozenset[str] | None = LOCAL_HOSTS,
    runs: Path | None = None,
    analysis_threads: int | None = None,
) -> FastAPI:
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
        version=__version__, server=secrets.token_hex(8), levels=list(LEVELS), formats=list(records.FORMATS)
    )

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        workers.close()

    app = FastAPI(title="Tengen", version=__version__, docs_url=None, redoc_url=None, lifespan=lifespan)

    @app.middleware("http")
    async def guard(request: Request, call_next: RequestResponseEndpoint) -> Response:
        if not gate.knows(request.headers.get("host")):
            return JSONResponse({"detail": "this server does not go by that name"}, status_code=421)
        response = await call_next(request)
        for name, value in _HEADERS.items():
            response.headers.setdefault(name, value)
        return response

    app.add_middleware(BodyLimit)

    @app.exception_handler(RequestValidationError)
    async def malformed(_: Request, error: RequestValidationError) -> JSONResponse:
        return _refusal("malformed", sentence(error.errors()), 422)

    @app.exception_handler(BusyError)
    async def busy(_: Request, error: BusyError) -> JSONResponse:
        return _refusal("busy", str(error), 429)

    @app.websocket("/ws")
    async def socket(socket: WebSocket) -> None:
        if (code := gate.refuses(socket)) is not None:
            await socket.close(code)
            return
        await socket.accept()
        with gate.count(socket):
            await _serve(socket, Session(workers), hello)

    @app.post("/api/ask", summary="Answers once, with the last message", response_model=messages.AnyAnswer)
    async def ask(request: Request, message: messages.AnyRequest) -> messages.Message | Response:
        origin = request.headers.get("origin")
        if origin is not None and urlsplit(origin).netloc != request.headers.get("host"):
            return _refusal("illegal", "only pages of this server may ask", 403)
        with gate.count_question(request):
            return await _ask(message, workers)

    @app.get("/api", response_class=HTMLResponse, include_in_schema=False)
    async def api() -> str:
        return api_page.html()

    @app.get("/asyncapi.json", include_in_schema=False)
    async def asyncapi() -> JSONResponse:
        return JSONResponse(api_page.asyncapi())

    app.mount("/", StaticFiles(directory=STATIC, html=True))
    return app


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


async def _ask(request: messages.Request, workers: Workers) -> messages.Message:
    """The last message that a request gets."""
    try:
        if isinstance(request, messages.StopRequest | messages.ReviewRequest):
            raise ValueError(f"{request.type} needs the WebSocket")
        if isinstance(request, messages.AnalyseRequest) and request.playouts > limits.MAX_ASKED_PLAYOUTS:
            raise ValueError(f"without the WebSocket an analysis has at most {limits.MAX_ASKED_PLAYOUTS} playouts")
        if (answer := answer_at_once(request)) is not None:
            return answer
        last: list[messages.Message] = []
        loop, done = asyncio.get_running_loop(), asyncio.Event()
        job = workers.start(request, last.append, lambda _: loop.call_soon_threadsafe(done.set))
        try:
            await done.wait()
        except asyncio.CancelledError:
            job.stop(discard=True)
            raise
        return last[-1]
    except ValueError as error:
        return messages.ErrorAnswer(id=request.id, code="illegal", message=str(error))
