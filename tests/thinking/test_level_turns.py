"""Levels: how they choose, and that every door leads to the same one."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from statistics import mean

import pytest

from tengen import Board, core
from tengen.board import Move
from tengen.thinking.levels import LEVELS, Turn
from tengen.thinking.thought import Thinking

OPEN_FOUR = "h8 a1 i8 a3 j8 a5 k8"  # white is to move, and lost


def test_levels_get_stronger_step_by_step() -> None:
    levels = [LEVELS[number] for number in range(1, 11)]
    assert [level.temperature for level in levels] == sorted((level.temperature for level in levels), reverse=True)
    assert [level.blindness for level in levels] == sorted((level.blindness for level in levels), reverse=True)
    playouts = [level.playouts or 1 << 30 for level in levels]
    assert playouts == sorted(playouts)


class Fixed(Turn):
    """A turn whose search has ended with the visits 50, 30 and 20."""

    def __init__(self, level: core.Level, board: Board, seed: int) -> None:
        super().__init__(level, board, seed)
        self.sees = self.thinking.search.params.threats
        found = Thinking(board, self.thinking.search, replace(self.thinking._budget, playouts=3)).run()
        candidate = replace(found.candidates[0], proof=None)
        moves = [replace(candidate, move=Move(x, 0), visits=visits) for x, visits in enumerate((50, 30, 20))]
        self.thinking._analysis = replace(found, proof=None, candidates=tuple(moves))
        self.thinking.ended = "playouts"  # so that `move` does not go on with it


@pytest.mark.parametrize("number", [2, 3])
def test_what_a_level_sees_and_what_it_chooses_are_two_chances(number: int) -> None:
    level, board = LEVELS[number], Board.from_moves("h8 i9")
    turns = [Fixed(level, board, seed) for seed in range(600)]
    weights = [visits ** (1 / level.temperature) for visits in (50, 30, 20)]
    expected = weights[0] / sum(weights)
    assert mean(not turn.sees for turn in turns) == pytest.approx(level.blindness, abs=0.08)
    for sees in (True, False):
        chosen = [turn.move() == Move(0, 0) for turn in turns if turn.sees == sees]
        assert mean(chosen) == pytest.approx(expected, abs=0.12), f"seeing is {sees}"


@pytest.mark.parametrize("number", list(LEVELS))
@pytest.mark.parametrize("rule", ["freestyle", "standard", "renju", "caro"])
def test_every_level_goes_on_when_it_is_lost(number: int, rule: str) -> None:
    board = Board.from_moves(OPEN_FOUR, rule=rule)
    turn = Turn(LEVELS[number].with_seconds(0.2), board, seed=1)
    assert turn.thinking.run().candidates
    assert board.is_legal(turn.move())


@pytest.mark.parametrize("number", [7, 8, 9])
def test_a_lost_level_still_stops_one_of_two_fives(number: int) -> None:
    board = Board.from_moves(OPEN_FOUR)
    moves = Counter(board.text(Turn(LEVELS[number], board, seed).move()) for seed in range(8))
    assert set(moves) <= {"g8", "l8"}


def test_the_chance_belongs_to_game_and_move() -> None:
    board = Board.from_moves("h8 i9 g10")
    level = LEVELS[2]
    moves = [Turn(level, board, seed).move() for seed in range(40)]
    assert moves == [Turn(level, board, seed).move() for seed in range(40)]
    assert len(set(moves)) > 3
    random.seed(5)
    assert Turn(level, board, 7).move() == moves[7], "nobody else's chance matters"
