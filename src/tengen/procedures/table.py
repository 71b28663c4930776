"""The table: board and seats, and the questions from which the procedures are put together."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import Any, TypeAlias, TypeVar

from tengen.board import Board, Color, Move
from tengen.procedures.actions import OTHER, Announce, Choose, Offer, Person, Pick, Place, Swap
from tengen.procedures.steps import AnnounceStep, ChooseStep, OfferStep, PickStep, PlaceStep, Step, SwapStep
from tengen.procedures.wording import centre, count_of, join, where

T = TypeVar("T")
Script: TypeAlias = Generator[Step[Any], Any, T]


class Table:
    """The board and who has black. Each method asks one question and carries out the answer."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.black: Person = "first"

    @property
    def turn(self) -> Person:
        """The person whose colour is to move."""
        return self.black if self.board.turn == Color.BLACK else OTHER[self.black]

    def seat(self, person: Person, color: Color) -> None:
        """Gives a person a colour, and the other person the other."""
        self.black = person if color == Color.BLACK else OTHER[person]

    def place(self, *regions: int | None, by: Person | None = None) -> Script[None]:
        """Stones of alternating colour, one for each region, by whoever is to move or by one person alone."""
        person, turn = by or self.turn, self.board.turn
        colors = tuple(turn if i % 2 == 0 else turn.other for i in range(len(regions)))
        stones = [f"{color} {where(region, self.board)}" for color, region in zip(colors, regions, strict=True)]
        points = tuple(self._free(region) for region in regions)
        action: Place = yield PlaceStep(
            person, f"the {person} player places {join(stones, 'and')}", colors, regions, points
        )
        for move in action.moves:
            self.board.push(move)

    def may_swap(self) -> Script[None]:
        """The person who is to move may take the other colour."""
        person, color = self.turn, self.board.turn
        action: Swap = yield SwapStep(
            person, f"the {person} player says whether to swap and take {color.other}, or to stay {color}"
        )
        if action.swap:
            self.seat(person, color.other)

    def choose(self, person: Person, **options: str) -> Script[str]:
        """One of the options, each given with its meaning."""
        meanings = [f"{option!r} ({meaning})" for option, meaning in options.items()]
        action: Choose = yield ChooseStep(person, f"the {person} player chooses {join(meanings, 'or')}", tuple(options))
        return action.option

    def announce(self, person: Person, numbers: range) -> Script[int]:
        """A number of fifth moves."""
        action: Announce = yield AnnounceStep(
            person,
            f"the {person} player announces how many fifth moves black must offer, {numbers[0]} to {numbers[-1]}",
            numbers,
        )
        return action.number

    def offer_fifths(self, count: int, *, symmetric: bool = False) -> Script[None]:
        """Black offers fifth moves and white picks one; `symmetric` allows such that lead to the same position."""
        # No foul needs fewer than four black stones, so no fifth move can be forbidden: this is every empty point.
        free = self.board.legal_moves
        groups = tuple((move,) for move in free) if symmetric else _equal_fifths(self.board, free)
        demand = "" if symmetric or count == 1 else ", no two of them symmetric"
        black, white = self.turn, OTHER[self.turn]
        offer: Offer = yield OfferStep(
            black, f"the {black} player, black, offers {count_of(count, 'fifth move')}{demand}", count, groups
        )
        fifths = tuple(self.board.parse_move(move) for move in offer.moves)
        names = join([self.board.text(move) for move in fifths], "or")
        pick: Pick = yield PickStep(white, f"the {white} player, white, picks the fifth move {names}", fifths)
        self.board.push(pick.move)

    def _free(self, region: int | None) -> tuple[Move, ...]:
        free = self.board.legal_moves
        if region is None:
            return tuple(free)
        middle = centre(self.board)
        return tuple(move for move in free if max(abs(move.x - middle.x), abs(move.y - middle.y)) <= region // 2)


def _equal_fifths(board: Board, points: Iterable[Move]) -> tuple[tuple[Move, ...], ...]:
    """Groups the points that give equal positions, under some symmetry of the board, when black plays there."""
    symmetries = range(8 if board.width == board.height else 4)  # from 4 on width and height change places
    stones = [{(board.transform_move(move, i), board.piece_at(move)) for move in board.moves} for i in symmetries]
    groups: dict[tuple[Any, ...], list[Move]] = {}
    for move in points:
        images = (sorted(stones[i] | {(board.transform_move(move, i), board.turn)}) for i in symmetries)
        groups.setdefault(tuple(min(images)), []).append(move)
    return tuple(tuple(group) for group in groups.values())
