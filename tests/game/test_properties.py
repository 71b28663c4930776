"""What must hold for every board, every game and every input, tried by hypothesis."""

from __future__ import annotations

import copy
import itertools
import pickle
import re
import xml.etree.ElementTree
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from tengen import Board, Color, IllegalMoveError, InputError, Move, NotationError, TengenError

RULES = ("freestyle", "standard", "renju", "caro")
SYMMETRIES = range(8)

sides = st.integers(3, 22)


@st.composite
def empty_boards(draw: st.DrawFn) -> Board:
    """A board of any size, rule and length of row."""
    rule = draw(st.sampled_from(RULES))
    return Board(
        width=draw(sides),
        height=draw(sides),
        rule=rule,
        n_in_row=5 if rule == "renju" else draw(st.integers(3, 7)),
        on_forbidden=draw(st.sampled_from(["refuse", "loses"])),
    )


@st.composite
def games(draw: st.DrawFn, most_moves: int = 30) -> Board:
    """A board after some legal moves, close together so that something happens; the game may be over."""
    board = draw(empty_boards())
    steps = draw(st.lists(st.tuples(st.integers(-2, 2), st.integers(-2, 2)), max_size=most_moves))
    x, y = board.width // 2, board.height // 2
    for dx, dy in steps:
        point = (max(0, min(board.width - 1, x + dx)), max(0, min(board.height - 1, y + dy)))
        if board.is_legal(point):
            board.push(point)
            x, y = point
    return board


def keywords(board: Board) -> dict[str, Any]:
    """What makes an empty board like this one."""
    return {
        "width": board.width,
        "height": board.height,
        "rule": board.rule,
        "n_in_row": board.n_in_row,
        "on_forbidden": board.on_forbidden,
    }


def state(board: Board) -> tuple[object, ...]:
    """What a failed or undone call must leave as it was."""
    return (board.hash, board.moves, board.turn, board.outcome(), board.forbidden_points(), str(board))


# Moves and takebacks


@given(games(), st.data())
def test_move_and_takeback(board: Board, data: st.DataObject) -> None:
    assume(board.legal_moves)
    before = state(board)
    shapes = [board.shapes(color) for color in Color]
    move = data.draw(st.sampled_from(board.legal_moves))
    assert board.push(move) == move
    assert state(board) != before
    assert board.pop() == move
    assert state(board) == before
    assert [board.shapes(color) for color in Color] == shapes


@given(games())
def test_takeback_to_the_start_and_replay(board: Board) -> None:
    end, moves = state(board), board.moves
    taken = [board.pop() for _ in moves]
    assert taken == moves[::-1]
    assert state(board) == state(Board(**keywords(board)))
    for move in moves:
        board.push(move)
    assert state(board) == end


@given(games())
def test_moves_make_the_board_again(board: Board) -> None:
    text = " ".join(board.text(move) for move in board.moves)
    for again in (Board.from_moves(text, **keywords(board)), Board.from_moves(board.moves, **keywords(board))):
        assert again == board
        assert state(again) == state(board)


@given(games())
def test_copy_is_the_same(board: Board) -> None:
    copy = board.copy()
    assert copy == board
    assert state(copy) == state(board)
    assert copy.legal_moves == board.legal_moves


# Text


@given(sides, st.data())
def test_point_text_round_trip(height: int, data: st.DataObject) -> None:
    move = Move(data.draw(st.integers(0, 21)), data.draw(st.integers(0, height - 1)))
    assert Move.parse(move.text(height), height) == move
    assert Move.parse(move.text(height).upper(), height) == move


def test_every_point_of_every_size_has_its_own_text() -> None:
    for height in range(3, 23):
        points = [Move(x, y) for y in range(height) for x in range(22)]
        texts = [point.text(height) for point in points]
        assert len(set(texts)) == len(points)
        assert [Move.parse(text, height) for text in texts] == points


@given(st.one_of(st.text(max_size=8), st.from_regex(r"[a-zA-Z]?[0-9]{0,4}", fullmatch=True)), sides)
@example("\u017f1", 15)  # a long s, a dotless i and a Kelvin sign are letters s, i and k to whoever ignores case
@example("\u01311", 15)
@example("\u212a1", 15)
@example("a\u0661", 15)  # an Arabic digit one
@example("a\u00b2", 15)
def test_fuzzed_text(text: str, size: int) -> None:
    """Either it is a point of some board, and then in plain letters and digits, or a NotationError."""
    board = Board(size)
    try:
        move = Move.parse(text, size)
    except NotationError:
        assert not board.is_legal(text)
        return
    assert text.strip().isascii()
    assert 0 <= move.x < 26
    on_board = move.x < size and 0 <= move.y < size
    assert board.is_legal(text) == on_board
    if on_board:
        assert board.parse_move(text) == move
        assert move.text(size) == text.strip().lower()


json_like = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4) | st.binary(max_size=4),
    lambda children: st.lists(children, max_size=3) | st.tuples(children, children),
    max_leaves=4,
)


@given(games(most_moves=8), json_like)
def test_nonsense_is_refused_and_changes_nothing(board: Board, nonsense: Any) -> None:
    before = state(board)
    legal = board.is_legal(nonsense)
    if legal:
        board.push(nonsense)
        board.pop()
    else:
        with pytest.raises(TengenError, match=r"."):
            board.push(nonsense)
    assert state(board) == before


@given(games(), st.integers(-3, 25), st.integers(-3, 25))
def test_push_accepts_exactly_the_legal_moves(board: Board, x: int, y: int) -> None:
    before = state(board)
    legal = board.is_legal((x, y))
    assert legal == ((x, y) in board.legal_moves)
    if legal:
        board.push((x, y))
        assert board.last_move == (x, y)
    else:
        with pytest.raises(IllegalMoveError, match=r"."):
            board.push((x, y))
        assert state(board) == before


@given(games(), st.text(alphabet="abchz0189 ,-", max_size=20))
def test_fuzzed_game_text(board: Board, text: str) -> None:
    """A game's text with something appended is read or refused, exactly as if it were played move by move."""
    appended = text.replace(",", " ").split()
    game = " ".join([*(board.text(move) for move in board.moves), text])
    try:
        for move in appended:
            board.push(move)
    except TengenError as error:
        with pytest.raises(type(error), match=re.escape(str(error))):
            Board.from_moves(game, **keywords(board))
    else:
        assert Board.from_moves(game, **keywords(board)).moves == board.moves


# Symmetries


@given(games(most_moves=12))
def test_symmetries_form_a_group(board: Board) -> None:
    """One after the other is always the same third one, on every point; each has its inverse."""
    corners = [Move(0, 0), Move(1, 0), Move(0, board.height - 1), Move(board.width - 1, 1)]
    points = [*corners, *board.moves]
    images = {i: [board.transform_move(point, i) for point in points] for i in SYMMETRIES}
    table = {}
    for first, second in itertools.product(SYMMETRIES, SYMMETRIES):
        turned = board.transform(first)
        both = [turned.transform_move(point, second) for point in images[first]]
        as_one = [i for i in SYMMETRIES if images[i] == both and i & 4 == (first ^ second) & 4]
        assert len(as_one) == 1
        table[first, second] = as_one[0]
        assert turned.transform(second) == board.transform(as_one[0])
    assert all(table[0, i] == table[i, 0] == i for i in SYMMETRIES)
    for i in SYMMETRIES:
        assert sorted(table[i, j] for j in SYMMETRIES) == list(SYMMETRIES)
        assert sorted(table[j, i] for j in SYMMETRIES) == list(SYMMETRIES)


@given(games(), st.sampled_from(SYMMETRIES))
def test_symmetry_of_a_game_is_the_game_of_the_images(board: Board, symmetry: int) -> None:
    turned = board.transform(symmetry)
    replayed = Board(
        rule=board.rule,
        width=turned.width,
        height=turned.height,
        n_in_row=board.n_in_row,
        on_forbidden=board.on_forbidden,
    )
    for move in board.moves:
        assert replayed.is_legal(board.transform_move(move, symmetry))
        replayed.push(board.transform_move(move, symmetry))
    assert state(replayed) == state(turned)
    assert turned.piece_at(board.transform_move((0, 0), symmetry)) == board.piece_at((0, 0))


# Hash


@given(games(), st.randoms(use_true_random=False))
def test_hash_knows_the_stones_and_not_their_order(board: Board, random: Any) -> None:
    black, white = board.moves[::2], board.moves[1::2]
    random.shuffle(black)
    random.shuffle(white)
    shuffled = Board.from_stones(black=black, white=white, turn=board.turn, **keywords(board))
    assert shuffled == board
    assert shuffled.hash == board.hash
    assert 0 <= board.hash < 2**64


@given(games(), st.data())
def test_hash_tells_positions_apart(board: Board, data: st.DataObject) -> None:
    """Another turn, a stone less, a stone elsewhere, or a stone of the other colour."""
    assume(board.moves)
    black, white = board.moves[::2], board.moves[1::2]
    others = [
        Board.from_stones(black, white, board.turn.other, **keywords(board)),
        Board.from_stones(black[1:], white, board.turn, **keywords(board)),
        Board.from_stones(black[1:], [*white, black[0]], board.turn, **keywords(board)),
    ]
    empty = [Move(x, y) for y in range(board.height) for x in range(board.width) if board.piece_at((x, y)) is None]
    if empty:
        others.append(
            Board.from_stones([data.draw(st.sampled_from(empty)), *black[1:]], white, board.turn, **keywords(board))
        )
    for other in others:
        assert other != board
        assert other.hash != board.hash


# Copies and text


@given(games())
def test_every_copy_is_the_same_game_and_independent(board: Board) -> None:
    before = state(board)
    for twin in (copy.copy(board), copy.deepcopy(board), pickle.loads(pickle.dumps(board))):
        assert state(twin) == before
        assert keywords(twin) == keywords(board)
        if twin.ply:
            twin.pop()
            assert state(board) == before


@given(games())
def test_a_position_is_read_back_from_its_text(board: Board) -> None:
    again = Board.from_text(board.to_text(), on_forbidden=board.on_forbidden)
    assert keywords(again) == keywords(board)
    assert again == board
    assert (again.hash, again.turn, again.last_move, again.outcome()) == (
        board.hash,
        board.turn,
        board.last_move,
        board.outcome(),
    )
    assert again.to_text() == board.to_text()


@given(st.text(alphabet="xo123/ -renjucaoh89", max_size=60))
def test_text_that_is_no_position_is_refused_in_a_sentence(text: str) -> None:
    try:
        board = Board.from_text(text)
    except InputError:
        return
    assert Board.from_text(board.to_text()) == board


@given(games())
def test_the_picture_is_xml_with_every_stone(board: Board) -> None:
    picture = xml.etree.ElementTree.fromstring(board._repr_svg_())
    stones = [circle for circle in picture.iter("{http://www.w3.org/2000/svg}circle") if circle.get("r") == "18.6"]
    outcome = board.outcome()
    assert len(stones) == board.ply + len(outcome.line if outcome else ())
    numbered = xml.etree.ElementTree.fromstring(board.svg(numbers=True))
    assert len(list(numbered.itertext())) >= board.ply
