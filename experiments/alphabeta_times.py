"""S2's table: how long alpha-beta thinks, by depth and by k, the number of best-scored moves that are tried."""

from __future__ import annotations

from pathlib import Path

import cyclopts
from section import Section

from tengen import core

#: Depth and k, and S2's seconds a move where it gives them.
CASES = {
    (2, 5): 0.6,
    (3, 5): 74.0,
    (4, 5): 214.0,
    (6, 5): None,
    (2, 10): 1.2,
    (2, 20): 2.3,
    (2, 40): 4.3,
    (4, 20): None,
    (6, 20): None,
}


def main(*, short: bool = False, positions: int = 100, seed: int = 1, to: Path | None = None) -> None:
    """Time alpha-beta.

    Args:
        short: Few positions and no deep searches, to see that it works.
        positions: Freestyle middle games of 10 to 29 stones on 15x15.
        seed: Random seed of the positions.
        to: Also put the section into this document, such as docs/experiments.md.
    """
    positions = 3 if short else positions
    rows = []
    for (depth, width), theirs in CASES.items():
        if short and depth > 4:
            continue
        found = core.bench_alpha_beta(depth=depth, width=width, vct_plies=0, positions=positions, seed=seed)
        rows.append(
            (
                str(depth),
                str(width),
                f"{found.milliseconds:,.3f}",
                f"{found.worst_milliseconds:,.2f}",
                f"{found.nodes:,.0f}",
                f"{found.nodes_per_second / 1e6:.2f}",
                f"{theirs:g} s" if theirs else "-",
                f"{1000 * theirs / found.milliseconds:,.0f}" if theirs else "-",
            )
        )
        print(" ".join(rows[-1]), flush=True)
    section = Section("alphabeta_times", "Alpha-beta by depth and k (the course project)", to)
    section.text(
        f"CPU times a move over {positions} freestyle middle games of 10 to 29 stones on 15x15, on one core, no search "
        "of threats. The course project's times are from another machine and its own positions: "
        "the last column is a rough one."
    )
    heads = (
        "depth",
        "k",
        "ms a move",
        "worst ms",
        "nodes a move",
        "million nodes/s",
        "course project",
        "times as fast",
    )
    section.table(heads, rows)
    section.write()


if __name__ == "__main__":
    cyclopts.run(main)
