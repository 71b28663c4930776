"""Who may connect, and how much one may send."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
from collections import Counter
from collections.abc import Iterable, Iterator
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.types import Message as Event
from starlette.websockets import WebSocket

from tengen.web import limits, messages
from tengen.web.refusals import BusyError

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

    def __init__(self, names: Iterable[str] = ()) -> None:
        """A gate.

        Args:
            names: That this server goes by, besides localhost and every number of an address. A page of another site
                that has pointed its own name at this machine is turned away.
        """
        self._names = {"localhost", *(name.lower() for name in names)}
        self._clients: Counter[str] = Counter()
        self._asking: Counter[str] = Counter()

    def knows(self, host: str | None) -> bool:
        """Whether a Host header names this server."""
        name = _name(host)
        return name is not None and (name in self._names or _is_address(name))

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
    if origin is None:
        return False
    try:
        return urlsplit(origin).netloc != host
    except ValueError:  # of something that is no address
        return True


@contextlib.contextmanager
def _counted(counts: Counter[str], name: str) -> Iterator[None]:
    counts[name] += 1
    try:
        yield
    finally:
        counts[name] -= 1
        if not counts[name]:
            del counts[name]


class Guard:
    """Stands before everything that HTTP reaches: the server's name, the size of the body, headers of every answer."""

    def __init__(self, app: ASGIApp, gate: Gate) -> None:
        self._app = app
        self._gate = gate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(event: Event) -> None:
            if event["type"] == "http.response.start":
                headers = MutableHeaders(scope=event)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(event)

        await self._answer(scope, receive, send_with_headers)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        app = self._app
        if not self._gate.knows(Headers(scope=scope).get("host")):
            app = refusal("illegal", "this server does not go by that name; tengen play --name gives it one", 421)
        elif scope["method"] not in ("GET", "HEAD"):  # their bodies are never read
            try:
                body = await asyncio.wait_for(_read(receive), limits.BODY_SECONDS)
            except asyncio.TimeoutError:
                app = refusal("malformed", f"the message did not come within {limits.BODY_SECONDS:.0f} s", 408)
            else:
                receive = _replay(body, receive)
                if len(body) > limits.MAX_MESSAGE_BYTES:
                    app = refusal("large", f"a message has at most {limits.MAX_MESSAGE_BYTES:,} bytes")
        await app(scope, receive, send)


async def _read(receive: Receive) -> bytes:
    """A body; of one that is too large only the beginning is kept, but it is read so that its sender will listen."""
    body, seen = bytearray(), 0
    while (event := await receive())["type"] == "http.request":
        part = event.get("body", b"")
        seen += len(part)
        if len(body) <= limits.MAX_MESSAGE_BYTES:
            body += part
        if not event.get("more_body") or seen > limits.MAX_DRAINED_BYTES:
            break
    return bytes(body)


def _replay(body: bytes, receive: Receive) -> Receive:
    """What gives a body that was read once more, and then what comes after it."""
    events: list[Event] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Event:
        return events.pop() if events else await receive()

    return replay


STATUS = {"malformed": 400, "large": 413, "illegal": 422, "busy": 429, "internal": 500}
"""The HTTP status of an error."""


def reply(answer: messages.Message, status: int | None = None) -> JSONResponse:
    """A message as the answer to a request over HTTP; the status of an error is that of its code if not given."""
    if status is None:
        status = STATUS[answer.code] if isinstance(answer, messages.ErrorAnswer) else 200
    return JSONResponse(answer.model_dump(), status_code=status)


def refusal(code: messages.ErrorCode, message: str, status: int | None = None) -> JSONResponse:
    """An error as the answer to a request over HTTP."""
    return reply(messages.ErrorAnswer(id=None, code=code, message=message), status)


def _name(host: str | None) -> str | None:
    try:
        return urlsplit(f"//{host}").hostname
    except ValueError:
        return None


def _is_address(name: str) -> bool:
    try:
        return bool(ipaddress.ip_address(name))
    except ValueError:
        return False


def _client(connection: WebSocket | Request) -> str:
    return connection.client.host if connection.client else ""
