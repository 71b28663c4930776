"""Who may connect, and how much one may send."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterator
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.types import Message as Event
from starlette.websockets import WebSocket

from tengen.web import limits, messages
from tengen.web.session import BusyError

LOCAL_HOSTS = frozenset({"127.0.0.1", "localhost", "::1"})
POLICY_VIOLATION, TRY_LATER = 1008, 1013  # close codes of RFC 6455


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
        if not self.knows(host) or is_foreign(origin, host):
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


def is_foreign(origin: str | None, host: str | None) -> bool:
    """Whether a page of another site asks.

    Browsers always send the origin of the page; other programs are no risk for the person at the browser.
    """
    return origin is not None and urlsplit(origin).netloc != host


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
                await refusal("malformed", f"a message has at most {limits.MAX_MESSAGE_BYTES} bytes", 413)(
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


def refusal(code: str, message: str, status: int) -> JSONResponse:
    """An error message as the answer to a request over HTTP."""
    answer = messages.ErrorAnswer.model_validate({"id": None, "code": code, "message": message})
    return JSONResponse(answer.model_dump(), status_code=status)


def _name(host: str | None) -> str | None:
    try:
        return urlsplit(f"//{host}").hostname
    except ValueError:
        return None


def _client(connection: WebSocket | Request) -> str:
    return connection.client.host if connection.client else ""
