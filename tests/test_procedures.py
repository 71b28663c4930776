"""The opening procedures: every branch, every wrong action, and random walks."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tengen import Board, Color, Move, renju
from tengen.errors import IllegalMoveError, InputError, SetupError
from tengen.procedures import (
    PROCEDURES,
    Action,
    Announce,
    AnnounceStep,
    Choose,
    ChooseStep,
    Entry,
    IllegalActionError,
    Offer,
    OfferStep,
    Person,
    Pick,
    PickStep,
    Place,
    PlaceStep,
    Procedure,
    Step,
    Swap,
    SwapStep,
    start,
)

NAMES = list(PROCEDURES)
KAGETSU = Place("h8 h9 i9")  # no symmetry leaves it as it is
KANSEI = Place("h8 h9 h10")  # its own mirror image, left and right


def play(name: str, *actions: Action, board: Board | None = None) -> Procedure:
    procedure = start(name, board)
    for action in actions:
        procedure.apply(action)
    return procedure


def assert_end(procedure: Procedure, moves: str, black: Person) -> None:
    """The opening is over: these stones, this person black, white to move."""
    assert procedure.done
    assert procedure.step is None
    assert procedure.board.moves == [Move.parse(text, procedure.board.height) for text in moves.split()]
    assert procedure.board.turn == Color.WHITE
    assert procedure.black == black
    assert procedure.white == ("second" if black == "first" else "first")
    assert procedure.to_act == procedure.white


def assert_refused(procedure: Procedure, action: Any, sentence: str, by: Person | None = None) -> None:
    """The action is refused with this beginning of a sentence plus what is expected, and nothing changes."""
    before, step, board = procedure.to_dicts(), procedure.step, procedure.board
    assert not procedure.legal(action, by=by)
    with pytest.raises(IllegalActionError) as caught:
        procedure.apply(action, by=by)
    expected = "" if step is None else f"; expected: {step.prompt}"
    assert str(caught.value) == sentence + expected
    assert isinstance(caught.value, IllegalMoveError)
    assert procedure.to_dicts() == before
    assert procedure.step == step
    assert procedure.board == board


# -- Swap and RIF


@pytest.mark.parametrize("name", ["swap", "rif"])
@pytest.mark.parametrize(("swap", "black"), [(False, "first"), (True, "second")])
def test_swap_and_rif(name: str, swap: bool, black: Person) -> None:
    procedure = start(name)
    white: Person = "first" if swap else "second"

    step = procedure.step
    assert isinstance(step, PlaceStep)
    assert (step.person, procedure.to_act) == ("first", "first")
    assert step.colors == (Color.BLACK, Color.WHITE, Color.BLACK)
    assert step.regions == (1, 3, 5)
    assert [len(points) for points in step.points] == [1, 9, 25]
    assert step.prompt == (
        "the first player places black on the centre h8, white inside the central 3x3 and black inside the central 5x5"
    )
    assert (procedure.black, procedure.white) == ("first", "second")
    procedure.apply(KAGETSU)

    assert isinstance(procedure.step, SwapStep)
    assert procedure.to_act == "second"
    assert procedure.step.prompt == "the second player says whether to swap and take black, or to stay white"
    procedure.apply(Swap(swap))
    assert procedure.black == black

    assert isinstance(procedure.step, PlaceStep)
    assert procedure.to_act == white
    assert procedure.step.colors == (Color.WHITE,)
    assert procedure.step.regions == (None,)
    assert len(procedure.step.points[0]) == 222
    procedure.apply(Place("a1"))

    assert isinstance(procedure.step, OfferStep)
    assert procedure.to_act == black
    assert procedure.step.count == 2
    assert len(procedure.step.points) == 221
    procedure.apply(Offer("g8 o15"))

    assert isinstance(procedure.step, PickStep)
    assert procedure.to_act == white
    assert procedure.step.points == (Move.parse("g8"), Move.parse("o15"))
    assert procedure.step.prompt == f"the {white} player, white, picks the fifth move g8 or o15"
    procedure.apply(Pick("o15"))

    assert_end(procedure, "h8 h9 i9 a1 o15", black)
    assert [entry.person for entry in procedure.history] == ["first", "second", white, black, white]


def test_only_rif_refuses_symmetric_fifths() -> None:
    moves: list[Action] = [KANSEI, Swap(False), Place("h11")]  # everything on one line: left and right are the same
    assert play("swap", *moves).legal(Offer("g9 i9"))
    rif = play("rif", *moves)
    assert rif.step is not None
    assert rif.step.prompt == "the first player, black, offers 2 fifth moves, no two of them symmetric"
    assert_refused(rif, Offer("g9 i9"), "g9 and i9 are symmetric")
    assert rif.legal(Offer("g9 i8"))
    assert rif.legal(Offer("h7 h12"))  # on the axis each point is its own image


def test_fifths_are_symmetric_only_when_the_whole_position_is() -> None:
    assert play("rif", KANSEI, Swap(False), Place("g11")).legal(Offer("g9 i9"))
    # White's h9 and g8 mirror each other in the falling diagonal through h8; so do h7 and i8, black's h8 and g9.
    diagonal = play("rif", Place("h8 h9 g9"), Swap(False), Place("g8"))
    assert_refused(diagonal, Offer("h7 i8"), "h7 and i8 are symmetric")


@pytest.mark.parametrize("symmetry", range(8))
@pytest.mark.parametrize("opening", renju.openings.values(), ids=lambda opening: opening.number)
def test_rif_takes_every_opening_in_every_orientation(opening: renju.Opening, symmetry: int) -> None:
    procedure = play("rif", Place(opening.board().transform(symmetry).moves))
    assert renju.identify(procedure.board) is opening


@pytest.mark.parametrize("name", ["swap", "rif", "soosorv-8"])
@pytest.mark.parametrize(
    ("moves", "why"),
    [
        ("h9 h8 i8", "black on h9 is not on the centre h8"),
        ("h8 h10 i9", "white on h10 is not inside the central 3x3"),
        ("h8 h9 h11", "black on h11 is not inside the central 5x5"),
        ("h8 h9 h9", "h9 is given twice"),
        ("h8 h8 h9", "h8 is given twice"),
        ("h8 h9", "2 points given instead of 3"),
        ("h8", "1 point given instead of 3"),
        ("", "0 points given instead of 3"),
        ("h8 h9 i9 i10", "4 points given instead of 3"),
        ("h8 h9 p9", "p9 is off the 15x15 board"),
    ],
)
def test_the_first_three_stones_must_be_an_opening(name: str, moves: str, why: str) -> None:
    assert_refused(start(name), Place(moves), why)


def test_wrong_stones_and_offers_in_rif() -> None:
    fourth = play("rif", KAGETSU, Swap(False))
    assert_refused(fourth, Place("h9"), "h9 is occupied by white")
    assert_refused(fourth, Place("i9"), "i9 is occupied by black")
    assert_refused(fourth, Place("a1 a2"), "2 points given instead of 1")
    fifth = play("rif", KAGETSU, Swap(False), Place("a1"))
    assert_refused(fifth, Offer("g8"), "1 point given instead of 2")
    assert_refused(fifth, Offer("g8 g9 g10"), "3 points given instead of 2")
    assert_refused(fifth, Offer("g8 g8"), "g8 is given twice")
    assert_refused(fifth, Offer("g8 a1"), "a1 is occupied by white")
    assert_refused(fifth, Offer("g8 a16"), "a16 is off the 15x15 board")
    pick = play("rif", KAGETSU, Swap(False), Place("a1"), Offer("g8 g9"))
    assert_refused(pick, Pick("g10"), "g10 was not offered")
    assert_refused(pick, Pick("h8"), "h8 was not offered")
    assert_refused(pick, Pick("s1"), "s1 is off the 15x15 board")


# -- Swap2


def test_swap2_stay_white() -> None:
    procedure = start("swap2")
    assert isinstance(procedure.step, PlaceStep)
    assert procedure.step.regions == (None, None, None)
    procedure.apply(Place("a1 o15 b1"))
    assert isinstance(procedure.step, ChooseStep)
    assert procedure.to_act == "second"
    assert procedure.step.options == ("white", "black", "add")
    assert procedure.step.prompt == (
        "the second player chooses 'white' (stay white and play), 'black' (take black) or "
        "'add' (add a white and a black stone)"
    )
    procedure.apply(Choose("white"))
    assert_end(procedure, "a1 o15 b1", "first")


def test_swap2_take_black() -> None:
    assert_end(play("swap2", Place("a1 o15 b1"), Choose("black")), "a1 o15 b1", "second")


@pytest.mark.parametrize(("color", "black"), [("black", "first"), ("white", "second")])
def test_swap2_add_two(color: str, black: Person) -> None:
    procedure = play("swap2", Place("a1 o15 b1"), Choose("add"))
    assert isinstance(procedure.step, PlaceStep)
    assert procedure.to_act == "second"
    assert procedure.step.colors == (Color.WHITE, Color.BLACK)
    assert procedure.step.prompt == "the second player places white anywhere and black anywhere"
    procedure.apply(Place("c3 d4"))
    assert isinstance(procedure.step, ChooseStep)
    assert procedure.to_act == "first"
    assert procedure.step.options == ("black", "white")
    procedure.apply(Choose(color))
    assert_end(procedure, "a1 o15 b1 c3 d4", black)


def test_wrong_actions_in_swap2() -> None:
    assert_refused(start("swap2"), Place("a1 b1"), "2 points given instead of 3")
    assert_refused(start("swap2"), Place("a1 b1 a1"), "a1 is given twice")
    three = play("swap2", Place("a1 o15 b1"))
    assert_refused(three, Choose("red"), "'red' is none of the options")
    assert_refused(three, Choose("White"), "'White' is none of the options")
    assert_refused(three, Swap(True), "Swap is not possible now")
    assert_refused(three, Place("c3"), "Place is not possible now")
    adding = play("swap2", Place("a1 o15 b1"), Choose("add"))
    assert_refused(adding, Place("c3"), "1 point given instead of 2")
    assert_refused(adding, Place("c3 a1"), "a1 is occupied by black")
    five = play("swap2", Place("a1 o15 b1"), Choose("add"), Place("c3 d4"))
    assert_refused(five, Choose("add"), "'add' is none of the options")


@pytest.mark.parametrize("rule", ["freestyle", "standard", "renju", "caro"])
def test_swap2_under_every_rule(rule: str) -> None:
    procedure = play("swap2", Place("h8 h9 h10"), Choose("white"), board=Board(rule=rule))
    assert procedure.board.rule == rule
    procedure.board.push("h11")


# -- Soosorv-8


@pytest.mark.parametrize(("one", "two"), list(itertools.product([False, True], repeat=2)))
@pytest.mark.parametrize("number", range(1, 9))
def test_soosorv8(one: bool, two: bool, number: int) -> None:
    procedure = play("soosorv-8", KAGETSU, Swap(one), Place("a1"))
    fourth: Person = "first" if one else "second"
    other: Person = "second" if one else "first"
    assert procedure.history[-1] == Entry(fourth, Place([Move.parse("a1")]))

    assert isinstance(procedure.step, AnnounceStep)
    assert procedure.to_act == fourth
    assert procedure.step.numbers == range(1, 9)
    assert procedure.step.prompt == (f"the {fourth} player announces how many fifth moves black must offer, 1 to 8")
    procedure.apply(Announce(number))

    assert isinstance(procedure.step, SwapStep)
    assert procedure.to_act == other
    assert procedure.step.prompt == f"the {other} player says whether to swap and take white, or to stay black"
    procedure.apply(Swap(two))
    black, white = (fourth, other) if two else (other, fourth)
    assert (procedure.black, procedure.white) == (black, white)

    assert isinstance(procedure.step, OfferStep)
    assert procedure.to_act == black
    assert procedure.step.count == number
    fifths = [f"b{i}" for i in range(1, number + 1)]
    procedure.apply(Offer(fifths))
    assert isinstance(procedure.step, PickStep)
    assert procedure.to_act == white
    procedure.apply(Pick(fifths[-1]))
    assert_end(procedure, f"h8 h9 i9 a1 b{number}", black)


@pytest.mark.parametrize("number", [0, 9, -1, True, 2.0, "2", None])
def test_wrong_announcements(number: Any) -> None:
    procedure = play("soosorv-8", KAGETSU, Swap(False), Place("a1"))
    assert_refused(procedure, Announce(number), f"{number!r} is not such a number")


def test_wrong_offers_in_soosorv8() -> None:
    procedure = play("soosorv-8", KANSEI, Swap(False), Place("h11"), Announce(3), Swap(False))
    assert_refused(procedure, Offer("a1 a2"), "2 points given instead of 3")
    assert_refused(procedure, Offer("a1 a2 o1"), "a1 and o1 are symmetric")
    single = play("soosorv-8", KANSEI, Swap(False), Place("h11"), Announce(1), Swap(False))
    assert single.step is not None
    assert single.step.prompt == "the first player, black, offers 1 fifth move"


# -- Taraguchi-10


@pytest.mark.parametrize("swaps", list(itertools.product([False, True], repeat=5)))
def test_taraguchi10_with_one_fifth(swaps: tuple[bool, ...]) -> None:
    procedure = start("taraguchi-10")
    black: Person = "first"
    white: Person = "second"
    for ply, (move, region) in enumerate(zip(["h8", "h9", "j10", "e8", "l4"], (1, 3, 5, 7, 9), strict=True)):
        if region == 9:
            assert isinstance(procedure.step, ChooseStep)
            assert procedure.to_act == black
            assert procedure.step.options == ("one", "ten")
            procedure.apply(Choose("one"))
        mover, waiting = (black, white) if ply % 2 == 0 else (white, black)
        assert isinstance(procedure.step, PlaceStep)
        assert procedure.to_act == mover
        assert procedure.step.regions == (region,)
        assert len(procedure.step.points[0]) == region * region - ply
        procedure.apply(Place(move))
        assert isinstance(procedure.step, SwapStep)
        assert procedure.to_act == waiting
        procedure.apply(Swap(swaps[ply]))
        if swaps[ply]:
            black, white = white, black
        assert (procedure.black, procedure.white) == (black, white)
    assert_end(procedure, "h8 h9 j10 e8 l4", black)


@pytest.mark.parametrize("swaps", list(itertools.product([False, True], repeat=4)))
def test_taraguchi10_with_ten_fifths(swaps: tuple[bool, ...]) -> None:
    stones = ["h8", "h9", "i9", "i10"]
    steps = [action for move, swap in zip(stones, swaps, strict=True) for action in (Place(move), Swap(swap))]
    procedure = play("taraguchi-10", *steps, Choose("ten"))
    black: Person = "first" if sum(swaps) % 2 == 0 else "second"
    assert isinstance(procedure.step, OfferStep)
    assert procedure.to_act == procedure.black == black
    assert procedure.step.prompt == f"the {black} player, black, offers 10 fifth moves, no two of them symmetric"
    fifths = [f"{column}1" for column in "abcdefghij"]
    procedure.apply(Offer(fifths))
    assert isinstance(procedure.step, PickStep)
    assert procedure.to_act == procedure.white != black
    procedure.apply(Pick("c1"))
    assert_end(procedure, "h8 h9 i9 i10 c1", black)


@pytest.mark.parametrize(
    ("played", "move", "why"),
    [
        ("", "h9", "black on h9 is not on the centre h8"),
        ("h8", "h10", "white on h10 is not inside the central 3x3"),
        ("h8", "h8", "h8 is occupied by black"),
        ("h8 h9", "h11", "black on h11 is not inside the central 5x5"),
        ("h8 h9 i9", "h12", "white on h12 is not inside the central 7x7"),
        ("h8 h9 i9 g6", "h13", "black on h13 is not inside the central 9x9"),
        ("h8 h9 i9 g6", "i9", "i9 is occupied by black"),
    ],
)
def test_regions_of_taraguchi10(played: str, move: str, why: str) -> None:
    procedure = start("taraguchi-10")
    for text in played.split():
        procedure.apply(Place(text))
        procedure.apply(Swap(False))
    if isinstance(procedure.step, ChooseStep):
        procedure.apply(Choose("one"))
    assert_refused(procedure, Place(move), why)


def test_ten_fifths_of_taraguchi10() -> None:
    steps = [action for move in ["h8", "h9", "h10", "h11"] for action in (Place(move), Swap(False))]
    procedure = play("taraguchi-10", *steps, Choose("ten"))
    assert_refused(procedure, Offer("a1 a2 a3 a4 a5 a6 a7 a8 a9"), "9 points given instead of 10")
    assert_refused(procedure, Offer("a1 a2 a3 a4 a5 a6 a7 a8 a9 o4"), "a4 and o4 are symmetric")


# -- fifth moves and symmetry


def assert_groups_are_right(procedure: Procedure) -> None:
    """By definition: two fifths belong together exactly when a symmetry turns one position into the other."""
    step, board = procedure.step, procedure.board
    assert isinstance(step, OfferStep)
    symmetries = [
        i for i in range(8) if (board.transform(i).width, board.transform(i).height) == (board.width, board.height)
    ]
    group_of = {move: number for number, group in enumerate(step.groups) for move in group}
    assert sorted(group_of) == sorted(board.legal_moves)

    def after(move: Move) -> Board:
        twin = board.copy()
        twin.push(move)
        return twin

    positions = {move: after(move) for move in group_of}
    for one, position in positions.items():
        images = [position.transform(i) for i in symmetries]
        for two in positions:
            assert (group_of[one] == group_of[two]) == (positions[two] in images)


@pytest.mark.parametrize(
    ("size", "stones", "fourth", "groups"),
    [
        ((7, 7), "d4 d5 d6", "d2", 45 - 21),  # the middle column has 3 free points, the other 42 come in pairs
        ((7, 7), "d4 e5 c3", "f6", 45 - 21),  # the same on a diagonal
        ((7, 7), "d4 d5 e5", "a1", 45),
        ((6, 6), "d3 d4 c4", "c3", 10),  # even: the centre is d3, and black and white form a cross of order 4
        ((5, 6), "c3 c2 c4", "c5", 7),  # not square: two mirrors and half a turn
        ((7, 8), "d4 e5 d5", "a1", 52),
    ],
)
def test_groups_of_fifths(size: tuple[int, int], stones: str, fourth: str, groups: int) -> None:
    board = Board(width=size[0], height=size[1], rule="renju")
    procedure = play("rif", Place(stones), Swap(False), Place(fourth), board=board)
    assert isinstance(procedure.step, OfferStep)
    assert len(procedure.step.groups) == groups
    assert_groups_are_right(procedure)


@given(st.data())
@settings(max_examples=15, deadline=None)
def test_groups_of_fifths_on_random_positions(data: st.DataObject) -> None:
    width, height = data.draw(st.sampled_from([(5, 5), (6, 6), (7, 7), (5, 6), (7, 5)]))
    procedure = start("rif", Board(width=width, height=height, rule="renju"))
    while not isinstance(procedure.step, OfferStep):
        assert procedure.step is not None
        procedure.apply(random_action(procedure.step, data.draw(st.randoms())))
    assert_groups_are_right(procedure)


# -- the machine


@pytest.mark.parametrize("name", NAMES)
def test_actions_of_the_wrong_kind(name: str) -> None:
    actions: list[Action] = [Place("a1"), Swap(True), Choose("one"), Announce(1), Offer("a1 b1"), Pick("a1")]
    rng = random.Random(name)
    procedure = start(name)
    while procedure.step is not None:
        for action in actions:
            if type(action) is not procedure.step.expects:
                assert_refused(procedure, action, f"{type(action).__name__} is not possible now")
        assert_refused(procedure, "h8", "str is not possible now")
        procedure.apply(random_action(procedure.step, rng))
    over = (
        f"the opening is over: the {procedure.black} player has black, the {procedure.white} player white, "
        "and white is to move"
    )
    for action in actions:
        assert_refused(procedure, action, over)


@pytest.mark.parametrize("name", NAMES)
def test_the_other_person_may_not_act(name: str) -> None:
    rng = random.Random(name)
    procedure = start(name)
    while procedure.step is not None:
        person, action = procedure.step.person, random_action(procedure.step, rng)
        other: Person = "second" if person == "first" else "first"
        assert_refused(procedure, action, f"it is not the turn of the {other} player", by=other)
        assert procedure.legal(action, by=person)
        procedure.apply(action, by=person)


@pytest.mark.parametrize("value", [1, 0, None, "yes"])
def test_swap_is_yes_or_no(value: Any) -> None:
    assert_refused(play("rif", KAGETSU), Swap(value), f"{value!r} is neither True nor False")


@pytest.mark.parametrize("point", ["z", "", "h", "8h", "h8x", 5, None, (1,), (1, 2, 3), (1.5, 2), ("a", "b")])
def test_nonsense_instead_of_a_point(point: Any) -> None:
    procedure = play("rif", KAGETSU, Swap(False))
    step = procedure.step
    with pytest.raises(IllegalActionError, match=r"not a point.*; expected: the second player places white anywhere"):
        procedure.apply(Place([point]))
    assert procedure.step == step


def test_points_in_every_form_become_moves() -> None:
    forms: list[Any] = ["h8 h9 i9", "h8,h9,i9", ["h8", "h9", "i9"], [(7, 7), "h9", Move(8, 6)]]
    for form in forms:
        procedure = start("rif")
        assert procedure.apply(Place(form)) == Place([Move(7, 7), Move(7, 6), Move(8, 6)])
        assert procedure.history == (Entry("first", Place([Move(7, 7), Move(7, 6), Move(8, 6)])),)
        assert all(isinstance(move, Move) for move in procedure.history[0].action.moves)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("name", "canonical"),
    [
        ("Swap2", "swap2"),
        ("SWAP", "swap"),
        ("RIF", "rif"),
        ("三手交换五手两打", "rif"),
        ("Soosorv-8", "soosorv-8"),
        ("soosorv8", "soosorv-8"),
        ("Taraguchi 10", "taraguchi-10"),
        ("taraguchi_10", "taraguchi-10"),
    ],
)
def test_names(name: str, canonical: str) -> None:
    assert start(name).name == canonical


def test_an_unknown_procedure() -> None:
    with pytest.raises(SetupError) as caught:
        start("swap3")
    assert str(caught.value) == ("unknown opening procedure 'swap3'; use swap2, swap, rif, soosorv-8 or taraguchi-10")


def test_boards_that_do_not_fit() -> None:
    with pytest.raises(SetupError, match="Swap2 needs an empty board, not one with 1 stone"):
        start("swap2", Board.from_moves("h8"))
    with pytest.raises(SetupError, match="Swap2 needs a board on which black is to move"):
        start("swap2", Board.from_stones([], [], turn=Color.WHITE))
    with pytest.raises(SetupError, match="Taraguchi-10 needs a board of at least 9x9, not 15x8"):
        start("taraguchi-10", Board(width=15, height=8))
    with pytest.raises(SetupError, match="Soosorv-8 needs a board of at least 7x7, not 5x5"):
        start("soosorv-8", Board(5))
    with pytest.raises(SetupError, match="Swap2 needs at least 4 in a row, not 3"):
        start("swap2", Board(n_in_row=3))


@pytest.mark.parametrize("name", NAMES)
def test_the_default_board(name: str) -> None:
    board = start(name).board
    assert (board.width, board.height) == (15, 15)
    assert board.rule == ("freestyle" if name == "swap2" else "renju")


def test_the_given_board_is_not_touched_and_the_opening_cannot_be_bypassed() -> None:
    given_board = Board(rule="renju", on_forbidden="loses")
    procedure = start("rif", given_board)
    procedure.board.push("a1")
    given_board.push("a1")
    assert procedure.board.ply == 0
    procedure.apply(KAGETSU)
    procedure.board.pop()
    assert procedure.board.ply == 3
    assert given_board.ply == 1
    assert procedure.board.on_forbidden == "loses"


def test_the_game_goes_on_under_renju_rules() -> None:
    # With i9 and i10 above it and h8 and j8 beside it, i8 makes two open threes.
    procedure = play("rif", Place("h8 h9 i9"), Swap(True), Place("a1"), Offer("i10 g8"), Pick("i10"))
    assert procedure.to_act == procedure.white
    game = procedure.board
    for text in ("a3", "j8", "a5"):
        game.push(text)
    assert game is procedure.board
    assert game.turn == Color.BLACK
    with pytest.raises(IllegalMoveError, match="i8 is forbidden for black: double three"):
        game.push("i8")
    assert Move.parse("i8") in game.forbidden_points()
    assert procedure.to_act == "second"  # who swapped and took black
    assert_refused(
        procedure,
        Pick("g8"),
        "the opening is over: the second player has black, the first player white, and black is to move",
    )


def test_no_point_is_forbidden_during_an_opening() -> None:
    """Three black stones make no foul, so every free point may be offered: also the nearest to one."""
    procedure = play("rif", Place("h8 h9 i8"), Swap(False), Place("a1"))
    assert isinstance(procedure.step, OfferStep)
    assert list(procedure.step.points) == procedure.board.legal_moves
    for move in procedure.step.points:
        board = procedure.board
        board.push(move)
        assert board.forbidden_points() == []


@pytest.mark.parametrize("name", NAMES)
def test_undo_all_the_way(name: str) -> None:
    procedure = random_walk(start(name), random.Random(name))
    records = procedure.to_dicts()
    for length in range(len(records), 1, -1):
        last = procedure.history[-1].action
        assert procedure.undo() == last
        assert procedure.to_dicts() == records[: length - 1]
        assert procedure.step == Procedure.from_dicts(records[: length - 1]).step
        assert procedure.board == Procedure.from_dicts(records[: length - 1]).board
        assert procedure.black == Procedure.from_dicts(records[: length - 1]).black
    with pytest.raises(InputError, match="there is no action to take back"):
        procedure.undo()
    assert procedure.board.ply == 0


def test_a_copy_is_independent() -> None:
    procedure = play("rif", KAGETSU)
    twin = procedure.copy()
    twin.apply(Swap(True))
    assert isinstance(procedure.step, SwapStep)
    assert (procedure.black, twin.black) == ("first", "second")
    over = random_walk(twin, random.Random(1))
    over.board.push(over.board.legal_moves[0])
    again = over.copy()
    assert again.done
    assert again.board == over.board
    again.board.pop()
    assert again.board.ply == 5
    assert over.board.ply == 6


def test_repr() -> None:
    assert repr(start("taraguchi-10")) == ("<Procedure taraguchi-10: the first player places black on the centre h8>")
    assert repr(play("swap2", Place("a1 b1 c1"), Choose("white"))) == "<Procedure swap2: over>"


# -- plain records


def test_records_can_be_read_by_people() -> None:
    procedure = play(
        "soosorv-8", KAGETSU, Swap(True), Place("a1"), Announce(2), Swap(False), Offer("b1 c1"), Pick("c1")
    )
    setup = {"width": 15, "height": 15, "rule": "renju", "n_in_row": 5, "on_forbidden": "refuse"}
    assert procedure.to_dicts() == [
        {"procedure": "soosorv-8", **setup},
        {"person": "first", "action": "place", "moves": ["h8", "h9", "i9"]},
        {"person": "second", "action": "swap", "swap": True},
        {"person": "first", "action": "place", "moves": ["a1"]},
        {"person": "first", "action": "announce", "number": 2},
        {"person": "second", "action": "swap", "swap": False},
        {"person": "second", "action": "offer", "moves": ["b1", "c1"]},
        {"person": "first", "action": "pick", "move": "c1"},
    ]
    assert play("swap2", Place("a1 b1 c1"), Choose("add")).to_dicts()[-1] == {
        "person": "second",
        "action": "choose",
        "option": "add",
    }


SETUP = {"procedure": "swap2", "width": 15, "height": 15}
THREE = {"person": "first", "action": "place", "moves": ["a1", "b1", "c1"]}


@pytest.mark.parametrize(
    ("records", "error", "why"),
    [
        ([], InputError, "the first record must name the procedure"),
        ([{}], InputError, "the first record must name the procedure"),
        ([{"width": 15}], InputError, "the first record must name the procedure"),
        ([{"procedure": "swap2", "colour": "red"}], InputError, "the first record must name the procedure"),
        ([{"procedure": "swap3"}], SetupError, "unknown opening procedure"),
        ([{"procedure": "swap2", "rule": "chess"}], SetupError, "chess"),
        (["swap2"], InputError, "'swap2' is not a record"),
        ([SETUP, 7], InputError, "7 is not a record"),
        ([SETUP, {"person": "first"}], InputError, "is not a record of an action"),
        ([SETUP, {"action": "place", "moves": ["a1"]}], InputError, "is not a record of an action"),
        ([SETUP, {"person": "first", "action": "dance"}], InputError, "is not a record of an action"),
        ([SETUP, {"person": "first", "action": ["place"]}], InputError, "is not a record of an action"),
        ([SETUP, {**THREE, "moves": 5}], InputError, "is not a record of an action"),
        ([SETUP, {**THREE, "extra": 5}], InputError, "is not a record of an action"),
        ([SETUP, {**THREE, "person": "second"}], IllegalActionError, "it is not the turn of the second player"),
        ([SETUP, {**THREE, "person": "third"}], IllegalActionError, "it is not the turn of the third player"),
        ([SETUP, {**THREE, "moves": ["a1", "a1", "b1"]}], IllegalActionError, "a1 is given twice"),
        ([SETUP, THREE, {**THREE, "person": "second"}], IllegalActionError, "Place is not possible now"),
    ],
)
def test_bad_records(records: list[Any], error: type[Exception], why: str) -> None:
    with pytest.raises(error, match=why):
        Procedure.from_dicts(records)


# -- random walks


def random_action(step: Step[Any], rng: random.Random) -> Action:
    """A legal answer, from nothing but what the step says is allowed."""
    if isinstance(step, PlaceStep):
        moves: list[Move] = []
        for points in step.points:
            moves.append(rng.choice([move for move in points if move not in moves]))
        return Place(moves)
    if isinstance(step, SwapStep):
        return Swap(rng.random() < 0.5)
    if isinstance(step, ChooseStep):
        return Choose(rng.choice(step.options))
    if isinstance(step, AnnounceStep):
        return Announce(rng.choice(step.numbers))
    if isinstance(step, OfferStep):
        return Offer([rng.choice(group) for group in rng.sample(step.groups, step.count)])
    assert isinstance(step, PickStep)
    return Pick(rng.choice(step.points))


def random_walk(procedure: Procedure, rng: random.Random) -> Procedure:
    while procedure.step is not None:
        procedure.apply(random_action(procedure.step, rng))
    return procedure


def stones_of(history: Sequence[Entry]) -> list[Any]:
    actions = [entry.action for entry in history]
    placed = [move for action in actions if isinstance(action, Place) for move in action.moves]
    return placed + [action.move for action in actions if isinstance(action, Pick)]


@given(
    name=st.sampled_from(NAMES),
    rule=st.sampled_from(["freestyle", "standard", "renju", "caro"]),
    width=st.integers(9, 22),
    height=st.integers(9, 22),
    rng=st.randoms(use_true_random=False),
)
@settings(max_examples=150, deadline=None)
def test_random_walks(name: str, rule: str, width: int, height: int, rng: random.Random) -> None:
    """Any legal answers end in a valid board, and every state on the way is consistent and can be restored."""
    procedure = start(name, Board(rule=rule, width=width, height=height))
    swaps = 0
    for _ in range(20):
        if procedure.step is None:
            break
        person, black, board = procedure.step.person, procedure.black, procedure.board
        action = random_action(procedure.step, rng)
        assert procedure.legal(action, by=person)
        assert procedure.apply(action) == action
        assert procedure.history[-1] == Entry(person, action)
        assert {procedure.black, procedure.white} == {"first", "second"}
        if isinstance(action, Swap):
            swaps += action.swap
            assert (procedure.black != black) == action.swap
        elif not isinstance(action, Choose):
            assert procedure.black == black
        if not isinstance(action, Place | Pick):
            assert procedure.board == board

        again = Procedure.from_dicts(json.loads(json.dumps(procedure.to_dicts())))
        assert again.to_dicts() == procedure.to_dicts()
        assert again.history == procedure.history
        assert again.step == procedure.step
        assert again.board == procedure.board
        assert again.black == procedure.black

    assert procedure.done
    end = procedure.board
    assert end.moves == stones_of(procedure.history)
    assert end == Board.from_moves(end.moves, rule=rule, width=width, height=height)
    assert end.outcome() is None
    assert end.turn == Color.WHITE
    added = Choose("add") in [entry.action for entry in procedure.history]
    assert end.ply == (3 if name == "swap2" and not added else 5)
    black_stones = [move for move in end.moves if end.piece_at(move) == Color.BLACK]
    assert len(black_stones) == (end.ply + 1) // 2
    assert procedure.to_act == procedure.white
    if name == "swap2":
        colors = [entry.action for entry in procedure.history if isinstance(entry.action, Choose)]
        took_black = "first" if colors[-1] == Choose("white") else "second"  # the second player's words
        if added:
            took_black = "first" if colors[-1] == Choose("black") else "second"
        assert procedure.black == took_black
    else:
        assert procedure.black == ("first" if swaps % 2 == 0 else "second")
        assert renju.identify(end) is not None


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("extra", [(0, 0), (1, 0), (0, 1), (1, 1)])
def test_the_smallest_boards_never_run_out_of_fifths(name: str, extra: tuple[int, int]) -> None:
    smallest = PROCEDURES[name].smallest
    board = Board(width=smallest + extra[0], height=smallest + extra[1], rule="renju")
    for seed in range(30):
        procedure = random_walk(start(name, board), random.Random(seed))
        assert procedure.board.outcome() is None
