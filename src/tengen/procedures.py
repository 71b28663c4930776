"""The opening procedures of gomoku and renju as one state machine.

The first stones decide too much, so tournaments let two persons settle them by placing, swapping and choosing. Here
the persons are "first" and "second"; which of them has which colour changes on the way.

    >>> from tengen.procedures import Choose, Place, start
    >>> opening = start("swap2")
    >>> opening.step.prompt
    'the first player places black anywhere, white anywhere and black anywhere'
    >>> _ = opening.apply(Place("h8 i9 g10"))
    >>> opening.to_act, opening.step.options
    ('second', ('white', 'black', 'add'))
    >>> _ = opening.apply(Choose("black"))
    >>> opening.done, opening.black, opening.white, opening.to_act
    (True, 'second', 'first', 'first')

How it works: every procedure is a short generator (bottom half of this file) that yields a `Step`, the question that
is open, and is sent the `Action` that answers it. `Procedure` is the machine around it: it lets an action through only
when the open step accepts it, keeps the history, and takes back by playing the history again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Generic, Literal, NamedTuple, TypeAlias, TypeVar, cast

from tengen.board import Board, Color, Move, MoveLike
from tengen.errors import IllegalMoveError, InputError, SetupError, TengenError

Person: TypeAlias = Literal["first", "second"]
"""One of the two people at the board, whatever colour they have at the moment."""


class IllegalActionError(IllegalMoveError):
    """An action that the opening procedure does not allow now. The message says what is expected instead."""


# ---------------------------------------------------------------------------------------------------------------------
# Actions: what a person does. Points may be given in any form; in the history they are always Moves.


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

_ACTIONS: dict[str, type[Action]] = {
    kind.__name__.lower(): kind for kind in (Place, Swap, Choose, Announce, Offer, Pick)
}


class Entry(NamedTuple):
    """One line of the history: who did what."""

    person: Person
    action: Action


# ---------------------------------------------------------------------------------------------------------------------
# Steps: the open question, one class for each kind of action. `check` is the whole of what is allowed.

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
            raise self.refusal(f"{_count(len(moves), 'point')} given instead of {count}")
        for i, move in enumerate(moves):
            if (color := board.piece_at(move)) is not None:
                raise self.refusal(f"{board.text(move)} is occupied by {color}")
            if move in moves[:i]:
                raise self.refusal(f"{board.text(move)} is given twice")
        return moves

    def _read(self, point: MoveLike, board: Board) -> Move:
        try:
            return board.parse_move(point)
        except (TypeError, ValueError) as error:  # TengenError is a ValueError and has the better sentence
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
                raise self.refusal(f"{color} on {board.text(move)} is not {_where(region, board)}")
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


# ---------------------------------------------------------------------------------------------------------------------
# The machine.


class Procedure:
    """An opening procedure in progress; made by `start`.

    Attributes:
        name: "swap", "rif", "swap2", "soosorv-8" or "taraguchi-10".
        step: The open question, or None when the opening is over.
    """

    name: str
    step: Step[Any] | None

    def __init__(self, rules: Rules, board: Board) -> None:
        self.name = rules.name
        self._rules = rules
        self._empty = board.copy()
        self._replay(())

    def _replay(self, entries: Iterable[Entry]) -> None:
        self._table = _Table(self._empty.copy())
        self._script = self._rules.script(self._table)
        self._history: list[Entry] = []
        self.step = next(self._script)
        for entry in entries:
            self.apply(entry.action, by=entry.person)

    @property
    def done(self) -> bool:
        """Whether the opening is over and the game goes on freely."""
        return self.step is None

    @property
    def history(self) -> tuple[Entry, ...]:
        """Who did what so far."""
        return tuple(self._history)

    @property
    def board(self) -> Board:
        """The position: a copy while the opening runs, so that nothing gets round it, then the board of the game."""
        return self._table.board if self.done else self._table.board.copy()

    @property
    def black(self) -> Person:
        """Who has black now."""
        return self._table.black

    @property
    def white(self) -> Person:
        """Who has white now."""
        return _OTHER[self._table.black]

    @property
    def to_act(self) -> Person:
        """Who must act; after the opening whoever has the colour that is to move."""
        return self._table.turn if self.step is None else self.step.person

    def color_of(self, person: Person) -> Color:
        """The colour that the person has now."""
        return Color.BLACK if person == self.black else Color.WHITE

    def legal(self, action: Action, by: Person | None = None) -> bool:
        """Whether `apply` would accept the action."""
        try:
            self._check(action, by)
        except IllegalActionError:
            return False
        return True

    def apply(self, action: Action, by: Person | None = None) -> Action:
        """Carries out an action and returns it as it stands in the history, with points as Moves.

        Args:
            action: The answer to the open `step`.
            by: Who acts. May be left out; when given it must be the person whose turn it is.

        Raises:
            IllegalActionError: The action is not allowed now; nothing has changed.
        """
        step, action = self._check(action, by)
        self._history.append(Entry(step.person, action))
        try:
            self.step = self._script.send(action)
        except StopIteration:
            self.step = None
        return action

    def _check(self, action: Action, by: Person | None) -> tuple[Step[Any], Action]:
        if self.step is None:
            raise IllegalActionError(
                f"the opening is over: the {self.black} player has black, the {self.white} player white, "
                f"and {self._table.board.turn} is to move"
            )
        if by is not None and by != self.step.person:
            raise self.step.refusal(f"it is not the turn of the {by} player")
        return self.step, self.step.check(action, self._table.board)

    def undo(self) -> Action:
        """Takes the last action back and returns it. Moves of the game after the opening go with it."""
        if not self._history:
            raise InputError("there is no action to take back")
        *rest, last = self._history
        self._replay(rest)
        return last.action

    def copy(self) -> Procedure:
        """An independent procedure in the same state."""
        twin = Procedure(self._rules, self._empty)
        twin._replay(self._history)
        twin._table.board = self._table.board.copy()
        return twin

    def to_dicts(self) -> list[dict[str, Any]]:
        """The set-up and then the history, one plain dict each, fit for JSON; points are text like "h8"."""
        board = self._empty
        keywords = ("width", "height", "rule", "n_in_row", "on_forbidden")
        setup = {"procedure": self.name, **{keyword: getattr(board, keyword) for keyword in keywords}}
        return [setup, *(_entry_to_dict(entry, board) for entry in self._history)]

    @classmethod
    def from_dicts(cls, records: Iterable[Mapping[str, Any]]) -> Procedure:
        """Rebuilds a procedure from `to_dicts`, checking every action.

        Raises:
            InputError: A record is malformed.
            SetupError: No such procedure or board.
            IllegalActionError: The procedure does not allow an action.
        """
        setup, *entries = [_plain(record) for record in records] or [{}]
        try:
            name = setup["procedure"]
            board = Board(**{keyword: value for keyword, value in setup.items() if keyword != "procedure"})
        except (KeyError, TypeError):
            raise InputError(f"the first record must name the procedure and its board, not {setup!r}") from None
        procedure = start(name, board)
        for record in entries:
            person, action = _entry_from_dict(record)
            procedure.apply(action, by=person)
        return procedure

    def __repr__(self) -> str:
        return f"<Procedure {self.name}: {'over' if self.step is None else self.step.prompt}>"


def _entry_to_dict(entry: Entry, board: Board) -> dict[str, Any]:
    record: dict[str, Any] = {"person": entry.person, "action": type(entry.action).__name__.lower()}
    for field in fields(entry.action):
        value = getattr(entry.action, field.name)
        if field.name == "moves":
            value = [board.text(move) for move in value]
        elif field.name == "move":
            value = board.text(value)
        record[field.name] = value
    return record


def _entry_from_dict(record: dict[str, Any]) -> Entry:
    try:
        values = dict(record)
        person, kind = values.pop("person"), _ACTIONS[values.pop("action")]
        return Entry(person, kind(**values))
    except (KeyError, TypeError):
        raise InputError(f"{record!r} is not a record of an action") from None


def _plain(record: object) -> dict[str, Any]:
    if not isinstance(record, Mapping):
        raise InputError(f"{record!r} is not a record of an opening")
    return dict(record)


# ---------------------------------------------------------------------------------------------------------------------
# The table: board and seats, and the moves in the game of openings from which the procedures are put together.

T = TypeVar("T")
Script: TypeAlias = Generator[Step[Any], Any, T]

_OTHER: dict[Person, Person] = {"first": "second", "second": "first"}


class _Table:
    """The board and who has black. Each method asks one question and carries out the answer."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.black: Person = "first"

    @property
    def turn(self) -> Person:
        """The person whose colour is to move."""
        return self.black if self.board.turn == Color.BLACK else _OTHER[self.black]

    def seat(self, person: Person, color: Color) -> None:
        self.black = person if color == Color.BLACK else _OTHER[person]

    def place(self, *regions: int | None, by: Person | None = None) -> Script[None]:
        """Stones of alternating colour, one for each region, by whoever is to move or by one person alone."""
        person, turn = by or self.turn, self.board.turn
        colors = tuple(turn if i % 2 == 0 else turn.other for i in range(len(regions)))
        stones = [f"{color} {_where(region, self.board)}" for color, region in zip(colors, regions, strict=True)]
        points = tuple(self._free(region) for region in regions)
        action: Place = yield PlaceStep(
            person, f"the {person} player places {_join(stones, 'and')}", colors, regions, points
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
        action: Choose = yield ChooseStep(
            person, f"the {person} player chooses {_join(meanings, 'or')}", tuple(options)
        )
        return action.option

    def announce(self, person: Person, numbers: range) -> Script[int]:
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
        black, white = self.turn, _OTHER[self.turn]
        offer: Offer = yield OfferStep(
            black, f"the {black} player, black, offers {_count(count, 'fifth move')}{demand}", count, groups
        )
        fifths = tuple(self.board.parse_move(move) for move in offer.moves)
        names = _join([self.board.text(move) for move in fifths], "or")
        pick: Pick = yield PickStep(white, f"the {white} player, white, picks the fifth move {names}", fifths)
        self.board.push(pick.move)

    def _free(self, region: int | None) -> tuple[Move, ...]:
        free = self.board.legal_moves
        if region is None:
            return tuple(free)
        centre = _centre(self.board)
        return tuple(move for move in free if max(abs(move.x - centre.x), abs(move.y - centre.y)) <= region // 2)


def _equal_fifths(board: Board, points: Iterable[Move]) -> tuple[tuple[Move, ...], ...]:
    """Groups the points that give equal positions, under some symmetry of the board, when black plays there."""
    symmetries = range(8 if board.width == board.height else 4)  # from 4 on width and height change places
    stones = [{(board.transform_move(move, i), board.piece_at(move)) for move in board.moves} for i in symmetries]
    groups: dict[tuple[Any, ...], list[Move]] = {}
    for move in points:
        images = (sorted(stones[i] | {(board.transform_move(move, i), board.turn)}) for i in symmetries)
        groups.setdefault(tuple(min(images)), []).append(move)
    return tuple(tuple(group) for group in groups.values())


def _centre(board: Board) -> Move:
    return Move(board.width // 2, board.height // 2)


def _where(region: int | None, board: Board) -> str:
    if region is None:
        return "anywhere"
    return f"on the centre {board.text(_centre(board))}" if region == 1 else f"inside the central {region}x{region}"


def _join(words: Sequence[str], last: str) -> str:
    return f" {last} ".join(part for part in (", ".join(words[:-1]), words[-1]) if part)


def _count(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


# ---------------------------------------------------------------------------------------------------------------------
# The five procedures. All end with white to move, the fourth or the sixth stone of the game.

# The centre, the 3x3 and the 5x5 around it: stones one to three inside these form one of the 26 renju openings, all of
# them and nothing else (tests/test_openings.py), so RIF and Soosorv-8 need no list of openings.
_RENJU_OPENING = (1, 3, 5)


def _swap(table: _Table) -> Script[None]:
    yield from table.place(*_RENJU_OPENING, by="first")
    yield from table.may_swap()
    yield from table.place(None)
    yield from table.offer_fifths(2, symmetric=True)


def _rif(table: _Table) -> Script[None]:
    yield from table.place(*_RENJU_OPENING, by="first")
    yield from table.may_swap()
    yield from table.place(None)
    yield from table.offer_fifths(2)


def _swap2(table: _Table) -> Script[None]:
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


def _soosorv8(table: _Table) -> Script[None]:
    yield from table.place(*_RENJU_OPENING, by="first")
    yield from table.may_swap()
    white = table.turn
    yield from table.place(None)
    count = yield from table.announce(white, range(1, 9))
    yield from table.may_swap()
    yield from table.offer_fifths(count)


def _taraguchi10(table: _Table) -> Script[None]:
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
    script: Callable[[_Table], Script[None]]


PROCEDURES: Mapping[str, Rules] = {
    rules.name: rules
    for rules in (
        Rules("swap", "Swap", "renju", 5, _swap),
        Rules("rif", "RIF", "renju", 5, _rif),
        Rules("swap2", "Swap2", "freestyle", 5, _swap2),
        Rules("soosorv-8", "Soosorv-8", "renju", 7, _soosorv8),
        Rules("taraguchi-10", "Taraguchi-10", "renju", 9, _taraguchi10),
    )
}
"""The five procedures by name."""

_CHINESE_RIF = "三手交换五手两打"


def start(name: str, board: Board | None = None) -> Procedure:
    """Begins an opening procedure.

    Args:
        name: "swap", "rif" (or "三手交换五手两打"), "swap2", "soosorv-8" or "taraguchi-10"; case, spaces and hyphens
            do not matter.
        board: An empty board that gives size and rule; it is copied. Default: 15x15, freestyle for Swap2 and renju for
            the others.

    Raises:
        SetupError: No such procedure, or a board on which it cannot be played.
    """
    by_key = {_key(known): rules for known, rules in PROCEDURES.items()} | {_CHINESE_RIF: PROCEDURES["rif"]}
    rules = by_key.get(_key(str(name)))
    if rules is None:
        raise SetupError(f"unknown opening procedure {name!r}; use {_join(list(PROCEDURES), 'or')}")
    if board is None:
        board = Board(rule=rules.rule)
    if board.moves:
        raise SetupError(f"{rules.title} needs an empty board, not one with {_count(len(board.moves), 'stone')}")
    if board.turn != Color.BLACK:
        raise SetupError(f"{rules.title} needs a board on which black is to move")
    if min(board.width, board.height) < rules.smallest:
        size = f"{rules.smallest}x{rules.smallest}"
        raise SetupError(f"{rules.title} needs a board of at least {size}, not {board.width}x{board.height}")
    if board.n_in_row < 4:
        # Black's third stone must not be able to win: the procedures have no word for a game that is over.
        raise SetupError(f"{rules.title} needs at least 4 in a row, not {board.n_in_row}")
    return Procedure(rules, board)


def _key(name: str) -> str:
    return re.sub(r"[\s_-]", "", name).casefold()
