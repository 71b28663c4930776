from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator

import pytest

from tengen import core
from tengen.board import RULES, Board, Color, Move
from tengen.errors import GameOverError, SetupError
from tengen.search.alpha_beta import AlphaBeta, AlphaBetaParams


def random_board(rng: random.Random, stones: int, rule: str = "freestyle", size: int = 15) -> Board:
    """Random legal moves near each other, all but one that would have ended the game."""
    board = Board(size=size, rule=rule)
    while board.ply < stones:
        forbidden = board._core.forbidden_points() if board.turn == Color.BLACK else []
        cells = sorted(set(board._core.candidates()) - set(forbidden))
        if not cells:
            return board
        board.push(board._move(rng.choice(cells)))
        if board._core.last_move_won or board.ply == board.width * board.height:
            board.pop()
            return board
    return board


def positions(count: int, seed: int) -> Iterator[Board]:
    """Middle games of all rules that are not over."""
    rng = random.Random(seed)
    while count:
        size = rng.choice((9, 11, 15))
        board = random_board(rng, rng.randrange(4, 30), rng.choice(RULES), size=size)
        if not board.is_over:
            count -= 1
            yield board


def test_value_is_the_same_without_pruning_and_without_hash() -> None:
    players = [
        AlphaBeta(depth=3, width=6, vct=5, use_pruning=pruning, use_hash=hashing)
        for pruning in (True, False)
        for hashing in (True, False)
    ]
    for board in positions(100, seed=1):
        results = [player.search(board) for player in players]
        assert len({(result.score, result.move) for result in results}) == 1, repr(board)


def test_value_is_the_same_at_full_width() -> None:
    for board in positions(6, seed=2):
        whole = AlphaBeta(depth=2, width=0, use_pruning=False, use_hash=False).search(board)
        assert AlphaBeta(depth=2, width=0).search(board).score == whole.score


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("depth", [1, 2, 4])
def test_plays_five(rule: str, depth: int) -> None:
    board = Board.from_moves("h8 h9 i8 i9 j8 j9 k8 k9", rule=rule)
    result = AlphaBeta(depth=depth).search(board)
    assert board.text(result.move) in ("g8", "l8")
    assert result.win_in == 1


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("depth", [1, 2, 4])
def test_blocks_a_four(rule: str, depth: int) -> None:
    board = Board.from_moves("g8 h8 a1 i8 c1 j8 e1 k8", rule=rule)
    blocks = ("l8", "m8") if rule == "caro" else ("l8",)  # in caro an end held by each side stops the row as well
    assert board.text(AlphaBeta(depth=depth).search(board).move) in blocks


@pytest.mark.parametrize("rule", ["freestyle", "standard", "renju"])
def test_answers_an_open_three(rule: str) -> None:
    board = Board.from_moves("h8 a1 i8 c1 j8", rule=rule)
    for depth in (1, 2, 3):
        result = AlphaBeta(depth=depth).search(board)
        assert board.text(result.move) in ("f8", "g8", "k8", "l8")


def test_makes_an_open_four() -> None:
    board = Board.from_moves("h8 a1 i8 c1 j8 e1")
    result = AlphaBeta(depth=1).search(board)
    assert board.text(result.move) in ("g8", "k8")
    assert result.win_in == 3


def test_knows_when_it_is_lost() -> None:
    board = Board.from_moves("h8 a1 i8 c1 j8 e1 k8")
    result = AlphaBeta(depth=4).search(board)
    assert result.win_in == -2
    assert board.text(result.move) in ("g8", "l8")


def test_finds_a_four_three() -> None:
    # Black's d12 c12 b12 and the column under e12 meet: a four with an open three.
    board = Board.from_moves("b12 a12 c12 o1 d12 o3 f11 o5 g10 m1")
    shallow, by_threats = AlphaBeta(depth=5, width=0).search(board), AlphaBeta(depth=1, vct=8).search(board)
    assert shallow.win_in is not None
    assert by_threats.win_in is not None
    assert board.text(by_threats.move) == "e12"


def test_white_wins_where_black_may_not_block() -> None:
    # White's four on row 8 can only be stopped at h8, where black would make a double three.
    black = ["h9", "h10", "i9", "j10", "c8", "i8", "o1"]
    white = ["e8", "f8", "g8", "a13", "a15", "o13", "o15"]
    board = Board.from_stones(black, white, Color.WHITE, rule="renju")
    assert board.text(AlphaBeta(depth=1, vct=3).search(board).move) == "d8"
    result = AlphaBeta(depth=2).search(board)
    assert board.text(result.move) == "d8"
    assert result.win_in == 3
    board.push("d8")
    assert not board.is_legal("h8")


def test_first_and_second_move() -> None:
    for size in (9, 15, 20):
        board = Board(size=size)
        first = AlphaBeta(depth=2).search(board).move
        assert first == (size // 2, size // 2)
        board.push(first)
        second = AlphaBeta(depth=2).search(board).move
        assert max(abs(second.x - first.x), abs(second.y - first.y)) == 1
    corner = Board.from_moves("a1")
    assert corner.text(AlphaBeta(depth=2).search(corner).move) == "b2"


@pytest.mark.parametrize("rule", RULES)
def test_never_plays_an_illegal_move(rule: str) -> None:
    rng = random.Random(3)
    player = AlphaBeta(depth=2, width=8, vct=5, hash=1)
    for size in range(5, 21):
        for fullness in (0.05, 0.3, 0.7, 0.95, 1.0):
            board = random_board(rng, int(size * size * fullness), rule, size=size)
            if board.legal_moves:
                result = player.search(board)
                assert board.is_legal(result.move), repr(board)
                assert result.line[0] == result.move


@pytest.mark.parametrize("n_in_row", [3, 4, 6, 7])
def test_other_row_lengths(n_in_row: int) -> None:
    size = {3: 3, 4: 6, 6: 9, 7: 9}[n_in_row]
    board = Board(size=size, n_in_row=n_in_row)
    player = AlphaBeta(depth=2, width=5, hash=1)
    for _ in range(12):
        if not board.is_over:
            board.push(player.search(board).move)


def test_tic_tac_toe_is_a_draw() -> None:
    board = Board(size=3, n_in_row=3)
    assert AlphaBeta(depth=9, width=0).search(board).score == 0
    while not board.is_over:
        board.push(AlphaBeta(depth=9, width=0).search(board).move)
    outcome = board.outcome()
    assert outcome is not None
    assert outcome.winner is None


def test_principal_variation_is_playable() -> None:
    for board in positions(20, seed=5):
        result = AlphaBeta(depth=4).search(board)
        for move in result.line:
            board.push(move)
        assert board.is_over == (result.win_in in (1, len(result.line)))


def test_node_limit() -> None:
    for board in positions(5, seed=6):
        for nodes in (1, 10, 1000):
            result = AlphaBeta(nodes=nodes).search(board)
            assert result.nodes <= nodes
            assert board.is_legal(result.move)


def test_time_limit_and_depth() -> None:
    board = Board.from_moves("h8 i9 g9 i7")
    result = AlphaBeta(time=0.2, width=0).search(board)
    assert 1 <= result.depth < 40
    assert AlphaBeta(depth=3, time=100).search(board).depth == 3


def test_is_deterministic() -> None:
    player = AlphaBeta(depth=4, vct=5)
    boards = list(positions(10, seed=7))
    first = [player.search(board) for board in boards]
    assert [player.search(board) for board in reversed(boards)] == first[::-1]
    assert [AlphaBeta(depth=4, vct=5).search(board) for board in boards] == first


def test_stops() -> None:
    board = Board.from_moves("h8 i9 g9 i7")
    flag = core.StopFlag()
    flag.set()
    result = AlphaBeta(depth=60).search(board, flag)
    assert board.is_legal(result.move)
    assert result.depth == 0

    flag.clear()
    threading.Timer(0.1, flag.set).start()
    started = time.monotonic()
    assert board.is_legal(AlphaBeta(depth=60, width=0).search(board, flag).move)
    assert time.monotonic() - started < 30


def test_does_not_change_the_board() -> None:
    board = Board.from_moves("h8 i9 g9 i7")
    before = (board.hash, board.moves)
    AlphaBeta(depth=3).search(board)
    assert (board.hash, board.moves) == before


@pytest.mark.parametrize(
    "fields",
    [
        {"depth": 0},
        {"depth": -1},
        {"depth": 65},
        {"depth": 2.5},
        {"time": 0},
        {"time": -1.0},
        {"time": float("nan")},
        {"nodes": 0},
        {"nodes": -5},
        {"width": -1},
        {"hash": 0},
        {"vct": -1},
    ],
)
def test_refuses_bad_limits(fields: dict[str, object]) -> None:
    (name,) = fields
    with pytest.raises(SetupError, match=name):
        AlphaBetaParams(**fields)  # type: ignore[arg-type]


def test_refuses_a_finished_game() -> None:
    board = Board.from_moves("h8 h9 i8 i9 j8 j9 k8 k9 l8")
    with pytest.raises(GameOverError, match="black wins"):
        AlphaBeta(depth=2).search(board)
    assert board.last_move == Move.parse("l8")
