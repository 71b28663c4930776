"""What is proven of positions, from certificates of `tengen prove`."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tengen.board import Board, Color, Move
from tengen.book.symmetry import Key, Stones, images, key, oriented, stones_of
from tengen.proof import Certificate

SHIPPED = Path(__file__).with_name("shipped") / "proofs"


@dataclass(frozen=True)
class Proven:
    """That one side wins.

    Attributes:
        winner: Who.
        move: By which move, if the winner is to move.
    """

    winner: Color
    move: Move | None


class Proofs:
    """The positions of certificates for one rule and size. Key method: `at`."""

    def __init__(self, certificates: Iterable[Certificate], rule: str, size: int) -> None:
        self._rule, self._size = rule, size
        self._moves: dict[Key, tuple[Color, int]] = {}  # the winner's move, in the orientation of the key
        self._replies: dict[Key, Color] = {}  # after such a move
        for certificate in certificates:
            if (certificate.claim.rule, certificate.claim.size) == (rule, size):
                self._add(certificate)

    def _add(self, certificate: Certificate) -> None:
        claim = certificate.claim
        for text, point in certificate.positions.items():
            stones: Stones = tuple(
                (cell, color) for color, cells in enumerate(claim.read_position(text)) for cell in cells
            )
            move = claim.cell(point)
            position, symmetry = oriented(stones, self._size)
            self._moves[position] = (claim.winner, images(self._size)[symmetry][move])
            self._replies[key((*stones, (move, int(claim.winner))), self._size)] = claim.winner

    def at(self, board: Board) -> Proven | None:
        """What is proven of a position, if anything."""
        if board.rule != self._rule or not board.width == board.height == self._size:
            return None
        position, symmetry = oriented(stones_of(board.moves, self._size), self._size)
        if position in self._moves:
            winner, image = self._moves[position]
            cell = images(self._size)[symmetry].index(image)
            return Proven(winner, Move(cell % self._size, cell // self._size))
        return Proven(self._replies[position], None) if position in self._replies else None


@functools.cache
def shipped_proofs() -> Proofs:
    """The proofs that come with the package."""
    return Proofs(map(Certificate.read, sorted(SHIPPED.glob("*.gz"))), "freestyle", 15)
