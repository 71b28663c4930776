"""Balanced openings: how they are made, and those that ship."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from tengen.arena import GameSetup, random_openings, read_openings
from tengen.arena.balanced import (
    SHIPPED,
    OpeningsFile,
    Recipe,
    make,
    match_openings,
    shipped_file,
    shipped_openings,
)
from tengen.arena.openings import canonical, is_quiet
from tengen.errors import SetupError
from tengen.search import Mcts
from tengen.thinking.evaluators import best_evaluator

QUICK = Recipe(GameSetup(), playouts=100, tolerance=0.2, seed=3)


def test_openings_are_even_quiet_different_and_the_same_again(tmp_path: Path) -> None:
    openings = list(make(QUICK, 6))
    assert openings == list(islice(make(QUICK, 8), 6))
    boards = [QUICK.setup.board(opening.moves) for opening in openings]
    assert all(is_quiet(board) for board in boards)
    assert len({canonical(board) for board in boards}) == 6
    evaluator = best_evaluator(boards[0])
    for opening, board in zip(openings, boards, strict=True):
        assert abs(opening.value) <= 0.2
        assert Mcts(evaluator).search(board, playouts=100).value == pytest.approx(opening.value, abs=1e-6)


def test_the_file_reads_back(tmp_path: Path) -> None:
    openings = list(make(QUICK, 2))
    path = tmp_path / "openings.txt"
    made = list(OpeningsFile(path, QUICK, 2, "nobody").lines())
    assert len(made) == 2
    assert read_openings(path, QUICK.setup) == [opening.moves for opening in openings]
    assert "--playouts 100 --tolerance 0.2 --seed 3" in path.read_text(encoding="utf-8")


def test_making_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    whole, stopped = tmp_path / "whole.txt", tmp_path / "stopped.txt"
    list(OpeningsFile(whole, QUICK, 4, "nobody").lines())
    stopped.write_text("older openings", encoding="utf-8")
    list(islice(OpeningsFile(stopped, QUICK, 4, "nobody").lines(), 2))
    assert stopped.read_text(encoding="utf-8") == "older openings", "it is replaced when the new ones are there"
    partial = tmp_path / "stopped.txt.partial"
    with partial.open("a", encoding="utf-8") as file:
        file.write("h8 i")  # a line that a crash cut off
    with pytest.raises(SetupError, match="was begun in another way; delete it"):
        OpeningsFile(stopped, QUICK, 5, "nobody")
    whole_so_far = partial.read_text(encoding="utf-8")
    partial.write_text(whole_so_far.replace(", draw", ""), encoding="utf-8")
    with pytest.raises(SetupError, match="was begun in another way"):
        OpeningsFile(stopped, QUICK, 4, "nobody")
    partial.write_text(whole_so_far, encoding="utf-8")
    rest = OpeningsFile(stopped, QUICK, 4, "nobody")
    assert len(rest.made) == 2
    assert len(list(rest.lines())) == 2
    assert stopped.read_text(encoding="utf-8") == whole.read_text(encoding="utf-8")
    assert not partial.exists()


FILES = sorted(SHIPPED.glob("*.txt"))


def test_there_are_shipped_openings() -> None:
    assert {"freestyle-15", "standard-15", "renju-15"} <= {path.stem for path in FILES}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_shipped_openings_are_sound(path: Path) -> None:
    rule, size = path.stem.split("-")
    setup = GameSetup(rule=rule, size=int(size))
    assert shipped_file(setup) == path
    openings = read_openings(path, setup)
    assert len(openings) >= 100
    boards = [setup.board(opening) for opening in openings]
    assert len({canonical(board) for board in boards}) == len(openings), "no two are the same after a symmetry"
    assert all(is_quiet(board) for board in boards)
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    assert all(abs(float(line.partition("#")[2].partition(",")[0])) <= 0.1 for line in lines)


def test_a_match_takes_shipped_openings_first_and_then_random_ones() -> None:
    setup = GameSetup()
    shipped = shipped_openings(setup, seed=5)
    assert shipped != shipped_openings(setup, seed=6)
    assert sorted(shipped) == sorted(shipped_openings(setup, seed=6))
    assert match_openings(10, setup, seed=5) == shipped[:10]
    large = GameSetup(size=20)
    shipped = shipped_openings(large, seed=5)
    assert match_openings(len(shipped) + 2, large, seed=5) == [*shipped, *random_openings(2, large, 5)]
    small = GameSetup(size=7)
    assert match_openings(3, small, 1) == random_openings(3, small, 1)
    assert shipped_openings(GameSetup(n_in_row=6)) == []


def test_a_match_of_very_many_games_goes_through_its_openings_again() -> None:
    small = GameSetup(size=7)
    assert match_openings(3, small, 1, enough=4) == random_openings(3, small, 1)
    assert match_openings(10_000, small, 1, enough=4) == random_openings(4, small, 1)
    assert len(match_openings(10_000, GameSetup(), 1, enough=4)) == len(shipped_openings(GameSetup()))


def test_mistakes_are_one_sentence() -> None:
    with pytest.raises(SetupError, match="playouts must be at least 1"):
        Recipe(GameSetup(), playouts=0)
    with pytest.raises(SetupError, match="tolerance"):
        Recipe(GameSetup(), tolerance=0)
    with pytest.raises(SetupError, match="found only"):
        list(make(Recipe(GameSetup(size=5), playouts=1, tolerance=1e-9), 10_000))
