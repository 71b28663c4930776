"""Levels between the levels, and the strength that the page knows of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tengen.board import Board
from tengen.errors import SetupError
from tengen.thinking.levels import ELOS, LEVELS, Turn, find_level

MEASURED = Path(__file__).parents[2] / "docs" / "levels.md"


def test_strengths_are_those_that_were_measured() -> None:
    rows = re.findall(r"^\| (\d+) \| ([+-]\d+) ±", MEASURED.read_text(encoding="utf-8"), re.MULTILINE)
    assert {int(number): float(elo) for number, elo in rows} == {number: elo for number, elo in ELOS.items() if number}
    assert ELOS.keys() == LEVELS.keys()


@pytest.mark.parametrize("number", [1.5, 3.4, 5.9, 7.1, 9.2, 9.9])
def test_a_level_between_two(number: float) -> None:
    lower, level, upper = find_level(int(number)), find_level(number), find_level(int(number) + 1)
    for name in re.findall(r"(\w+)=", repr(level)):
        between = sorted((getattr(lower, name), getattr(upper, name)))
        assert between[0] <= getattr(level, name) <= between[1], name


def test_a_level_between_two_plays() -> None:
    board = Board.from_moves("h8 i9 g9")
    assert board.is_legal(Turn(find_level(3.4), board, 1).move())


@pytest.mark.parametrize("number", [-1, 0.5, 10.5, 11])
def test_there_is_nothing_beyond_the_levels(number: float) -> None:
    with pytest.raises(SetupError, match="the levels are 0 to 10"):
        find_level(number)
