"""An engine that answers at once, for tests of the protocol."""

from __future__ import annotations

from tengen import core
from tengen.board import Board, Color, Move


def to_board(position: core.Board) -> Board:
    """The core's position as the checked board."""
    board = Board(width=position.width, height=position.height, rule=position.rule.name)
    for cell, color in zip(position.moves, position.colors, strict=True):
        board._place(board._move(cell), Color(color))
    board._core.turn = position.turn
    return board


def legal_moves(question: core.Question) -> list[int]:
    """The cells that may be played, in reading order."""
    board = to_board(question.board)
    return [move.y * board.width + move.x for move in board.legal_moves]


def quick_answer(question: core.Question) -> core.Answer:
    """The first legal moves, in reading order."""
    if question.kind == "prepare":
        return core.Answer()
    count = {0: 3, 3: 1, 5: 0}[question.board.ply] if question.kind == "swap2" else 1
    return core.Answer(legal_moves(question)[:count])


class Driver:
    """Sends lines to an engine, thinks for it at once, and keeps everything it says."""

    def __init__(self) -> None:
        self.engine = core.Engine(lambda: 100.0)
        self.questions: list[core.Question] = []

    @property
    def board(self) -> Board:
        """Of the last question."""
        return to_board(self.questions[-1].board)

    def send(self, *lines: str) -> list[str]:
        said = []
        for line in lines:
            said += self.engine.receive(line)
            said += self.think()
        return said

    def think(self) -> list[str]:
        said = []
        while (question := self.engine.question) is not None:
            self.questions.append(question)
            said += self.engine.answer(quick_answer(question))
        return said


def point(line: str) -> Move:
    """A move as an engine says it."""
    x, y = line.split(",")
    return Move(int(x), int(y))
