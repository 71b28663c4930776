"""Games as text: the one place where the web board meets file formats."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tengen import records
from tengen.errors import InputError
from tengen.records import pos, psq, sgf
from tengen.web import messages, positions

_WRITERS: Mapping[str, Callable[[records.Game], bytes]] = {"sgf": sgf.write, "psq": psq.write, "pos": pos.write}
FORMATS = tuple(_WRITERS)


def read(request: messages.ImportRequest) -> messages.Game:
    """The main line of the game in a text; InputError says what is wrong.

    A rule that the text does not name is the one of the request, or freestyle where that does not allow the game.
    """
    game = records.parse(request.text.encode(), size=request.size)
    try:
        board = game.board(game.rule or request.rule)
    except InputError:
        if game.rule:
            raise
        board = game.board("freestyle")
    return positions.game_of(board)


def write(game: messages.Game, name: str) -> str:
    """A game in a format."""
    board = positions.board_of(game)
    outcome = board.outcome()
    result = "" if outcome is None else "draw" if outcome.winner is None else str(outcome.winner)
    record = records.Game.of_moves(board.moves, width=board.width, height=board.height, rule=board.rule, result=result)
    return _WRITERS[name](record).decode()
