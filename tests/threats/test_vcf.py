from __future__ import annotations

import random

import pytest
from threat_reference import Position, TooHardError, has_vcf, random_position, refute_vcf

from tengen import Board, Color, Move, core, threats

RULES = ("freestyle", "standard", "renju", "caro")


#: Random positions for each rule in a quick run and in a slow one; the slow one is for changes of the solver.
COUNTS = [8, pytest.param(120, marks=pytest.mark.slow)]


def positions(rule: str, count: int, seed: int, sizes: tuple[int, ...] = (9, 11, 13, 15)) -> list[Board]:
    generator = random.Random(f"{rule} {seed}")
    return [
        random_position(generator, rule, generator.choice(sizes), generator.randrange(14, 36)) for _ in range(count)
    ]


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("rule", RULES)
def test_every_win_is_a_win_against_all_replies(rule: str, count: int) -> None:
    wins = 0
    for board in positions(rule, 3 * count, seed=1):
        solution = threats.solve(board)
        assert solution.status in ("win", "none")
        if solution.wins:
            wins += 1
            go_on = (lambda position: threats.solve(position.board).line) if rule == "caro" else None
            assert refute_vcf(Position(board), solution.line, go_on) is None, board
    assert wins > count // 2


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("rule", RULES)
def test_agrees_with_brute_force(rule: str, count: int) -> None:
    compared = {True: 0, False: 0}
    for board in positions(rule, count // 2, seed=2, sizes=(8, 9)):
        try:
            expected = has_vcf(Position(board), [150])
        except TooHardError:
            continue
        assert threats.solve(board).wins == expected, board
        compared[expected] += 1
    assert sum(compared.values()) >= count // 4


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("rule", RULES)
def test_a_stone_outside_the_defences_does_not_save(rule: str, count: int) -> None:
    checked = 0
    for board in positions(rule, count, seed=3):
        enemy = board.turn.other
        points = threats.defences(board)
        position = Position(board)
        if points is None or position.fives(board.turn):
            continue
        for move in board.legal_moves:
            if move in points:
                continue
            position.play(move)
            if not position.fives(enemy.other):
                assert threats.solve(position.board).wins, (board, move)
                checked += 1
            position.undo(move)
    assert checked > 5 * count


@pytest.mark.parametrize("kind", ["vcf", "vct"])
@pytest.mark.parametrize("rule", RULES)
def test_the_board_is_as_before(rule: str, kind: str) -> None:
    solver = core.Vcf() if kind == "vcf" else core.Vct()
    for board in positions(rule, 20, seed=4):
        before, shapes = (board.hash, board.moves, board.turn), board.shapes(Color.BLACK)
        solver.solve(board._core, 2000, 0.0, 0, None)
        assert (board.hash, board.moves, board.turn) == before
        assert board.shapes(Color.BLACK) == shapes
        core.Vcf().defences(board._core, 1000)
        assert (board.hash, board.moves, board.turn) == before


def test_a_used_cache_changes_no_verdict() -> None:
    vcf = core.Vcf(8)  # small: entries are replaced all the time
    for rule in RULES:
        for board in positions(rule, 40, seed=5):
            used = vcf.solve(board._core, 100_000, 0.0, 0, None)
            assert used.status.name == threats.solve(board).status


def test_aborted_searches_are_not_repeated_and_not_believed() -> None:
    for board in positions("freestyle", 60, seed=6):
        vcf = core.Vcf()
        first = vcf.solve(board._core, 3, 0.0, 0, None)
        again = vcf.solve(board._core, 3, 0.0, 0, None)
        assert again.nodes <= first.nodes
        assert first.nodes <= 3
        full = vcf.solve(board._core, 100_000, 0.0, 0, None)
        assert full.status.name == threats.solve(board).status


def test_the_depth_limit_counts_plies_to_the_five() -> None:
    for board in positions("freestyle", 60, seed=7):
        solution = threats.solve(board)
        if not solution.wins:
            continue
        plies = len(solution.line)
        assert threats.solve(board, max_depth=plies).wins
        for shorter in range(1, plies, 2):
            limited = threats.solve(board, max_depth=shorter)
            assert not limited.wins or len(limited.line) <= shorter


def stones(black: str, white: str, turn: Color, **keywords: object) -> Board:
    return Board.from_stones(black.split(), white.split(), turn, **keywords)


def test_the_defenders_five_comes_first() -> None:
    board = stones("h8 i8 j8", "c3 d3 e3 f3", Color.BLACK)
    assert threats.solve(board).status == "none"
    board = stones("h8 i8 j8 k8", "c3 d3 e3 f3", Color.BLACK)
    assert [board.text(move) for move in threats.solve(board).line] in (["g8"], ["l8"])


def test_a_block_that_makes_a_four_must_be_answered() -> None:
    # h8 i8 j8 with g8 held: k8 is answered at l8, which makes four for white with l5 l6 l7.
    board = stones("h8 i8 j8 k9 k10", "g8 l5 l6 l7", Color.BLACK)
    solution = threats.solve(board)
    if solution.wins:
        assert refute_vcf(Position(board), solution.line) is None
    assert solution.wins == has_vcf(Position(board))


def test_exactly_five() -> None:
    # g8 joins five on one side and makes six: no win in standard, nor for black in renju.
    black = "b8 c8 d8 f8 g8"
    assert threats.solve(stones(black, "", Color.BLACK)).wins
    standard = threats.solve(stones(black, "", Color.BLACK, rule="standard"))
    assert not standard.wins or standard.line[0] != Move.parse("e8")


def test_white_wins_when_blacks_only_block_is_forbidden() -> None:
    # White's four f4-i4 with e4 held is blocked at j4 only, where black would make two threes.
    board = stones("e4 j5 j6 k5 l6", "f4 g4 h4 a1 c1", Color.WHITE, rule="renju")
    solution = threats.solve(board)
    assert solution.wins
    assert refute_vcf(Position(board), solution.line) is None
    freestyle = stones("e4 j5 j6 k5 l6", "f4 g4 h4 a1 c1", Color.WHITE)
    assert not threats.solve(freestyle).wins


def test_black_may_not_win_by_a_double_four_in_renju() -> None:
    black, white = "h8 i8 j8 k9 k10 k11", "g8 k12 a1 a3 a5 a7"
    assert threats.solve(stones(black, white, Color.BLACK)).wins
    assert not threats.solve(stones(black, white, Color.BLACK, rule="renju")).wins


def test_caro_stops_a_five_at_its_ends() -> None:
    # With c8 and j8 held, one block at d8 or i8 stops both fives of an open four.
    black, white = "e8 f8 g8", "c8 j8"
    assert threats.solve(stones(black, white, Color.BLACK)).wins
    assert not threats.solve(stones(black, white, Color.BLACK, rule="caro")).wins


@pytest.mark.parametrize("n", [3, 4])
def test_shorter_rows(n: int) -> None:
    board = Board.from_moves("e5 a1 e6 a9", size=9, n_in_row=n)
    solution = threats.solve(board)
    assert solution.wins
    assert refute_vcf(Position(board), solution.line) is None
