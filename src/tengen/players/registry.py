"""The one list of all kinds of players."""

from __future__ import annotations

from collections.abc import Mapping

from tengen.players import classical, engine, network, simple
from tengen.players.parameters import keys_of
from tengen.players.player import Player
from tengen.players.spec import Kind, read_spec

_FAMILIES = (network, classical, simple, engine)

KINDS: Mapping[str, Kind] = {kind.name: kind for family in _FAMILIES for kind in family.KINDS}
"""Every kind of player by name."""


def create(spec: str, seed: int | None = None) -> Player:
    """Makes a player.

    >>> create("random", seed=1).name
    'random'

    Args:
        spec: What to make, as `spec` describes: "random", "mcts:playouts=1000", ...
        seed: The same seed gives the same moves, for players with one thread and no time limit.

    Raises:
        SetupError: There is no such kind or key, a value is not allowed, or a file is missing.
    """
    kind, parameters = read_spec(spec, KINDS)
    return kind.build(parameters, spec.strip(), seed)


def check(spec: str) -> str:
    """The spec without blanks around it, if it is one; SetupError says what is wrong with it."""
    read_spec(spec, KINDS)
    return spec.strip()


def describe() -> str:
    """All kinds with their keys, as text for people."""
    lines = []
    for kind in KINDS.values():
        lines.append(f"{kind.name}: {kind.summary}")
        for key in keys_of(kind.parameters).values():
            start = key.name.upper() if key.verbatim else f"{key.name}="
            lines.append(f"    {start:10} {key.help} {key.allowed.capitalize()}; default: {key.default_text}.")
    return "\n".join(lines)
