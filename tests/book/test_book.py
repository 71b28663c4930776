"""The book of openings: counting up to symmetry, files that grow."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tengen import Board, Move, renju
from tengen.arena.openings import canonical
from tengen.board import SYMMETRIES, Color
from tengen.book import Book, GamesFile, shipped_book
from tengen.book import games as book_games
from tengen.book.games import PlayedGame, balanced, start
from tengen.cli import main
from tengen.errors import InputError
from tengen.theory.symmetry import key, stones_of
from tengen.thinking.levels import find_level


def game(moves: str, winner: Color | None) -> PlayedGame:
    return PlayedGame(tuple(Board.from_moves(moves).moves), winner)


def test_games_are_counted_up_to_symmetry_and_order() -> None:
    book = Book(
        [
            game("h8 h9 i9", Color.BLACK),
            game("h8 i8 i7", Color.WHITE),  # the same, turned
            game("h8 h9 g9 h10", None),  # the same, mirrored, and a move more
            game("h8 i9", Color.WHITE),
        ]
    )
    board = Board.from_moves("h8 g8 g9")
    tally = book.at(board)
    assert (tally.games, tally.black, tally.white, tally.draws) == (3, 1, 1, 1)
    (reply,) = book.replies(board)
    assert ([board.text(move) for move in reply.moves], reply.tally.games) == (["f8"], 1)
    first = Board.from_moves("h8")
    assert [(len(reply.moves), reply.tally.games) for reply in book.replies(first)] == [(4, 3), (4, 1)]
    assert book.at(Board()).games == book.games == 4
    assert book.at(Board.from_moves("a1")).games == 0
    assert book.at(Board(size=19)).games == 0


def test_keys_agree_with_the_slow_way() -> None:
    generator = random.Random(3)
    boards = []
    for _ in range(20):
        board = Board()
        for _ in range(5):
            board.push(generator.choice(board.legal_moves))
        boards += [board, board.transform(generator.choice(SYMMETRIES))]
    for one in boards:
        for other in boards:
            same = key(stones_of(one.moves, 15), 15) == key(stones_of(other.moves, 15), 15)
            assert same == (canonical(one) == canonical(other))


def test_a_file_of_games_grows_and_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(book_games, "LEVEL", 1)
    path = tmp_path / "book.txt"
    first = list(GamesFile(path, "renju").grow(2))
    file = GamesFile(path, "renju")
    assert file.games == 2
    assert list(file.grow(2)) == []
    assert [*first, *file.grow(3)] == book_games.read(path)
    assert first[0].moves[:3] == renju.openings["1D"].moves_on(15)
    path.write_text("b h8zz\n", encoding="utf-8")
    with pytest.raises(InputError, match="not a game of a book"):
        GamesFile(path, "renju")


@pytest.mark.parametrize("rule", ["freestyle", "standard", "renju"])
def test_the_shipped_book_knows_every_named_opening(rule: str) -> None:
    book = shipped_book(rule)
    assert book.games >= 1500
    for opening in renju.openings.values():
        assert book.at(opening.board(rule=rule)).games > 0, opening.name
        assert book.replies(opening.board(rule=rule)), opening.name
    for moves in (*balanced(rule), ()):
        assert book.replies(Board.from_moves(moves, rule=rule)), moves
    assert find_level(book_games.LEVEL).temperature > 0, "or every game from an opening would be the same"


def test_games_begin_with_every_opening_and_with_none() -> None:
    begun = [tuple(start("renju", number)) for number in range(4 * 26)]
    assert begun.count(()) == 26
    named = [opening.moves_on(15) for opening in renju.openings.values()]
    assert {*named, *map(tuple, balanced("renju"))} < set(begun)
    assert [tuple(start("caro", number)) for number in range(2, 9, 4)] == [(), ()], "there are none for this rule"


@pytest.mark.filterwarnings("ignore:Cyclopts application invoked")
def test_the_command_tells_what_is_known(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.argv", ["tengen", "openings", "replies", "h8", "i9", "i7", "g7"])
    main()
    told = capsys.readouterr().out
    assert "black won" in told
    assert "proven: black wins by" in told


def test_a_move_is_a_point_of_the_book() -> None:
    assert PlayedGame.parse("d h8i9").moves == (Move(7, 7), Move(8, 6))
    assert PlayedGame.parse("d h8i9").text() == "d h8i9"
