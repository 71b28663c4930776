"""PSQ, the files of the Piskvork manager.

`Piskvorky WxH, a:b, s`, then a line `x,y,ms` for each move, counted from 1 at the top left; then lines that only
Piskvork understands. Files of other programs may end after the moves.
"""

from __future__ import annotations

import re

from tengen.board import Move
from tengen.records.game import MAX_BYTES, Game, RecordError, finish

_HEAD = re.compile(r"Piskvorky\s+(\d{1,2})\s*x\s*(\d{1,2})\s*,.*", re.IGNORECASE)
_MOVE = re.compile(r"\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,12})\s*")
_MOVE_LIKE = re.compile(r"\s*-?\d+\s*,\s*-?\d+.*")


def read(data: bytes) -> Game:
    """A game from the bytes of a file.

    Raises:
        RecordError: It is not a PSQ file, or makes no sense.
    """
    if len(data) > MAX_BYTES:
        raise RecordError(f"the PSQ file is larger than {MAX_BYTES >> 20} MB")
    lines = data.decode("utf-8", "replace").lstrip("\ufeff").splitlines()
    head = _HEAD.fullmatch(lines[0].strip()) if lines else None
    if head is None:
        raise RecordError("this is not a PSQ file: it does not begin with Piskvorky and the size of the board")
    moves: list[Move] = []
    names: list[str] = []
    for number, line in enumerate(lines[1:], 2):
        match = _MOVE.fullmatch(line)
        if match is not None and not names:
            if int(match[1]) == 0 or int(match[2]) == 0:
                raise RecordError(f"line {number} of the PSQ file is no move: points count from 1")
            moves.append(Move(int(match[1]) - 1, int(match[2]) - 1))
        elif _MOVE_LIKE.fullmatch(line) and not names:
            raise RecordError(f"line {number} of the PSQ file is no move: {line.strip()[:40]}")
        elif line.strip():
            names.append(" ".join(line.split()))
    black, white = (*names, "", "")[:2]
    return finish(
        Game.of_moves(moves, width=int(head[1]), height=int(head[2]), black=_player(black), white=_player(white))
    )


def _player(name: str) -> str:
    """Piskvork writes the engine's file; the line -1 begins what is no name."""
    return "" if re.fullmatch(r"-?[\d.,\s]*", name) else name


def write(game: Game) -> bytes:
    """The bytes of a PSQ file: the main line and the players' names.

    Raises:
        RecordError: The game makes no sense.
    """
    game.check()
    lines = [f"Piskvorky {game.width}x{game.height}, 0:0, 1"]
    lines += [f"{move.x + 1},{move.y + 1},0" for move in game.moves]
    names = (" ".join(game.black.split()), " ".join(game.white.split()))
    if any(names):
        lines += [name if name and _player(name) and not _MOVE_LIKE.fullmatch(name) else "?" for name in names]
    return "".join(f"{line}\r\n" for line in lines).encode()
