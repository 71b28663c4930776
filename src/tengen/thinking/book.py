"""The book: the moves of wins that are proven, for levels and players that may use it."""

from __future__ import annotations

import functools

from tengen.board import Board
from tengen.search import Analysis
from tengen.search.mcts import Candidate
from tengen.theory import Answer, Answers, Known, shipped_theory
from tengen.thinking.evaluators import default_evaluator

SIZE = 15


@functools.cache
def shipped_answers(rule: str) -> Answers:
    """What the winner answers by the certificates that ship."""
    return Answers(shipped_theory(rule, SIZE), default_evaluator(rule, SIZE))


def known_at(board: Board) -> Known | None:
    """What the theory that ships knows of a position."""
    return shipped_theory(board.rule, SIZE).at(board)


def by_theory(board: Board) -> Answer | None:
    """What the side to move plays by the theory that ships: only where it is proven to win, up to the five."""
    if not board.width == board.height == SIZE or not shipped_theory(board.rule, SIZE).positions:
        return None
    return shipped_answers(board.rule).at(board)


def analysis_of(answer: Answer) -> Analysis:
    """The same as what a search would say."""
    candidate = Candidate(answer.move, 0, 1.0, 1.0, "win", (answer.move,))
    return Analysis(1.0, "win", 0, 0, 0.0, 0, 0, (candidate,), "solved")
