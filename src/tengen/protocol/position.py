"""The stones that a manager has told an engine about."""

from __future__ import annotations

from dataclasses import dataclass, field

from tengen.board import Board, Color, Move, Shape
from tengen.errors import GameOverError, IllegalMoveError, InputError


@dataclass
class Position:
    """Stones as the engine's own and the opponent's, in the order in which they came. Key method: `board`.

    The rule is not part of it: managers may send it at any time.

    Attributes:
        width: Columns.
        height: Rows.
        stones: Each stone and whether it is the engine's own.
        color: The engine's colour, known as soon as there is a stone or the engine begins.
    """

    width: int
    height: int
    stones: dict[Move, bool] = field(default_factory=dict)
    color: Color | None = None

    def add(self, move: Move, own: bool) -> None:
        """Puts a stone.

        Raises:
            IllegalMoveError: The point is not on the board, or not empty.
        """
        if not (0 <= move.x < self.width and 0 <= move.y < self.height):
            raise IllegalMoveError(f"{move.x},{move.y} is off the {self.width}x{self.height} board")
        if move in self.stones:
            raise IllegalMoveError(f"{move.x},{move.y} is not empty")
        if self.color is None:
            self.color = Color.BLACK if own else Color.WHITE
        self.stones[move] = own

    def remove(self, move: Move) -> None:
        """Takes a stone away, whichever it is.

        Raises:
            InputError: There is none.
        """
        if move not in self.stones:
            raise InputError(f"there is no stone at {move.x},{move.y}")
        del self.stones[move]
        if not self.stones:
            self.color = None

    @property
    def own_moves(self) -> int:
        """How many stones are the engine's."""
        return sum(self.stones.values())

    def guess_color(self, to_move: bool = False) -> None:
        """The engine's colour from the stones alone: who has more of them is black.

        Args:
            to_move: Whether the engine is known to be next: black then, if both have as many. Otherwise the colour is
                left as the first stone says.
        """
        difference = 2 * self.own_moves - len(self.stones)
        if difference != 0 or to_move:
            self.color = Color.WHITE if difference < 0 else Color.BLACK

    def board(self, rule: str) -> Board:
        """The position with the engine to move.

        Raises:
            GameOverError: There is nothing to play.
        """
        board = self._played(rule)
        if board is None:
            board = self._set_up(rule)
            if any(_has_five(board, side) for side in Color):
                raise GameOverError("the game is over, there is a five on the board")
        if (outcome := board.outcome()) is not None:
            raise GameOverError(f"the game is over, {outcome}")
        return board

    def forbidden_points(self, rule: str) -> list[Move]:
        """Black's forbidden points, whoever is to move; none unless the rule is renju."""
        return self._set_up(rule).forbidden_points()

    def _sides(self) -> tuple[list[Move], list[Move]]:
        """Black's and white's stones."""
        black_is_own = self.color != Color.WHITE
        black = [move for move, own in self.stones.items() if own == black_is_own]
        return black, [move for move, own in self.stones.items() if own != black_is_own]

    def _set_up(self, rule: str) -> Board:
        turn = Color.BLACK if self.color is None else self.color
        return Board.from_stones(*self._sides(), turn, width=self.width, height=self.height, rule=rule)

    def _played(self, rule: str) -> Board | None:
        """The stones as a game, black and white in turn, if they can be one: the search keeps its tree along it."""
        black, white = self._sides()
        if len(black) - len(white) != (self.color or Color.BLACK):
            return None
        board = Board(width=self.width, height=self.height, rule=rule)
        try:
            for ply in range(len(self.stones)):
                board.push((black, white)[ply % 2][ply // 2])
        except IllegalMoveError:  # a forbidden move of black's, or a five before the end
            return None
        return board


def _has_five(board: Board, color: Color) -> bool:
    return any(
        Shape.FIVE in shapes and board.piece_at(move) is not None for move, shapes in board.shapes(color).items()
    )
