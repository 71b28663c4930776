"""A position as an SVG picture, in the colours of the web board: what a notebook shows."""

from __future__ import annotations

from collections.abc import Iterator

from tengen.board import Board, Color, Move

_CELL, _MARGIN, _STONE = 40, 38, 18.6
_INK, _MARK = "#4b3416", "#d3302f"
_TEXT = 'text-anchor="middle" dominant-baseline="central" font-family="system-ui, sans-serif"'
#: The colours of wood and stones: the gradient, then where each colour begins.
_GRADIENTS = {
    "wood": ('linearGradient x2="1" y2="1"', ((0, "#ecc98c"), (0.5, "#e2b974"), (1, "#d6a75d"))),
    "black": ('radialGradient cx=".36" cy=".3" r=".78"', ((0, "#7c7f86"), (0.18, "#4a4c52"), (0.55, "#1e1f23"))),
    "white": ('radialGradient cx=".38" cy=".3" r=".82"', ((0, "#ffffff"), (0.55, "#f6f3ee"), (1, "#b9b1a4"))),
}


def draw(board: Board, *, numbers: bool = False) -> str:
    """The picture: coordinates, the last move, the winning row and black's forbidden points.

    Args:
        board: The position.
        numbers: Write the number of its move on each stone.
    """
    # Names of their own: in a page with several boards a hidden one must not take the colours of the others along.
    prefix = f"tengen-{board.hash:x}-"
    width, height = (2 * _MARGIN + _CELL * (side - 1) for side in (board.width, board.height))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{round(0.6 * width)}">',
        f"<defs>{''.join(_gradients(prefix))}</defs>",
        f'<rect width="{width}" height="{height}" rx="10" fill="url(#{prefix}wood)"/>',
        *_grid(board),
        *_coordinates(board),
        *_stones(board, prefix),
        *(_numbers(board) if numbers else _last_move(board)),
        *_winning_row(board),
        *_forbidden(board),
        "</svg>",
    ]
    return "\n".join(parts)


def _gradients(prefix: str) -> Iterator[str]:
    for name, (gradient, colors) in _GRADIENTS.items():
        kind, attributes = gradient.split(" ", 1)
        stops = "".join(f'<stop offset="{offset}" stop-color="{color}"/>' for offset, color in colors)
        yield f'<{kind} id="{prefix}{name}" {attributes}>{stops}</{kind}>'


def _at(move: Move) -> tuple[int, int]:
    return _MARGIN + _CELL * move.x, _MARGIN + _CELL * move.y


def _grid(board: Board) -> Iterator[str]:
    right, bottom = _at(Move(board.width - 1, board.height - 1))
    rows = "".join(f"M{_MARGIN} {_MARGIN + _CELL * y}H{right}" for y in range(board.height))
    columns = "".join(f"M{_MARGIN + _CELL * x} {_MARGIN}V{bottom}" for x in range(board.width))
    yield f'<path d="{rows}{columns}" stroke="{_INK}" stroke-linecap="square" fill="none"/>'
    for x, y in map(_at, sorted(board.star_points)):
        yield f'<circle cx="{x}" cy="{y}" r="3.6" fill="{_INK}"/>'


def _coordinates(board: Board) -> Iterator[str]:
    _, bottom = _at(Move(0, board.height - 1))
    for x in range(board.width):
        yield _label(_MARGIN + _CELL * x, bottom + 0.7 * _MARGIN, chr(ord("a") + x), 13, _INK)
    for y in range(board.height):
        yield _label(0.32 * _MARGIN, _MARGIN + _CELL * y, str(board.height - y), 13, _INK)


def _label(x: float, y: float, text: str, size: int, color: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{color}" {_TEXT}>{text}</text>'


def _stones(board: Board, prefix: str) -> Iterator[str]:
    for move in board.moves:
        x, y = _at(move)
        yield f'<circle cx="{x}" cy="{y}" r="{_STONE}" fill="url(#{prefix}{board.piece_at(move)})" stroke="#0008"/>'


def _numbers(board: Board) -> Iterator[str]:
    for number, move in enumerate(board.moves, start=1):
        color = "#fff" if board.piece_at(move) == Color.BLACK else "#111"
        yield _label(*_at(move), str(number), 15, _MARK if move == board.last_move else color)


def _last_move(board: Board) -> Iterator[str]:
    if board.last_move is not None:
        x, y = _at(board.last_move)
        yield f'<circle cx="{x}" cy="{y}" r="5" fill="{_MARK}"/>'


def _winning_row(board: Board) -> Iterator[str]:
    outcome = board.outcome()
    for x, y in map(_at, outcome.line if outcome else ()):
        yield f'<circle cx="{x}" cy="{y}" r="{_STONE}" fill="none" stroke="{_MARK}" stroke-width="3"/>'


def _forbidden(board: Board) -> Iterator[str]:
    for x, y in map(_at, board.forbidden_points()):
        yield f'<path d="M{x - 7} {y - 7}l14 14m0-14l-14 14" stroke="{_MARK}" stroke-width="3"/>'
