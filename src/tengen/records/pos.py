"""`pos` text: the moves one after the other, like h8i9h9, with or without blanks and commas between them."""

from __future__ import annotations

import re

from tengen.board import Move
from tengen.records.game import MAX_BYTES, Game, RecordError, finish

_POINT = re.compile(r"[a-z][1-9][0-9]?")
_BETWEEN = re.compile(r"[\s,;]*")


def read(data: bytes, size: int = 15) -> Game:
    """A game from text.

    Args:
        data: The text.
        size: Points on each side; the text does not say, and rows count from the bottom.

    Raises:
        RecordError: It is no such text, or makes no sense.
    """
    if len(data) > MAX_BYTES:
        raise RecordError(f"the text is larger than {MAX_BYTES >> 20} MB")
    text = data.decode("utf-8", "replace").lstrip("\ufeff").strip().lower()
    moves = []
    place = 0
    while place < len(text):
        match = _POINT.match(text, place)
        if match is None:
            raise RecordError(f'"{text[place : place + 10]}" is not a point; write moves like h8i9')
        moves.append(Move(ord(match[0][0]) - ord("a"), size - int(match[0][1:])))
        between = _BETWEEN.match(text, match.end())
        assert between is not None
        place = between.end()
    return finish(Game.of_moves(moves, width=size, height=size))


def write(game: Game) -> bytes:
    """The moves of the main line as text, with an end of line.

    Raises:
        RecordError: The game makes no sense.
    """
    game.check()
    return ("".join(move.text(game.height) for move in game.moves) + "\n").encode()
