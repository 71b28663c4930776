"""How many moves the wins of a certificate take."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tengen import core
from tengen.board import Board, Move
from tengen.errors import InputError
from tengen.theory.answers import Answers, Reply
from tengen.theory.certificate import Certificate
from tengen.theory.claim import Claim
from tengen.theory.symmetry import Key, key, stones_of
from tengen.theory.theory import Theory


class UnansweredError(InputError):
    """A certificate has no answer to a reply, or the solver does not find it.

    Attributes:
        claim: That the winner wins after the reply.
    """

    def __init__(self, claim: Claim, board: Board, reply: Move) -> None:
        name = board.text(reply)
        super().__init__(f"the certificate has no answer to {name} after {board}")
        self.claim = replace(claim, moves=" ".join([*map(board.text, board.moves), name]))


def measure(certificate: Certificate, evaluator: core.Evaluator) -> Iterator[tuple[str, int]]:
    """The positions of a certificate, the last ones first, with the winner's moves up to the five at most.

    Raises:
        UnansweredError: The certificate has no answer to a reply.
    """
    answers = Answers(Theory([certificate], certificate.claim.rule, certificate.claim.size), evaluator)
    found: dict[Key, int] = {}
    for text in sorted(certificate.positions, key=lambda text: -sum(map(str.isalpha, text))):
        board = position(certificate.claim, text)
        place = _key(board)
        board.push(board.parse_move(certificate.positions[text]))
        replies = [] if board.is_over else answers.replies(board)
        found[place] = 1 + max((_after(certificate.claim, board, reply, found) for reply in replies), default=0)
        yield text, found[place]


def position(claim: Claim, text: str) -> Board:
    """A position of a certificate as a board."""
    points = [[claim.point(cell) for cell in cells] for cells in claim.read_position(text)]
    moves = [points[ply % 2][ply // 2] for ply in range(sum(map(len, points)))]
    return Board.from_moves(moves, size=claim.size, rule=claim.rule)


def _after(claim: Claim, board: Board, reply: Reply, found: dict[Key, int]) -> int:
    if reply.within is None:
        raise UnansweredError(claim, board, reply.move)
    if reply.by_threats:
        return reply.within
    board.push(reply.move)
    place = _key(board)
    board.pop()
    return found[place]


def _key(board: Board) -> Key:
    return key(stones_of(board.moves, board.width), board.width)
