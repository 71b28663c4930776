"""The 26 openings of renju: by name, by number, and recognised on a board.

A renju opening is what the first three stones form: black on the centre, white beside it, black inside the central
5x5. A white stone straight beside the centre makes the opening *direct* (1D to 13D), a diagonal one *indirect* (1I to
13I). Every such triple is one of the 26 after a rotation or reflection; `tests/test_renju_openings.py` proves it.

    >>> from tengen import renju
    >>> renju.openings["Kagetsu"]
    Opening(number='4D', name='Kagetsu', chinese='花月', moves=((0, 0), (0, 1), (1, 1)))
    >>> renju.openings["花月"] is renju.openings["4D"] is renju.openings["d4"]
    True
    >>> renju.identify(["h8", "g8", "g7"]).name
    'Kagetsu'
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from tengen.board import Board, Color, Move, MoveLike
from tengen.errors import SetupError

Offset: TypeAlias = tuple[int, int]
"""A point as seen from the centre: (dx, dy) with dx to the right and dy UP, as opening books draw it."""

_TALLEST = 22  # rows of the tallest board: reads text of every size, and only differences of rows matter here


class UnknownOpeningError(SetupError, KeyError):
    """No opening has this name. Also a KeyError, so that `in` and `get` behave as in every mapping."""

    def __str__(self) -> str:
        return Exception.__str__(self)  # KeyError alone would print the quoted repr of the sentence


@dataclass(frozen=True)
class Opening:
    """One of the 26 openings.

    Attributes:
        number: "4D", "13I": the place in the list and D for direct, I for indirect.
        name: The romanised Japanese name, "Kagetsu".
        chinese: The Chinese name, "花月".
        moves: The three stones black, white, black as (dx, dy) from the centre, dy upwards.
    """

    number: str
    name: str
    chinese: str
    moves: tuple[Offset, Offset, Offset]

    def moves_on(self, size: int = 15) -> tuple[Move, Move, Move]:
        """The three stones on a square board; the centre is (size // 2, size // 2), also where size is even."""
        reach = max(max(abs(dx), abs(dy)) for dx, dy in self.moves)
        if size < 2 * reach + 1:
            raise SetupError(
                f"{self.name} needs a board of at least {2 * reach + 1}x{2 * reach + 1}, not {size}x{size}"
            )
        centre = size // 2
        one, two, three = (Move(centre + dx, centre - dy) for dx, dy in self.moves)
        return one, two, three

    def board(self, size: int = 15, rule: str = "renju") -> Board:
        """A board with the three stones on it, white to move."""
        return Board.from_moves(self.moves_on(size), size=size, rule=rule)


class Openings(Mapping[str, Opening]):
    """An ordered mapping from names to openings.

    The keys are the romanised names, in the order 1D ... 13D, 1I ... 13I. Lookup also takes the Chinese name and the
    number ("4D" or "D4"), and does not care about upper and lower case.
    """

    def __init__(self, openings: Iterable[Opening]) -> None:
        self._by_name = {opening.name: opening for opening in openings}
        self._by_alias: dict[str, Opening] = {}
        for opening in self._by_name.values():
            place, kind = opening.number[:-1], opening.number[-1]
            for alias in (opening.name, opening.chinese, opening.number, kind + place):
                self._by_alias[alias.casefold()] = opening

    def __getitem__(self, name: str) -> Opening:
        """The opening of that name; UnknownOpeningError (a SetupError) names close matches."""
        key = str(name).strip().casefold()
        try:
            return self._by_alias[key]
        except KeyError:
            raise UnknownOpeningError(f"unknown opening {name!r}; {self._hint(key)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self._by_name)

    def __repr__(self) -> str:
        return f"Openings({', '.join(f'{opening.number} {opening.name}' for opening in self.values())})"

    def _hint(self, key: str) -> str:
        aliases = difflib.get_close_matches(key, self._by_alias, n=3, cutoff=0.5)
        # Two aliases may belong to one opening; dict.fromkeys drops the repetition and keeps the best first.
        close = dict.fromkeys(self._by_alias[alias] for alias in aliases)
        if not close:
            return "use a name (Kagetsu), a Chinese name (花月) or a number (1D to 13D, 1I to 13I)"
        return "did you mean " + " or ".join(f"{o.name} ({o.chinese}, {o.number})" for o in close) + "?"


def _family(kind: str, white: Offset, thirds: Iterable[tuple[str, str, Offset]]) -> Iterator[Opening]:
    for place, (name, chinese, black) in enumerate(thirds, start=1):
        yield Opening(f"{place}{kind}", name, chinese, ((0, 0), white, black))


_DIRECT = (
    ("Kansei", "寒星", (0, 2)),
    ("Keigetsu", "溪月", (1, 2)),
    ("Sosei", "疏星", (2, 2)),
    ("Kagetsu", "花月", (1, 1)),
    ("Zangetsu", "残月", (2, 1)),
    ("Ugetsu", "雨月", (1, 0)),
    ("Kinsei", "金星", (2, 0)),
    ("Shogetsu", "松月", (0, -1)),
    ("Kyugetsu", "丘月", (1, -1)),
    ("Shingetsu", "新月", (2, -1)),
    ("Zuisei", "瑞星", (0, -2)),
    ("Sangetsu", "山月", (1, -2)),
    ("Yusei", "游星", (2, -2)),
)

_INDIRECT = (
    ("Chosei", "长星", (2, 2)),
    ("Kyogetsu", "峡月", (2, 1)),
    ("Kosei", "恒星", (2, 0)),
    ("Suigetsu", "水月", (2, -1)),
    ("Ryusei", "流星", (2, -2)),
    ("Ungetsu", "云月", (1, 0)),
    ("Hogetsu", "浦月", (1, -1)),
    ("Rangetsu", "岚月", (1, -2)),
    ("Gingetsu", "银月", (0, -1)),
    ("Myojo", "明星", (0, -2)),
    ("Shagetsu", "斜月", (-1, -1)),
    ("Meigetsu", "名月", (-1, -2)),
    ("Suisei", "彗星", (-2, -2)),
)

openings = Openings([*_family("D", (0, 1), _DIRECT), *_family("I", (1, 1), _INDIRECT)])
"""The 26 openings."""


def _images(offset: Offset) -> list[Offset]:
    """The point under the 8 symmetries around the centre, always in the same order of symmetries."""
    dx, dy = offset
    return [(sx * x, sy * y) for x, y in ((dx, dy), (dy, dx)) for sx in (1, -1) for sy in (1, -1)]


# Every way a second and third stone can lie around the centre (8 * 23 of them) and the opening it is.
BY_STONES = {
    stones: opening
    for opening in openings.values()
    for stones in zip(_images(opening.moves[1]), _images(opening.moves[2]), strict=True)
}


def identify(board_or_moves: Board | Iterable[MoveLike]) -> Opening | None:
    """The opening that the first three moves form, in whichever of the 8 orientations.

    Args:
        board_or_moves: A board, whose first stone must be on the centre, or the moves alone; without a board there is
            no centre, so the first move is taken for it. Moves may be one text, "h8 h9 i9". Later moves do not matter.

    Returns:
        The opening, or None where there are fewer than three moves or they form none.
    """
    if isinstance(board_or_moves, Board):
        moves = _first_three(board_or_moves)
    else:
        points = board_or_moves.replace(",", " ").split() if isinstance(board_or_moves, str) else board_or_moves
        moves = [Move.parse(p, _TALLEST) if isinstance(p, str) else Move(*p) for p in points][:3]
    if len(moves) < 3:
        return None
    first, second, third = moves
    white, black = ((move.x - first.x, first.y - move.y) for move in (second, third))
    return BY_STONES.get((white, black))


def _first_three(board: Board) -> list[Move]:
    """The stones black, white, black that began the game, or [] where it did not begin with black on the centre."""
    # By colour, not by place: a board that was set up and not played lists black's stones first.
    black, white = ([move for move in board.moves[:3] if board.piece_at(move) == color] for color in Color)
    if len(black) != 2 or len(white) != 1 or black[0] != (board.width // 2, board.height // 2):
        return []
    return [black[0], white[0], black[1]]
