"""What is proven of positions, from certificates."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from tengen.board import Board, Color, Move
from tengen.theory.certificate import Certificate
from tengen.theory.symmetry import Key, Stones, images, keys_after, oriented, stones_of

SHIPPED = Path(__file__).with_name("shipped")


@dataclass(frozen=True)
class Known:
    """That one side wins.

    Attributes:
        winner: Who.
        move: By which move, if the winner is to move.
        within: Moves of the winner up to the five, at most; 0 where nobody has counted.
        nodes: Within which the solver wins by threats after replies that no certificate has a position for.
    """

    winner: Color
    move: Move | None
    within: int
    nodes: int


class Theory:
    """The positions of certificates for one rule and size. Key method: `at`."""

    def __init__(self, certificates: Iterable[Certificate], rule: str, size: int) -> None:
        self._rule, self._size = rule, size
        self._moves: dict[Key, tuple[int, Known]] = {}  # the winner's move, in the orientation of the key
        self._most_stones = 0
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
            within = certificate.lengths.get(text, 0)
            if position in self._moves and 0 < self._moves[position][1].within <= within:
                continue  # of two certificates the shorter win counts, so that none becomes longer on the way
            known = Known(claim.winner, None, within, certificate.nodes)
            self._moves[position] = (images(self._size)[symmetry][move], known)
            self._most_stones = max(self._most_stones, len(stones))

    @property
    def positions(self) -> int:
        """Positions with the winner to move that it has a move for."""
        return len(self._moves)

    def replies(self, board: Board) -> dict[int, Known]:
        """The replies of the loser, by their cells, after which there is a move of the winner."""
        cells = [move.y * self._size + move.x for move in board.legal_moves]
        keys = keys_after(stones_of(board.moves, self._size), cells, board.ply % 2, self._size)
        return {cell: self._moves[after][1] for cell, after in keys.items() if after in self._moves}

    def at(self, board: Board) -> Known | None:
        """What is proven of a position, if anything."""
        if board.rule != self._rule or not board.width == board.height == self._size:
            return None
        if board.ply > self._most_stones + 1:
            return None
        stones = stones_of(board.moves, self._size)
        if (found := self._find(stones)) is not None:
            cell, known = found
            return replace(known, move=Move(cell % self._size, cell // self._size))
        return self._after_its_move(stones, board.turn)

    def _find(self, stones: Stones) -> tuple[int, Known] | None:
        """The winner's move at a position, and what is known of it."""
        position, symmetry = oriented(stones, self._size)
        if position not in self._moves:
            return None
        image, known = self._moves[position]
        return images(self._size)[symmetry].index(image), known

    def _after_its_move(self, stones: Stones, loser: Color) -> Known | None:
        """The winner has moved, perhaps not with its last stone: other orders of moves lead to the same position."""
        for stone in stones:
            before = tuple(other for other in stones if other != stone)
            if stone[1] != loser and (found := self._find(before)) is not None and found[0] == stone[0]:
                return replace(found[1], within=max(0, found[1].within - 1))
        return None


@functools.cache
def shipped_certificates() -> tuple[Certificate, ...]:
    """The certificates that come with the package."""
    return tuple(map(Certificate.read, sorted(SHIPPED.glob("*.gz"))))


@functools.cache
def shipped_theory(rule: str = "freestyle", size: int = 15) -> Theory:
    """What they prove."""
    return Theory(shipped_certificates(), rule, size)
