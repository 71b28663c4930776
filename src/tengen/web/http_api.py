"""The same messages over HTTP, one answer to each, and their description."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from tengen.thinking.pool import Job
from tengen.web import api_page, limits, messages
from tengen.web.gate import Gate, is_foreign, refusal, reply
from tengen.web.refusals import error_answer
from tengen.web.session import answer_at_once
from tengen.web.workers import Workers
from tengen.wire import id_in


class HttpApi:
    """The part of the application that answers programs. Key method: `ask`."""

    def __init__(self, gate: Gate, workers: Workers, threads: Executor, closing: asyncio.Event) -> None:
        """Prepares to answer.

        Args:
            gate: Which counts the questions.
            workers: Which search.
            threads: Which read the questions and answer the short ones.
            closing: Set when the server shuts down, and nobody is answered any more.
        """
        self._gate = gate
        self._workers = workers
        self._threads = threads
        self._closing = closing

    def routes(self) -> list[Route]:
        """What the application serves of it."""

        def get(path: str, response: Callable[[], Response]) -> Route:
            return Route(path, lambda _: response(), methods=["GET"])

        return [
            Route("/api/ask", self.ask, methods=["POST"]),
            get("/api", lambda: HTMLResponse(api_page.html())),
            get("/openapi.json", lambda: JSONResponse(api_page.openapi())),
            get("/asyncapi.json", lambda: JSONResponse(api_page.asyncapi())),
        ]

    async def ask(self, request: Request) -> Response:
        """Answers a question with the last of its messages."""
        if is_foreign(request.headers.get("origin"), request.headers.get("host")):
            return refusal("illegal", "only pages of this server may ask", 403)
        body = await request.body()
        loop = asyncio.get_running_loop()
        try:
            with self._gate.count_question(request):
                return await self._last_answer(body, request) or refusal("busy", "the server shuts down", 503)
        except Exception as error:
            return await loop.run_in_executor(self._threads, _complaint, error, body)

    async def _last_answer(self, body: bytes, request: Request) -> Response | None:
        """The last message that a question gets; None if the client or the server leaves before.

        Its search ends when nobody waits for it any more.
        """
        loop, done = asyncio.get_running_loop(), asyncio.Event()
        begun = await loop.run_in_executor(
            self._threads, self._begin, body, lambda _: loop.call_soon_threadsafe(done.set)
        )
        if isinstance(begun, Response):
            return begun
        try:
            await _first(done.wait(), _left(request), self._closing.wait())
        finally:
            if not done.is_set():
                begun.stop(discard=True)
        return await loop.run_in_executor(self._threads, reply, begun.last) if done.is_set() else None

    def _begin(self, body: bytes, when_done: Callable[[Job], object]) -> Job | Response:
        """The answer to a question that takes no search, or the search that answers it.

        Not the message but its text: a game of 5,000 moves takes a millisecond or two to be written, and as long to be
        forgotten, which no thread may do where everybody waits.
        """
        question = messages.read_request(body)
        if type(question) in messages.ONLY_ON_THE_WEBSOCKET:
            raise ValueError(f"{question.type} needs the WebSocket")
        if isinstance(question, messages.AnalyseRequest):
            question = _bounded(question)
        answer = answer_at_once(question)
        return reply(answer) if answer else self._workers.start(question, lambda _: None, when_done)


def _complaint(error: Exception, body: bytes) -> Response:
    """What was wrong with a question; not in the event loop either, for its id is looked for in all of it."""
    return reply(error_answer(error, id_in(body)))


def _bounded(question: messages.AnalyseRequest) -> messages.AnalyseRequest:
    """An analysis that nobody can stop: with a limit, if it names none."""
    if question.equal:
        raise ValueError("an analysis of several moves equally needs the WebSocket")
    if "playouts" not in question.model_fields_set:
        return question.model_copy(update={"playouts": limits.MAX_ASKED_PLAYOUTS})
    if question.playouts > limits.MAX_ASKED_PLAYOUTS:
        raise ValueError(f"without the WebSocket an analysis has at most {limits.MAX_ASKED_PLAYOUTS:,} playouts")
    return question


async def _left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def _first(*events: Coroutine[Any, Any, object]) -> None:
    """Waits until the first of several things has happened."""
    tasks = [asyncio.create_task(event) for event in events]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
