"""`tengen play`: a game against the computer or between two people."""

from __future__ import annotations

import random

from rich.console import Console

from tengen.board import Board, Color
from tengen.errors import InputError, SetupError
from tengen.terminal import describe, draw

HELP = "a point like h8, or: undo, restart, quit"


def play(
    *,
    size: int = 15,
    rule: str = "freestyle",
    opponent: str = "random",
    color: str = "black",
    terminal: bool = True,
) -> None:
    """Play a game.

    Args:
        size: Points on each side.
        rule: freestyle, standard, renju or caro.
        opponent: random, or none for two people at one board.
        color: Your colour, black or white.
        terminal: Play in the terminal.
    """
    if color not in ("black", "white"):
        raise SetupError(f'your colour must be black or white, not "{color}"')
    if opponent not in ("random", "none"):
        raise SetupError(f'there is no opponent "{opponent}"; choose random or none')
    console = Console(highlight=False)
    board = Board(size=size, rule=rule)
    human = Color.BLACK if color == "black" else Color.WHITE
    while True:
        console.print(draw(board))
        console.print(describe(board))
        if board.is_over:
            return
        if opponent == "random" and board.turn != human:
            board.push(random.choice(board.legal_moves))
        elif not _ask(console, board, take_back=2 if opponent == "random" else 1):
            return


def _ask(console: Console, board: Board, take_back: int) -> bool:
    """Lets the person make a move or give a command; False ends the game."""
    while True:
        answer = console.input(f"{board.turn} ({HELP}): ").strip().lower()
        if answer in ("quit", "q", "exit"):
            return False
        try:
            if answer == "undo":
                for _ in range(min(take_back, board.ply)):
                    board.pop()
            elif answer == "restart":
                while board.ply:
                    board.pop()
            else:
                board.push(answer)
        except InputError as error:
            console.print(f"[red]{error}[/]")
            continue
        return True
