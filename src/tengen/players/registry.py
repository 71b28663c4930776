"""The one list of all kinds of players."""

from __future__ import annotations

import functools
import re
import textwrap
from collections.abc import Mapping
from types import MappingProxyType

from tengen.errors import SetupError
from tengen.parameters import Parameters, plain_type
from tengen.players import build, classical, dqn, engine, levels, network, simple, weakest
from tengen.players.player import Player
from tengen.players.spec import Kind, find_key, find_kind, insert_keys, keys_of, read_spec

_INDENT = " " * 13
_FAMILIES = (network, levels, classical, dqn, simple, weakest, engine, build)

_kinds = {kind.name: kind for family in _FAMILIES for kind in family.KINDS}
KINDS: Mapping[str, Kind] = MappingProxyType(_kinds)
"""Every kind of player by name."""


def register(kind: Kind) -> None:
    """Makes a kind of player of your own known: from now on its specs work wherever a spec does in this process.

    Raises:
        SetupError: The name is taken, or no word that a spec can begin with.
    """
    if kind.name in _kinds:
        raise SetupError(f'there is a kind of player "{kind.name}" already; choose another name')
    if not re.fullmatch(r"[a-z][a-z0-9-]*", kind.name):
        raise SetupError(f'"{kind.name}" cannot name a kind of player; use small letters, digits and hyphens')
    _kinds[kind.name] = kind


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
    kind, parameters = _read(spec)
    return kind.build(parameters, spec.strip(), seed)


def check(spec: str) -> str:
    """The spec without blanks around it, if it is one; SetupError says what is wrong with it."""
    _read(spec)
    return spec.strip()


def with_keys(spec: str, values: Mapping[str, object]) -> str:
    """The spec with more keys, which it must not have yet; SetupError if they are none of that player's.

    >>> with_keys("tengen:c_puct=2", {"time": 0.02})
    'tengen:time=0.02,c_puct=2'
    """
    return check(insert_keys(spec, values, KINDS))


def is_whole(spec: str, key: str) -> bool:
    """Whether a key of that player is a whole number; SetupError if it is none, or no number."""
    kind = plain_type(find_key(spec, key, KINDS).field.annotation)
    if kind not in (int, float):
        raise SetupError(f'player "{spec}": {key} is no number')
    return kind is int


def fingerprint(spec: str, rule: str, size: int) -> str | None:
    """The checksum of the network that a player uses by a rule on a size; None without one."""
    kind, parameters = _read(spec)
    return kind.fingerprint(parameters, rule, size)


@functools.lru_cache(maxsize=1000)
def _read(spec: str) -> tuple[Kind, Parameters]:
    """What a spec says; read once, however often a match asks."""
    return read_spec(spec, KINDS)


def describe(name: str | None = None) -> str:
    """All kinds of players with their keys, or one kind with what its keys mean, as text for people."""
    if name is not None:
        return _describe_keys(find_kind(name, KINDS))
    lines = []
    for kind in KINDS.values():
        lines.append(f"{kind.name:12} {kind.summary}")
        if keys := keys_of(kind.parameters):
            names = (key.name.upper() if key.spec.verbatim else key.name for key in keys.values())
            lines += textwrap.wrap(", ".join(names), 100, initial_indent=_INDENT, subsequent_indent=_INDENT)
    return "\n".join(lines)


def _describe_keys(kind: Kind) -> str:
    lines = [f"{kind.name}: {kind.summary}"]
    for key in keys_of(kind.parameters).values():
        lines.append(key.name.upper() if key.spec.verbatim else f"{key.name}={key.default}")
        lines += textwrap.wrap(key.help, 100, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False)
    return "\n".join(lines)
