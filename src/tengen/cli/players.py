"""`tengen players`: what can be written where a command asks for a player."""

from __future__ import annotations

from tengen.players import describe


def players(kind: str | None = None, /) -> None:
    """List the kinds of players, for `tengen match` and `tengen play`.

    Args:
        kind: Explain the keys of this one, such as alphabeta.
    """
    print(describe(kind))
