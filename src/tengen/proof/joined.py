"""Certificates of which others are made: one of those for each reply of the loser, and parts of one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from tengen.errors import InputError
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
    root = stones_of(claim.root.moves, claim.size)
    text = claim.write_position([cell for cell, color in root if color == side] for side in (0, 1))
    length = 1 + max((length for part in parts for length in part.lengths.values()), default=0)
    first = Certificate(claim, {text: claim.root.text(claim.only_move)}, 0, {text: length})
    return _reached(claim, [first, *parts])


def part_of(certificate: Certificate, moves: str) -> Certificate:
    """What a certificate says of the game that goes on with these moves from the first one.

    Raises:
        InputError: The winner plays otherwise there, or the certificate does not come there.
    """
    claim = replace(certificate.claim, moves=moves)
    found = _reached(claim, [certificate])
    entries = dict(_entries(claim, [found]))
    entry = entries.get(_root(claim))
    after = key(stones_of(claim.board.moves, claim.size), claim.size)
    if entry is None or (claim.only_move is not None and entry.after != after):
        raise InputError(f"the certificate does not come to {moves}")
    return found


def with_positions(certificate: Certificate, others: Mapping[str, str]) -> Certificate:
    """The certificate with positions and moves that it did not have, in whatever orientation."""
    known = _entries(certificate.claim, [certificate])
    other = _entries(certificate.claim, [replace(certificate, positions=dict(others), lengths={})])
    new = {entry.text: entry.move for place, entry in other.items() if place not in known}
    return replace(certificate, positions={**certificate.positions, **new})


def _entries(claim: Claim, certificates: Iterable[Certificate]) -> dict[Key, _Entry]:
    entries: dict[Key, _Entry] = {}
    for certificate in certificates:
        for text, move in certificate.positions.items():
            stones = [(cell, color) for color, cells in enumerate(claim.read_position(text)) for cell in cells]
            place = key(stones, claim.size)
            after = key([*stones, (claim.cell(move), int(claim.winner))], claim.size)
            entry = _Entry(text, move, certificate.lengths.get(text, 0), after)
            if place not in entries or entry.length < entries[place].length:
                entries[place] = entry
    return entries


def _root(claim: Claim) -> Key:
    return key(stones_of(claim.root.moves, claim.size), claim.size)


def _reached(claim: Claim, certificates: list[Certificate]) -> Certificate:
    """The certificate of a claim from the positions that others have."""
    entries = _entries(claim, certificates)
    reached = {entry.text: entry for entry in _walk(entries, _root(claim), 1 - claim.winner, claim.size)}
    measured = all(len(certificate.lengths) == len(certificate.positions) > 0 for certificate in certificates)
    return Certificate(
        claim,
        {text: entry.move for text, entry in reached.items()},
        max(certificate.nodes for certificate in certificates),
        {text: entry.length for text, entry in reached.items()} if measured else {},
    )


def _walk(entries: Mapping[Key, _Entry], root: Key, loser: int, size: int) -> Iterator[_Entry]:
    """The positions that the winner comes to if it plays as they say; stones only come, so small ones first."""
    afters = set()
    for place in sorted(entries, key=len):
        stones = [(code // 2, code % 2) for code in place]
        befores = (key((s for s in stones if s != stone), size) for stone in stones if stone[1] == loser)
        if place == root or any(before in afters for before in befores):
            afters.add(entries[place].after)
            yield entries[place]
