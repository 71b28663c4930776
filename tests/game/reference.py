"""The rules of the game, written slowly and plainly, to compare the core with.

Nothing here knows the core. A position is a dictionary from points to colours, and every rule is decided by looking at
stones: to learn what a stone would do, put it on the board, look, and take it off again.

Points are (x, y) from the top left. A row is a longest unbroken line of stones of one colour.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import NamedTuple

Point = tuple[int, int]

BLACK, WHITE = 0, 1
DIRECTIONS: tuple[Point, ...] = ((1, 0), (0, 1), (1, 1), (1, -1))

NONE, SLEEPING_TWO, OPEN_TWO, SLEEPING_THREE, OPEN_THREE, FOUR, OPEN_FOUR, FIVE = range(8)

# What a shape is worth one stone earlier.
ONE_STONE_SHORT_OF = {
    OPEN_FOUR: OPEN_THREE,
    FOUR: SLEEPING_THREE,
    OPEN_THREE: OPEN_TWO,
    SLEEPING_THREE: SLEEPING_TWO,
}


class Result(NamedTuple):
    """How a game ended; `rows` are all winning rows of the last move, for there may be several at once."""

    winner: int | None
    reason: str
    rows: tuple[tuple[Point, ...], ...]


def row_wins(rule: str, color: int, n: int, length: int, enemies_at_the_ends: int) -> bool:
    """Tells whether a row of `length` stones of `color` wins, `enemies_at_the_ends` being 0, 1 or 2."""
    if length < n:
        return False
    if length > n:
        return not (rule == "standard" or (rule == "renju" and color == BLACK))
    return not (rule == "caro" and enemies_at_the_ends == 2)


class Position:
    """Stones on a board, with the moves that brought them there."""

    def __init__(
        self,
        width: int = 15,
        height: int = 15,
        rule: str = "freestyle",
        n: int = 5,
        on_forbidden: str = "refuse",
    ) -> None:
        self.width = width
        self.height = height
        self.rule = rule
        self.n = n
        self.on_forbidden = on_forbidden
        self.stones: dict[Point, int] = {}
        self.moves: list[Point] = []
        self.turn = BLACK
        self.result: Result | None = None

    # Points and rows

    def on_board(self, point: Point) -> bool:
        """Tells whether the point exists."""
        return 0 <= point[0] < self.width and 0 <= point[1] < self.height

    def is_empty(self, point: Point) -> bool:
        """Tells whether a stone could be put on the point."""
        return point not in self.stones and self.on_board(point)

    def points(self) -> list[Point]:
        """All points, row by row from the top left."""
        return [(x, y) for y in range(self.height) for x in range(self.width)]

    def empty_points(self) -> list[Point]:
        """All points without a stone, row by row from the top left."""
        return [point for point in self.points() if point not in self.stones]

    def line(self, point: Point, direction: Point, reach: int) -> list[Point]:
        """The line from `reach` steps before the point to `reach` steps behind it; its ends may be off the board."""
        (x, y), (dx, dy) = point, direction
        return [(x + i * dx, y + i * dy) for i in range(-reach, reach + 1)]

    def row(self, point: Point, direction: Point) -> list[Point]:
        """The row through the stone at `point`, in the order of the direction."""
        color = self.stones[point]
        dx, dy = direction
        first = point
        while self.stones.get((first[0] - dx, first[1] - dy)) == color:
            first = (first[0] - dx, first[1] - dy)
        row = [first]
        while self.stones.get((row[-1][0] + dx, row[-1][1] + dy)) == color:
            row.append((row[-1][0] + dx, row[-1][1] + dy))
        return row

    def ends(self, row: list[Point], direction: Point) -> tuple[Point, Point]:
        """The two points just beyond a row; they may be off the board."""
        dx, dy = direction
        return (row[0][0] - dx, row[0][1] - dy), (row[-1][0] + dx, row[-1][1] + dy)

    def winning_rows(self, point: Point) -> list[list[Point]]:
        """All rows through the stone at `point` that win."""
        color = self.stones[point]
        winning = []
        for direction in DIRECTIONS:
            row = self.row(point, direction)
            enemies = sum(self.stones.get(end) == 1 - color for end in self.ends(row, direction))
            if row_wins(self.rule, color, self.n, len(row), enemies):
                winning.append(row)
        return winning

    @contextmanager
    def stone(self, point: Point, color: int) -> Iterator[None]:
        """Puts a stone on an empty point for the length of a `with` block."""
        assert self.is_empty(point)
        self.stones[point] = color
        yield
        del self.stones[point]

    # Play

    def legal_moves(self) -> list[Point]:
        """All moves that may be played, row by row from the top left."""
        if self.result is not None:
            return []
        if self.rule == "renju" and self.turn == BLACK and self.on_forbidden == "refuse":
            forbidden = self.forbidden_points()
            return [point for point in self.empty_points() if point not in forbidden]
        return self.empty_points()

    def play(self, point: Point) -> None:
        """Plays a legal move for the side to move."""
        assert self.result is None
        assert self.is_empty(point)
        foul = self.rule == "renju" and self.turn == BLACK and self.forbidden_reasons(point)
        assert not (foul and self.on_forbidden == "refuse")
        self.stones[point] = self.turn
        self.moves.append(point)
        if rows := self.winning_rows(point):
            self.result = Result(self.turn, "five", tuple(tuple(row) for row in rows))
        elif foul:
            self.result = Result(WHITE, "forbidden", ())
        elif len(self.stones) == self.width * self.height:
            self.result = Result(None, "draw", ())
        self.turn = 1 - self.turn

    def undo(self) -> None:
        """Takes the last move back."""
        del self.stones[self.moves.pop()]
        self.turn = 1 - self.turn
        self.result = None

    # Renju: what black must not play

    def forbidden_points(self) -> list[Point]:
        """The points that are forbidden for black, whoever is to move."""
        if self.rule != "renju":
            return []
        # Every foul takes at least four more black stones on the lines through the point, none further than four steps.
        blacks = [point for point, color in self.stones.items() if color == BLACK]
        seen_by = Counter(p for black in blacks for direction in DIRECTIONS for p in self.line(black, direction, 4))
        return [point for point in self.empty_points() if seen_by[point] >= 4 and self.forbidden_reasons(point)]

    def forbidden_reasons(self, point: Point) -> set[str]:
        """Says why black must not play the empty point; the empty set if he may."""
        with self.stone(point, BLACK):
            lengths = [len(self.row(point, direction)) for direction in DIRECTIONS]
            if 5 in lengths:
                return set()
            reasons = set()
            if max(lengths) > 5:
                reasons.add("overline")
            if len(self.fours(point)) >= 2:
                reasons.add("double four")
            if sum(self.has_three(point, direction) for direction in DIRECTIONS) >= 2:
                reasons.add("double three")
            return reasons

    def blacks_near(self, point: Point, direction: Point, reach: int) -> int:
        """Counts the black stones on the line through `point`, at most `reach` steps away from it."""
        return [self.stones.get(p) for p in self.line(point, direction, reach)].count(BLACK)

    def fours(self, point: Point) -> set[frozenset[Point]]:
        """The fours of the black stone at `point`: all sets of four stones that one more stone turns into exactly five.

        A straight four is one set, though there are two points that complete it.
        """
        fours = set()
        for direction in DIRECTIONS:
            if self.blacks_near(point, direction, 4) < 4:
                continue
            for completion in self.line(point, direction, 4):
                if not self.is_empty(completion):
                    continue
                with self.stone(completion, BLACK):
                    row = self.row(point, direction)
                if completion in row and len(row) == 5:
                    fours.add(frozenset(row) - {completion})
        return fours

    def has_three(self, point: Point, direction: Point) -> bool:
        """Tells whether the black stone at `point` belongs to a three on the line in this direction."""
        if self.blacks_near(point, direction, 3) < 3:
            return False
        return any(
            self.makes_straight_four(extension, point, direction) and self.is_harmless(extension)
            for extension in self.line(point, direction, 3)
            if self.is_empty(extension)
        )

    def makes_straight_four(self, extension: Point, point: Point, direction: Point) -> bool:
        """Tells whether a black stone at `extension` puts the one at `point` into a straight four.

        That is an unbroken row of four which a stone at either end makes exactly five.
        """
        with self.stone(extension, BLACK):
            row = self.row(point, direction)
            if extension not in row or len(row) != 4:
                return False
            return all(self.makes_exactly_five(end, direction) for end in self.ends(row, direction))

    def makes_exactly_five(self, point: Point, direction: Point) -> bool:
        """Tells whether `point` is empty and a black stone there makes a row of exactly five in this direction."""
        if not self.is_empty(point):
            return False
        with self.stone(point, BLACK):
            return len(self.row(point, direction)) == 5

    def is_harmless(self, extension: Point) -> bool:
        """Tells whether black could play `extension` to extend a three: it makes no five and is not forbidden."""
        if any(self.makes_exactly_five(extension, direction) for direction in DIRECTIONS):
            return False
        return not self.forbidden_reasons(extension)

    # Shapes

    def shape(self, point: Point, direction: Point, color: int) -> int:
        """The shape that a stone of `color` has, or would have, at `point` on the line in this direction."""
        if self.stones.get(point) == 1 - color:
            return NONE
        x, y = point
        dx, dy = direction
        window = "".join(self.letter((x + i * dx, y + i * dy), color) for i in range(-self.n, self.n + 1))
        return window_shape(window, self.rule, color, self.n)

    def letter(self, point: Point, color: int) -> str:
        """How a point looks to a colour: x its own stone, o an enemy, . empty, # off the board."""
        if not self.on_board(point):
            return "#"
        if point not in self.stones:
            return "."
        return "x" if self.stones[point] == color else "o"

    def shapes(self, color: int) -> dict[Point, tuple[int, ...]]:
        """The shapes in all directions, for every point that has any."""
        letters = {point: self.letter(point, color) for point in self.points()}
        found: dict[Point, list[int]] = {}
        for index, (dx, dy) in enumerate(DIRECTIONS):
            for start in letters:
                if (start[0] - dx, start[1] - dy) in letters:
                    continue
                line = [start]
                while (after := (line[-1][0] + dx, line[-1][1] + dy)) in letters:
                    line.append(after)
                border = "#" * self.n
                text = border + "".join(letters[point] for point in line) + border
                for i, point in enumerate(line):
                    if letters[point] == "o":
                        continue
                    shape = window_shape(text[i : i + 2 * self.n + 1], self.rule, color, self.n)
                    if shape != NONE:
                        found.setdefault(point, [NONE] * 4)[index] = shape
        return {point: tuple(four) for point, four in found.items()}


@lru_cache(maxsize=1 << 18)
def window_shape(window: str, rule: str, color: int, n: int) -> int:
    """The shape of a stone in the middle of a window of 2n + 1 letters.

    Nothing further than n steps away can decide whether the middle stone's row wins, and neither can anything behind
    the first enemy stone or the border. So `line_shape` is asked only about what is left.
    """
    left, right = window[:n], window[n + 1 :]
    wall_left = max(left.rfind("o"), left.rfind("#"), 0)
    wall_right = min([i for i, letter in enumerate(right) if letter in "o#"], default=n - 1)
    return line_shape(left[wall_left:] + "x" + right[: wall_right + 1], n - wall_left, rule, color, n)


@lru_cache(maxsize=1 << 18)
def line_shape(line: str, at: int, rule: str, color: int, n: int, additions: int = 2) -> int:
    """The shape of the own stone at index `at` of a line of letters.

    Args:
        line: x own stones, o enemy stones, . empty points, # points off the board.
        at: the index of the stone that is asked about.
        rule: freestyle, standard, renju or caro.
        color: BLACK or WHITE, who owns the stones.
        n: the number of stones in a row that wins.
        additions: how many stones may be added before fours must be found. Two are enough: a stone that needs three
            has no shape better than NONE.
    """
    if row_at_wins(line, at, rule, color, n):
        return FIVE

    empty = [e for e, letter in enumerate(line) if letter == "."]
    completions = [e for e in empty if row_at_wins(add(line, e), at, rule, color, n) and same_row(add(line, e), at, e)]
    if completions:
        if rule == "renju" and color == BLACK:
            straight = len(completions) == 2 and completions[1] - completions[0] == 5
            return OPEN_FOUR if straight else FOUR
        return OPEN_FOUR if len(completions) >= 2 else FOUR

    if additions == 0:
        return NONE
    best = max((line_shape(add(line, e), at, rule, color, n, additions - 1) for e in empty), default=NONE)
    return ONE_STONE_SHORT_OF.get(best, NONE)


def add(line: str, e: int) -> str:
    """The line with an own stone at index `e`."""
    return line[:e] + "x" + line[e + 1 :]


def row_in(line: str, at: int) -> tuple[int, int]:
    """The first index of the row around `at`, and the index behind its last."""
    first, behind = at, at
    while first > 0 and line[first - 1] == "x":
        first -= 1
    while behind < len(line) and line[behind] == "x":
        behind += 1
    return first, behind


def same_row(line: str, a: int, b: int) -> bool:
    """Tells whether the own stones at two indices are in one row."""
    first, behind = row_in(line, a)
    return first <= b < behind


def row_at_wins(line: str, at: int, rule: str, color: int, n: int) -> bool:
    """Tells whether the row around index `at` wins."""
    first, behind = row_in(line, at)
    ends = line[max(first - 1, 0) : first] + line[behind : behind + 1]
    return row_wins(rule, color, n, behind - first, ends.count("o"))
