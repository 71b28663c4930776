"""Openings for matches: many different starts, so that players without chance do not play one game again and again.

These are not the named openings of renju (`tengen.openings`): a few stones, drawn at random or read from a
file. Each is played twice with colours swapped, so an opening need not be balanced to be fair; the duller half
of luck (one side has won already) is kept out.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

from tengen.arena.game import GameSetup
from tengen.board import DIRECTIONS, SYMMETRIES, Board, Move, Shape
from tengen.errors import InputError, SetupError

Opening: TypeAlias = tuple[Move, ...]
"""The first moves of a game, black's first."""

EMPTY_BOARD: Opening = ()

_FEWEST_STONES, _MOST_STONES = 3, 6
_BORDER = 2  # free rows along the edge, on boards that are large enough
_REACH = 4  # a stone lies at most so far from another
_PATIENCE = 2000  # draws without a new opening after which there are no more


def random_openings(
    count: int, setup: GameSetup | None = None, seed: int = 0, accept: Callable[[Board], bool] | None = None
) -> list[Opening]:
    """Different openings of 3 to 6 stones, no two the same after a rotation or reflection.

    Nobody has three in a row that could become five, let alone a four.

    Args:
        count: How many.
        setup: Board and rule; freestyle on 15x15 if not given.
        seed: The same seed gives the same openings; a longer list begins with the shorter one.
        accept: A further test, for example that a search finds the position even.
    """
    setup = setup or GameSetup()
    if count < 1:
        raise SetupError(f"the number of openings must be at least 1, not {count}")
    generator = random.Random(seed)
    openings: dict[tuple[object, ...], Opening] = {}
    failures = 0
    while len(openings) < count:
        board = _draw(setup, generator)
        key = _canonical(board) if board is not None and is_quiet(board) and (not accept or accept(board)) else None
        if key is None or key in openings:
            failures += 1
            if failures == _PATIENCE:
                raise SetupError(
                    f"found only {len(openings)} openings for {setup.rule} on {setup.size}x{setup.size}, not {count}"
                )
            continue
        assert board is not None
        openings[key] = tuple(board.moves)
        failures = 0
    return list(openings.values())


def read_openings(path: Path, setup: GameSetup | None = None) -> list[Opening]:
    """Reads a file with one opening a line, like "h8 i9 h10"; the text after a # is a comment."""
    setup = setup or GameSetup()
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise SetupError(f'cannot read the openings from "{path}": {reason}') from None
    openings = []
    for number, line in enumerate(lines, start=1):
        moves = line.partition("#")[0].strip()
        if not moves:
            continue
        try:
            board = Board.from_moves(moves, size=setup.size, rule=setup.rule, n_in_row=setup.n_in_row)
        except InputError as error:
            raise SetupError(f"{path}, line {number}: {error}") from None
        if board.is_over:
            raise SetupError(f"{path}, line {number}: the game is already over, {board.outcome()}")
        openings.append(tuple(board.moves))
    if not openings:
        raise SetupError(f'there is no opening in "{path}"; write one a line, like h8 i9 h10')
    return openings


def is_quiet(board: Board) -> bool:
    """Whether the game goes on and nobody has a three or more that could become a full row.

    For rows shorter than five a single stone may be that close; there only fours count.
    """
    loud = Shape.SLEEPING_THREE if board.n_in_row >= 5 else Shape.FOUR
    if board.is_over:
        return False
    return all(shape < loud for shape in _shapes_of_stones(board))


def _shapes_of_stones(board: Board) -> Iterator[Shape]:
    for move in board.moves:
        color = board.piece_at(move)
        assert color is not None
        for direction in range(len(DIRECTIONS)):
            yield board.shape(move, direction, color)


def _draw(setup: GameSetup, generator: random.Random) -> Board | None:
    """A random opening, or None where the rule forbids one of its moves.

    Loose stones on a wide area: black has won too often where everything is in contact at the centre.
    """
    board = setup.board()
    stones = generator.randint(_FEWEST_STONES, _MOST_STONES)
    border = _BORDER if setup.size >= 9 else 0
    rows = range(border, setup.size - border)
    zone = [Move(x, y) for x in rows for y in rows]
    while board.ply < min(stones, len(zone) // 4):
        move = generator.choice([move for move in zone if _fits(board, move)])
        if not board.is_legal(move):
            return None
        board.push(move)
    return board


def _fits(board: Board, move: Move) -> bool:
    distances = [max(abs(move.x - stone.x), abs(move.y - stone.y)) for stone in board.moves]
    return not distances or 0 < min(distances) <= _REACH


def _canonical(board: Board) -> tuple[object, ...]:
    """The same for positions that are the same after a symmetry of the square."""
    colors = {move: board.piece_at(move) for move in board.moves}
    return min(
        tuple(sorted((*board.transform_move(move, symmetry), color) for move, color in colors.items()))
        for symmetry in SYMMETRIES
    )
