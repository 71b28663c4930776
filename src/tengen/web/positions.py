"""Between the board of the core and the messages: facts of a position and what a search thinks of it."""

from __future__ import annotations

from collections.abc import Sequence

from tengen import renju
from tengen.board import Board, Color, ColorName, Move, Shape
from tengen.errors import IllegalMoveError, InputError
from tengen.web import messages


def board_of(game: messages.Game) -> Board:
    """The position that a message means; InputError says which move is wrong.

    As in records, a game may have ended on a forbidden point; whatever is asked of the position takes none.
    """
    board = Board.from_moves(game.moves, size=game.size, rule=game.rule, on_forbidden="loses")
    board.on_forbidden = "refuse"
    return board


def game_of(board: Board) -> messages.Game:
    """A position as a message."""
    if board.width != board.height:
        raise InputError(f"the web board is square, this game is {board.width}x{board.height}")
    return messages.Game.model_validate(
        {"size": board.width, "rule": board.rule, "moves": [board.text(move) for move in board.moves]}
    )


def color_name(color: Color) -> ColorName:
    """The colour as messages write it."""
    return "black" if color == Color.BLACK else "white"


def state_of(board: Board) -> messages.State:
    """The facts of a position."""
    outcome = board.outcome()
    result = None
    if outcome is not None:
        result = messages.Result.model_validate(
            {
                "winner": None if outcome.winner is None else color_name(outcome.winner),
                "reason": outcome.reason,
                "line": texts(board, outcome.line),
            }
        )
    return messages.State(
        turn=color_name(board.turn), result=result, forbidden=_forbidden(board), opening=_opening(board)
    )


def _forbidden(board: Board) -> list[messages.Forbidden]:
    if board.rule != "renju" or board.turn != Color.BLACK or board.is_over:
        return []
    found = []
    for point in board.forbidden_points():
        try:
            board.copy().push(point)
        except IllegalMoveError as error:
            found.append(messages.Forbidden(point=board.text(point), reason=str(error).rpartition(": ")[2]))
    return found


def _opening(board: Board) -> messages.OpeningName | None:
    if board.rule != "renju" or (found := renju.identify(board)) is None:
        return None
    return messages.OpeningName(number=found.number, name=found.name, chinese=found.chinese)


def texts(board: Board, moves: Sequence[Move]) -> list[str]:
    """Moves as text."""
    return [board.text(move) for move in moves]


# -- threats by name

_NAMES = {
    Shape.FIVE: "five",
    Shape.OPEN_FOUR: "open_four",
    Shape.FOUR: "four",
    Shape.OPEN_THREE: "open_three",
}


def threats_of(board: Board) -> list[messages.Threat]:
    """The empty points where either side would make a four or an open three, with the name that players use."""
    found = []
    forbidden = set(board.forbidden_points())
    for color in Color:
        for point, shapes in board.shapes(color).items():
            name = None if board.piece_at(point) is not None else _name(shapes)
            if name is None or (color == Color.BLACK and point in forbidden):
                continue
            found.append(messages.Threat(point=board.text(point), color=color_name(color), shape=name))
    return found


def shape_made(board: Board, ply: int) -> str | None:
    """What the move made that was the `ply`-th of a game, with the name that players use."""
    if ply == 0:
        return None
    before = board.copy()
    while before.ply >= ply:
        before.pop()
    return _name(before.shapes(before.turn).get(board.moves[ply - 1], (Shape.NONE,) * 4))


def _name(shapes: Sequence[Shape]) -> str | None:
    """The name of a point with these shapes; combinations are named after the two strongest."""
    best, second = sorted(shapes, reverse=True)[:2]
    if best in (Shape.FIVE, Shape.OPEN_FOUR):
        return _NAMES[best]
    if best == Shape.FOUR and second >= Shape.OPEN_THREE:
        return "double_four" if second == Shape.FOUR else "four_three"
    if best == second == Shape.OPEN_THREE:
        return "double_three"
    return _NAMES[best] if best >= Shape.OPEN_THREE else None
