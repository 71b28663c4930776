"""Swap2: who takes which colour, decided by the value of the search.

The stones are black and white in turn. With v the value for white, who is to move, staying white is worth v and taking
black -v, so one of them is worth |v|. Placing two more stones and letting the other side choose is worth -|w|, with w
the value after them: never more than the other two if the values are right. It is chosen only where |v| is less than
what a search is wrong by, and the stones that are placed leave the position more even than it is.
"""

from __future__ import annotations

from collections.abc import Callable

from tengen.board import Board, Move

#: The value of a position, for the side to move, within a share of the time; and its best move.
Value = Callable[[Board, float], tuple[float, Move]]

#: A value below this is not told from an even position.
EVEN = 0.06

#: Three stones as (dx, dy) from the centre: spread openings that keep either side from a quick win.
_OPENINGS = (
    ((-4, -4), (-3, -4), (4, 4)),
    ((-5, 0), (-4, 1), (5, 1)),
    ((-2, -5), (-1, -4), (3, 5)),
    ((0, -5), (1, -5), (-4, 4)),
)
#: Two stones as (dx, dy) from the centre: a white and a black one.
_PAIRS = (((-4, 4), (4, -4)), ((4, -3), (-4, -3)), ((0, 5), (5, 0)), ((-5, -1), (1, 5)), ((3, 3), (-5, 5)))


def decide(board: Board, value: Value) -> tuple[Move, ...]:
    """The moves to answer, or none to swap.

    Args:
        board: With 0, 3 or 5 stones.
        value: The search.
    """
    if board.ply == 0:
        return _most_even(board, _OPENINGS, value, 1.0)[1]
    white, move = value(board, 0.5 if board.ply == 3 else 1.0)
    if board.ply == 3 and abs(white) < EVEN:
        balance, pair = _most_even(board, _PAIRS, value, 0.5)
        if pair and balance < abs(white):
            return pair
    return (move,) if white >= 0 else ()


def _most_even(
    board: Board, choices: tuple[tuple[tuple[int, int], ...], ...], value: Value, share: float
) -> tuple[float, tuple[Move, ...]]:
    """The placement whose value is nearest to zero, and that value's size."""
    best: tuple[float, tuple[Move, ...]] = (2.0, ())
    for offsets in choices:
        after = board.copy()
        moves = tuple(_near_centre(board, dx, dy) for dx, dy in offsets)
        if len(set(moves)) < len(moves) or not all(_try(after, move) for move in moves) or after.is_over:
            continue
        size = abs(value(after, share / len(choices))[0])
        if size < best[0]:
            best = (size, moves)
    return best


def _near_centre(board: Board, dx: int, dy: int) -> Move:
    """A point relative to the centre, pulled in on small boards."""
    reach_x, reach_y = (board.width - 1) // 2, (board.height - 1) // 2
    return Move(
        board.width // 2 + max(-reach_x, min(reach_x, dx)),
        board.height // 2 + max(-reach_y, min(reach_y, dy)),
    )


def _try(board: Board, move: Move) -> bool:
    if not board.is_legal(move):
        return False
    board.push(move)
    return True
