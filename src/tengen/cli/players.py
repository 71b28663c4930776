"""`tengen players`: what can be written where a command asks for a player."""

from __future__ import annotations

from tengen.players import describe


def players() -> None:
    """List the kinds of players and their keys, for `tengen match` and `tengen play`."""
    print(describe())
