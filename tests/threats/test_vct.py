from __future__ import annotations

import random
import threading
import time

import pytest
from threat_reference import Position, random_position, refute_vcf

from tengen import Board, Color, Move, core, threats
from tengen.errors import InputError, SetupError
from tengen.thinking.evaluators import default_evaluator

RULES = ("freestyle", "standard", "renju", "caro")
COUNTS = [10, pytest.param(100, marks=pytest.mark.slow)]


def quiet_positions(rule: str, count: int, seed: int) -> list[Board]:
    """Positions with threats but without a win by fours for the side to move."""
    generator = random.Random(f"{rule} {seed}")
    found: list[Board] = []
    while len(found) < count:
        board = random_position(generator, rule, generator.choice((11, 13, 15)), generator.randrange(8, 22))
        if not threats.solve(board).wins:
            found.append(board)
    return found


def every_reply_loses(board: Board, attacker: Color, plies: int) -> int:
    """Solves again after every legal reply, down the first `plies` attacks; returns the number of replies."""
    solution = threats.solve(board, "auto", max_nodes=3_000_000)
    assert solution.wins, board
    if solution.kind == "vcf":
        assert solution.line[0] in board.legal_moves
        return 0
    position = Position(board)
    assert solution.line[0] in position.legal()
    board.push(solution.line[0])
    replies = 0
    for reply in board.legal_moves:
        board.push(reply)
        assert not board.is_over, "the defender makes five"
        replies += 1
        if plies > 1 and reply == solution.line[1]:
            replies += every_reply_loses(board, attacker, plies - 1)
        else:
            assert threats.solve(board, "auto", max_nodes=3_000_000).wins, (board, reply)
        board.pop()
    board.pop()
    return replies


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("rule", RULES)
def test_every_win_is_a_win_against_all_replies(rule: str, count: int) -> None:
    replies = 0
    for board in quiet_positions(rule, count, seed=1):
        if threats.solve(board, "vct", max_nodes=30_000).wins:
            replies += every_reply_loses(board, board.turn, plies=3)
    assert replies > 30 or (rule, count) == ("caro", COUNTS[0])


@pytest.mark.parametrize("rule", RULES)
def test_finds_all_that_fours_win(rule: str) -> None:
    generator = random.Random(rule)
    for _ in range(15):
        board = random_position(generator, rule, 11, generator.randrange(16, 30))
        if threats.solve(board).wins:
            solution = threats.solve(board, "vct")
            assert solution.wins
            assert solution.line


@pytest.mark.parametrize("rule", RULES)
def test_lines_are_legal_games_that_end_with_the_win(rule: str) -> None:
    for board in quiet_positions(rule, 20, seed=2):
        solution = threats.solve(board, "vct", max_nodes=30_000)
        attacker = board.turn
        for move in solution.line:
            board.push(move)
        if solution.wins and board.is_over:
            outcome = board.outcome()
            assert outcome is not None
            assert outcome.winner == attacker
        elif solution.wins:
            # Black has no legal answer to the last four.
            assert rule == "renju"
            assert board.turn == Color.BLACK
            assert not Position(board).stops()


@pytest.mark.parametrize("count", [25, pytest.param(300, marks=pytest.mark.slow)])
@pytest.mark.parametrize("rule", RULES)
def test_a_guide_changes_the_effort_and_not_the_verdict(rule: str, count: int) -> None:
    guide = default_evaluator(rule, 15)
    verdicts = []
    for board in quiet_positions(rule, count, seed=3):
        alone = threats.solve(board, "vct", max_nodes=100_000)
        guided = threats.solve(board, "vct", max_nodes=100_000, guide=guide)
        assert "unknown" in (alone.status, guided.status) or alone.status == guided.status, board
        verdicts.append(guided.status)
        attacker = board.turn
        for move in guided.line:
            assert board.is_legal(move)
            board.push(move)
        if guided.line and (outcome := board.outcome()) is not None:
            assert outcome.winner == attacker
    assert {"win", "none"} <= set(verdicts)


def test_a_guide_finds_a_hard_win_in_far_fewer_nodes() -> None:
    board = Board.from_moves("g13 e11 f12 g10 h12 i11 g11 h10")
    alone = threats.solve(board, "vct")
    guided = threats.solve(board, "vct", guide=default_evaluator("freestyle", 15))
    assert alone.wins
    assert guided.wins
    assert guided.nodes < alone.nodes / 3


def test_a_guide_must_know_the_rule() -> None:
    with pytest.raises(SetupError, match="rule"):
        threats.solve(Board.from_moves("h8 i9", rule="renju"), "vct", guide=default_evaluator("freestyle", 15))


def test_two_open_threes_win() -> None:
    board = Board.from_moves("h8 a1 i8 e1 j9 a5 j10 o1")
    assert threats.solve(board, "vcf").status == "none"
    solution = threats.solve(board, "vct")
    assert solution.wins
    auto = threats.solve(board, "auto")
    assert (auto.kind, auto.line) == ("vct", solution.line)


def test_two_open_threes_are_forbidden_for_black_in_renju() -> None:
    board = Board.from_moves("h8 a1 i8 e1 j9 a5 j10 o1", rule="renju")
    solution = threats.solve(board, "vct", max_nodes=300_000)
    assert solution.line[:1] != [Move.parse("j8")]


def test_the_defenders_fours_are_answered() -> None:
    # White answers the double three with a four that also stops one three, or wins itself.
    board = Board.from_stones(["h8", "i8", "j9", "j10"], ["a1", "a2", "a3", "b5"])
    assert threats.solve(board, "vct").wins
    board = Board.from_stones(["h8", "i8", "j9", "j10"], ["a1", "a3", "a5", "a7"])
    assert not threats.solve(board, "vct").wins  # a4 is two fours


def test_the_depth_limit() -> None:
    board = Board.from_moves("h8 a1 i8 e1 j9 a5 j10 o1")
    assert threats.solve(board, "vct", max_depth=2).wins
    deep = Board.from_moves("h8 h9 i8 g8 i10 i9")
    shallow = threats.solve(deep, "vct", max_depth=2, max_nodes=100_000)
    assert shallow.status in ("none", "unknown")


def test_limits_end_the_search() -> None:
    board = Board.from_moves("h8 i9 i8 g8 j10 h10 g7 j8 k9 f6 h6")
    for kind in ("vcf", "vct"):
        assert threats.solve(board, kind, max_nodes=1).nodes <= 1
        start = time.perf_counter()
        threats.solve(board, kind, max_nodes=10**12, max_seconds=0.05)
        assert time.perf_counter() - start < 30


def test_a_stop_flag_ends_the_search() -> None:
    board = random_position(random.Random(3), "caro", 15, 14)
    stop = core.StopFlag()
    timer = threading.Timer(0.05, stop.set)
    timer.start()
    solution = threats.solve(board, "vct", max_nodes=10**12, stop=stop)
    assert solution.status in ("win", "none", "unknown")
    stop.set()
    stopped = threats.solve(Board.from_moves("h8 i9 i8"), "vct", stop=stop)
    assert stopped.status == "unknown"


def test_solvers_run_in_parallel() -> None:
    boards = quiet_positions("freestyle", 4, seed=5)
    alone = [threats.solve(board, "vct", max_nodes=20_000) for board in boards]
    together: dict[int, threats.Solution] = {}

    def work(i: int) -> None:
        together[i] = threats.solve(boards[i], "vct", max_nodes=20_000)

    workers = [threading.Thread(target=work, args=(i,)) for i in range(len(boards))]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    for i, solution in enumerate(alone):
        assert (together[i].status, together[i].nodes, together[i].line) == (
            solution.status,
            solution.nodes,
            solution.line,
        )


@pytest.mark.parametrize("name", ["max_nodes", "max_seconds", "max_depth"])
@pytest.mark.parametrize("value", [0, -1])
def test_limits_must_be_positive(name: str, value: int) -> None:
    with pytest.raises(SetupError, match=name):
        threats.solve(Board(), **{name: value})  # type: ignore[arg-type]


def test_errors_name_what_is_wrong() -> None:
    with pytest.raises(SetupError, match="vcf, vct, auto"):
        threats.solve(Board(), "mate")
    with pytest.raises(InputError, match="black wins"):
        threats.solve(Board.from_moves("h8 a1 i8 a2 j8 a3 k8 a4 l8"))
    with pytest.raises(SetupError, match="7 in a row"):
        threats.solve(Board(n_in_row=7))


def test_the_vcf_at_the_end_of_a_line_is_one() -> None:
    board = Board.from_moves("h8 a1 i8 e1 j9 a5 j10 o1")
    solution = threats.solve(board, "vct")
    for length in range(0, len(solution.line), 2):
        after = board.copy()
        for move in solution.line[:length]:
            after.push(move)
        fours = threats.solve(after)
        if fours.wins:
            assert refute_vcf(Position(after), fours.line) is None
            return
    raise AssertionError("no VCF in the line")
