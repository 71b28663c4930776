"""What is proven of a position, for the page on which one plays against the proof."""

from __future__ import annotations

from tengen.board import Board
from tengen.theory import Answers, shipped_theory
from tengen.thinking.book import SIZE, by_theory, shipped_answers
from tengen.thinking.pool import Job
from tengen.web import messages, positions


def look_up(request: messages.TheoryRequest, job: Job) -> messages.TheoryAnswer:
    """The winner's move where it is to move, and all replies of the loser with what is proven after them."""
    board = positions.board_of(request.game)
    answer = None if board.is_over else by_theory(board)
    move = None
    if answer is not None:
        move = board.text(answer.move)
        board.push(answer.move)
    return messages.TheoryAnswer(
        id=request.id,
        move=move,
        within=None if answer is None else answer.within,
        threat=[] if answer is None else positions.texts(board, answer.threat),
        replies=_replies(board),
        state=positions.state_of(board),
    )


def _replies(board: Board) -> list[messages.TheoryReply]:
    """Of the loser; none where the winner is to move and nothing is known."""
    if board.is_over or not board.width == board.height == SIZE or not shipped_theory(board.rule, SIZE).positions:
        return []
    answers: Answers = shipped_answers(board.rule)
    return [
        messages.TheoryReply(move=board.text(reply.move), within=reply.within, by_threats=reply.by_threats)
        for reply in answers.replies(board)
        if reply.within is not None
    ]
