"""Other games than Gomoku: tic-tac-toe and any m,n,k game, Connect Four, Othello. docs/add-a-game.md adds another."""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterable
from typing import TypeAlias

from tengen import core
from tengen.board import Board, Color, Move, MoveLike, Outcome
from tengen.errors import GameOverError, IllegalMoveError, InputError, NotationError, SetupError

#: The game that has a board of its own, `tengen.Board`.
GOMOKU = Board.game


def names() -> list[str]:
    """The other games; besides these, ``mnk:WxHxK`` is any m,n,k game."""
    return list(core.game_names())


@functools.cache
def is_game(name: str) -> bool:
    """Whether this is the name of another game than Gomoku."""
    try:
        core.make_game(name)
    except ValueError:
        return False
    return True


def check_game(name: str) -> str:
    """The name, if there is such a game; SetupError lists those that there are."""
    if name != GOMOKU and not is_game(name):
        raise SetupError(f'there is no game "{name}"; the games are {", ".join([GOMOKU, *names()])} and mnk:WxHxK')
    return name


class GameBoard:
    """A position of another game than Gomoku, with the moves that led to it: what `Board` is for Gomoku.

    Black moves first. A `Move` is a point of the board; a move that is no point, such as a pass, lies below the board.

    >>> board = GameBoard("connect4")
    >>> board.push("4")
    Move(x=3, y=5)
    >>> board.turn
    <Color.WHITE: 1>
    """

    def __init__(self, game: str) -> None:
        """The start of a game.

        Args:
            game: A name from `names`, or ``mnk:WxHxK``.
        """
        if game == GOMOKU:
            raise SetupError("Gomoku has a board of its own: tengen.Board")
        self.game = check_game(game)
        self._core = core.make_game(game)

    # -- the position

    @property
    def width(self) -> int:
        """Number of columns."""
        return self._core.width

    @property
    def height(self) -> int:
        """Number of rows."""
        return self._core.height

    @property
    def rule(self) -> str:
        """The name of the game."""
        return self.game

    @property
    def turn(self) -> Color:
        """The colour to move."""
        return Color(self._core.ply % 2)

    @property
    def ply(self) -> int:
        """Number of moves played, passes included."""
        return self._core.ply

    @property
    def moves(self) -> list[Move]:
        """The moves in order."""
        return [self._move(number) for number in self._core.moves]

    @property
    def last_move(self) -> Move | None:
        """The latest move, if any."""
        return self.moves[-1] if self.ply else None

    def piece_at(self, move: MoveLike) -> Color | None:
        """The piece on a point."""
        piece = self._core.piece_at(self._cell(self.parse_move(move)))
        return Color(piece - 1) if piece else None

    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        match self._core.result:
            case core.Result.first_wins:
                return Outcome(Color.BLACK, "win")
            case core.Result.second_wins:
                return Outcome(Color.WHITE, "win")
            case core.Result.draw:
                return Outcome(None, "draw")
        return None

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.outcome() is not None

    # -- moves

    @property
    def legal_moves(self) -> list[Move]:
        """All legal moves; none when the game is over."""
        return [self._move(number) for number in self._core.legal_moves]

    def is_legal(self, move: MoveLike) -> bool:
        """Whether a move may be played; False also for what is no move at all."""
        try:
            return self._cell(self.parse_move(move)) in self._core.legal_moves
        except InputError:
            return False

    def push(self, move: MoveLike) -> Move:
        """Plays a move and returns it; the board is unchanged after an error."""
        point = self.parse_move(move)
        if (outcome := self.outcome()) is not None:
            raise GameOverError(f"{self.text(point)} cannot be played: the game is over, {outcome}")
        if self._cell(point) not in self._core.legal_moves:
            legal = ", ".join(self.text(other) for other in self.legal_moves)
            raise IllegalMoveError(f"{self.text(point)} is not a legal move of {self.game} here; these are: {legal}")
        self._core.play(self._cell(point))
        return point

    def pop(self) -> Move:
        """Takes the last move back and returns it."""
        last = self.last_move
        if last is None:
            raise InputError("there is no move to take back")
        self._core.undo()
        return last

    def parse_move(self, move: MoveLike) -> Move:
        """Any way of writing a move as a `Move` of this game; it need not be legal.

        Text that names several moves (a column of Connect Four) means the legal one.
        """
        if not isinstance(move, str):
            try:
                x, y = move
                point = Move(operator.index(x), operator.index(y))
                known = 0 <= point.x < self.width and 0 <= self._cell(point) < self._core.move_count
            except (TypeError, ValueError):
                known = False
            if not known:
                raise IllegalMoveError(f"{move} is not a move of {self.game}")
            return point
        text = move.strip().lower()
        named = [number for number in range(self._core.move_count) if self._core.move_text(number) == text]
        if not named:
            raise NotationError(f'"{move}" is not a move of {self.game}; write it like {self._core.move_text(0)}')
        legal = set(self._core.legal_moves)
        return self._move(next((number for number in named if number in legal), named[0]))

    def text(self, move: MoveLike) -> str:
        """A move as players of the game write it."""
        return self._core.move_text(self._cell(self.parse_move(move)))

    # -- the rest

    def copy(self) -> GameBoard:
        """An independent copy."""
        other = GameBoard.__new__(GameBoard)
        other.game = self.game
        other._core = self._core.clone()
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> GameBoard:
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        return GameBoard.from_moves, (self.game, self.moves)

    @classmethod
    def from_moves(cls, game: str, moves: str | Iterable[MoveLike]) -> GameBoard:
        """A game after some moves, like ``"4 4 3"``."""
        board = cls(game)
        for move in moves.split() if isinstance(moves, str) else moves:
            board.push(move)
        return board

    def is_same_game(self, other: object) -> bool:
        """Whether both are the same game; the pieces do not matter."""
        return isinstance(other, GameBoard) and self.game == other.game

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GameBoard):
            return NotImplemented
        return self.is_same_game(other) and self._core.moves == other._core.moves

    __hash__ = None  # type: ignore[assignment]  # boards change

    def __str__(self) -> str:
        marks = {None: ".", Color.BLACK: "X", Color.WHITE: "O"}
        rows = ("".join(f" {marks[self.piece_at((x, y))]}" for x in range(self.width)) for y in range(self.height))
        return "\n".join(row[1:] for row in rows)

    def __repr__(self) -> str:
        return f'<GameBoard {self.game} "{" ".join(self.text(move) for move in self.moves)}">'

    def _cell(self, move: Move) -> int:
        return move.y * self.width + move.x

    def _move(self, number: int) -> Move:
        return Move(number % self.width, number // self.width)


AnyBoard: TypeAlias = Board | GameBoard
"""A position of any game."""


def new_board(game: str = GOMOKU, **keywords: object) -> AnyBoard:
    """The start of any game.

    Args:
        game: Its name.
        **keywords: Of Gomoku, as for `Board`.
    """
    return Board(**keywords) if game == GOMOKU else GameBoard(game)  # type: ignore[arg-type]


def replay(record: core.GameRecord, plies: int | None = None) -> AnyBoard:
    """The position of a recorded game after some of its moves, or all."""
    board = new_board(
        record.game, width=record.width, height=record.height, rule=record.rule.name, n_in_row=record.n_in_row
    )
    for cell in record.moves[:plies]:
        board.push(board._move(cell))
    return board
