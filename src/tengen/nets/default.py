"""The networks that come with the package, found by what their files say about themselves."""

from __future__ import annotations

from pathlib import Path

from tengen.errors import NoNetworkError
from tengen.nets.files import ModelInfo, read_info

SHIPPED = Path(__file__).with_name("shipped")

#: Architectures that play on boards of any size, whatever sizes they were trained on.
_ANY_SIZE = ("line",)


def find(rule: str, size: int, folder: Path = SHIPPED) -> Path:
    """The best network for a rule and a board size.

    It must have been trained for the rule. One that was trained for the size comes first, then those that play on any
    size, nearest size first; among equals the one that has seen most games.

    Args:
        rule: "freestyle", "standard", "renju" or "caro".
        size: Points on the longer side of the board.
        folder: Where to look for model files.

    Raises:
        NoNetworkError: There is none.
        ModelFileError: A file is damaged.
    """
    known = {path: read_info(path) for path in sorted(folder.glob("*.safetensors"))}
    ranks = {path: rank for path, info in known.items() if (rank := _rank(info, rule, size)) is not None}
    if not ranks:
        raise NoNetworkError(f"there is no network for {rule} on {size}x{size}; {_list(known)}")
    return min(ranks, key=lambda path: ranks[path])


def _rank(info: ModelInfo, rule: str, size: int) -> tuple[int, int] | None:
    """What orders the networks that can be used, best first: distance in size, then games."""
    if rule not in info.rules or not info.sizes:
        return None
    distance = min(abs(size - trained) for trained in info.sizes)
    if distance > 0 and info.architecture not in _ANY_SIZE:
        return None
    return distance, -info.games


def _list(known: dict[Path, ModelInfo]) -> str:
    if not known:
        return "this package comes without networks, so name a model file or train one with: tengen train"
    entries = [
        f"{path.name} ({', '.join(info.rules)} on {', '.join(f'{size}x{size}' for size in info.sizes)})"
        for path, info in known.items()
    ]
    return "there are: " + "; ".join(entries)
