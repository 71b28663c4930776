"""Steps: the open question, one class for each kind of action. `check` is the whole of what is allowed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Generic, TypeVar, cast

from tengen.board import Board, Color, Move, MoveLike
from tengen.errors import TengenError
from tengen.procedures.actions import (
    Action,
    Announce,
    Choose,
    IllegalActionError,
    Offer,
    Person,
    Pick,
    Place,
    Swap,
)
from tengen.procedures.wording import count_of, where

A = TypeVar("A", Place, Swap, Choose, Announce, Offer, Pick)


@dataclass(frozen=True)
class Step(Generic[A]):
    """Who must do what next.

    Attributes:
        person: Who must act.
        prompt: One sentence that says what is expected.
    """

    expects: ClassVar[type]
    person: Person
    prompt: str

    def check(self, action: Action, board: Board) -> A:
        """Returns the action with its points as Moves; raises IllegalActionError when it is not allowed."""
        if type(action) is not self.expects:
            raise self.refusal(f"{type(action).__name__} is not possible now")
        return self._accept(cast(A, action), board)

    def _accept(self, action: A, board: Board) -> A:
        raise NotImplementedError

    def refusal(self, why: str) -> IllegalActionError:
        """The error that says what was wrong and what is expected instead."""
        return IllegalActionError(f"{why}; expected: {self.prompt}")

    def _free_points(self, points: Sequence[MoveLike], count: int, board: Board) -> tuple[Move, ...]:
        """Reads exactly `count` different free points."""
        moves = tuple(self._read(point, board) for point in points)
        if len(moves) != count:
            raise self.refusal(f"{count_of(len(moves), 'point')} given instead of {count}")
        for i, move in enumerate(moves):
            if (color := board.piece_at(move)) is not None:
                raise self.refusal(f"{board.text(move)} is occupied by {color}")
            if move in moves[:i]:
                raise self.refusal(f"{board.text(move)} is given twice")
        return moves

    def _read(self, point: MoveLike, board: Board) -> Move:
        try:
            return board.parse_move(point)
        except (TypeError, ValueError) as error:  # InputError is a ValueError and has the better sentence
            why = str(error) if isinstance(error, TengenError) else f"{point!r} is not a point"
            raise self.refusal(why) from error


@dataclass(frozen=True)
class PlaceStep(Step[Place]):
    """Stones are to be placed.

    Attributes:
        colors: The colour of each stone, in the order in which they are placed.
        regions: For each stone the side of the central square it must lie in (1 is the centre itself), None: anywhere.
        points: For each stone the points that are free for it now, row by row from the top left.
    """

    expects = Place
    colors: tuple[Color, ...]
    regions: tuple[int | None, ...]
    points: tuple[tuple[Move, ...], ...]

    def _accept(self, action: Place, board: Board) -> Place:
        moves = self._free_points(action.moves, len(self.colors), board)
        for move, color, region, points in zip(moves, self.colors, self.regions, self.points, strict=True):
            if move not in points:
                raise self.refusal(f"{color} on {board.text(move)} is not {where(region, board)}")
        return Place(moves)


@dataclass(frozen=True)
class SwapStep(Step[Swap]):
    """The person may take the other colour."""

    expects = Swap

    def _accept(self, action: Swap, board: Board) -> Swap:
        if not isinstance(action.swap, bool):
            raise self.refusal(f"{action.swap!r} is neither True nor False")
        return action


@dataclass(frozen=True)
class ChooseStep(Step[Choose]):
    """One of `options` is to be chosen."""

    expects = Choose
    options: tuple[str, ...]

    def _accept(self, action: Choose, board: Board) -> Choose:
        if action.option not in self.options:
            raise self.refusal(f"{action.option!r} is none of the options")
        return action


@dataclass(frozen=True)
class AnnounceStep(Step[Announce]):
    """One of `numbers` is to be announced."""

    expects = Announce
    numbers: range

    def _accept(self, action: Announce, board: Board) -> Announce:
        if type(action.number) is not int or action.number not in self.numbers:
            raise self.refusal(f"{action.number!r} is not such a number")
        return action


@dataclass(frozen=True)
class OfferStep(Step[Offer]):
    """Fifth moves are to be offered.

    Attributes:
        count: How many points.
        groups: The allowed points; of each group at most one may be offered. Where symmetry matters a group holds the
            points that lead to the same position, elsewhere every point is a group of its own.
    """

    expects = Offer
    count: int
    groups: tuple[tuple[Move, ...], ...]

    @property
    def points(self) -> tuple[Move, ...]:
        """All points of all groups, row by row from the top left."""
        return tuple(sorted((move for group in self.groups for move in group), key=lambda move: (move.y, move.x)))

    def _accept(self, action: Offer, board: Board) -> Offer:
        moves = self._free_points(action.moves, self.count, board)
        group_of = {move: group for group in self.groups for move in group}
        taken: dict[tuple[Move, ...], Move] = {}
        for move in moves:
            if (group := group_of.get(move)) is None:
                raise self.refusal(f"{board.text(move)} is not allowed for black")
            if group in taken:
                raise self.refusal(f"{board.text(taken[group])} and {board.text(move)} are symmetric")
            taken[group] = move
        return Offer(moves)


@dataclass(frozen=True)
class PickStep(Step[Pick]):
    """One of `points`, the offered fifth moves, is to be picked."""

    expects = Pick
    points: tuple[Move, ...]

    def _accept(self, action: Pick, board: Board) -> Pick:
        move = self._read(action.move, board)
        if move not in self.points:
            raise self.refusal(f"{board.text(move)} was not offered")
        return Pick(move)
