"""A library of games in one SQLite file: kept, searched and written out as SGF."""

from __future__ import annotations

import contextlib
import datetime
import os
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from tengen import records
from tengen.board import Board, Move
from tengen.errors import InputError, SetupError
from tengen.records import Game

_SCHEMA = """
CREATE TABLE IF NOT EXISTS games (
    id INTEGER PRIMARY KEY,
    played TEXT NOT NULL,
    rule TEXT NOT NULL,
    size INTEGER NOT NULL,
    black TEXT NOT NULL,
    white TEXT NOT NULL,
    result TEXT NOT NULL,
    plies INTEGER NOT NULL,
    moves TEXT NOT NULL,
    mistakes TEXT NOT NULL DEFAULT ''
)
"""
_COLUMNS = "id, played, rule, size, black, white, result, moves, mistakes"
_NEWER_COLUMN = "ALTER TABLE games ADD COLUMN mistakes TEXT NOT NULL DEFAULT ''"

Mistakes: TypeAlias = tuple[int, int, int]
"""Inaccuracies, mistakes and blunders."""


def default_path() -> Path:
    """Where the library of this person is."""
    data = os.environ.get("XDG_DATA_HOME")
    return (Path(data) if data else Path.home() / ".local" / "share") / "tengen" / "library.sqlite"


@dataclass(frozen=True)
class Entry:
    """A game of the library.

    Attributes:
        id: Its number; 0 for one that is not in it yet.
        played: When, ISO 8601 in UTC.
        rule: The rule.
        size: Points on each side.
        black: Who had black.
        white: Who had white.
        result: "black", "white" or "draw".
        moves: As players write them.
        mistakes: What a review found of black's moves and of white's; empty if there was none.
    """

    id: int
    played: str
    rule: str
    size: int
    black: str
    white: str
    result: str
    moves: tuple[str, ...]
    mistakes: tuple[Mistakes, ...] = ()

    def record(self) -> Game:
        """The game as a record."""
        moves = [Move.parse(move, self.size) for move in self.moves]
        names = {"black": self.black, "white": self.white, "rule": self.rule, "result": self.result}
        return Game.of_moves(moves, width=self.size, height=self.size, **names)


@dataclass(frozen=True)
class Page:
    """Some of the games that a search found, the latest first, and how many there are."""

    games: list[Entry]
    total: int


class Library:
    """The games in a file. Key methods: `keep`, `search`, `sgf`. Any thread may call them."""

    def __init__(self, path: Path) -> None:
        """Opens a library, or begins one with its first game.

        Args:
            path: Of the file.
        """
        self._path = path

    def keep(self, board: Board, black: str, white: str, result: str) -> int:
        """Keeps a game and returns its number.

        Args:
            board: The end of the game.
            black: Who had black.
            white: Who had white.
            result: "black", "white" or "draw".
        """
        played = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")
        moves = " ".join(board.text(move) for move in board.moves)
        values = (played, board.rule, board.width, black, white, result, board.ply, moves)
        with self._open() as database:
            cursor = database.execute(
                "INSERT INTO games (played, rule, size, black, white, result, plies, moves) VALUES (?,?,?,?,?,?,?,?)",
                values,
            )
            return cursor.lastrowid or 0

    def search(self, text: str = "", rule: str = "", result: str = "", offset: int = 0, limit: int = 50) -> Page:
        """Games that have a word of a name or begin with moves, the latest first.

        Args:
            text: Part of a name, or the first moves ("h8 i9"); any if empty.
            rule: The rule; any if empty.
            result: "black", "white" or "draw"; any if empty.
            offset: How many to leave out.
            limit: How many to give.
        """
        where, values = _conditions(text, rule, result)
        with self._open() as database:
            (total,) = database.execute(f"SELECT count(*) FROM games {where}", values).fetchone()
            rows = database.execute(
                f"SELECT {_COLUMNS} FROM games {where} ORDER BY id DESC LIMIT ? OFFSET ?", (*values, limit, offset)
            ).fetchall()
        return Page([_entry(row) for row in rows], total)

    def note_review(self, number: int, black: Mistakes, white: Mistakes) -> None:
        """Keeps what a review found; InputError if there is no game of that number."""
        text = " ".join(str(count) for count in (*black, *white))
        with self._open() as database:
            if database.execute("UPDATE games SET mistakes = ? WHERE id = ?", (text, number)).rowcount == 0:
                raise InputError(f"there is no game {number} in the library")

    def delete(self, number: int) -> None:
        """Takes a game out; InputError if there is none of that number."""
        with self._open() as database:
            if database.execute("DELETE FROM games WHERE id = ?", (number,)).rowcount == 0:
                raise InputError(f"there is no game {number} in the library")

    def sgf(self) -> Iterator[bytes]:
        """Every game as SGF, the oldest first."""
        with self._open() as database:
            for row in database.execute(f"SELECT {_COLUMNS} FROM games ORDER BY id"):
                yield records.write(_entry(row).record(), "sgf")

    @contextlib.contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            database = sqlite3.connect(self._path, timeout=10)
            try:
                with database:  # commits, or rolls back
                    _prepare(database)
                    yield database
            finally:
                database.close()
        except (OSError, sqlite3.Error) as error:
            raise SetupError(f'the library "{self._path}" cannot be used: {error}') from None


def _prepare(database: sqlite3.Connection) -> None:
    database.execute(_SCHEMA)
    columns = [row[1] for row in database.execute("PRAGMA table_info(games)")]
    if "mistakes" not in columns:  # a library of an older version
        database.execute(_NEWER_COLUMN)


def _conditions(text: str, rule: str, result: str) -> tuple[str, list[str]]:
    parts, values = [], []
    for column, value in (("rule", rule), ("result", result)):
        if value:
            parts.append(f"{column} = ?")
            values.append(value)
    if text := " ".join(text.lower().split()):
        part = text.replace("\\", "\\\\").replace("%", r"\%").replace("_", r"\_")
        parts.append(r"(lower(black) LIKE ? ESCAPE '\' OR lower(white) LIKE ? ESCAPE '\' OR moves LIKE ? ESCAPE '\')")
        values += [f"%{part}%", f"%{part}%", f"{part}%"]
    return f"WHERE {' AND '.join(parts)}" if parts else "", values


def _entry(row: Sequence[Any]) -> Entry:
    number, played, rule, size, black, white, result, moves, mistakes = row
    counts = [int(count) for count in mistakes.split()]
    found = ((counts[0], counts[1], counts[2]), (counts[3], counts[4], counts[5])) if counts else ()
    return Entry(number, played, rule, size, black, white, result, tuple(moves.split()), found)
