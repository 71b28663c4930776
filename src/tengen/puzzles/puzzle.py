"""A puzzle, its rating, and the files in which puzzles are shipped."""

from __future__ import annotations

import functools
import hashlib
import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from tengen import disk
from tengen.board import Board
from tengen.errors import InputError
from tengen.theory.symmetry import Key, key, stones_of

SHIPPED = Path(__file__).with_name("shipped")
SIZE = 15
RULES = ("freestyle", "standard", "renju")

Goal: TypeAlias = Literal["win", "save"]

_LINE = re.compile(r"(win|save) ([01]\.\d+) ((?:[a-o]\d+)+) ((?:[a-o]\d+)+)(?: #(\d+))?")
_POINT = re.compile(r"[a-o]\d+")


@dataclass(frozen=True)
class Puzzle:
    """A position in which one move wins, or one move saves.

    Attributes:
        rule: Of the game.
        goal: What the side to move has to do.
        prior: Share that the network's first impression gives the solution, 0 to 1.
        moves: That led to the position.
        line: The solution: the only move, and how it goes on. To win, up to the five.
        source: Number of the game that it was found in, 0 if nobody knows.
    """

    rule: str
    goal: Goal
    prior: float
    moves: tuple[str, ...]
    line: tuple[str, ...]
    source: int = 0

    @property
    def name(self) -> str:
        """A short name that stays the same whatever else is in the file."""
        return hashlib.sha256(f"{self.rule} {' '.join(self.moves)}".encode()).hexdigest()[:10]

    @property
    def length(self) -> int:
        """Moves that the solver has to find, those of the other side not counted."""
        return (len(self.line) + 1) // 2

    @property
    def rating(self) -> int:
        """How hard it is: by its length, and by how rarely the first impression finds it. 1500 is middling."""
        return rate(self.goal, self.prior, self.length)

    @property
    def key(self) -> Key:
        """The same for every mirror image of the position, by whatever order of moves."""
        return key(stones_of(self.board().moves, SIZE), SIZE)

    def board(self) -> Board:
        """The position."""
        return Board.from_moves(self.moves, size=SIZE, rule=self.rule)

    def text(self) -> str:
        """The line of a file."""
        source = f" #{self.source}" if self.source else ""
        return f"{self.goal} {self.prior:.4f} {''.join(self.moves)} {''.join(self.line)}{source}"

    @classmethod
    def parse(cls, text: str, rule: str) -> Puzzle:
        """Reads the line of a file; InputError if it is none."""
        if (match := _LINE.fullmatch(text.strip())) is None:
            raise InputError(f"this is not a puzzle: {text.strip()[:60]}")
        goal, prior, moves, line, source = match.groups()
        stones, solution = (tuple(_POINT.findall(points)) for points in (moves, line))
        return cls(rule, goal, float(prior), stones, solution, int(source or 0))  # type: ignore[arg-type]


def rate(goal: Goal, prior: float, length: int) -> int:
    """The rating of a puzzle with such a solution."""
    surprise = -math.log2(max(prior, 2**-10))
    depth = 55 * (length - 2) if goal == "win" else 150
    return round(min(2600.0, 850 + depth + 130 * surprise))


def read(path: Path, rule: str) -> list[Puzzle]:
    """The puzzles of a file; lines that begin with # say how they were made."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [Puzzle.parse(line, rule) for line in lines if line and not line.startswith("#")]


def write(path: Path, rule: str, puzzles: Iterable[Puzzle]) -> None:
    """Writes a file of puzzles."""
    lines = (
        f"# Puzzles: {rule} on {SIZE}x{SIZE}. Goal, share of the first impression, position, solution, game.",
        f"# Made by: tengen puzzles make --rule {rule}",
        *(puzzle.text() for puzzle in puzzles),
    )
    disk.write_atomically(path, "".join(f"{line}\n" for line in lines).encode())


@functools.cache
def shipped(rule: str) -> dict[str, Puzzle]:
    """The puzzles that come with the package, by their names, the easiest first."""
    path = SHIPPED / f"{rule}.txt"
    found = read(path, rule) if path.exists() else []
    return {puzzle.name: puzzle for puzzle in sorted(found, key=lambda puzzle: puzzle.rating)}
