"""Openings over messages: which there are, and what the book and the proofs know of a position."""

from __future__ import annotations

from collections.abc import Sequence

from tengen import renju
from tengen.arena import GameSetup
from tengen.board import Board, Move
from tengen.book import Tally, shipped_book
from tengen.book.games import balanced
from tengen.theory import shipped_theory
from tengen.thinking.pool import Job
from tengen.web import limits, messages, positions


def list_openings(request: messages.OpeningsRequest, job: Job) -> messages.OpeningsAnswer:
    """The 26 openings by their names, and those that a search finds even."""
    setup = GameSetup(rule=request.rule)

    def texts(moves: Sequence[Move]) -> list[str]:
        return [move.text(setup.size) for move in moves]

    named = [
        messages.NamedOpening(
            number=entry.number, name=entry.name, chinese=entry.chinese, moves=texts(entry.moves_on(setup.size))
        )
        for entry in renju.openings.values()
    ]
    return messages.OpeningsAnswer(
        id=request.id,
        size=setup.size,
        games=shipped_book(request.rule).games,
        named=named,
        balanced=[texts(moves) for moves in balanced(request.rule)],
    )


def explore(request: messages.ExploreRequest, job: Job) -> messages.ExploreAnswer:
    """What is known of a position."""
    board = positions.board_of(request.game)
    book = shipped_book(board.rule)
    replies = [
        messages.Reply(moves=positions.texts(board, reply.moves), tally=_tally(reply.tally))
        for reply in book.replies(board)
    ]
    return messages.ExploreAnswer(
        id=request.id,
        tally=_tally(book.at(board)),
        replies=replies[: limits.MAX_LISTED_REPLIES],
        proven=_proven(board),
    )


def _tally(tally: Tally) -> messages.GameTally:
    return messages.GameTally(games=tally.games, black=tally.black, white=tally.white, draws=tally.draws)


def _proven(board: Board) -> messages.ProvenWin | None:
    if (found := shipped_theory(board.rule).at(board)) is None:
        return None
    move = None if found.move is None else board.text(found.move)
    return messages.ProvenWin(winner=positions.color_name(found.winner), move=move)
