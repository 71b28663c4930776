"""Networks of one's own: those that training runs have saved, by names that the server gives them."""

from __future__ import annotations

from pathlib import Path

from tengen import core
from tengen.board import RULES, Board
from tengen.errors import InputError, ModelFileError
from tengen.nets.files import ModelInfo, read_info
from tengen.nets.loading import load_evaluator
from tengen.web import limits, messages


class Networks:
    """The networks of all runs. A name that a page sends is only ever compared with the names that are there."""

    def __init__(self, runs: Path | None) -> None:
        """Looks at a folder.

        Args:
            runs: Folder of all runs; None if there are none.
        """
        self._runs = runs

    def known(self) -> list[messages.NetworkInfo]:
        """Every network that plays Gomoku, the newest first."""
        found = []
        for name, path in self._files().items():
            try:
                info = read_info(path)
            except ModelFileError:
                continue  # half-written, or of another version
            if set(info.rules) & set(RULES):
                found.append(messages.NetworkInfo(name=name, games=info.games, rules=info.rules, sizes=info.sizes))
        return found[: limits.MAX_NETWORKS]

    def evaluator(self, name: str, board: Board) -> core.Evaluator:
        """The network of that name for a board; InputError if there is none, or it does not play on it."""
        if (path := self._files().get(name)) is None:
            raise InputError(f'there is no network "{name}"')
        info = read_info(path)
        if not _plays_on(info, board):
            sizes = ", ".join(map(str, info.sizes))
            raise InputError(f'"{name}" learned {", ".join(info.rules)} on boards of size {sizes}')
        evaluator: core.Evaluator = load_evaluator(path)
        return evaluator

    def _files(self) -> dict[str, Path]:
        if self._runs is None:
            return {}
        paths = sorted(self._runs.glob("*/networks/*.safetensors"), key=_written, reverse=True)
        return {f"{path.parent.parent.name}/{path.stem}": path for path in paths}


def _plays_on(info: ModelInfo, board: Board) -> bool:
    """A line network plays on every board; another one on the boards that it learned."""
    return info.architecture == "line" or max(board.width, board.height) in info.sizes


def _written(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:  # gone meanwhile
        return 0.0
