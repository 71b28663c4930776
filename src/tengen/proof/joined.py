"""One certificate of those for each reply of the loser."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tengen.theory import Certificate, Claim
from tengen.theory.symmetry import Key, key, stones_of


@dataclass(frozen=True)
class _Entry:
    """A position of a certificate: as text, its move, how long the win takes, and the key after the move."""

    text: str
    move: str
    length: int
    after: Key


def join(claim: Claim, parts: Iterable[Certificate]) -> Certificate:
    """The proof of a claim after which the loser is to move, from the proofs after each of its replies.

    Where parts answer a position differently the shorter win is taken, and what is then never reached is left out.
    """
    parts = list(parts)
    assert claim.only_move is not None, "each part is about a reply"
    entries: dict[Key, _Entry] = {}
    for part in parts:
        for text, move in part.positions.items():
            place, entry = _entry(claim, text, move, part.lengths.get(text, 0))
            if place not in entries or entry.length < entries[place].length:
                entries[place] = entry
    root = stones_of(claim.root.moves, claim.size)
    length = 1 + max((part.lengths[text] for part in parts for text in part.lengths), default=0)
    text = claim.write_position([cell for cell, color in root if color == side] for side in (0, 1))
    place, entry = _entry(claim, text, claim.root.text(claim.only_move), length)
    entries[place] = entry
    reached = {entry.text: entry for entry in _reached(entries, place, 1 - claim.winner, claim.size)}
    return Certificate(
        claim,
        {text: entry.move for text, entry in reached.items()},
        max(part.nodes for part in parts),
        {text: entry.length for text, entry in reached.items()} if all(part.lengths for part in parts) else {},
    )


def _entry(claim: Claim, text: str, move: str, length: int) -> tuple[Key, _Entry]:
    stones = [(cell, color) for color, cells in enumerate(claim.read_position(text)) for cell in cells]
    after = key([*stones, (claim.cell(move), int(claim.winner))], claim.size)
    return key(stones, claim.size), _Entry(text, move, length, after)


def _reached(entries: dict[Key, _Entry], root: Key, loser: int, size: int) -> Iterable[_Entry]:
    """The positions that the winner comes to if it plays as they say; stones only come, so small ones first."""
    afters = set()
    for place in sorted(entries, key=len):
        stones = [(code // 2, code % 2) for code in place]
        befores = (key((s for s in stones if s != stone), size) for stone in stones if stone[1] == loser)
        if place == root or any(before in afters for before in befores):
            afters.add(entries[place].after)
            yield entries[place]
