"""Openings for matches: many different starts, so that players without chance do not play one game again and again.

These are not the named openings of renju (`tengen.renju`): a few stones, drawn at random or read from a file. Each
is played twice with colours swapped, so an opening need not be balanced to be fair. But where one colour has won
already both players win one game, and nothing is learned: so the random ones are made about even. `balanced` makes
better ones, which ship with the package.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

from tengen.arena.game import GameSetup
from tengen.board import DIRECTIONS, SYMMETRIES, Board, Move, Shape
from tengen.errors import InputError, SetupError
from tengen.games import GOMOKU, GameBoard
from tengen.search import AlphaBeta

Opening: TypeAlias = tuple[Move, ...]
"""The first moves of a game, black's first."""

EMPTY_BOARD: Opening = ()

_STONES = (3, 5)  # black has one more, white is to move
_BORDER = 2  # free rows along the edge, on boards that are large enough
_REACH = 4  # a stone lies at most so far from another
_DEPTH = 4  # plies of the search that judges an opening
# What that search must say for white, from -1 to 1. A far stronger engine against itself won 46 of 100 games with black
# from such openings, 49 of 60 from those between -0.15 and 0.15.
_EVEN = (0.0, 0.25)
_SMALLEST_EVEN = 9  # on smaller boards hardly any position is even
_GAME_OPENING = 4  # most moves of an opening of another game
_PATIENCE = 2000  # draws without a new opening after which there are no more


def random_openings(
    count: int, setup: GameSetup | None = None, seed: int = 0, accept: Callable[[Board], bool] | None = None
) -> list[Opening]:
    """Different openings of 3 or 5 stones, no two the same after a rotation or reflection; random moves in other games.

    Nobody has three in a row that could become five, let alone a four.

    Args:
        count: How many.
        setup: Board and rule; freestyle on 15x15 if not given.
        seed: The same seed gives the same openings; a longer list begins with the shorter one.
        accept: A further test; if not given, a short search must find the position about even, for five in a row on
            9x9 and larger.
    """
    if count < 1:
        raise SetupError(f"the number of openings must be at least 1, not {count}")
    setup = setup or GameSetup()
    if setup.game != GOMOKU:
        return _random_game_openings(count, setup.game, seed)
    if accept is None and setup.n_in_row == 5 and setup.size >= _SMALLEST_EVEN:
        accept = _Balance()
    generator = random.Random(seed)
    openings: dict[tuple[object, ...], Opening] = {}
    failures = 0
    while len(openings) < count:
        board = draw(setup, generator)
        key = canonical(board) if board is not None and is_quiet(board) and (not accept or accept(board)) else None
        if key is None or key in openings:
            failures += 1
            if failures == _PATIENCE:
                raise SetupError(
                    f"found only {len(openings)} openings for {setup.rule} on {setup.size}x{setup.size}, not {count}; "
                    "ask for fewer (--openings random:N) or for the empty board (--openings none)"
                )
            continue
        assert board is not None
        openings[key] = tuple(board.moves)
        failures = 0
    return list(openings.values())


def _random_game_openings(count: int, game: str, seed: int) -> list[Opening]:
    """Different openings of another game than Gomoku: a few random moves after which nobody can win at once.

    Small games have few of them: then there are fewer than asked for, at least the start itself.
    """
    generator = random.Random(seed)
    openings: dict[Opening, None] = {}
    for _ in range(50 * count):
        board = GameBoard(game)
        for _ in range(generator.randint(1, max(1, min(_GAME_OPENING, board.width * board.height // 6)))):
            board.push(generator.choice(board.legal_moves))
            if board.is_over:
                break
        if not board.is_over and not _can_win_at_once(board):
            openings[tuple(board.moves)] = None
        if len(openings) == count:
            break
    return list(openings) or [EMPTY_BOARD]


def _can_win_at_once(board: GameBoard) -> bool:
    for move in board.legal_moves:
        after = board.copy()
        after.push(move)
        if (outcome := after.outcome()) is not None and outcome.winner is not None:
            return True
    return False


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
            board = setup.any_board(moves)
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


class _Balance:
    """Whether a search finds a position about even; the same for the same position."""

    def __init__(self) -> None:
        self._search = AlphaBeta(depth=_DEPTH, hash=1)

    def __call__(self, board: Board) -> bool:
        low, high = _EVEN
        return low <= self._search.search(board).value <= high


def _shapes_of_stones(board: Board) -> Iterator[Shape]:
    for move in board.moves:
        color = board.piece_at(move)
        assert color is not None
        for direction in range(len(DIRECTIONS)):
            yield board.shape(move, direction, color)


def draw(setup: GameSetup, generator: random.Random, numbers: Sequence[int] = _STONES) -> Board | None:
    """A random opening, or None where the rule forbids one of its moves.

    The stones are loose: where all touch each other at the centre, black has won too often.

    Args:
        setup: Board and rule.
        generator: Source of the random numbers.
        numbers: How many stones there may be.
    """
    board = setup.board()
    stones = generator.choice(numbers)
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


def canonical(board: Board) -> tuple[object, ...]:
    """The same for positions that are the same after a symmetry of the square."""
    colors = {move: board.piece_at(move) for move in board.moves}
    return min(
        tuple(sorted((*board.transform_move(move, symmetry), color) for move, color in colors.items()))
        for symmetry in SYMMETRIES
    )
