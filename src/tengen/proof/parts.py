"""A proof in parts: the positions after each reply of the loser, each with a folder of its own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tengen.board import Board, Move
from tengen.errors import SetupError
from tengen.theory import Certificate, Claim
from tengen.theory.symmetry import key, stones_of

CERTIFICATE = "certificate.gz"
#: What a search has found and the checker could not confirm.
DOUBTFUL = "doubtful.gz"


@dataclass(frozen=True)
class Part:
    """One reply of the loser.

    Attributes:
        claim: That the winner wins after it.
        path: The folder of its proof.
    """

    claim: Claim
    path: Path

    @cached_property
    def reply(self) -> Move:
        """The loser's move."""
        return self.claim.board.moves[-1]

    @property
    def certificate(self) -> Path:
        """Where the certificate is, once there is one."""
        return self.path / CERTIFICATE

    @property
    def is_proven(self) -> bool:
        """Whether there is a certificate."""
        return self.certificate.exists()

    @property
    def is_open(self) -> bool:
        """Whether a search has still to find something."""
        return not self.is_proven and not (self.path / DOUBTFUL).exists()

    def advice(self, parts: Iterable[Part]) -> list[Certificate]:
        """What was proven after other replies, the nearest first."""
        proven = sorted((part for part in parts if part.is_proven), key=lambda part: _distance(part.reply, self.reply))
        return [Certificate.read(part.certificate) for part in proven]


def parts_of(claim: Claim, folder: Path) -> list[Part]:
    """A part for each reply up to symmetry, far ones first: they matter least, and what wins after them may win again.

    Raises:
        SetupError: The winner is to move.
    """
    board = claim.board
    if board.turn == claim.winner:
        raise SetupError(f"{claim.winner} is to move there: add its move, or leave out the last one")
    replies = sorted(_replies(board), key=lambda move: min(_distance(move, stone) for stone in board.moves))
    names = [board.text(move) for move in reversed(replies)]
    claims = [Claim(f"{claim.moves} {name}".strip(), claim.winner, claim.rule, claim.size) for name in names]
    return [Part(part, folder / name) for part, name in zip(claims, names, strict=True)]


def _replies(board: Board) -> list[Move]:
    """The legal moves, one of each that are the same by symmetry."""
    stones, size, color = stones_of(board.moves, board.width), board.width, board.ply % 2
    replies: dict[tuple[int, ...], Move] = {}
    for move in board.legal_moves:
        replies.setdefault(key((*stones, (move.y * size + move.x, color)), size), move)
    return list(replies.values())


def _distance(one: Move, other: Move) -> tuple[int, int]:
    x, y = abs(one.x - other.x), abs(one.y - other.y)
    return max(x, y), x * x + y * y
