"""The machines that play for a run, as a table."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table

from tengen.train.pools import NodeState

#: Rows of the longest table; the rest is one more row.
_MOST = 20


def nodes_table(nodes: Sequence[NodeState]) -> Table:
    """A row for each node: games a second, seconds since it was heard of, network and queue."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("node", no_wrap=True)
    for title in ("threads", "games/s", "last seen", "network", "queue"):
        table.add_column(title, justify="right", no_wrap=True)
    for node in nodes[:_MOST]:
        seen = f"{node.last_seen:.0f} s ago"
        table.add_row(
            *(node.name, str(node.threads), f"{node.games_per_second:.2f}", seen, str(node.network), str(node.queue))
        )
    if rest := nodes[_MOST:]:
        threads, rate = sum(node.threads for node in rest), sum(node.games_per_second for node in rest)
        table.add_row(f"{len(rest)} more", str(threads), f"{rate:.2f}", "", "", str(sum(node.queue for node in rest)))
    return table
