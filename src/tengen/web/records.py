"""Games as text: the one place where the web board meets file formats."""

from __future__ import annotations

import re

from tengen.board import Board
from tengen.errors import InputError
from tengen.web import messages, positions

FORMATS = ("pos",)
_POINTS = re.compile(r"[A-Za-z][0-9]{1,2}")


def read(request: messages.ImportRequest) -> tuple[messages.Game, str]:
    """The game in a text and the name of its format; InputError says what is wrong."""
    text = request.text.strip()
    if re.fullmatch(rf"(?:{_POINTS.pattern}[\s,]*)+", text) is None:
        raise InputError("this is not a list of moves like h8i9j10")
    board = Board.from_moves(_POINTS.findall(text), size=request.size, rule=request.rule)
    return positions.game_of(board), "pos"


def write(game: messages.Game, name: str) -> str:
    """A game in a format."""
    board = positions.board_of(game)
    if name not in FORMATS:
        raise InputError(f"games cannot be written as {name}; the formats are {', '.join(FORMATS)}")
    return "".join(positions.texts(board, board.moves))
