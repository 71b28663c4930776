"""The machine around a procedure: lets through what the open step accepts, and keeps the history."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any

from tengen.board import Board, Color
from tengen.errors import InputError, SetupError
from tengen.procedures.actions import ACTIONS, OTHER, Action, Entry, IllegalActionError, Person
from tengen.procedures.formats import PROCEDURES, Rules
from tengen.procedures.steps import Step
from tengen.procedures.table import Table
from tengen.procedures.wording import count_of, join


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
        self._table = Table(self._empty.copy())
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
        return OTHER[self._table.black]

    @property
    def to_act(self) -> Person:
        """Who must act; after the opening whoever has the colour that is to move."""
        return self._table.turn if self.step is None else self.step.person

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
        person, kind = values.pop("person"), ACTIONS[values.pop("action")]
        return Entry(person, kind(**values))
    except (KeyError, TypeError):
        raise InputError(f"{record!r} is not a record of an action") from None


def _plain(record: object) -> dict[str, Any]:
    if not isinstance(record, Mapping):
        raise InputError(f"{record!r} is not a record of an opening")
    return dict(record)


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
        raise SetupError(f"unknown opening procedure {name!r}; use {join(list(PROCEDURES), 'or')}")
    if board is None:
        board = Board(rule=rules.rule)
    if board.moves:
        raise SetupError(f"{rules.title} needs an empty board, not one with {count_of(len(board.moves), 'stone')}")
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
