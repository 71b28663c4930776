"""The library over messages, for pages on this computer alone: games are a person's own."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from typing import TypeAlias

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from tengen.errors import InputError
from tengen.library import Library, Mistakes
from tengen.web import limits, messages, positions
from tengen.web.gate import refusal

_GRADES = ("inaccuracies", "mistakes", "blunders")
CLOSED = "the library is open only on the computer that serves the board"


def is_local(connection: HTTPConnection) -> bool:
    """Whether somebody at this computer asks."""
    try:
        return connection.client is not None and ipaddress.ip_address(connection.client.host).is_loopback
    except ValueError:
        return False


ShelfRequest: TypeAlias = messages.KeepRequest | messages.NoteRequest | messages.LibraryRequest
"""What is asked of the library."""


def answer(request: ShelfRequest, library: Library | None) -> messages.Message:
    """Answers a request about the library; InputError if it is not open to whoever asks."""
    if library is None:
        raise InputError(CLOSED)
    if isinstance(request, messages.KeepRequest):
        board = positions.board_of(request.game)
        number = library.keep(board, request.black, request.white, request.result)
        return messages.KeptAnswer(id=request.id, number=number)
    if isinstance(request, messages.NoteRequest):
        library.note_review(request.number, _counts(request.black), _counts(request.white))
        return messages.KeptAnswer(id=request.id, number=request.number)
    if request.delete is not None:
        library.delete(request.delete)
    found = library.search(
        request.text, request.rule or "", request.result or "", request.offset, limits.MAX_LISTED_GAMES
    )
    games = [
        messages.KeptGame.model_validate(
            {
                "number": entry.id,
                "played": entry.played,
                "game": {"size": entry.size, "rule": entry.rule, "moves": entry.moves},
                "black": entry.black,
                "white": entry.white,
                "result": entry.result,
                "mistakes": [dict(zip(_GRADES, counts, strict=True)) for counts in entry.mistakes],
            }
        )
        for entry in found.games
    ]
    return messages.LibraryAnswer(id=request.id, games=games, total=found.total)


def _counts(found: messages.MistakeCounts) -> Mistakes:
    return found.inaccuracies, found.mistakes, found.blunders


def download(library: Library | None) -> Route:
    """Everything as one SGF file."""

    def respond(request: Request) -> Response:
        if library is None or not is_local(request):
            return refusal("illegal", CLOSED, 403)
        headers = {"Content-Disposition": 'attachment; filename="tengen-library.sgf"'}
        return StreamingResponse(library.sgf(), media_type="application/x-go-sgf", headers=headers)

    endpoint: Callable[[Request], Response] = respond
    return Route("/library.sgf", endpoint, methods=["GET"])
