"""The games behind a book: a level against itself, from named and balanced openings and from the empty board.

A file says how it was made; each further line is a game: who won, and its first moves.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tengen import disk, renju
from tengen.arena import GameSetup
from tengen.arena.openings import read_openings
from tengen.board import Board, Color, Move
from tengen.errors import InputError
from tengen.thinking.levels import Turn, find_level

SIZE = 15
#: Moves of a game that a book knows.
PLIES = 12
LEVEL = 7
#: The openings without a name, a file for each rule. Matches may get others; the games of the book began with these.
_EVEN = Path(__file__).with_name("shipped")
_LINE = re.compile(r"([bwd]) ((?:[a-o]\d+)+)")
_POINT = re.compile(r"[a-o]\d+")
_WINNERS: dict[str, Color | None] = {"b": Color.BLACK, "w": Color.WHITE, "d": None}


@dataclass(frozen=True)
class PlayedGame:
    """The beginning and the end of a game."""

    moves: tuple[Move, ...]
    winner: Color | None

    def text(self) -> str:
        """The line of a file."""
        letter = next(letter for letter, winner in _WINNERS.items() if winner == self.winner)
        return f"{letter} {''.join(move.text(SIZE) for move in self.moves)}"

    @classmethod
    def parse(cls, line: str) -> PlayedGame:
        """Reads the line of a file; InputError if it is none."""
        if (match := _LINE.fullmatch(line)) is None:
            raise InputError(f"this is not a game of a book: {line[:60]}")
        return cls(tuple(Move.parse(point, SIZE) for point in _POINT.findall(match[2])), _WINNERS[match[1]])


def read(path: Path) -> list[PlayedGame]:
    """The games of a file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [PlayedGame.parse(line) for line in lines if line and not line.startswith("#")]


@functools.cache
def balanced(rule: str) -> tuple[Sequence[Move], ...]:
    """The openings without a name that games begin with."""
    file = _EVEN / f"even-{rule}.txt"
    return tuple(read_openings(file, GameSetup(rule=rule))) if file.exists() else ()


def start(rule: str, number: int) -> Sequence[Move]:
    """What the game of that number begins with: of four, two with a named opening, one with a balanced one."""
    turn, kind = divmod(number, 4)
    if kind < 2:
        named = list(renju.openings.values())
        return named[(2 * turn + kind) % len(named)].moves_on(SIZE)
    even = balanced(rule) if kind == 2 else ()
    return even[turn % len(even)] if even else ()


def play(rule: str, number: int) -> PlayedGame:
    """The game of that number: the same every time, as long as level and network are the same."""
    board = Board.from_moves(start(rule, number), size=SIZE, rule=rule)
    level = find_level(LEVEL)
    while (outcome := board.outcome()) is None:
        turn = Turn(level, board, number)
        move = turn.move()
        if board.ply >= PLIES and turn.analysis.proof == "win":  # the end is known
            return PlayedGame(tuple(board.moves[:PLIES]), board.turn)
        board.push(move)
    return PlayedGame(tuple(board.moves[:PLIES]), outcome.winner)


class GamesFile:
    """A file of games that grows. Key method: `grow`."""

    def __init__(self, path: Path, rule: str) -> None:
        """Opens a file, or begins one.

        Args:
            path: Of the file.
            rule: Of its games.
        """
        self._path = path
        self._rule = rule
        if not path.exists():
            head = (
                f"# Games: {rule} on {SIZE}x{SIZE}, level {LEVEL} against itself. Who won (b, w, d), {PLIES} moves.\n"
                f"# Made by: tengen openings book --rule {rule}\n"
            )
            disk.write_atomically(path, head.encode())
        self.games = len(read(path))

    def grow(self, wanted: int) -> Iterator[PlayedGame]:
        """Plays until there are so many; each game is in the file when it is given."""
        while self.games < wanted:
            game = play(self._rule, self.games)
            with self._path.open("a", encoding="utf-8") as file:
                file.write(f"{game.text()}\n")
            self.games += 1
            yield game
