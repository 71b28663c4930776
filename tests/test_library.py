"""The library of games."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from tengen import records
from tengen.board import Board
from tengen.errors import InputError, SetupError
from tengen.library import Library, default_path

FIVE = "h8 a1 h9 a2 h10 a3 h11 a4 h12"


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library(tmp_path / "new" / "library.sqlite")


def test_games_are_kept_and_found(library: Library) -> None:
    assert library.search().total == 0
    first = library.keep(Board.from_moves(FIVE), "You", "Level 3", "black")
    second = library.keep(Board.from_moves("h8 i9 g9", rule="renju"), "李小龙", "You", "white")
    assert [entry.id for entry in library.search().games] == [second, first]
    for found, number in (
        (library.search("level"), first),
        (library.search("H8  A1"), first),
        (library.search("小龙"), second),
        (library.search(rule="renju"), second),
        (library.search(result="black"), first),
    ):
        assert [entry.id for entry in found.games] == [number]
    assert library.search("%").total == library.search("i9").total == 0
    assert library.search(offset=1).games[0].moves == tuple(FIVE.split())
    library.delete(first)
    assert library.search().total == 1
    with pytest.raises(InputError, match="no game"):
        library.delete(first)


def test_reviews_are_kept_with_their_games(library: Library) -> None:
    number = library.keep(Board.from_moves(FIVE), "You", "Level 3", "black")
    assert library.search().games[0].mistakes == ()
    library.note_review(number, (1, 0, 2), (0, 3, 0))
    assert library.search().games[0].mistakes == ((1, 0, 2), (0, 3, 0))
    with pytest.raises(InputError, match="no game"):
        library.note_review(number + 1, (0, 0, 0), (0, 0, 0))


def test_a_library_of_an_older_version_is_read(library: Library) -> None:
    library.keep(Board.from_moves(FIVE), "You", "Level 3", "black")
    with sqlite3.connect(library._path) as database:
        database.execute("ALTER TABLE games DROP COLUMN mistakes")
    assert library.search().games[0].mistakes == ()


def test_everything_goes_out_as_sgf(library: Library) -> None:
    library.keep(Board.from_moves(FIVE), "You", "Level 3", "black")
    library.keep(Board.from_moves("e5 f6", size=9, rule="renju"), "a]b", "You", "white")
    first, second = (records.parse(data) for data in library.sgf())
    assert (first.black, first.white, first.result) == ("You", "Level 3", "black")
    assert first.board().moves == Board.from_moves(FIVE).moves
    assert (second.black, second.rule, second.width) == ("a]b", "renju", 9)


def test_ten_thousand_games_are_searched_without_waiting_for_all(library: Library) -> None:
    """A page comes with the number of all games, however many there are."""
    number = library.keep(Board.from_moves(FIVE), "somebody", "Level 3", "black")
    with sqlite3.connect(library._path) as database:
        columns = "played, rule, size, black, white, result, plies, moves"
        others = columns.replace("black", "'another'", 1)
        for _ in range(14):
            database.execute(f"INSERT INTO games ({columns}) SELECT {others} FROM games")
    database.close()
    found = library.search("somebody", limit=20)
    assert (found.total, [entry.id for entry in found.games]) == (1, [number])
    assert library.search(limit=20).total > 10_000


def test_a_file_that_is_no_library(tmp_path: Path) -> None:
    path = tmp_path / "library.sqlite"
    path.write_bytes(b"nonsense" * 1000)
    with pytest.raises(SetupError, match="cannot be used"):
        Library(path).search()


def test_where_it_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_path() == tmp_path / "tengen" / "library.sqlite"
