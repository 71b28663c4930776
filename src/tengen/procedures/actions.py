"""Actions: what a person does. Points may be given in any form; in the history they are always Moves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from tengen.board import MoveLike
from tengen.errors import IllegalMoveError

Person: TypeAlias = Literal["first", "second"]
"""One of the two people at the board, whatever colour they have at the moment."""


OTHER: dict[Person, Person] = {"first": "second", "second": "first"}


class IllegalActionError(IllegalMoveError):
    """An action that the opening procedure does not allow now. The message says what is expected instead."""


@dataclass(frozen=True, init=False)
class _Points:
    moves: tuple[MoveLike, ...]

    def __init__(self, moves: str | Iterable[MoveLike]) -> None:
        points = moves.replace(",", " ").split() if isinstance(moves, str) else moves
        object.__setattr__(self, "moves", tuple(points))


@dataclass(frozen=True, init=False)
class Place(_Points):
    """Puts stones on the board, in the order of the game: `Place("h8 i9 g10")`."""


@dataclass(frozen=True)
class Swap:
    """Takes the other colour, or says no to it."""

    swap: bool


@dataclass(frozen=True)
class Choose:
    """Takes one of the named options of the step."""

    option: str


@dataclass(frozen=True)
class Announce:
    """Names the number of fifth moves that black shall offer."""

    number: int


@dataclass(frozen=True, init=False)
class Offer(_Points):
    """Offers several points for black's fifth move."""


@dataclass(frozen=True)
class Pick:
    """Picks one of the offered fifth moves, which is then played."""

    move: MoveLike


Action: TypeAlias = Place | Swap | Choose | Announce | Offer | Pick

#: The actions by the names that records use.
ACTIONS: dict[str, type[Action]] = {
    kind.__name__.lower(): kind for kind in (Place, Swap, Choose, Announce, Offer, Pick)
}


class Entry(NamedTuple):
    """One line of the history: who did what."""

    person: Person
    action: Action
