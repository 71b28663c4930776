"""A person at a puzzle: whether a move is right, how it is answered, and what to show whoever is stuck."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from tengen.board import Board, Move
from tengen.puzzles.judge import Judge
from tengen.puzzles.puzzle import Goal, Puzzle


@dataclass(frozen=True)
class Judgement:
    """What becomes of an attempt.

    Attributes:
        verdict: "right" (go on), "solved", or "wrong".
        line: The answer on the board: one reply to a right move, all of what follows a wrong one.
    """

    verdict: Literal["right", "solved", "wrong"]
    line: tuple[Move, ...] = ()


class Attempt:
    """A puzzle under way. Key methods: `judge`, `next_move`."""

    def __init__(self, start: Board, goal: Goal, solution: Sequence[str] = ()) -> None:
        """An attempt.

        Args:
            start: The position of the puzzle.
            goal: What the side to move has to do there.
            solution: Its line, if it is known: the first move is the only one then.
        """
        self._start = start
        self._goal = goal
        self._solution = tuple(start.parse_move(move) for move in solution)
        self._judge = Judge()

    @classmethod
    def at(cls, puzzle: Puzzle) -> Attempt:
        """An attempt at a shipped puzzle."""
        return cls(puzzle.board(), puzzle.goal, puzzle.line)

    def judge(self, played: Sequence[Move]) -> Judgement:
        """Judges the last of the moves that were played since the start, those of both sides."""
        board = self._after(played)
        if self._goal == "save":
            return self._judge_defence(board, played)
        if board.is_over:
            return Judgement("solved")
        if self._is_known(played):
            rest = self._solution[len(played) :]
            return Judgement("right", rest[:1]) if rest else Judgement("solved")
        vital = self._solution[len(played) - 1] if self._is_known(played[:-1]) else None
        if (reply := self._judge.refutation(board, vital)) is not None or self._must_be(played):
            return Judgement("wrong", (reply,) if reply is not None else ())
        best = self._judge.best_reply(board)
        return Judgement("right", (best,)) if best is not None else Judgement("solved")

    def next_move(self, played: Sequence[Move]) -> Move | None:
        """The move to play now, for whoever asks; None where the attempt has gone wrong already."""
        if self._is_known(played) and len(played) < len(self._solution):
            return self._solution[len(played)]
        board = self._after(played)
        line = self._judge.win(board) if self._goal == "win" else self._judge.only_defence(board)
        return line[0] if line else None

    def _judge_defence(self, board: Board, played: Sequence[Move]) -> Judgement:
        good = played[0] == self._solution[0] if self._solution else self._judge.saves(board)
        return Judgement("solved") if good else Judgement("wrong", self._judge.win(board))

    def _must_be(self, played: Sequence[Move]) -> bool:
        """Whether another move than this was the only one."""
        return bool(self._solution) and len(played) == 1

    def _is_known(self, played: Sequence[Move]) -> bool:
        return bool(self._solution) and tuple(played) == self._solution[: len(played)]

    def _after(self, played: Sequence[Move]) -> Board:
        board = self._start.copy()
        for move in played:
            board.push(move)
        return board
