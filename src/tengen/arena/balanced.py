"""Balanced openings: stones drawn at random, kept where a tree search finds neither side ahead.

They are made once (`tengen openings make`), shipped as text files, and used by matches where there are any for the rule
and the size. A file says how it was made; each line is an opening with the value that the search found for the side to
move.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tengen import disk
from tengen.arena.game import GameSetup
from tengen.arena.openings import Opening, canonical, draw, is_quiet, random_openings, read_openings
from tengen.board import Board
from tengen.errors import SetupError
from tengen.games import GOMOKU
from tengen.search import Mcts, SearchParams
from tengen.thinking.evaluators import best_evaluator

SHIPPED = Path(__file__).with_name("shipped")

#: Short searches first (playouts and tolerance): most draws are not worth a long one.
_GLANCES = ((200, 0.25), (5000, 0.15))
_STONES = (3, 4, 5, 6, 7)
_PATIENCE = 3000  # draws without a new opening after which there are no more
_ENOUGH = 500  # openings of a match where fewer are shipped; 60 are drawn in a second
_MEMORY = 256 << 20
_DRAW = re.compile(r", draw (\d+)$")  # at the end of an opening's line


@dataclass(frozen=True)
class BalancedOpening:
    """An opening and what a search thinks of it.

    Attributes:
        moves: The stones, black's first.
        value: For the side to move, from -1 to 1.
        draw: Number of the draw that it came from, by which the work goes on after a stop.
    """

    moves: Opening
    value: float
    draw: int


@dataclass(frozen=True)
class Recipe:
    """How balanced openings are made.

    Attributes:
        setup: Board and rule.
        playouts: Playouts of the search that decides.
        tolerance: The largest distance of its value from 0.
        seed: The same seed gives the same openings, as long as the network is the same.
    """

    setup: GameSetup
    playouts: int = 30_000
    tolerance: float = 0.08
    seed: int = 1

    def __post_init__(self) -> None:
        if self.playouts < 1:
            raise SetupError(f"the number of playouts must be at least 1, not {self.playouts}")
        if not 0 < self.tolerance <= 1:
            raise SetupError(f"the tolerance must be above 0 and at most 1, not {self.tolerance:g}")


def make(recipe: Recipe, count: int, last: int = 0) -> Iterator[BalancedOpening]:
    """Makes balanced openings, no two the same after a rotation or reflection.

    Args:
        recipe: How.
        count: How many.
        last: The draw of the last opening that is known; only those after it are judged and made.

    Raises:
        SetupError: There are not so many.
    """
    generator = random.Random(recipe.seed)
    setup = recipe.setup
    glances = [
        (_searcher(setup, playouts), max(tolerance, recipe.tolerance))
        for playouts, tolerance in _GLANCES
        if playouts < recipe.playouts
    ]
    look = _searcher(setup, recipe.playouts)
    seen: set[tuple[object, ...]] = set()
    known, found = last, 0
    for number in itertools.count(1):
        if found == count:
            return
        if number - last > _PATIENCE:
            raise SetupError(f"found only {found} balanced openings for {setup.rule} on {setup.size}x{setup.size}")
        board = draw(setup, generator, _STONES)
        if board is None or not is_quiet(board) or (key := canonical(board)) in seen:
            continue
        seen.add(key)
        if number <= known or any(abs(glance(board)) > tolerance for glance, tolerance in glances):
            continue
        if abs(value := look(board)) > recipe.tolerance:
            continue
        yield BalancedOpening(tuple(board.moves), value, number)
        found, last = found + 1, number


def _searcher(setup: GameSetup, playouts: int) -> Callable[[Board], float]:
    """The value of a position, the same every time: each search begins with an empty tree."""
    evaluator = best_evaluator(setup.board())

    def value(board: Board) -> float:
        return Mcts(evaluator, SearchParams(memory=_MEMORY)).search(board, playouts=playouts, best=1).value

    return value


class OpeningsFile:
    """A file of balanced openings that is being made. Key method: `lines`.

    Until it is whole it lies beside its place as NAME.partial, from which the same recipe goes on.
    """

    def __init__(self, path: Path, recipe: Recipe, count: int, judge: str) -> None:
        """Finds what was made before.

        Args:
            path: The file.
            recipe: How the openings are made.
            count: How many.
            judge: What evaluates the positions, in words.

        Raises:
            SetupError: The file cannot be written, or another recipe has begun it.
        """
        disk.check_output(path)
        self._path = path
        self._partial = path.with_name(f"{path.name}.partial")
        self._recipe = recipe
        self._count = count
        self._head = list(_head(recipe, count, judge))
        self.made = self._read()

    def _read(self) -> list[str]:
        """The openings of the partial file; a line that was cut off is dropped."""
        if not self._partial.exists():
            return []
        text = self._partial.read_bytes().decode("utf-8", "replace")
        lines = text[: text.rfind("\n") + 1].splitlines()
        head, openings = lines[: len(self._head)], lines[len(self._head) :]
        if head != self._head[: len(head)] or not all(_DRAW.search(line) for line in openings):
            raise SetupError(f'"{self._partial}" was begun in another way; delete it, or choose another file with --to')
        return openings

    def lines(self) -> Iterator[str]:
        """Makes the openings that are missing, a line each, and puts the file into its place."""
        setup = self._recipe.setup
        last = max((int(found[1]) for found in map(_DRAW.search, self.made) if found), default=0)
        self._partial.write_text("".join(f"{line}\n" for line in [*self._head, *self.made]), encoding="utf-8")
        with self._partial.open("a", encoding="utf-8") as file:
            for opening in make(self._recipe, self._count - len(self.made), last):
                moves = " ".join(move.text(setup.size) for move in opening.moves)
                line = f"{moves}  # {opening.value:+.3f}, draw {opening.draw}"
                print(line, file=file, flush=True)  # nothing is lost when it is stopped
                self.made.append(line)
                yield line
        self._partial.replace(self._path)


def _head(recipe: Recipe, count: int, judge: str) -> Iterator[str]:
    setup = recipe.setup
    yield f"# Balanced openings: {setup.rule} on {setup.size}x{setup.size}. The value is that of the side to move."
    yield (
        f"# Made by: tengen openings make --rule {setup.rule} --size {setup.size} --count {count} "
        f"--playouts {recipe.playouts} --tolerance {recipe.tolerance:g} --seed {recipe.seed}"
    )
    yield f"# Evaluated by {judge}."


def shipped_file(setup: GameSetup) -> Path:
    """Where the balanced openings for a board and rule are, if there are any."""
    return SHIPPED / f"{setup.rule}-{setup.size}.txt"


def shipped_openings(setup: GameSetup, seed: int = 0) -> list[Opening]:
    """The shipped openings for a board and rule in an order that the seed decides; none if none are shipped."""
    path = shipped_file(setup)
    if setup.game != GOMOKU or setup.n_in_row != 5 or not path.exists():
        return []
    openings = read_openings(path, setup)
    random.Random(seed).shuffle(openings)
    return openings


def match_openings(count: int, setup: GameSetup, seed: int = 0, enough: int = _ENOUGH) -> list[Opening]:
    """What a match begins with: shipped openings, and where there are too few of them random ones after these.

    There may be fewer than `count`: up to `enough` random ones are drawn, and a match goes through its openings again.
    """
    if count < 1:
        raise SetupError(f"the number of openings must be at least 1, not {count}")
    openings = shipped_openings(setup, seed)[:count]
    missing = min(count, enough) - len(openings)
    return openings if missing <= 0 else openings + random_openings(missing, setup, seed)
