"""The board as its users see it: setup, moves, takebacks, outcomes, errors and text."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tengen import (
    Board,
    Color,
    GameOverError,
    IllegalMoveError,
    InputError,
    Move,
    NotationError,
    Outcome,
    SetupError,
    Shape,
    TengenError,
)
from tengen.board import DIRECTIONS


def state(board: Board) -> tuple[object, ...]:
    """What must not change when a call fails."""
    return (board.hash, board.moves, board.turn, board.ply, board.outcome(), str(board))


def row_of(text: str) -> tuple[Move, ...]:
    """Points of a 15x15 board in order."""
    return tuple(Move.parse(point) for point in text.split())


# Names


def test_colors() -> None:
    assert (int(Color.BLACK), int(Color.WHITE)) == (0, 1)
    assert (Color.BLACK.other, Color.WHITE.other) == (Color.WHITE, Color.BLACK)
    assert [str(color) for color in Color] == ["black", "white"]


def test_shapes_are_ordered_by_strength() -> None:
    names = ["NONE", "SLEEPING_TWO", "OPEN_TWO", "SLEEPING_THREE", "OPEN_THREE", "FOUR", "OPEN_FOUR", "FIVE"]
    assert [shape.name for shape in sorted(Shape)] == names
    assert [int(shape) for shape in sorted(Shape)] == list(range(8))


def test_directions() -> None:
    assert DIRECTIONS == ((1, 0), (0, 1), (1, 1), (1, -1))


@pytest.mark.parametrize("error", [InputError, SetupError, NotationError, IllegalMoveError, GameOverError])
def test_errors_are_one_family(error: type[Exception]) -> None:
    assert issubclass(error, TengenError)
    assert issubclass(error, ValueError)


def test_game_over_is_an_illegal_move() -> None:
    assert issubclass(GameOverError, IllegalMoveError)


# Setup


def test_defaults() -> None:
    board = Board()
    assert (board.width, board.height, board.rule, board.n_in_row, board.on_forbidden) == (
        15,
        15,
        "freestyle",
        5,
        "refuse",
    )
    assert (board.turn, board.ply, board.moves, board.last_move) == (Color.BLACK, 0, [], None)
    assert (board.outcome(), board.is_over, board.forbidden_points()) == (None, False, [])


@pytest.mark.parametrize("rule", ["freestyle", "standard", "renju", "caro"])
@pytest.mark.parametrize(("width", "height"), [(3, 3), (5, 5), (3, 22), (22, 3), (7, 9), (15, 15), (19, 19), (22, 22)])
def test_sizes(rule: str, width: int, height: int) -> None:
    board = Board(width=width, height=height, rule=rule)
    assert (board.width, board.height, board.rule) == (width, height, rule)
    assert board.legal_moves == [Move(x, y) for y in range(height) for x in range(width)]
    for move in (Move(0, 0), Move(width - 1, height - 1)):
        board.push(move)
    assert len(board.legal_moves) == width * height - 2


def test_size_is_both_sides_unless_one_is_given() -> None:
    assert (Board(9).width, Board(9).height) == (9, 9)
    assert (Board(9, width=12).width, Board(9, width=12).height) == (12, 9)
    assert (Board(9, height=12).width, Board(9, height=12).height) == (9, 12)


@pytest.mark.parametrize(
    "keywords",
    [
        {"size": 2},
        {"size": 23},
        {"size": 0},
        {"size": -15},
        {"width": 2},
        {"width": 23},
        {"height": 2},
        {"height": 23},
        {"width": 15, "height": 100},
        {"size": 15.0},
        {"size": "15"},
        {"size": None},
        {"rule": "chess"},
        {"rule": ""},
        {"rule": "Renju "},
        {"rule": None},
        {"n_in_row": 2},
        {"n_in_row": 0},
        {"n_in_row": -5},
        {"n_in_row": 5.0},
        {"n_in_row": "5"},
        {"rule": "renju", "n_in_row": 6},
        {"rule": "renju", "n_in_row": 4},
        {"on_forbidden": "ask"},
        {"on_forbidden": None},
    ],
    ids=str,
)
def test_impossible_setups(keywords: dict[str, Any]) -> None:
    with pytest.raises(SetupError) as error:
        Board(**keywords)
    assert str(error.value)
    with pytest.raises(SetupError):
        Board.from_moves("h8", **keywords)
    with pytest.raises(SetupError):
        Board.from_stones(black=["h8"], white=[], **keywords)


@pytest.mark.parametrize(
    ("keywords", "quoted"),
    [
        ({"rule": "chess"}, "chess"),
        ({"size": 23}, "23"),
        ({"n_in_row": 2}, "2"),
        ({"on_forbidden": "ask"}, "ask"),
        ({"rule": "renju", "n_in_row": 6}, "6"),
    ],
)
def test_setup_errors_quote_what_was_wrong(keywords: dict[str, Any], quoted: str) -> None:
    with pytest.raises(SetupError, match=quoted):
        Board(**keywords)


# Points and text


@pytest.mark.parametrize(
    ("text", "height", "move"),
    [
        ("a1", 15, (0, 14)),
        ("a15", 15, (0, 0)),
        ("h8", 15, (7, 7)),
        ("o1", 15, (14, 14)),
        ("a1", 19, (0, 18)),
        ("i10", 19, (8, 9)),
        ("v22", 22, (21, 0)),
        ("c1", 3, (2, 2)),
    ],
)
def test_point_text(text: str, height: int, move: tuple[int, int]) -> None:
    assert Move.parse(text, height) == move
    assert Move(*move).text(height) == text
    board = Board(height)
    assert board.parse_move(text) == move
    assert board.text(move) == text


def test_height_decides_the_rows_of_an_oblong_board() -> None:
    board = Board(width=9, height=5)
    assert board.parse_move("i1") == (8, 4)
    assert board.parse_move("a5") == (0, 0)
    assert board.text((8, 0)) == "i5"


def test_moves_are_given_in_three_ways() -> None:
    board = Board()
    pushed = [board.push("h8"), board.push((8, 6)), board.push(Move(0, 0))]
    assert pushed == [Move(7, 7), Move(8, 6), Move(0, 0)]
    assert all(isinstance(move, Move) for move in [*pushed, *board.moves, *board.legal_moves])
    assert board.moves == pushed
    assert board.last_move == Move(0, 0)


@pytest.mark.parametrize(
    "text", ["z", "h", "h8x", "", "8h", "8", "h 8", "hh8", "h-1", "h0", "h8 i9", "h８", "八8", " "]
)
def test_text_that_is_no_point(text: str) -> None:
    board = Board.from_moves("a1")
    before = state(board)
    for call in (board.push, board.parse_move, board.text, board.piece_at, Move.parse):
        with pytest.raises(NotationError) as error:
            call(text)
        assert text in str(error.value)
    assert not board.is_legal(text)
    assert state(board) == before


@pytest.mark.parametrize("nonsense", [None, 8, 8.0, (7,), (7, 7, 7), (7.0, 7.0), ("h", 8), (None, None), [], object()])
def test_things_that_are_no_point(nonsense: Any) -> None:
    board = Board.from_moves("a1")
    before = state(board)
    with pytest.raises(InputError):
        board.push(nonsense)
    with pytest.raises(InputError):
        board.parse_move(nonsense)
    assert not board.is_legal(nonsense)
    assert state(board) == before


@pytest.mark.parametrize("point", ["p3", "a16", "v22", (15, 0), (0, 15), (-1, 0), (0, -1), (10**30, 0)])
def test_points_off_the_board(point: str | tuple[int, int]) -> None:
    board = Board()
    before = state(board)
    for call in (board.push, board.parse_move, board.text, board.piece_at):
        with pytest.raises(IllegalMoveError, match=r"is off the 15x15 board$") as error:
            call(point)
        if isinstance(point, str):
            assert str(error.value) == f"{point} is off the 15x15 board"
    assert not board.is_legal(point)
    assert state(board) == before


def test_off_an_oblong_board() -> None:
    with pytest.raises(IllegalMoveError, match=r"^d1 is off the 3x7 board$"):
        Board(width=3, height=7).push("d1")


# Moves and takebacks


def test_turns_alternate() -> None:
    board = Board()
    for ply, text in enumerate(["h8", "i9", "a1", "o15", "c3"]):
        assert board.turn == Color(ply % 2)
        board.push(text)
        assert board.ply == ply + 1
        assert board.piece_at(text) == Color(ply % 2)
    assert board.piece_at("b2") is None


@pytest.mark.parametrize(("moves", "owner"), [("h8", "black"), ("a1 h8", "white")])
def test_occupied(moves: str, owner: str) -> None:
    board = Board.from_moves(moves)
    before = state(board)
    with pytest.raises(IllegalMoveError, match=f"^h8 is occupied by {owner}$"):
        board.push("h8")
    assert not board.is_legal("h8")
    assert Move.parse("h8") not in board.legal_moves
    assert state(board) == before


def test_legal_moves_are_read_row_by_row() -> None:
    board = Board(width=4, height=3)
    board.push((1, 0))
    board.push((3, 2))
    expected = [(0, 0), (2, 0), (3, 0), (0, 1), (1, 1), (2, 1), (3, 1), (0, 2), (1, 2), (2, 2)]
    assert board.legal_moves == expected
    assert all(board.is_legal(move) for move in board.legal_moves)


def test_pop_gives_the_moves_back_in_reverse() -> None:
    moves = row_of("h8 i9 a1 o15")
    board = Board.from_moves(moves)
    assert [board.pop() for _ in moves] == list(reversed(moves))
    assert board == Board()
    assert board.hash == Board().hash
    assert (board.turn, board.ply, board.last_move) == (Color.BLACK, 0, None)


def test_pop_past_the_start() -> None:
    board = Board.from_moves("h8")
    board.pop()
    before = state(board)
    with pytest.raises(InputError):
        board.pop()
    assert state(board) == before
    board.push("h8")
    assert board.turn == Color.WHITE


def test_moves_is_a_copy() -> None:
    board = Board.from_moves("h8 i9")
    board.moves.clear()
    board.legal_moves.clear()
    assert board.ply == 2
    assert len(board.moves) == 2
    assert len(board.legal_moves) == 223


def test_copy_is_independent() -> None:
    board = Board.from_moves("h8 i9", rule="renju", on_forbidden="loses")
    before = state(board)
    other = board.copy()
    assert other == board
    assert state(other) == before
    assert (other.rule, other.on_forbidden) == ("renju", "loses")
    other.push("a1")
    assert state(board) == before
    board.pop()
    assert other.moves == [*row_of("h8 i9 a1")]


def test_copy_of_a_finished_game() -> None:
    board = Board.from_moves("a1 a2 b1 b2 c1 c2 d1 d2 e1")
    other = board.copy()
    board.pop()
    assert board.outcome() is None
    assert other.outcome() == Outcome(Color.BLACK, "five", row_of("a1 b1 c1 d1 e1"))


@pytest.mark.parametrize(
    "moves",
    [
        "h8 i9 j10",
        "  h8  i9\nj10 ",
        "h8,i9,j10",
        ["h8", "i9", "j10"],
        [(7, 7), Move(8, 6), "j10"],
        iter(["h8", "i9", "j10"]),
    ],
    ids=["text", "blanks", "commas", "texts", "mixed", "iterator"],
)
def test_from_moves(moves: Any) -> None:
    assert Board.from_moves(moves).moves == list(row_of("h8 i9 j10"))


def test_from_no_moves() -> None:
    assert Board.from_moves("") == Board.from_moves([]) == Board()


def test_from_moves_takes_the_keywords_of_a_board() -> None:
    board = Board.from_moves("a1 c2", width=7, height=9, rule="standard", n_in_row=4, on_forbidden="loses")
    assert (board.width, board.height, board.rule, board.n_in_row) == (7, 9, "standard", 4)
    assert board.on_forbidden == "loses"
    assert board.moves == [(0, 8), (2, 7)]


@pytest.mark.parametrize(
    ("moves", "error"),
    [
        ("h8 h8", IllegalMoveError),
        ("h8 p3", IllegalMoveError),
        ("h8 nonsense", NotationError),
        ("a1 a2 b1 b2 c1 c2 d1 d2 e1 e2", GameOverError),
        (["h8", ""], NotationError),
        (["h8", None], InputError),
    ],
)
def test_from_bad_moves(moves: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        Board.from_moves(moves)


def test_from_stones() -> None:
    board = Board.from_stones(black=["h8", (8, 8)], white=[Move(0, 0)], turn=Color.WHITE, rule="standard", size=13)
    assert (board.rule, board.width, board.turn, board.ply) == ("standard", 13, Color.WHITE, 3)
    assert board.piece_at((7, 5)) == board.piece_at((8, 8)) == Color.BLACK
    assert board.piece_at((0, 0)) == Color.WHITE
    assert board.moves == [(7, 5), (8, 8), (0, 0)]
    assert board.pop() == (0, 0)
    assert board.pop() == (8, 8)
    assert board.piece_at((0, 0)) is board.piece_at((8, 8)) is None
    assert board.ply == 1


@pytest.mark.parametrize(
    ("black", "white"), [(["h8", "h8"], []), (["h8"], ["h8"]), (["p1"], []), ([], [(0, 15)]), ([], ["a1", "a1"])]
)
def test_from_impossible_stones(black: Any, white: Any) -> None:
    with pytest.raises(IllegalMoveError):
        Board.from_stones(black=black, white=white)


# Equality and hash


def test_equality() -> None:
    board = Board.from_moves("h8 i9 a1")
    assert board == Board.from_moves("a1 i9 h8")
    assert board.hash == Board.from_moves("a1 i9 h8").hash
    assert board != Board.from_moves("h8 a1 i9")
    assert board != Board.from_moves("h8 i9")
    assert board != Board.from_moves("h8 i9 a1", rule="renju")
    assert Board(9) != Board(10)
    assert Board(width=9, height=10) != Board(width=10, height=9)
    assert board != "h8 i9 a1"


def test_side_to_move_counts() -> None:
    boards = [Board.from_stones(black=["h8"], white=["a1"], turn=color) for color in Color]
    assert boards[0] != boards[1]
    assert boards[0].hash != boards[1].hash


# Outcomes


@pytest.mark.parametrize(
    ("row", "line"),
    [
        ("a1 b1 d1 e1 c1", "a1 b1 c1 d1 e1"),
        ("o15 o14 o13 o12 o11", "o15 o14 o13 o12 o11"),
        ("a15 b14 c13 e11 d12", "a15 b14 c13 d12 e11"),
        ("f6 g7 i9 j10 h8", "f6 g7 h8 i9 j10"),
    ],
    ids=["row", "column", "falling diagonal", "rising diagonal"],
)
@pytest.mark.parametrize("color", Color)
def test_five_in_every_direction(row: str, line: str, color: Color) -> None:
    stones = row.split()
    harmless = ["a10", "c10", "e10", "g10", "i12"]
    board = Board()
    if color == Color.WHITE:
        board.push("k2")
    for own, other in zip(stones, harmless, strict=True):
        assert board.outcome() is None
        board.push(own)
        if not board.is_over:
            board.push(other)
    outcome = board.outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (color, "five")
    assert outcome.line in (row_of(line), row_of(line)[::-1])
    assert board.is_over
    assert board.legal_moves == []


def test_move_after_the_end() -> None:
    board = Board.from_moves("a1 a2 b1 b2 c1 c2 d1 d2 e1")
    before = state(board)
    for move in ("h8", "a1", (14, 14)):
        with pytest.raises(GameOverError) as error:
            board.push(move)
        assert board.text(move) in str(error.value)
        assert not board.is_legal(move)
    assert state(board) == before
    board.pop()
    assert board.outcome() is None
    board.push("h8")
    assert board.ply == 9


def outcome_of(row: str, rule: str, color: Color = Color.BLACK, n_in_row: int = 5) -> Outcome | None:
    """Plays the star of a row like "XXX*X" on the eighth row and says how that ends.

    X are stones of `color`, O of the other; a row that begins with | is pushed against the left border.
    """
    left = 0 if row.startswith("|") else 2
    cells = row.lstrip("|")
    stones = {mark: [(left + i, 7) for i, cell in enumerate(cells) if cell == mark] for mark in "XO*"}
    own, other = ("black", "white") if color == Color.BLACK else ("white", "black")
    board = Board.from_stones(
        **{own: stones["X"], other: stones["O"]},
        turn=color,
        rule=rule,
        n_in_row=n_in_row,
    )
    board.push(stones["*"][0])
    return board.outcome()


@pytest.mark.parametrize("color", Color)
@pytest.mark.parametrize(
    ("rule", "row", "n_in_row", "wins"),
    [
        ("freestyle", "XXXX*", 5, True),
        ("freestyle", "XXX*", 5, False),
        ("freestyle", "XXX*XX", 5, True),
        ("freestyle", "XXXX*XXXX", 5, True),
        ("freestyle", "OXXX*XO", 5, True),
        ("freestyle", "XX*", 3, True),
        ("freestyle", "XXX*X", 6, False),
        ("freestyle", "XXX*XX", 6, True),
        ("freestyle", "XXX*XXX", 7, True),
        ("standard", "XXX*X", 5, True),
        ("standard", "OXXX*XO", 5, True),
        ("standard", "XXX*XX", 5, False),
        ("standard", "XXXX*XXXX", 5, False),
        ("standard", "X.XXX*X", 5, True),
        ("standard", "XX*", 3, True),
        ("standard", "XX*X", 3, False),
        ("standard", "XXX*X", 4, False),
        ("standard", "XXX*XX", 6, True),
        ("standard", "XXX*XXX", 6, False),
        ("caro", "XXX*X", 5, True),
        ("caro", "OXXX*X", 5, True),
        ("caro", "XXX*XO", 5, True),
        ("caro", "OXXX*XO", 5, False),
        ("caro", "|XXX*XO", 5, True),
        ("caro", "O.XXX*X.O", 5, True),
        ("caro", "OXXX*X.O", 5, True),
        ("caro", "OXXX*XXO", 5, True),
        ("caro", "OXXXX*XXXXO", 5, True),
        ("caro", "OXX*O", 3, False),
        ("caro", "OXX*XO", 3, True),
        ("caro", "OXXX*XXO", 6, False),
    ],
)
def test_rows_that_win(rule: str, row: str, n_in_row: int, wins: bool, color: Color) -> None:
    outcome = outcome_of(row, rule, color, n_in_row)
    assert (outcome is not None) == wins
    if outcome is not None:
        assert (outcome.winner, outcome.reason) == (color, "five")
        assert len(outcome.line) == row.count("X") + 1 - row.startswith("X.")


@pytest.mark.parametrize(
    ("row", "color", "wins"),
    [("XXX*X", Color.BLACK, True), ("XXX*X", Color.WHITE, True), ("XXX*XX", Color.WHITE, True)],
)
def test_rows_that_win_in_renju(row: str, color: Color, wins: bool) -> None:
    assert (outcome_of(row, "renju", color) is not None) == wins


def test_blocked_caro_row_is_not_won_later() -> None:
    """A five with enemies at both ends stays worthless when the game goes on."""
    board = Board.from_stones(black=["c8", "d8", "e8", "f8"], white=["b8", "h8"], turn=Color.BLACK, rule="caro")
    board.push("g8")
    assert board.outcome() is None
    board.push("a1")
    board.push("a3")
    assert board.outcome() is None


def test_overline_in_standard_goes_on() -> None:
    board = Board.from_stones(black=["a1", "b1", "c1", "e1", "f1"], white=["a9"], rule="standard")
    board.push("d1")
    assert board.outcome() is None
    board.push("h8")
    assert board.turn == Color.BLACK
    assert board.forbidden_points() == []


def test_one_of_two_rows_is_named() -> None:
    board = Board.from_stones(black=["a1", "b1", "c1", "d1", "e2", "e3", "e4", "e5"], white=[])
    board.push("e1")
    outcome = board.outcome()
    assert outcome is not None
    assert outcome.line in (
        row_of("a1 b1 c1 d1 e1"),
        row_of("e1 d1 c1 b1 a1"),
        row_of("e1 e2 e3 e4 e5"),
        row_of("e5 e4 e3 e2 e1"),
    )


def test_lines_do_not_wrap_around_the_border() -> None:
    board = Board.from_stones(black=["m8", "n8", "o8", "a7"], white=[])
    board.push("b7")
    assert board.outcome() is None
    assert board.shape("b7", 0, Color.BLACK) == Shape.SLEEPING_TWO
    assert board.shape("o8", 0, Color.BLACK) == Shape.SLEEPING_THREE


FULL_3X3 = "b2 a1 c3 b1 c1 a3 a2 c2 b3"


def test_full_board_is_a_draw() -> None:
    board = Board.from_moves(FULL_3X3, size=3, n_in_row=3)
    assert board.outcome() == Outcome(None, "draw", ())
    assert board.is_over
    assert board.legal_moves == []
    with pytest.raises(GameOverError):
        board.push("a1")
    board.pop()
    assert board.outcome() is None
    assert [board.text(move) for move in board.legal_moves] == ["b3"]


def test_last_stone_can_win() -> None:
    board = Board.from_moves("a1 a3 b2 c1 b1 b3 a2 c2", size=3, n_in_row=3)
    assert board.outcome() is None
    board.push("c3")
    outcome = board.outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (Color.BLACK, "five")
    assert sorted(outcome.line) == [(0, 2), (1, 1), (2, 0)]


def test_row_longer_than_the_board_can_only_draw() -> None:
    board = Board(3)
    for move in board.legal_moves:
        assert board.outcome() is None
        board.push(move)
    assert board.outcome() == Outcome(None, "draw", ())


def test_outcome_is_a_value() -> None:
    assert Outcome(None, "draw", ()) == Outcome(None, "draw", ())
    with pytest.raises(AttributeError):
        Outcome(None, "draw", ()).winner = Color.BLACK  # type: ignore[misc]


# Shapes

SHAPES = [
    ("XXXX*", Shape.FIVE),
    (".XXX*.", Shape.OPEN_FOUR),
    ("OXXX*.", Shape.FOUR),
    (".XX.X*.", Shape.FOUR),
    ("X.X*X.X", Shape.OPEN_FOUR),
    ("..XX*..", Shape.OPEN_THREE),
    ("O.XX*..", Shape.OPEN_THREE),
    (".X.X*.", Shape.OPEN_THREE),
    ("O.XX*.O", Shape.SLEEPING_THREE),
    ("OXX*..", Shape.SLEEPING_THREE),
    ("...X*...", Shape.OPEN_TWO),
    (".X..*...", Shape.OPEN_TWO),
    ("OX*...", Shape.SLEEPING_TWO),
    ("*", Shape.NONE),
    ("O.X*.O", Shape.NONE),
    ("OXX*O", Shape.NONE),
]


@pytest.mark.parametrize(("row", "shape"), SHAPES)
@pytest.mark.parametrize("color", Color)
def test_shapes_of_a_row(row: str, shape: Shape, color: Color) -> None:
    own = [(3 + i, 7) for i, mark in enumerate(row) if mark == "X"]
    enemy = [(3 + i, 7) for i, mark in enumerate(row) if mark == "O"]
    asked = Move(3 + row.index("*"), 7)
    black, white = (own, enemy) if color == Color.BLACK else (enemy, own)
    board = Board.from_stones(black=black, white=white, turn=color)
    assert board.shape(asked, 0, color) == shape
    assert board.shapes(color).get(asked, (Shape.NONE,) * 4)[0] == shape
    board.push(asked)
    assert board.shape(asked, 0, color) == shape
    assert all(board.shape(asked, direction, color.other) == Shape.NONE for direction in range(4))
    assert asked not in board.shapes(color.other)


def test_renju_black_has_only_straight_open_fours() -> None:
    for color, shape in ((Color.BLACK, Shape.FOUR), (Color.WHITE, Shape.OPEN_FOUR)):
        stones = ["d8", "f8", "h8", "j8"]
        black, white = (stones, []) if color == Color.BLACK else ([], stones)
        board = Board.from_stones(black=black, white=white, rule="renju")
        assert board.shape("g8", 0, color) == shape


@pytest.mark.parametrize("direction", [-1, 4, 100])
def test_unknown_direction(direction: int) -> None:
    with pytest.raises(InputError, match=str(direction)):
        Board().shape("h8", direction, Color.BLACK)


def test_points_without_shapes_are_left_out() -> None:
    assert Board().shapes(Color.BLACK) == {}
    board = Board.from_moves("h8")
    shapes = board.shapes(Color.BLACK)
    assert shapes[Move.parse("i8")] == (Shape.OPEN_TWO, Shape.NONE, Shape.NONE, Shape.NONE)
    assert Move.parse("h8") not in shapes
    assert board.shapes(Color.WHITE) == {}


# Symmetries


@pytest.mark.parametrize(
    ("symmetry", "image"),
    list(enumerate([(1, 0), (5, 0), (1, 4), (5, 4), (0, 1), (0, 5), (4, 1), (4, 5)])),
)
def test_symmetries_of_an_oblong_board(symmetry: int, image: tuple[int, int]) -> None:
    board = Board(width=7, height=5)
    board.push((1, 0))
    turned = board.transform(symmetry)
    assert (turned.width, turned.height) == ((5, 7) if symmetry >= 4 else (7, 5))
    assert board.transform_move((1, 0), symmetry) == image
    assert turned.moves == [image]
    assert turned.turn == Color.WHITE


@pytest.mark.parametrize("symmetry", [-1, 8, 100])
def test_unknown_symmetry(symmetry: int) -> None:
    board = Board()
    calls: list[Callable[[], object]] = [
        lambda: board.transform(symmetry),
        lambda: board.transform_move("h8", symmetry),
    ]
    for call in calls:
        with pytest.raises(InputError, match=str(symmetry)):
            call()


def test_transform_leaves_the_board_alone() -> None:
    board = Board.from_moves("h8 a1", rule="renju", on_forbidden="loses")
    before = state(board)
    turned = board.transform(5)
    turned.push("c4")
    assert state(board) == before
    assert (turned.rule, turned.on_forbidden) == ("renju", "loses")


# The picture


def test_picture() -> None:
    picture = str(Board.from_moves("a1 c2 b3", width=4, height=3))
    lines = [line.split() for line in picture.splitlines()]
    assert ["3", ".", "X", ".", "."] in lines
    assert ["2", ".", ".", "O", "."] in lines
    assert ["1", "X", ".", ".", "."] in lines
    assert ["a", "b", "c", "d"] in lines
    assert lines.index(["3", ".", "X", ".", "."]) < lines.index(["1", "X", ".", ".", "."])


def test_columns_of_the_picture_line_up() -> None:
    lines = str(Board.from_moves("a12 l1", size=12)).splitlines()
    letters = next(line for line in lines if line.split()[:2] == ["a", "b"])
    for line in lines:
        if "X" in line:
            assert line.index("X") == letters.index("a")
        if "O" in line:
            assert line.index("O") == letters.index("l")
    assert sum("X" in line for line in lines) == sum("O" in line for line in lines) == 1


# What cannot be changed, and what is accepted


@pytest.mark.parametrize("name", ["width", "height", "rule", "n_in_row"])
def test_what_is_played_cannot_be_assigned(name: str) -> None:
    board = Board()
    with pytest.raises(AttributeError):
        setattr(board, name, getattr(board, name))


def test_on_forbidden_is_checked_when_it_is_assigned() -> None:
    board = Board(rule="renju")
    board.on_forbidden = "loses"
    with pytest.raises(SetupError, match='must be "refuse" or "loses", not "wins"'):
        board.on_forbidden = "wins"
    assert board.on_forbidden == "loses"


def test_whole_numbers_of_numpy_are_numbers() -> None:
    board = Board(size=np.int64(9), n_in_row=np.uint8(4))
    assert (board.width, board.height, board.n_in_row) == (9, 9, 4)
    assert type(board.width) is int
    assert board.push((np.int32(3), np.int8(4))) == Move(3, 4)
    with pytest.raises(SetupError, match=r"from 3 to 22, not 15\.0"):
        Board(size=15.0)  # type: ignore[arg-type]


def test_the_row_that_won_is_counted() -> None:
    three = Board.from_moves("a1 a2 b1 b2 c1", size=5, n_in_row=3)
    assert str(three.outcome()) == "black wins by three in a row"
    six = Board.from_moves("a1 a2 b1 b2 c1 c2 e1 d2 f1 f2 d1", size=9)
    assert str(six.outcome()) == "black wins by six in a row"


def test_a_row_that_was_set_up_belongs_to_its_stones() -> None:
    board = Board.from_stones(["a1", "b1", "c1", "d1", "e1"], [], turn=Color.BLACK)
    outcome = board.outcome()
    assert outcome is not None
    assert outcome.winner == Color.BLACK


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "is not a position; write rows, turn, rule, winning row and last move"),
        ("3/3/3 x freestyle 3", "is not a position"),
        ("3/3/3 z freestyle 3 -", "is not a position"),
        ("3/3/2 x freestyle 3 -", "have different lengths"),
        ("3/3/1z1 x freestyle 3 -", '"1z1" is not a row of a position'),
        ("3/3/3 x chess 3 -", 'there is no rule "chess"'),
        ("3/3/3 x renju 3 -", "renju is played with five in a row"),
        ("2/2 x freestyle 3 -", "from 3 to 22, not 2"),
        ("3/1x1/3 o freestyle 3 -", 'one of its stones, not "-"'),
        ("3/1x1/3 o freestyle 3 a1", 'one of its stones, not "a1"'),
    ],
)
def test_what_is_wrong_with_a_position_is_said(text: str, sentence: str) -> None:
    with pytest.raises(InputError, match=re.escape(sentence)):
        Board.from_text(text)
