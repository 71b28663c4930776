"""An engine that answers at once, for tests of the protocol."""

from __future__ import annotations

from tengen.board import Move
from tengen.protocol.engine import Answer, Engine, Question


def quick_answer(question: Question) -> Answer:
    """The first legal moves, in reading order."""
    if question.kind == "prepare":
        return Answer()
    legal = question.board.legal_moves
    count = {0: 3, 3: 1, 5: 0}[question.board.ply] if question.kind == "swap2" else 1
    return Answer(tuple(legal[:count]))


class Driver:
    """Sends lines to an engine, thinks for it at once, and keeps everything it says."""

    def __init__(self) -> None:
        self.engine = Engine(now=lambda: 100.0)
        self.questions: list[Question] = []

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
