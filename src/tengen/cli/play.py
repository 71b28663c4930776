"""`tengen play`: a game against a player or between two people."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Annotated, Literal

import cyclopts
from rich.console import Console
from rich.markup import escape

from tengen import players
from tengen.arena import GameSetup
from tengen.board import Color, ColorName, Move, RuleName
from tengen.errors import InputError, SetupError
from tengen.games import GOMOKU, AnyBoard
from tengen.parameters import Side, Threads
from tengen.players import Player
from tengen.terminal import describe, draw

HELP = """\
h8       put a stone there: the column's letter, the row's number (Connect Four: the column's number)
undo     take your last move back
hint     ask the opponent what it would play in your place
resign   give the game up
restart  begin again
quit     leave"""


app = cyclopts.App(name="play", help="Play on the web board, or in the terminal: `tengen play terminal`.")


@app.default
def web_board(
    *others: Annotated[str, cyclopts.Parameter(show=False, allow_leading_hyphen=True)],
    host: str = "127.0.0.1",
    name: list[str] | None = None,
    port: int | None = None,
    threads: Threads | None = None,
    browser: bool = True,
    runs: Path = Path("runs"),
    analysis_threads: Threads | None = None,
    library: Path | None = None,
) -> None:
    """Open the web board in the browser.

    Everything about the game is chosen on the page. `tengen play terminal` plays in the terminal.

    Args:
        others: What belongs to the terminal.
        host: Address to listen on. Any other than 127.0.0.1 lets other computers in; 0.0.0.0 is all of them.
        name: A name by which browsers reach the web board, besides its addresses and this computer's own; may be
            given several times.
        port: Port to listen on; the first free one from 8550 if not given.
        threads: Threads of all searches together; all cores if not given.
        browser: Open the browser.
        runs: Folder of the training runs to show.
        analysis_threads: Threads of each analysis; half the cores if not given.
        library: File in which finished games are kept; one of your own, for all boards that you open, if not given.
    """
    if others:
        raise SetupError(
            f"the web board has no {others[0]}: all of this is chosen on the page; "
            "`tengen play terminal` takes options for a game in the terminal"
        )
    from tengen.library import default_path
    from tengen.web.server import serve  # only here: the terminal needs no web server

    serve(host, port, threads, browser, runs, analysis_threads, name or (), library or default_path())


@app.command(name="--terminal", show=False)  # what it was called before
@app.command(name="terminal")
def terminal(
    *,
    game: str = GOMOKU,
    size: Side = 15,
    rule: RuleName = "freestyle",
    opponent: str | None = None,
    color: Literal[ColorName, "random"] = "black",
    seed: int | None = None,
) -> None:
    """Play in the terminal.

    Args:
        game: gomoku, connect4, othello6, othello8, tictactoe or mnk:WxHxK.
        size: Points on each side.
        rule: The rule of the game.
        opponent: A player, like alphabeta:depth=4 (`tengen players` lists them), or none for two people at one board;
            level:5 if not given, and mcts:playouts=2000 in other games.
        color: Your colour.
        seed: Random seed for the opponent's moves and for a random colour.
    """
    colors = {"black": Color.BLACK, "white": Color.WHITE, "random": random.Random(seed).choice(tuple(Color))}
    board = GameSetup(size=size, rule=rule, game=game).any_board()
    opponent = opponent or ("level:5" if game == GOMOKU else "mcts:playouts=2000")
    if opponent.strip() == "none":
        TerminalGame(board, None, Color.BLACK).run()
        return
    with players.create(opponent, seed) as player:
        player.check_plays(board)
        TerminalGame(board, player, colors[color]).run()


class TerminalGame:
    """A game at the terminal. Key method: `run`."""

    def __init__(self, board: AnyBoard, opponent: Player | None, human: Color) -> None:
        """Prepares a game.

        Args:
            board: Where the game starts.
            opponent: Who plays the other colour, or None if people play both.
            human: The person's colour, where there is an opponent.
        """
        self._board = board
        self._opponent = opponent
        self._human = human
        self._console = Console(highlight=False)
        self._over = False

    def run(self) -> None:
        """Plays until the game ends or the person leaves."""
        moves = self._board.legal_moves
        example = self._board.text(moves[len(moves) // 2])
        self._console.print(f"Type a move like {example}, or help.")
        while not self._over:
            self._show()
            if self._board.is_over:
                return
            if self._opponent is not None and self._board.turn != self._human:
                self._let_opponent_move(self._opponent)
            else:
                self._ask()

    def _show(self) -> None:
        self._console.print(draw(self._board))
        self._console.print(describe(self._board))

    def _ask(self) -> None:
        """Reads commands until one of them changes the board or ends the game."""
        commands = {"undo": self._undo, "restart": self._restart, "resign": self._resign, "quit": self._quit}
        while True:
            answer = self._console.input(f"{self._board.turn}: ").strip().lower()
            try:
                if answer == "help":
                    self._console.print(HELP)
                elif answer == "hint":
                    self._hint()
                elif answer in commands:
                    commands[answer]()
                    return
                elif answer:
                    self._board.push(answer)
                    return
            except InputError as error:
                self._console.print(f"[red]{escape(str(error))}[/]; type help for the commands")

    def _let_opponent_move(self, opponent: Player) -> None:
        move = self._think(opponent)
        thoughts = opponent.thoughts.text(self._board) if opponent.thoughts else ""
        line = f"{opponent.name} plays {self._board.text(move)}"
        self._console.print(f"{line}: {thoughts}" if thoughts else line, markup=False)
        self._board.push(move)

    def _think(self, player: Player) -> Move:
        with self._console.status(f"{escape(player.name)} thinks"):
            return player.choose(self._board.copy())

    # -- commands

    def _hint(self) -> None:
        if self._opponent is None:
            raise InputError("there is nobody to ask: start with --opponent")
        move = self._think(self._opponent)
        thoughts = self._opponent.thoughts.text(self._board) if self._opponent.thoughts else ""
        self._console.print(f"hint: {self._board.text(move)}" + (f" ({thoughts})" if thoughts else ""), markup=False)

    def _undo(self) -> None:
        """Back to the last time that the person was to move."""
        moves = 1 if self._opponent is None else 2
        if self._board.ply < moves:
            raise InputError("there is no move of yours to take back")
        for _ in range(moves):
            self._board.pop()

    def _restart(self) -> None:
        while self._board.ply:
            self._board.pop()
        if self._opponent is not None:
            self._opponent.new_game()

    def _resign(self) -> None:
        self._console.print(f"{self._board.turn} resigns: {self._board.turn.other} wins")
        self._over = True

    def _quit(self) -> None:
        self._over = True
