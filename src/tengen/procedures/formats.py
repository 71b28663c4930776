"""The five procedures. All end with white to move, the fourth or the sixth stone of the game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tengen.board import Color
from tengen.procedures.table import Script, Table

# The centre, the 3x3 and the 5x5 around it: stones one to three inside these form one of the 26 renju openings, all of
# them and nothing else (tests/test_renju_openings.py), so RIF and Soosorv-8 need no list of openings.
_RENJU_OPENING = (1, 3, 5)


def _swap(table: Table) -> Script[None]:
    yield from table.place(*_RENJU_OPENING, by="first")
    yield from table.may_swap()
    yield from table.place(None)
    yield from table.offer_fifths(2, symmetric=True)


def _rif(table: Table) -> Script[None]:
    yield from table.place(*_RENJU_OPENING, by="first")
    yield from table.may_swap()
    yield from table.place(None)
    yield from table.offer_fifths(2)


def _swap2(table: Table) -> Script[None]:
    yield from table.place(None, None, None, by="first")
    choice = yield from table.choose(
        "second", white="stay white and play", black="take black", add="add a white and a black stone"
    )
    if choice == "black":
        table.seat("second", Color.BLACK)
    elif choice == "add":
        yield from table.place(None, None, by="second")
        color = yield from table.choose("first", black="stay black", white="take white and play")
        table.seat("first", Color.BLACK if color == "black" else Color.WHITE)


def _soosorv8(table: Table) -> Script[None]:
    yield from table.place(*_RENJU_OPENING, by="first")
    yield from table.may_swap()
    white = table.turn
    yield from table.place(None)
    count = yield from table.announce(white, range(1, 9))
    yield from table.may_swap()
    yield from table.offer_fifths(count)


def _taraguchi10(table: Table) -> Script[None]:
    for region in (1, 3, 5, 7):
        yield from table.place(region)
        yield from table.may_swap()
    choice = yield from table.choose(
        table.turn, one="play the fifth move inside the central 9x9", ten="offer ten fifth moves"
    )
    if choice == "one":
        yield from table.place(9)
        yield from table.may_swap()
    else:
        yield from table.offer_fifths(10)


@dataclass(frozen=True)
class Rules:
    """A procedure as it is listed.

    Attributes:
        name: The name for `start`.
        title: The name as people write it.
        rule: The rule of the default board.
        smallest: The least width and height: the largest region must fit, and enough fifths must exist that are not
            symmetric, also on the most symmetric position.
        script: The procedure itself.
    """

    name: str
    title: str
    rule: str
    smallest: int
    script: Callable[[Table], Script[None]]


PROCEDURES: Mapping[str, Rules] = {
    rules.name: rules
    for rules in (
        Rules("swap2", "Swap2", "freestyle", 5, _swap2),
        Rules("swap", "Swap", "renju", 5, _swap),
        Rules("rif", "RIF", "renju", 5, _rif),
        Rules("soosorv-8", "Soosorv-8", "renju", 7, _soosorv8),
        Rules("taraguchi-10", "Taraguchi-10", "renju", 9, _taraguchi10),
    )
}
"""The five procedures by name."""
