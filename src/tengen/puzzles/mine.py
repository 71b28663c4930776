"""Mining: games of a level against itself, and the positions in them that make a puzzle."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import count
from pathlib import Path

from tengen.board import Board, Move
from tengen.puzzles.judge import PATIENT, Effort, Judge, after, first_impression
from tengen.puzzles.puzzle import SIZE, Goal, Puzzle, rate, read, write
from tengen.thinking.levels import Turn, find_level

#: The levels that play: strong enough for real positions, weak enough to let the enemy have something.
LEVELS = (5, 6)
_LONGEST_GAME = 70
_MIDDLE = range(5, 10)  # where the first stones go
_FIRST_STONES = 3
#: Plies of a winning line: with fewer there is nothing to look for, with more it is no fun.
_SHORTEST, _LONGEST = 3, 17
#: How hard the solvers look at every position of a game; those that may be puzzles get a whole judge each.
_GLANCE = Effort(vcf_nodes=5000, vct_nodes=5000)
#: All puzzles from this rating on are kept, half of them if they are easier by so much, and so on.
_PLENTY, _HALVED_EVERY = 1250, 150


def play_game(rule: str, number: int) -> Board:
    """The end of a game; the same number gives the same game."""
    chance = random.Random(f"{rule}/{number}")
    board = Board(size=SIZE, rule=rule)
    while board.ply < _FIRST_STONES:
        point = Move(chance.choice(_MIDDLE), chance.choice(_MIDDLE))
        if board.is_legal(point):
            board.push(point)
    level = find_level(chance.choice(LEVELS))
    while not board.is_over and board.ply < _LONGEST_GAME:
        board.push(Turn(level, board, number).move())
    return board


class _Taste:
    """What is kept of the puzzles at one position: easy ones are plenty, so only few of them, that all grades fill."""

    def __init__(self, board: Board, chance: random.Random) -> None:
        self._board = board
        self._easiest = _PLENTY + _HALVED_EVERY * math.log2(1 - chance.random())

    @cached_property
    def _priors(self) -> dict[Move, float]:
        return first_impression(self._board)

    def likes(self, goal: Goal, move: Move, length: int = 1) -> bool:
        """Whether a puzzle with that solution is kept."""
        return rate(goal, self._priors.get(move, 0.0), length) >= self._easiest

    def puzzle(self, goal: Goal, line: Sequence[Move]) -> Puzzle:
        """The puzzle."""
        board = self._board
        moves, solution = (tuple(board.text(move) for move in each) for each in (board.moves, line))
        return Puzzle(board.rule, goal, round(self._priors.get(line[0], 0.0), 4), moves, solution)


def puzzles_of(final: Board, chance: random.Random) -> Iterator[Puzzle]:
    """The puzzles of a game: on the way of a win when it begins, and where a single move holds."""
    winning = dict.fromkeys((0, 1), False)
    board = Board(size=SIZE, rule=final.rule)
    for move in final.moves:
        side = board.ply % 2
        line = Judge(_GLANCE).win(board) if board.ply > _FIRST_STONES else ()
        if line and not winning[side]:
            yield from _on_the_way(board, line, chance)
        elif not line and board.ply > _FIRST_STONES:
            taste = _Taste(board, chance)
            if defence := Judge().only_defence(board, partial(taste.likes, "save")):
                yield taste.puzzle("save", defence)
        winning[side] = bool(line)
        board = after(board, move)


def _on_the_way(board: Board, line: Sequence[Move], chance: random.Random) -> Iterator[Puzzle]:
    """The first and the last position of a winning line from which one move wins."""
    found: list[Puzzle] = []
    for ply in range(0, len(line) - _SHORTEST + 1, 2):
        taste = _Taste(board, chance)
        fits = len(line) - ply <= _LONGEST and taste.likes("win", line[ply], (len(line) - ply + 1) // 2)
        if fits and (rest := Judge().only_win(board)) and _SHORTEST <= len(rest) <= _LONGEST:
            found.append(taste.puzzle("win", rest))
        board = after(after(board, line[ply]), line[ply + 1])
    yield from (found[0], found[-1]) if len(found) > 2 else found


class PuzzleFile:
    """A file of puzzles that grows. Key method: `grow`."""

    def __init__(self, path: Path, rule: str) -> None:
        """Opens a file, or begins one.

        Args:
            path: Of the file.
            rule: Of its puzzles.
        """
        self._path = path
        self._rule = rule
        self.made: list[Puzzle] = read(path, rule) if path.exists() else []
        self._seen = {puzzle.key for puzzle in self.made}

    def grow(self, wanted: int) -> Iterator[Puzzle]:
        """Looks through games until there are so many; each puzzle is in the file when it is given.

        It can be stopped at any moment and goes on with the game after the last one that gave a puzzle.
        """
        if not self._path.exists():
            write(self._path, self._rule, ())
        for number in count(1 + max((puzzle.source for puzzle in self.made), default=0)):
            if len(self.made) >= wanted:
                return
            for found in puzzles_of(play_game(self._rule, number), random.Random(number)):
                if found.key in self._seen or not Judge(PATIENT).confirms(found):
                    continue
                puzzle = replace(found, source=number)
                self._seen.add(found.key)
                self.made.append(puzzle)
                with self._path.open("a", encoding="utf-8") as file:
                    file.write(f"{puzzle.text()}\n")
                yield puzzle
