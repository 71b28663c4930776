"""The engine on the standard streams; all of it is in the core (cpp/protocol), but the levels are Python's."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from dataclasses import replace

from tengen import core
from tengen.board import Board, Color
from tengen.thinking.evaluators import default_evaluator
from tengen.thinking.levels import Level, find_level

#: How often a level looks whether its move is wanted now.
_LOOK_SECONDS = 0.02
#: So long after the deadline its move is what is known, on a machine that is too busy to end the search.
_PATIENCE_SECONDS = 0.004

Choose = Callable[[core.Board, float, Callable[[], bool]], int]


def level_moves(level: Level, seed: int) -> Choose:
    """The moves of a level of the web board, as the core's engine asks for them.

    Args:
        level: The level.
        seed: Of its chance: the same position, level and seed give the same move, wherever it is asked.
    """

    def choose(position: core.Board, seconds: float, is_stopped: Callable[[], bool]) -> int:
        board = to_board(position)
        turn = replace(level, seconds=min(level.seconds, seconds)).turn(board, seed)
        while turn.thinking.ended is None:
            turn.thinking.step(_LOOK_SECONDS, _PATIENCE_SECONDS)
            if is_stopped():
                turn.thinking.stop()
        move = turn.move()
        return move.y * board.width + move.x

    return choose


def to_board(position: core.Board) -> Board:
    """The core's position as the checked board."""
    board = Board(width=position.width, height=position.height, rule=position.rule.name)
    for cell, color in zip(position.moves, position.colors, strict=True):
        board._place(board._move(cell), Color(color))
    board._core.turn = position.turn
    return board


def run(level: int | None = None, seed: int | None = None) -> None:
    """Serves the standard streams.

    Args:
        level: Plays at this level of the web board; None plays as well as the manager's limits allow.
        seed: Of the level's chance and of opening stones; None plays differently every time.
    """
    if seed is None:
        seed = random.getrandbits(53)
    choose = None if level is None else level_moves(find_level(level), seed)
    # The protocol has the real streams to itself: whatever else is printed must not look like an answer.
    source, target = os.dup(0), os.dup(1)
    os.dup2(2, 1)
    if not core.serve_engine(source, target, lambda rule, side: default_evaluator(rule.name, side), seed, choose):
        os._exit(0)  # a thread that reads cannot be ended
