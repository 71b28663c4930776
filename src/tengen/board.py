"""The board: moves, rules and shapes, as a checked and friendly layer over the C++ core."""

from __future__ import annotations

import enum
import operator
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple, SupportsIndex, TypeAlias, get_args

from tengen import core
from tengen.errors import GameOverError, IllegalMoveError, InputError, NotationError, SetupError

RuleName: TypeAlias = Literal["freestyle", "standard", "renju", "caro"]
RULES: tuple[RuleName, ...] = get_args(RuleName)
OnForbidden: TypeAlias = Literal["refuse", "loses"]
ColorName: TypeAlias = Literal["black", "white"]
MIN_SIDE, MAX_SIDE = 3, core.MAX_SIDE
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))
SYMMETRIES = range(8)

_POINT = re.compile(r"([A-Za-z])([1-9][0-9]?)")
_FOULS: Mapping[core.Foul, str] = {
    core.Foul.overline: "overline",
    core.Foul.double_four: "double four",
    core.Foul.double_three: "double three",
}
_WORDS = {3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine"}
_STONES = {"x": 0, "o": 1}  # of a position as text
_ROW = re.compile(r"(?:[1-9][0-9]?|[xo])+")


class Color(enum.IntEnum):
    """The colour of a stone; black moves first."""

    BLACK = 0
    WHITE = 1

    @property
    def other(self) -> Color:
        """The other colour."""
        return Color(1 - self)

    def __str__(self) -> str:
        return self.name.lower()


class Shape(enum.IntEnum):
    """What a stone makes on one line, weakest first.

    The names are those of five in a row; for another length, FIVE is a full row and FOUR one stone short of it.
    """

    NONE = 0
    SLEEPING_TWO = 1
    OPEN_TWO = 2
    SLEEPING_THREE = 3
    OPEN_THREE = 4
    FOUR = 5
    OPEN_FOUR = 6
    FIVE = 7


class Move(NamedTuple):
    """A point of the board, zero-based from the top left."""

    x: int
    y: int

    @classmethod
    def parse(cls, text: str, height: int = 15) -> Move:
        """Reads a point like ``"h8"``: the column's letter, then the row counted from the bottom."""
        match = _POINT.fullmatch(text.strip())
        if match is None:
            raise NotationError(f'"{text}" is not a point; write a column letter and a row number, like h8')
        return cls(ord(match[1].lower()) - ord("a"), height - int(match[2]))

    def text(self, height: int = 15) -> str:
        """The point as text, like ``"h8"``."""
        return f"{chr(ord('a') + self.x)}{height - self.y}"


MoveLike: TypeAlias = Move | tuple[int, int] | str


@dataclass(frozen=True)
class Outcome:
    """How a game ended.

    Attributes:
        winner: The winner's colour, or None for a draw.
        reason: "five", "forbidden" (black played a forbidden point) or "draw" (nothing is left to play); "win" in other
            games than Gomoku.
        line: The winning row in order; empty unless the reason is "five".
    """

    winner: Color | None
    reason: str
    line: tuple[Move, ...] = ()

    def __str__(self) -> str:
        if self.winner is None:
            return "draw"
        how = {"five": f" by {row_text(len(self.line) or 5)}", "forbidden": " by a forbidden move of black"}
        return f"{self.winner} wins{how.get(self.reason, '')}"


def row_text(stones: int) -> str:
    """So many stones in a row, in words."""
    return f"{_WORDS.get(stones, stones)} in a row"


class Board:
    """A position with the moves that led to it.

    Attributes:
        game: The name of the game, as other boards have one (`tengen.games.GameBoard`).

    >>> board = Board.from_moves("h8 i9 h9")
    >>> board.turn
    <Color.WHITE: 1>
    >>> board.push("h10")
    Move(x=7, y=5)
    """

    game = "gomoku"

    def __init__(
        self,
        size: SupportsIndex = 15,
        rule: str = "freestyle",
        width: SupportsIndex | None = None,
        height: SupportsIndex | None = None,
        n_in_row: SupportsIndex = 5,
        on_forbidden: str = "refuse",
    ) -> None:
        """An empty board.

        Args:
            size: Number of points on each side, 3 to 22.
            rule: "freestyle", "standard", "renju" or "caro".
            width: Number of columns, if not `size`.
            height: Number of rows, if not `size`.
            n_in_row: Length of the winning row, from 3.
            on_forbidden: What happens when black plays a forbidden point in renju: "refuse" raises an error,
                "loses" ends the game.
        """
        self._width = _check_side("width", size if width is None else width)
        self._height = _check_side("height", size if height is None else height)
        self._rule, self._n_in_row = _check_rule(rule, n_in_row)
        self.on_forbidden = on_forbidden
        self._core = core.Board(self._width, self._height, core.Rule[rule], self._n_in_row)
        self._foul = core.Foul.none  # of the last move, when a forbidden move loses

    @classmethod
    def from_moves(cls, moves: str | Iterable[MoveLike], **keywords: object) -> Board:
        """A board after `moves`: points separated by blanks or commas (``"h8 i9"``), or any iterable of moves.

        Args:
            moves: The moves in order, black first.
            **keywords: As for `Board`.
        """
        board = cls(**keywords)  # type: ignore[arg-type]
        for move in re.findall(r"[^\s,]+", moves) if isinstance(moves, str) else moves:
            board.push(move)
        return board

    @classmethod
    def from_stones(
        cls, black: Iterable[MoveLike], white: Iterable[MoveLike], turn: Color = Color.BLACK, **keywords: object
    ) -> Board:
        """A position that is set up rather than played: any stones, forbidden points and all.

        The stones become the history, black's first.
        """
        board = cls(**keywords)  # type: ignore[arg-type]
        for color, stones in ((Color.BLACK, black), (Color.WHITE, white)):
            for move in stones:
                board._place(board.parse_move(move), color)
        board._core.turn = turn
        return board

    @classmethod
    def from_text(cls, text: str, on_forbidden: str = "refuse") -> Board:
        """The position that `to_text` wrote.

        The stones become the history: black's, then white's, the last move at the end.

        Args:
            text: Like ``"3/1x1/2o x freestyle 3 c1"``.
            on_forbidden: As for `Board`.

        Raises:
            NotationError: The text is not a position, and why.
        """
        fields = text.split()
        if len(fields) != 5 or fields[1] not in _STONES or not fields[3].isdecimal():
            raise NotationError(f'"{text}" is not a position; write rows, turn, rule, winning row and last move')
        rows = [_read_row(row) for row in fields[0].split("/")]
        if len({len(row) for row in rows}) != 1:
            raise NotationError(f'the rows of the position "{fields[0]}" have different lengths')
        board = cls(
            width=len(rows[0]), height=len(rows), rule=fields[2], n_in_row=int(fields[3]), on_forbidden=on_forbidden
        )
        last = None if fields[4] == "-" else board.parse_move(fields[4])
        stones = {Move(x, y): mark for y, row in enumerate(rows) for x, mark in enumerate(row) if mark}
        if (last is None) != (not stones) or (last is not None and last not in stones):
            raise NotationError(f'the last move of a position is one of its stones, not "{fields[4]}"')
        for point, mark in sorted(stones.items(), key=lambda stone: (stone[0] == last, _STONES[stone[1]])):
            board._core.turn = _STONES[mark]
            board._foul = board._foul_at(point) if point == last and on_forbidden == "loses" else core.Foul.none
            board._place(point, Color(_STONES[mark]))
        board._core.turn = _STONES[fields[1]]
        return board

    # -- what is played

    @property
    def width(self) -> int:
        """Number of columns."""
        return self._width

    @property
    def height(self) -> int:
        """Number of rows."""
        return self._height

    @property
    def rule(self) -> str:
        """The rule: "freestyle", "standard", "renju" or "caro"."""
        return self._rule

    @property
    def n_in_row(self) -> int:
        """Length of the winning row."""
        return self._n_in_row

    @property
    def on_forbidden(self) -> str:
        """What a forbidden move of black's does in renju: "refuse" or "loses". May be changed during a game."""
        return self._on_forbidden

    @on_forbidden.setter
    def on_forbidden(self, value: str) -> None:
        if value not in ("refuse", "loses"):
            raise SetupError(f'on_forbidden must be "refuse" or "loses", not "{value}"')
        self._on_forbidden = value

    @property
    def star_points(self) -> set[Move]:
        """The dots that help the eye: the centre, and on boards of 13 and more the fourth points from the corners."""
        points = {Move(self.width // 2, self.height // 2)} if self.width % 2 and self.height % 2 else set()
        if min(self.width, self.height) >= 13:
            points |= {Move(x, y) for x in (3, self.width - 4) for y in (3, self.height - 4)}
        return points

    # -- the game so far

    @property
    def turn(self) -> Color:
        """Whose move it is."""
        return Color(self._core.turn)

    @property
    def ply(self) -> int:
        """The number of stones on the board."""
        return self._core.ply

    @property
    def moves(self) -> list[Move]:
        """The moves so far, in order."""
        return [self._move(cell) for cell in self._core.moves]

    @property
    def last_move(self) -> Move | None:
        """The last move, or None on an empty board."""
        cells = self._core.moves
        return self._move(cells[-1]) if cells else None

    @property
    def hash(self) -> int:
        """A 64-bit hash of the stones and the side to move, the same whatever the order of the moves."""
        return self._core.hash

    def piece_at(self, move: MoveLike) -> Color | None:
        """The colour of the stone at a point, or None."""
        cell = self._cell(self.parse_move(move))
        return next((color for color in Color if self._core.has_stone(cell, color)), None)

    # -- moving

    def push(self, move: MoveLike) -> Move:
        """Plays a move for the side to move and returns it.

        Raises:
            NotationError: The text is not a point.
            GameOverError: The game has ended.
            IllegalMoveError: The point is off the board, occupied, or forbidden. The board is unchanged.
        """
        point = self.parse_move(move)
        if (outcome := self.outcome()) is not None:
            raise GameOverError(f"{self.text(point)} cannot be played: the game is over, {outcome}")
        self._check_empty(point)
        foul = self._foul_at(point)
        if foul != core.Foul.none and self.on_forbidden == "refuse":
            raise IllegalMoveError(f"{self.text(point)} is forbidden for black: {_FOULS[foul]}")
        self._core.play(self._cell(point))
        self._foul = foul
        return point

    def pop(self) -> Move:
        """Takes the last move back and returns it."""
        move = self.last_move
        if move is None:
            raise InputError("there is no move to take back")
        self._core.undo()
        self._foul = core.Foul.none
        return move

    @property
    def legal_moves(self) -> list[Move]:
        """The points that the side to move may play, row by row; none when the game is over."""
        if self.is_over:
            return []
        forbidden = set(self._core.forbidden_points()) if self._refuses_forbidden else set()
        return [self._move(cell) for cell in self._core.empties() if cell not in forbidden]

    def is_legal(self, move: MoveLike) -> bool:
        """Whether `push` would accept the move."""
        try:
            point = self.parse_move(move)
        except InputError:
            return False
        if self.is_over or not self._core.is_empty(self._cell(point)):
            return False
        return not self._refuses_forbidden or self._foul_at(point) == core.Foul.none

    def forbidden_points(self) -> list[Move]:
        """Black's forbidden points in renju, whoever is to move; none under other rules."""
        return [self._move(cell) for cell in self._core.forbidden_points()]

    def _has_legal_point(self) -> bool:
        # Forbidden points need stones around them: with room left on the board there is always another.
        empties = self.width * self.height - self.ply
        return empties > self.ply or len(self._core.forbidden_points()) < empties

    @property
    def _refuses_forbidden(self) -> bool:
        return self.rule == "renju" and self.turn == Color.BLACK and self.on_forbidden == "refuse"

    def _foul_at(self, point: Move) -> core.Foul:
        return self._core.foul_at(self._cell(point)) if self.turn == Color.BLACK else core.Foul.none

    # -- the end

    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        if self._foul != core.Foul.none:
            return Outcome(Color.WHITE, "forbidden")
        if self._core.last_move_won:
            line = tuple(self._move(stone) for stone in self._core.winning_line(self._core.moves[-1]))
            return Outcome(Color(self._core.colors[-1]), "five", line)
        if self._core.is_full() or (self._refuses_forbidden and not self._has_legal_point()):
            return Outcome(None, "draw")
        return None

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.outcome() is not None

    # -- shapes

    def shape(self, move: MoveLike, direction: int, color: Color) -> Shape:
        """The shape on one line of the stone that `color` has, or would have, at a point.

        Each line is judged by itself; NONE where the other colour stands.

        Args:
            move: The point.
            direction: An index into `DIRECTIONS`.
            color: Whose stone.
        """
        if direction not in range(len(DIRECTIONS)):
            raise SetupError(f"a direction is a number from 0 to {len(DIRECTIONS) - 1}, not {direction}")
        return Shape(self._core.line_shapes(self._cell(self.parse_move(move)), color)[direction])

    def shapes(self, color: Color) -> dict[Move, tuple[Shape, Shape, Shape, Shape]]:
        """The shapes that `color` has or would have at every point, in the order of `DIRECTIONS`.

        Points without any are left out.
        """
        result = {}
        for cell in range(self.width * self.height):
            lines = self._core.line_shapes(cell, color)
            if any(lines):
                a, b, c, d = map(Shape, lines)
                result[self._move(cell)] = (a, b, c, d)
        return result

    def makes(self, color: Color, shape: Shape) -> list[Move]:
        """The empty points where a stone of `color` would make that shape on some line."""
        lines = self._core.line_shapes
        return [self._move(cell) for cell in self._core.empties() if shape in lines(cell, color)]

    # -- symmetry, copies, text

    def transform(self, symmetry: int) -> Board:
        """The same game under symmetry 0 to 7: bit 0 mirrors x, bit 1 mirrors y, then bit 2 swaps x and y."""
        _check_symmetry(symmetry)
        swapped = bool(symmetry & 4)
        board = Board(
            rule=self.rule,
            width=self.height if swapped else self.width,
            height=self.width if swapped else self.height,
            n_in_row=self.n_in_row,
            on_forbidden=self.on_forbidden,
        )
        cells = [self._core.transform(cell, symmetry) for cell in self._core.moves]
        return board._with_history(cells, self._core.colors, self.turn, self._foul)

    def transform_move(self, move: MoveLike, symmetry: int) -> Move:
        """Where a symmetry takes a point, on the board that `transform` gives."""
        _check_symmetry(symmetry)
        cell = self._core.transform(self._cell(self.parse_move(move)), symmetry)
        width = self.height if symmetry & 4 else self.width
        return Move(cell % width, cell // width)

    def copy(self) -> Board:
        """An independent copy."""
        board = Board.__new__(Board)
        board.__dict__.update(self.__dict__)
        board._core = self._core.copy()
        return board

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Board:
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        empty = (self.width, self.height, self.rule, self.n_in_row, self.on_forbidden)
        return _unpickle, (empty, self._core.moves, self._core.colors, int(self.turn), int(self._foul.value))

    def _with_history(self, cells: Iterable[int], colors: Iterable[int], turn: int, foul: core.Foul) -> Board:
        """This empty board after stones of any colours."""
        for cell, color in zip(cells, colors, strict=True):
            self._core.place(cell, color)
        self._core.turn = turn
        self._foul = foul
        return self

    def parse_move(self, move: MoveLike) -> Move:
        """Any way of writing a move as a `Move` on this board; it need not be legal."""
        if isinstance(move, str):
            point = Move.parse(move, self.height)
        else:
            try:
                x, y = move
                point = Move(operator.index(x), operator.index(y))
            except (TypeError, ValueError):
                raise NotationError(f"{move!r} is not a point; give text like h8 or a pair (x, y)") from None
        if not (0 <= point.x < self.width and 0 <= point.y < self.height):
            name = move if isinstance(move, str) else tuple(point)
            raise IllegalMoveError(f"{name} is off the {self.width}x{self.height} board")
        return point

    def text(self, move: MoveLike) -> str:
        """A move as text, like ``"h8"``."""
        return self.parse_move(move).text(self.height)

    def to_text(self) -> str:
        """The position as one line of text, which `from_text` reads.

        The rows from the top with x for black, o for white and a number for so many empty points; who is to move; the
        rule; the length of the winning row; the last move, or - on an empty board. The order of the other moves is not
        part of a position.

        >>> Board.from_moves("h8 i9").to_text()
        '15/15/15/15/15/15/8o6/7x7/15/15/15/15/15/15/15 x freestyle 5 i9'
        """
        marks = {None: " ", Color.BLACK: "x", Color.WHITE: "o"}
        rows = ("".join(marks[self.piece_at((x, y))] for x in range(self.width)) for y in range(self.height))
        short = "/".join(re.sub(" +", lambda gap: str(len(gap[0])), row) for row in rows)
        last = self.text(self.last_move) if self.last_move else "-"
        return f"{short} {marks[self.turn]} {self.rule} {self.n_in_row} {last}"

    def svg(self, *, numbers: bool = False) -> str:
        """The position as an SVG picture.

        Args:
            numbers: Write the number of its move on each stone.
        """
        from tengen.svg import draw  # only here: the picture is made of a board

        return draw(self, numbers=numbers)

    def _repr_svg_(self) -> str:
        """What a notebook shows."""
        return self.svg()

    def _place(self, point: Move, color: Color) -> None:
        self._check_empty(point)
        self._core.place(self._cell(point), color)

    def _check_empty(self, point: Move) -> None:
        occupant = self.piece_at(point)
        if occupant is not None:
            raise IllegalMoveError(f"{self.text(point)} is occupied by {occupant}")

    def _cell(self, point: Move) -> int:
        return point.y * self.width + point.x

    def _move(self, cell: int) -> Move:
        return Move(cell % self.width, cell // self.width)

    def is_same_game(self, other: object) -> bool:
        """Whether both are played on the same size by the same rules; the stones do not matter."""
        return isinstance(other, Board) and (self.width, self.height, self.rule, self.n_in_row) == (
            other.width,
            other.height,
            other.rule,
            other.n_in_row,
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return (
            self.is_same_game(other)
            and self.turn == other.turn
            and self._core.stones(Color.BLACK) == other._core.stones(Color.BLACK)
            and self._core.stones(Color.WHITE) == other._core.stones(Color.WHITE)
        )

    __hash__ = None  # type: ignore[assignment]  # boards change; use `board.hash` as a key

    def __str__(self) -> str:
        marks = {None: ".", Color.BLACK: "X", Color.WHITE: "O"}
        letters = " ".join(chr(ord("a") + x) for x in range(self.width))
        rows = [
            f"{self.height - y:2d} " + " ".join(marks[self.piece_at((x, y))] for x in range(self.width))
            for y in range(self.height)
        ]
        return "\n".join([*rows, "   " + letters])

    def __repr__(self) -> str:
        size = f"size={self.width}" if self.width == self.height else f"width={self.width}, height={self.height}"
        moves = " ".join(self.text(move) for move in self.moves)
        return f'<Board {size} {self.rule} "{moves}">'


def _unpickle(
    empty: tuple[int, int, str, int, str], cells: Iterable[int], colors: Iterable[int], turn: int, foul: int
) -> Board:
    width, height, rule, n_in_row, on_forbidden = empty
    board = Board(rule=rule, width=width, height=height, n_in_row=n_in_row, on_forbidden=on_forbidden)
    return board._with_history(cells, colors, turn, core.Foul(foul))


def _read_row(text: str) -> list[str]:
    """The marks of a row of text, empty text for an empty point."""
    if _ROW.fullmatch(text) is None:
        raise NotationError(f'"{text}" is not a row of a position; write x, o and numbers of empty points')
    return [mark for item in re.findall(r"\d+|[xo]", text) for mark in ([""] * int(item) if item.isdecimal() else item)]


def _whole(value: SupportsIndex) -> int | None:
    """The value as an int, numpy's whole numbers too; None if it is not a whole number."""
    try:
        return operator.index(value)
    except TypeError:
        return None


def _check_side(name: str, value: SupportsIndex) -> int:
    side = _whole(value)
    if side is None or not MIN_SIDE <= side <= MAX_SIDE:
        raise SetupError(f"the {name} of a board must be a whole number from {MIN_SIDE} to {MAX_SIDE}, not {value}")
    return side


def _check_rule(rule: str, n_in_row: SupportsIndex) -> tuple[str, int]:
    if rule not in RULES:
        raise SetupError(f'there is no rule "{rule}"; choose one of {", ".join(RULES)}')
    row = _whole(n_in_row)
    if row is None or row < 3:
        raise SetupError(f"the winning row must be a whole number of at least 3 stones, not {n_in_row}")
    if rule == "renju" and row != 5:
        raise SetupError(f"renju is played with five in a row, not {row}")
    return rule, row


def _check_symmetry(symmetry: int) -> None:
    if symmetry not in SYMMETRIES:
        raise SetupError(f"a symmetry is a number from 0 to 7, not {symmetry}")
