"""Tengen (天元): a Gomoku AI that learns from zero on an ordinary computer."""

from importlib.metadata import version

from tengen.board import Board, Color, Move, Outcome, Shape
from tengen.errors import GameOverError, IllegalMoveError, InputError, NotationError, SetupError, TengenError

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
]
