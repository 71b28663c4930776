"""Tengen (天元): a Gomoku AI that learns from zero on an ordinary computer."""

from __future__ import annotations

import importlib
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from tengen.board import Board, Color, Move, Outcome, Shape
from tengen.errors import GameOverError, IllegalMoveError, InputError, NotationError, SetupError, TengenError

if TYPE_CHECKING:
    from tengen import players, records, threats
    from tengen.thinking.thought import analyse

__version__ = version("tengen")

__all__ = [
    "Board",
    "Color",
    "GameOverError",
    "IllegalMoveError",
    "InputError",
    "Move",
    "NotationError",
    "Outcome",
    "SetupError",
    "Shape",
    "TengenError",
    "analyse",
    "players",
    "records",
    "threats",
]

#: Names that are imported when they are first used, so that a board alone is there at once.
_LATER = {"analyse": "tengen.thinking.thought", "players": "", "records": "", "threats": ""}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'tengen' has no attribute '{name}'")
    module = importlib.import_module(_LATER[name] or f"tengen.{name}")
    return getattr(module, name) if _LATER[name] else module


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER})
