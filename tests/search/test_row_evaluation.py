"""S2's evaluation against the numbers that the document prints (its tables 1 and 2)."""

from __future__ import annotations

import random

import pytest

from tengen import core
from tengen.board import Board, Color, Move
from tengen.errors import SetupError
from tengen.players import create
from tengen.search.alpha_beta import AlphaBeta

POINTS = {1: 2, 2: 5, 3: 1000, 4: 10000}
ONE_END_BLOCKED = {1: 0.5, 2: 0.6, 3: 0.01, 4: 0.25}
OTHER_TO_MOVE = {1: 1, 2: 1, 3: 0.2, 4: 0.15}
GAP = {1: 1, 2: 1.2, 3: 0.9, 4: 0.4}


def worth(stones: int, blocked: int, gap: bool, to_move: bool) -> float:
    """The document's rules for one row, in its own words: points and the factors that apply."""
    if stones >= 5:
        return 8000 if gap else 100000
    if blocked == 2:
        return 0
    points = float(POINTS[stones])
    points *= ONE_END_BLOCKED[stones] if blocked == 1 else 1
    points *= 1 if to_move else OTHER_TO_MOVE[stones]
    return points * (GAP[stones] if gap else 1)


def slow_line(line: list[int], color: int, to_move: bool) -> float:
    """All rows of a colour on a line, by a text search."""
    text = "#" + "".join("o" if stone == color else "." if stone == 0 else "#" for stone in line) + "#"
    total, i = 0.0, 1
    while i < len(text):
        if text[i] != "o":
            i += 1
            continue
        parts = [len(part) for part in text[i:].replace("#", ".").split(".")[:2]]
        joined = parts[1] > 0 and text[i + parts[0]] == "."
        stones, length = (parts[0] + parts[1], parts[0] + 1 + parts[1]) if joined else (parts[0], parts[0])
        blocked = (text[i - 1] == "#") + (text[i + length] == "#")
        total += worth(stones, blocked, joined and max(parts) < 5, to_move)
        i += length
    return total


def slow_score(board: core.Board, width: int, height: int) -> float:
    def stone(x: int, y: int) -> int:
        cell = y * width + x
        return 0 if board.is_empty(cell) else 1 if board.has_stone(cell, board.turn) else -1

    lines = []
    for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
        for x0 in range(width):
            for y0 in range(height):
                if 0 <= x0 - dx < width and 0 <= y0 - dy < height:
                    continue
                line, x, y = [], x0, y0
                while 0 <= x < width and 0 <= y < height:
                    line.append(stone(x, y))
                    x, y = x + dx, y + dy
                lines.append(line)
    return sum(slow_line(line, 1, True) - slow_line(line, -1, False) for line in lines)


@pytest.mark.parametrize("stones", range(1, 7))
@pytest.mark.parametrize("blocked", range(3))
@pytest.mark.parametrize("gap", [False, True])
@pytest.mark.parametrize("to_move", [False, True])
def test_every_entry_of_the_tables(stones: int, blocked: int, gap: bool, to_move: bool) -> None:
    tenths = core.RowEvaluation.row_tenths(stones, blocked, gap, to_move)
    assert tenths == pytest.approx(10 * worth(stones, blocked, gap, to_move), abs=1e-6)


@pytest.mark.parametrize(
    ("black", "white", "turn", "points"),
    [
        (["h8"], [], Color.BLACK, 4 * 2),  # one stone is a row of one on four lines
        (["h8", "i8", "j8"], [], Color.BLACK, 1000 + 9 * 2),
        (["h8", "i8", "j8"], [], Color.WHITE, -(200 + 9 * 2)),  # 0.2: the other side is to move
        (["h8", "i8", "k8"], [], Color.BLACK, 900 + 9 * 2),  # 0.9: a gap
        (["g8", "h8", "i8", "j8"], [], Color.BLACK, 10000 + 12 * 2),
        (["g8", "h8", "i8", "j8"], [], Color.WHITE, -(1500 + 12 * 2)),
        (["f8", "g8", "h8", "j8", "k8"], [], Color.BLACK, 8000 + 15 * 2),  # five stones with a gap
        (["a8", "b8", "c8", "d8"], [], Color.BLACK, 2500 + 10 * 2 + 2 * 1),  # the edge blocks three of a8
    ],
)
def test_positions_by_hand(black: list[str], white: list[str], turn: Color, points: int) -> None:
    board = Board.from_stones(black, white, turn)
    assert core.RowEvaluation(board._core).score() == points


def random_position(rng: random.Random) -> tuple[core.Board, int, int]:
    width, height = rng.randrange(5, 16), rng.randrange(5, 16)
    board = core.Board(width, height, core.Rule.freestyle, 5)
    for _ in range(rng.randrange(2, width * height * 2 // 3)):
        board.play(rng.choice(board.empties()))
    return board, width, height


def test_score_equals_a_slow_one() -> None:
    rng = random.Random(1)
    for _ in range(150):
        board, width, height = random_position(rng)
        assert core.RowEvaluation(board).score() == int(round(slow_score(board, width, height), 6))


def test_gains_differ_as_the_scores_after_the_moves_do() -> None:
    rng = random.Random(2)
    for _ in range(100):
        board, _, _ = random_position(rng)
        rows = core.RowEvaluation(board)
        differences = []
        for move in rng.sample(board.empties(), 5):
            gain = rows.gain(move)
            board.play(move)
            differences.append(-core.RowEvaluation(board).score() - gain)
            board.undo()
        assert max(differences) - min(differences) <= 2  # each is rounded to a whole point


def test_the_first_move_is_one_of_the_central_nine() -> None:
    moves = {AlphaBeta(evaluation="rows", seed=seed).search(Board()).move for seed in range(200)}
    assert moves == {Move(x, y) for x in (6, 7, 8) for y in (6, 7, 8)}


@pytest.mark.parametrize(
    ("first", "second"), [((7, 7), (8, 8)), ((6, 8), (7, 7)), ((0, 14), (1, 13)), ((9, 3), (8, 4))]
)
def test_the_second_move_is_diagonal_as_in_the_document(first: tuple[int, int], second: tuple[int, int]) -> None:
    board = Board()
    board.push(Move(*first))
    for seed in range(5):
        assert AlphaBeta(evaluation="rows", seed=seed).search(board).move == Move(*second)


@pytest.mark.parametrize("threats", [False, True])
def test_value_is_the_same_without_pruning_and_without_hash(threats: bool) -> None:
    players = [
        AlphaBeta(depth=3, width=6, evaluation="rows", threats=threats, use_pruning=pruning, use_hash=hashing)
        for pruning in (True, False)
        for hashing in (True, False)
    ]
    rng = random.Random(3)
    for _ in range(25):
        board = Board()
        while board.ply < 12:
            board.push(board._move(rng.choice(board._core.candidates())))
        if board.is_over:
            continue
        results = [player.search(board) for player in players]
        assert len({(result.score, result.move) for result in results}) == 1, repr(board)


@pytest.mark.parametrize("evaluation", ["shapes", "rows"])
def test_without_threats_fives_are_found_by_search(evaluation: str) -> None:
    search = AlphaBeta(depth=3, evaluation=evaluation, threats=False)
    own = Board.from_moves("h8 h9 i8 i9 j8 j9 k8 k9")
    found = search.search(own)
    assert own.text(found.move) in ("g8", "l8")
    assert found.win_in == 1
    block = Board.from_moves("g8 h8 a1 i8 c1 j8 e1 k8")
    assert block.text(search.search(block).move) == "l8"
    open_four = Board.from_moves("a1 h8 c1 i8 e1 j8 g1 k8")
    assert search.search(open_four).win_in == -2


def test_players_take_both_names() -> None:
    for name in ("rows", "s2"):
        assert create(f"alphabeta:depth=1,evaluation={name}", seed=1).choose(Board()) in {
            Move(x, y) for x in (6, 7, 8) for y in (6, 7, 8)
        }
    with pytest.raises(SetupError, match="evaluation must be one of shapes, rows, s2"):
        create("alphabeta:evaluation=s3")


def test_other_lengths_of_rows_are_refused() -> None:
    with pytest.raises(SetupError, match="five in a row alone, not 4"):
        AlphaBeta(evaluation="rows").search(Board(size=9, n_in_row=4))
