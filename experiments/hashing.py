"""S2's Zobrist hash: one that follows each move against one that is computed anew from the whole board."""

from __future__ import annotations

from pathlib import Path

import cyclopts
from section import Section

from tengen import core


def row(incremental: float, full: float) -> tuple[str, str, str]:
    """The cells for both ways, and their ratio."""
    return f"{incremental:.1f}", f"{full:.1f}", f"{full / incremental:.1f}"


def main(*, short: bool = False, positions: int = 200, rounds: int = 5, to: Path | None = None) -> None:
    """Time moves with both hashes.

    Args:
        short: Few positions, to see that it works.
        positions: Middle games on 15x15.
        rounds: Rounds of each measurement; the fastest of each position counts.
        to: Also put the section into this document, such as docs/experiments.md.
    """
    positions, rounds = (5, 2) if short else (positions, rounds)
    found = core.bench_hash(positions, rounds, seed=1)
    section = Section("hashing", "Incremental against full hashing (the course project)", to)
    section.text(
        f"A stone is placed, the position hashed, the stone taken back: {found.moves:,} times, in {positions} middle "
        f"games of 10 to 59 stones on 15x15; the fastest of {rounds} rounds of each position counts, on one core. The "
        "bare board is an array of points and nothing else; Tengen's board also keeps windows, threats and rows. "
        f"The two ways gave different hashes in {found.differences} cases."
    )
    section.table(
        ("ns a move", "no hash", "incremental", "full", "full / incremental"),
        (
            ("bare board", f"{found.bare_none_ns:.1f}", *row(found.bare_incremental_ns, found.bare_full_ns)),
            ("Tengen's board", "-", *row(found.board_incremental_ns, found.board_full_ns)),
        ),
    )
    section.text(
        "The incremental hash is a few instructions beside those that put the stone down. In the second row the full "
        "hash comes on top of the incremental one, which Tengen's board always keeps."
    )
    section.write()


if __name__ == "__main__":
    cyclopts.run(main)
