"""Openings for matches."""

from __future__ import annotations

from pathlib import Path

import pytest

from tengen import Board
from tengen.arena import GameSetup, random_openings, read_openings
from tengen.arena.openings import is_quiet
from tengen.errors import SetupError


@pytest.mark.parametrize("rule", ["freestyle", "standard", "renju", "caro"])
def test_random_openings_are_different_legal_and_quiet(rule: str) -> None:
    setup = GameSetup(rule=rule)
    openings = random_openings(30, setup, seed=3)
    seen: set[int] = set()
    for opening in openings:
        board = setup.board(opening)
        assert board.ply in (3, 5)
        assert all(2 <= move.x <= 12 and 2 <= move.y <= 12 for move in opening)
        assert is_quiet(board)
        images = {board.transform(symmetry).hash for symmetry in range(8)}
        assert not images & seen
        seen |= images


def test_openings_depend_on_the_seed_only() -> None:
    assert random_openings(10, seed=1) == random_openings(30, seed=1)[:10]
    assert random_openings(10, seed=1) != random_openings(10, seed=2)


def test_accept_filters() -> None:
    openings = random_openings(5, accept=lambda board: board.ply == 5)
    assert {len(opening) for opening in openings} == {5}


@pytest.mark.parametrize("size", [5, 8, 9, 11, 20])
@pytest.mark.parametrize("rule", ["freestyle", "renju"])
def test_openings_exist_on_every_size(size: int, rule: str) -> None:
    assert len(random_openings(10, GameSetup(size=size, rule=rule))) == 10


def test_small_boards_have_few_openings() -> None:
    assert random_openings(3, GameSetup(size=3, n_in_row=3))
    with pytest.raises(SetupError, match=r"found only \d+ openings for freestyle on 3x3, not 1000"):
        random_openings(1000, GameSetup(size=3, n_in_row=3))
    with pytest.raises(SetupError, match="must be at least 1, not 0"):
        random_openings(0)
    with pytest.raises(SetupError, match="must be at least 1, not -3"):
        random_openings(-3, GameSetup(game="tictactoe"))


def test_is_quiet() -> None:
    assert is_quiet(Board.from_moves("h8 a1 h9 b1"))
    assert not is_quiet(Board.from_moves("h8 a1 h9 b3 h10"))
    assert not is_quiet(Board.from_moves("a1 a2 b1 b2 c1 c2 d1 d2 e1"))


def test_reads_a_file(tmp_path: Path) -> None:
    path = tmp_path / "openings.txt"
    path.write_text("# mine\nh8 i9 h10\n\nh8, g8  # a comment\n")
    assert read_openings(path) == [
        tuple(Board.from_moves("h8 i9 h10").moves),
        tuple(Board.from_moves("h8 g8").moves),
    ]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"h8 i9\nh8 h8\n", "line 2: h8 is occupied by black"),
        (b"h8 p3\n", "line 1: p3 is off the 15x15 board"),
        (b"what\n", 'line 1: "what" is not a point'),
        (b"a1 a2 b1 b2 c1 c2 d1 d2 e1", "line 1: the game is already over, black wins"),
        (b"# nothing\n", "there is no opening in"),
        (b"\xff\xfe\x00", "it is not text"),
    ],
)
def test_a_bad_file_is_one_sentence(tmp_path: Path, content: bytes, sentence: str) -> None:
    path = tmp_path / "openings.txt"
    path.write_bytes(content)
    with pytest.raises(SetupError, match=sentence):
        read_openings(path)


def test_a_missing_file_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="No such file"):
        read_openings(tmp_path / "none.txt")
