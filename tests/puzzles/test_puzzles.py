"""Puzzles: every one has one solution, files grow, and attempts are judged by the solvers."""

from __future__ import annotations

import dataclasses
import itertools
import random
from pathlib import Path

import pytest

from tengen.board import Board
from tengen.errors import InputError
from tengen.puzzles import Puzzle, shipped
from tengen.puzzles.judge import PATIENT, Judge
from tengen.puzzles.mine import PuzzleFile
from tengen.puzzles.puzzle import RULES, SHIPPED
from tengen.puzzles.solving import Attempt
from tengen.thinking.levels import Turn, find_level


@pytest.mark.parametrize("rule", RULES)
def test_what_ships(rule: str) -> None:
    puzzles = list(shipped(rule).values())
    assert len(puzzles) >= 1400
    assert {puzzle.goal for puzzle in puzzles} == {"win", "save"}
    assert len({puzzle.key for puzzle in puzzles}) == len(puzzles), "none is the mirror image of another"
    assert puzzles == sorted(puzzles, key=lambda puzzle: puzzle.rating)
    for puzzle in puzzles:
        assert not puzzle.board().is_over
        assert puzzle.goal == "save" or _ends_the_game(puzzle)


def _ends_the_game(puzzle: Puzzle) -> bool:
    """Whether the line of a win can be played to its end: a five, or no legal answer for black."""
    board = puzzle.board()
    winner = board.turn
    for move in puzzle.line:
        board.push(move)
    outcome = board.outcome()
    return board.turn != winner and (outcome is None or outcome.winner == winner)


def test_all_puzzles_together_are_small() -> None:
    assert sum(path.stat().st_size for path in SHIPPED.iterdir()) < 1 << 20


@pytest.mark.parametrize("rule", RULES)
def test_a_puzzle_has_one_solution(rule: str) -> None:
    for puzzle in random.Random(7).sample(list(shipped(rule).values()), 4):
        assert Judge(PATIENT).confirms(puzzle)


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES)
def test_two_hundred_random_puzzles_have_one_solution_each(rule: str) -> None:
    for puzzle in random.Random(22).sample(list(shipped(rule).values()), 67):
        assert Judge(PATIENT).confirms(puzzle), puzzle.name


def test_a_solution_that_is_not_the_only_one_is_not_confirmed() -> None:
    """Either end of an open three makes a four that wins."""
    stones = ("h8", "a1", "i8", "a3", "j8", "a5")
    for move in ("g8", "k8"):
        assert not Judge(PATIENT).confirms(Puzzle("freestyle", "win", 0.5, stones, (move,)))


def test_a_defence_need_not_come_to_mind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tengen.puzzles.judge.impressions", lambda board: [])
    puzzle = next(puzzle for puzzle in shipped("freestyle").values() if puzzle.goal == "save")
    board = puzzle.board()
    assert [board.text(move) for move in Judge().only_defence(board)] == [puzzle.line[0]]


def test_a_puzzle_goes_into_a_file_and_comes_back() -> None:
    for puzzle in itertools.islice(shipped("renju").values(), 5):
        assert Puzzle.parse(puzzle.text(), "renju") == puzzle
        unknown = dataclasses.replace(puzzle, source=0)
        assert Puzzle.parse(f"{unknown.text()} #12", "renju") == dataclasses.replace(puzzle, source=12)
    with pytest.raises(InputError, match="not a puzzle"):
        Puzzle.parse("win 0.5 h8", "renju")


def test_longer_and_more_surprising_is_harder() -> None:
    def rating(prior: float, line: int) -> int:
        return Puzzle("freestyle", "win", prior, (), ("h8",) * line).rating

    assert rating(0.5, 3) < rating(0.5, 9) < rating(0.05, 9) < rating(0.001, 9)


@pytest.mark.parametrize("rule", RULES)
def test_levels_find_easier_puzzles_more_often(rule: str) -> None:
    chosen = sorted(random.Random(5).sample(list(shipped(rule).values()), 60), key=lambda puzzle: puzzle.rating)
    level = find_level(3)

    def found(puzzles: list[Puzzle]) -> int:
        return sum(puzzle.board().text(Turn(level, puzzle.board(), 1).move()) == puzzle.line[0] for puzzle in puzzles)

    assert found(chosen[:30]) > found(chosen[30:])


def test_mining_goes_on_where_it_stopped(tmp_path: Path) -> None:
    path = tmp_path / "puzzles.txt"
    first = list(PuzzleFile(path, "freestyle").grow(2))
    again = PuzzleFile(path, "freestyle")
    assert again.made == first
    assert list(again.grow(len(first))) == []
    more = list(again.grow(len(first) + 1))
    assert PuzzleFile(path, "freestyle").made == [*first, *more]
    assert len(more) >= 1


@pytest.mark.parametrize("rule", RULES)
def test_the_solution_is_right_to_the_end(rule: str) -> None:
    puzzle = next(puzzle for puzzle in shipped(rule).values() if puzzle.goal == "win" and puzzle.length >= 3)
    trying, board = Attempt.at(puzzle), puzzle.board()
    moves = [board.parse_move(move) for move in puzzle.line]
    for ply in range(0, len(moves), 2):
        assert trying.next_move(moves[:ply]) == moves[ply]
        found = trying.judge(moves[: ply + 1])
        assert found.verdict == ("right" if ply + 2 < len(moves) else "solved")
        assert found.line == tuple(moves[ply + 1 : ply + 2])


def test_another_way_to_win_is_right_too() -> None:
    """After the first move, whatever still wins; here fours on both sides of an open three."""
    start = Board.from_moves("h8 a1 i8 a3 j8 a5")
    trying = Attempt(start, "win")
    for point in ("g8", "k8"):
        found = trying.judge([start.parse_move(point)])
        assert found.verdict == "right"
        played = [start.parse_move(point), *found.line]
        five = trying.next_move(played)
        assert five is not None
        assert trying.judge([*played, five]).verdict == "solved"


def test_a_wrong_move_is_refuted() -> None:
    puzzle = next(puzzle for puzzle in shipped("freestyle").values() if puzzle.goal == "win")
    board = puzzle.board()
    corner = next(move for move in board.legal_moves if board.text(move) != puzzle.line[0])
    assert Attempt.at(puzzle).judge([corner]).verdict == "wrong"


def test_a_defence_that_fails_is_answered_by_the_win() -> None:
    puzzle = next(puzzle for puzzle in shipped("freestyle").values() if puzzle.goal == "save")
    board = puzzle.board()
    trying = Attempt.at(puzzle)
    assert trying.judge([board.parse_move(puzzle.line[0])]).verdict == "solved"
    failing = next(move for move in board.legal_moves if board.text(move) != puzzle.line[0])
    found = trying.judge([failing])
    assert found.verdict == "wrong"
    assert len(found.line) >= 3
