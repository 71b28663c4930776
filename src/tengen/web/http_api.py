"""The same messages over HTTP, one answer to each, and their description.

FastAPI is imported by the first question, not by the first page: it takes a third of the server's start-up.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse

from tengen import __version__
from tengen.web import api_page, limits, messages
from tengen.web.gate import Gate, is_foreign, refusal
from tengen.web.session import BusyError, Workers, answer_at_once, sentence

#: How often a question that takes long looks whether its client is still there.
_LOOK_SECONDS = 0.25


def create_api(gate: Gate, workers: Workers) -> FastAPI:
    """The part of the application that answers programs."""
    app = FastAPI(title="Tengen", version=__version__, docs_url=None, redoc_url=None)

    @app.exception_handler(RequestValidationError)
    async def malformed(_: Request, error: RequestValidationError) -> JSONResponse:
        return refusal("malformed", sentence(error.errors()), 422)

    @app.exception_handler(BusyError)
    async def busy(_: Request, error: BusyError) -> JSONResponse:
        return refusal("busy", str(error), 429)

    @app.post("/api/ask", summary="Answers once, with the last message", response_model=messages.AnyAnswer)
    async def ask(request: Request, message: messages.AnyRequest) -> messages.Message | Response:
        if is_foreign(request.headers.get("origin"), request.headers.get("host")):
            return refusal("illegal", "only pages of this server may ask", 403)
        with gate.count_question(request):
            return await _ask(message, workers, request.is_disconnected)

    @app.get("/api", response_class=HTMLResponse, include_in_schema=False)
    async def api() -> str:
        return api_page.html()

    @app.get("/asyncapi.json", include_in_schema=False)
    async def asyncapi() -> JSONResponse:
        return JSONResponse(api_page.asyncapi())

    return app


async def _ask(
    request: messages.Request, workers: Workers, has_left: Callable[[], Awaitable[bool]]
) -> messages.Message:
    """The last message that a request gets; its search ends when the client does not wait for it any more."""
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
            while not await _happens_within(done, _LOOK_SECONDS):
                if await has_left():
                    raise ValueError("the client has left")
        finally:
            if not done.is_set():
                job.stop(discard=True)
        return last[-1]
    except ValueError as error:
        return messages.ErrorAnswer(id=request.id, code="illegal", message=str(error))


async def _happens_within(event: asyncio.Event, seconds: float) -> bool:
    try:
        return await asyncio.wait_for(event.wait(), seconds)
    except asyncio.TimeoutError:
        return False
