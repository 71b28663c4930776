"""The 26 renju openings: the list itself, looking them up, and recognising them."""

from __future__ import annotations

import dataclasses
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen import Board, Color, Move, renju
from tengen.errors import NotationError, SetupError
from tengen.renju import Opening, identify, openings

CENTRE = Move(7, 7)
NEIGHBOURS = [Move(7 + dx, 7 + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]
SQUARE = [Move(7 + dx, 7 + dy) for dx in range(-2, 3) for dy in range(-2, 3) if (dx, dy) != (0, 0)]
TRIPLES = [(CENTRE, white, black) for white in NEIGHBOURS for black in SQUARE if black != white]


def canonical(board: Board) -> tuple[tuple[Move, int | None], ...]:
    """The same for two positions exactly when a symmetry of the board turns one into the other."""
    images = [board.transform(i) for i in range(8)]
    return min(tuple(sorted((move, image.piece_at(move)) for move in image.moves)) for image in images)


# -- the list


def test_there_are_thirteen_direct_and_thirteen_indirect_openings_in_order() -> None:
    numbers = [opening.number for opening in openings.values()]
    assert numbers == [f"{i}D" for i in range(1, 14)] + [f"{i}I" for i in range(1, 14)]
    assert len(openings) == 26


def test_names_and_stones_are_unique() -> None:
    for field in ("number", "name", "chinese", "moves"):
        assert len({getattr(opening, field) for opening in openings.values()}) == 26


def test_no_two_openings_are_the_same_under_symmetry() -> None:
    assert len({canonical(opening.board()) for opening in openings.values()}) == 26


def test_the_26_are_all_there_are() -> None:
    """Every stone one on the centre, two beside it and three in the 5x5 is one of the 26, and no class is missing."""
    assert len(TRIPLES) == 8 * 23
    by_position = {canonical(opening.board()): opening for opening in openings.values()}
    seen = {canonical(Board.from_moves(triple)): identify(triple) for triple in TRIPLES}
    assert seen == by_position


@pytest.mark.parametrize("opening", openings.values(), ids=lambda opening: opening.number)
def test_direct_is_straight_and_indirect_is_diagonal(opening: Opening) -> None:
    assert opening.moves[0] == (0, 0)
    assert opening.moves[1] == ((0, 1) if opening.number.endswith("D") else (1, 1))


def test_an_opening_cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        openings["4D"].name = "Kansei"  # type: ignore[misc]


# -- lookup


@pytest.mark.parametrize(
    ("key", "number"),
    [
        ("Kagetsu", "4D"),
        ("kagetsu", "4D"),
        ("KAGETSU", "4D"),
        (" Kagetsu ", "4D"),
        ("花月", "4D"),
        ("4D", "4D"),
        ("4d", "4D"),
        ("D4", "4D"),
        ("d4", "4D"),
        ("13I", "13I"),
        ("i13", "13I"),
        ("彗星", "13I"),
        ("suisei", "13I"),
        ("1D", "1D"),
        ("11D", "11D"),
        ("i1", "1I"),
        ("i11", "11I"),
        ("游星", "13D"),
    ],
)
def test_lookup(key: str, number: str) -> None:
    assert openings[key].number == number
    assert key in openings


@pytest.mark.parametrize("opening", openings.values(), ids=lambda opening: opening.number)
def test_every_opening_is_found_by_each_of_its_names(opening: Opening) -> None:
    for key in (opening.name, opening.chinese, opening.number, opening.number[-1] + opening.number[:-1]):
        assert openings[key] is opening


def test_it_is_a_mapping() -> None:
    assert list(openings) == [opening.name for opening in openings.values()]
    assert list(openings)[:4] == ["Kansei", "Keigetsu", "Sosei", "Kagetsu"]
    assert dict(openings)["Kagetsu"] is openings["4D"]
    assert openings.get("nonsense") is None
    assert "nonsense" not in openings
    assert "14D" not in openings
    assert "4D Kagetsu" in repr(openings)


def test_an_unknown_name_gets_close_matches() -> None:
    with pytest.raises(SetupError, match=r"^unknown opening 'Kagetu'; did you mean Kagetsu \(花月, 4D\)"):
        openings["Kagetu"]


def test_a_hopeless_name_gets_examples() -> None:
    with pytest.raises(SetupError) as caught:
        openings["???"]
    assert str(caught.value) == (
        "unknown opening '???'; use a name (Kagetsu), a Chinese name (花月) or a number (1D to 13D, 1I to 13I)"
    )
    assert isinstance(caught.value, ValueError)


@given(st.text())
def test_any_text_is_an_opening_or_a_clear_error(text: str) -> None:
    if text in openings:
        assert isinstance(openings[text], Opening)
    else:
        with pytest.raises(SetupError, match=re.escape(f"unknown opening {text!r}; ")):
            openings[text]


# -- on a board


def test_kagetsu_on_the_board() -> None:
    board = openings["Kagetsu"].board()
    assert board.moves == [Move.parse(text) for text in ("h8", "h9", "i9")]
    assert (board.width, board.height, board.rule, board.turn) == (15, 15, "renju", Color.WHITE)


@pytest.mark.parametrize(
    ("name", "stones"),
    [("1D", "h8 h9 h10"), ("10D", "h8 h9 j7"), ("1I", "h8 i9 j10"), ("7I", "h8 i9 i7"), ("12I", "h8 i9 g6")],
)
def test_plus_y_is_up(name: str, stones: str) -> None:
    assert openings[name].board() == Board.from_moves(stones, rule="renju")


@pytest.mark.parametrize("size", [5, 6, 9, 10, 15, 19, 20, 22])
@pytest.mark.parametrize("opening", openings.values(), ids=lambda opening: opening.number)
def test_every_size_odd_and_even(opening: Opening, size: int) -> None:
    centre = Move(size // 2, size // 2)
    moves = opening.moves_on(size)
    assert moves[0] == centre
    assert [(move.x - centre.x, centre.y - move.y) for move in moves] == list(opening.moves)
    board = opening.board(size, rule="freestyle")
    assert board.moves == list(moves)
    assert (board.width, board.height, board.rule) == (size, size, "freestyle")
    assert identify(board) is opening


def test_a_board_that_is_too_small() -> None:
    with pytest.raises(SetupError, match="Kansei needs a board of at least 5x5, not 4x4"):
        openings["Kansei"].moves_on(4)
    with pytest.raises(SetupError, match="3x3"):
        openings["Kansei"].board(3)


def test_a_rule_that_does_not_exist() -> None:
    with pytest.raises(SetupError):
        openings["Kansei"].board(rule="chess")


# -- recognition


@pytest.mark.parametrize("symmetry", range(8))
@pytest.mark.parametrize("opening", openings.values(), ids=lambda opening: opening.number)
def test_recognised_under_every_symmetry(opening: Opening, symmetry: int) -> None:
    board = opening.board().transform(symmetry)
    assert identify(board) is opening
    assert identify(board.moves) is opening


def test_moves_in_any_form() -> None:
    kagetsu = openings["Kagetsu"]
    assert identify("h8 h9 i9") is kagetsu
    assert identify("h8, h9, i9") is kagetsu
    assert identify(["h8", "h9", "i9"]) is kagetsu
    assert identify([(7, 7), (7, 6), (8, 6)]) is kagetsu
    assert identify(iter([Move(7, 7), Move(7, 6), Move(8, 6)])) is kagetsu
    assert identify("k11 k12 l12") is kagetsu  # the centre of a 21x21 board: without a board any point may be it


def test_later_moves_do_not_matter() -> None:
    assert identify(Board.from_moves("h8 h9 i9 g7 a1")) is openings["Kagetsu"]
    assert identify("h8 h9 i9 g7 a1") is openings["Kagetsu"]


def test_a_board_that_was_set_up() -> None:
    assert identify(Board.from_stones(["h8", "i9"], ["h9"], turn=Color.WHITE)) is openings["Kagetsu"]
    assert identify(Board.from_stones(["h8", "i9", "j9"], ["h9", "a1"])) is None


@pytest.mark.parametrize(
    "moves",
    [
        "",
        "h8",
        "h8 h9",
        "h8 j8 i9",  # white not beside the centre
        "h8 h9 h11",  # black outside the 5x5
        "h9 h8 i8",  # not from the centre
        "a1 a2 a3",
    ],
)
def test_what_is_no_opening(moves: str) -> None:
    assert identify(Board.from_moves(moves)) is None


def test_text_that_is_no_point() -> None:
    with pytest.raises(NotationError):
        identify("h8 h9 nowhere")


def test_the_module_is_reachable_from_the_package() -> None:
    assert renju.openings is openings
