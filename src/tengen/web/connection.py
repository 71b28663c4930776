"""One WebSocket: reads requests, writes answers, and ends when either side hangs up."""

from __future__ import annotations

import asyncio
from concurrent.futures import Executor

from starlette.websockets import WebSocket, WebSocketDisconnect

from tengen.web.session import Session


async def serve(socket: WebSocket, session: Session, threads: Executor) -> None:
    """Runs a connection to its end.

    Args:
        socket: Accepted.
        session: Of the page; closed afterwards.
        threads: That take the requests. There is never more than one of this page, so they go round all pages.
    """
    tasks = [
        asyncio.create_task(part)
        for part in (_read(socket, session, threads), _write(socket, session), session.overflowed.wait())
    ]
    try:
        ended, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in ended:
            task.result()  # a mistake of ours does not pass in silence
    finally:
        session.close()
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)


async def _read(socket: WebSocket, session: Session, threads: Executor) -> None:
    loop = asyncio.get_running_loop()
    while (event := await socket.receive())["type"] == "websocket.receive":
        await loop.run_in_executor(threads, session.handle, event.get("text") or event.get("bytes") or "")


async def _write(socket: WebSocket, session: Session) -> None:
    try:
        while True:
            await socket.send_text(await session.next_answer())
    except (WebSocketDisconnect, RuntimeError):
        pass  # gone, while something was on its way
