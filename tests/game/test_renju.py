"""Renju's forbidden points, clause by clause, each with a picture.

In the pictures X is black, O is white and * the point that is asked about.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest
from reference import BLACK, DIRECTIONS, WHITE, Point, Position

from tengen import Board, Color, GameOverError, IllegalMoveError, Outcome

SIZE = 15


class Scene(NamedTuple):
    """A picture that has been put on a board."""

    black: list[Point]
    white: list[Point]
    asked: Point

    def board(self, turn: Color = Color.BLACK, on_forbidden: str = "refuse") -> Board:
        """The core's board."""
        return Board.from_stones(
            black=self.black, white=self.white, turn=turn, size=SIZE, rule="renju", on_forbidden=on_forbidden
        )

    def position(self) -> Position:
        """The reference's board."""
        return self.fill(Position(SIZE, SIZE, "renju"))

    def fill(self, position: Position) -> Position:
        """Puts the stones on a board of the reference."""
        position.stones = dict.fromkeys(self.black, BLACK) | dict.fromkeys(self.white, WHITE)
        return position


def scene(picture: str, where: str = "centre") -> Scene:
    """Reads a picture.

    Args:
        picture: The rows; blanks around them do not matter.
        where: "centre", or the corner of the board that the picture is cut from: "top left", "bottom right", ...
    """
    rows = picture.split()
    width, height = max(map(len, rows)), len(rows)
    left = 0 if "left" in where else SIZE - width if "right" in where else (SIZE - width) // 2
    top = 0 if "top" in where else SIZE - height if "bottom" in where else (SIZE - height) // 2
    points: dict[str, list[Point]] = {mark: [] for mark in "XO*."}
    for y, row in enumerate(rows):
        for x, mark in enumerate(row):
            points[mark].append((left + x, top + y))
    (asked,) = points["*"]
    return Scene(points["X"], points["O"], asked)


def verdict(picture: str, where: str = "centre") -> str:
    """What becomes of black at the star: "wins", "legal", or the reason why it is forbidden.

    The core and the reference must agree, in all eight symmetries of the board.
    """
    drawn = scene(picture, where)
    board = drawn.board()
    reasons = drawn.position().forbidden_reasons(drawn.asked)
    verdicts = set()
    for symmetry in range(8):
        mirrored, asked = board.transform(symmetry), board.transform_move(drawn.asked, symmetry)
        assert (asked in mirrored.forbidden_points()) == bool(reasons)
        assert mirrored.is_legal(asked) == (asked in mirrored.legal_moves) == (not reasons)
        try:
            mirrored.push(asked)
        except IllegalMoveError as error:
            verdicts.add(str(error).partition(" is forbidden for black: ")[2])
        else:
            verdicts.add("wins" if mirrored.outcome() else "legal")
    (only,) = verdicts
    assert only in reasons if reasons else only in ("wins", "legal")
    return only


class ShortSighted(Position):
    """A player who checks the four-point of a three only so many moves deep, and then believes in it."""

    def __init__(self, levels: int) -> None:
        super().__init__(SIZE, SIZE, "renju")
        self.levels = levels

    def is_harmless(self, extension: Point) -> bool:
        """As the reference, but blind after `levels` levels."""
        if self.levels == 0:
            return not any(self.makes_exactly_five(extension, direction) for direction in DIRECTIONS)
        self.levels -= 1
        harmless = super().is_harmless(extension)
        self.levels += 1
        return harmless


def short_sighted_verdict(picture: str, levels: int) -> str:
    """Why the star looks forbidden to a short-sighted player, or "legal"."""
    drawn = scene(picture)
    return " and ".join(drawn.fill(ShortSighted(levels)).forbidden_reasons(drawn.asked)) or "legal"


def with_stones_above(row: str, number: int) -> str:
    """A picture of a row, with some black stones straight above its star.

    The stones above make a three of their own with the star if there are two, a four if there are three. None of them
    is on a diagonal of the star, so the verdict depends on the row alone.
    """
    column = row.index("*")
    above = "." * column + "X" + "." * (len(row) - column - 1)
    return "\n".join([above] * number + [row])


# Clause 1: five


FIVES = {
    "five and overline": """
        ..X....
        ..X....
        ..X....
        ..*XXXX
        ..X....
        ..X....
        """,
    "five and double three": """
        ....X....
        ....X....
        XXXX*....
        .....X...
        ......X..
        """,
    "five and double four": """
        .X..X..
        ..X.X..
        ...XX..
        XXXX*..
        """,
    "five and everything": """
        .X..X..X
        ..X.X.X.
        ...XXX..
        XXXX*...
        ...XXX..
        ....X.X.
        """,
    "two fives": """
        X.......
        .X......
        ..X.....
        ...X....
        ....*XXXX
        """,
}


@pytest.mark.parametrize("picture", FIVES.values(), ids=FIVES)
def test_five_beats_every_foul(picture: str) -> None:
    assert verdict(picture) == "wins"


def test_five_at_a_point_that_would_be_forbidden_without_it() -> None:
    with_five, without = "XXXX*", ".OXX*"
    picture = """
        .X..X..
        ..X.X..
        ...XX..
        {row}..
        """
    assert verdict(picture.format(row=with_five)) == "wins"
    assert verdict(picture.format(row=without)) == "double four"


# Clause 2: overline


@pytest.mark.parametrize("row", ["X*XXXX", "XX*XXX", "XXX*XX", "XXX*XXX", "XXXX*XXXX", "OXXX*XXO"])
def test_overline(row: str) -> None:
    assert verdict(row) == "overline"


@pytest.mark.parametrize("row", ["XXX.*XXX", "XX*.XXX", "XXXO*XXX", "X.XX*.XX"])
def test_six_stones_with_a_gap_are_no_overline(row: str) -> None:
    assert verdict(row) != "overline"


@pytest.mark.parametrize("where", ["top left", "top right", "bottom left", "bottom right"])
def test_overline_along_the_border(where: str) -> None:
    assert verdict("XXX*XX", where) == "overline"


# Clause 3: double four


def test_double_four_on_two_lines() -> None:
    assert (
        verdict(
            """
            ...X
            ...X
            ...X
            XXX*
            """
        )
        == "double four"
    )


def test_double_four_with_broken_and_blocked_fours() -> None:
    assert (
        verdict(
            """
            O......
            .X.....
            ..X....
            .......
            XX.X*.O
            .....X.
            """
        )
        == "double four"
    )


@pytest.mark.parametrize(
    "row",
    [
        "XXX*",
        "XX*X",
        "*XXX",
        "XXX.*",
        "XX.X*",
        "X.XX*",
        "X.X*X",
        "X*.XX",
        "OXXX*.O",
        "O.XXX*O",
        "XXX*.X",
        "OXX.X*O",
    ],
)
def test_row_is_a_four(row: str) -> None:
    """Together with the four above the star it is a double four."""
    assert verdict(with_stones_above(row, 3)) == "double four"


@pytest.mark.parametrize(
    "row",
    [
        "XX*",
        "OXXX*O",
        "XX..X*",
        "OX.XO*",
        "OXX*X.X",  # the fifth stone would be a sixth
        "X.XX*X.X",  # on either side
    ],
)
def test_row_is_no_four(row: str) -> None:
    """The four above the star stays the only one."""
    assert verdict(with_stones_above(row, 3)) == "legal"


@pytest.mark.parametrize(("row", "expected"), [("XXX*", "double four"), ("XXX*O", "legal")])
def test_four_along_the_border(row: str, expected: str) -> None:
    assert verdict(with_stones_above(row, 3), where="left") == expected


@pytest.mark.parametrize(
    "row",
    [
        "X.X*X.X",
        "X.*XX.X",
        "XX.*X.XX",
        "XX.X*.XX",
        "XXX.*.XXX",
        "OX.X*X.XO",
        "OXX.*X.XXO",
        "OXXX.*.XXXO",
    ],
)
def test_two_fours_on_one_line(row: str) -> None:
    assert verdict(row) == "double four"


@pytest.mark.parametrize(
    "row",
    [
        "*.XXX.X",  # the four on the right is not the star's
        "*X.XX.XX",
        "*XX.X.XXX",
        "XX.X*X.X",  # on the left the fifth stone would be a sixth
        "XX.X*X.XX",  # on both sides
        "OX.X*X.O",
        "X.X*XOX",
    ],
)
def test_one_four_on_a_line_is_legal(row: str) -> None:
    assert verdict(row) == "legal"


@pytest.mark.parametrize("row", ["XXX*", "XX*X", "X*XX", "*XXX", "O.XXX*.O"])
def test_straight_four_counts_once(row: str) -> None:
    assert verdict(row) == "legal"


# Clause 4: double three


def test_double_three() -> None:
    assert (
        verdict(
            """
            ..X
            ..X
            XX*
            """
        )
        == "double three"
    )


def test_double_three_of_broken_threes() -> None:
    assert (
        verdict(
            """
            ....X
            .....
            ....X
            X.X.*
            ...X.
            ..X..
            """
        )
        == "double three"
    )


@pytest.mark.parametrize("row", ["XX*", "X*X", "X.X*", "X*.X", "*X.X", "O.XX*..O", "O.X.X*.O", "O.X*.X.O", "X..XX*"])
def test_row_is_a_three(row: str) -> None:
    """Together with the three above the star it is a double three."""
    assert verdict(with_stones_above(row, 2)) == "double three"


@pytest.mark.parametrize(
    "row",
    [
        "OXX*",  # one end is closed
        "OX.X*",
        "X.X*O",
        "O.XX*.O",  # room for five, but not for a straight four
        "XX..*",  # two stones short of an unbroken four
        "X.X.*",
        "X..X*",
        "X..XX*.O",  # on the left the straight four's fifth stone would be a sixth
        "X..XX*..X",  # on both sides
        "O.XX*..X",
        "OX.*.XO",
    ],
)
def test_row_is_no_three(row: str) -> None:
    """The three above the star stays the only one."""
    assert verdict(with_stones_above(row, 2)) == "legal"


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("XX*..", "legal"),
        ("X.X*.", "legal"),
        (".XX*..", "double three"),
        (".XX*.O", "legal"),
        (".X.X*.O", "double three"),
        ("..XX*O", "legal"),
    ],
)
def test_three_near_the_border(row: str, expected: str) -> None:
    assert verdict(with_stones_above(row, 2), where="left") == expected


def test_threes_in_a_corner() -> None:
    assert (
        verdict(
            """
            ......
            ...X..
            ...X..
            .XX*..
            ......
            """,
            where="top left",
        )
        == "double three"
    )
    assert (
        verdict(
            """
            ...X..
            ...X..
            .XX*..
            ......
            """,
            where="top left",
        )
        == "legal"
    )


# Clause 4: a three needs a four-point that black may play, q in the comments


FALSE_THREES = {
    # q is between the two stones on the left; the column through it would be a six.
    "overline": """
        ..X..
        ..X..
        ..X..
        .X.X*
        ..X.X
        ..X.X
        """,
    # q makes a second four with the column above it.
    "double four": """
        ..X..
        ..X..
        ..X..
        .X.X*
        ....X
        ....X
        """,
    # q makes two threes with the column above it and the diagonal below.
    "double three": """
        ..X..
        ..X..
        .X.X*
        .X..X
        X...X
        """,
}


@pytest.mark.parametrize(("foul", "picture"), FALSE_THREES.items(), ids=FALSE_THREES)
def test_three_with_a_forbidden_four_point(foul: str, picture: str) -> None:
    drawn = scene(picture)
    x, y = drawn.asked
    four_point = (x - 2, y)
    after = drawn._replace(black=[*drawn.black, drawn.asked]).position()
    assert after.forbidden_reasons(four_point) == {foul}
    assert short_sighted_verdict(picture, levels=0) == "double three"
    assert verdict(picture) == "legal"


def test_three_with_a_four_point_that_makes_five() -> None:
    """Black would have won there, so it is no four-point."""
    picture = """
        ..O..
        ..X..
        ..X..
        ..X..
        ..X..
        .X.X*
        ....X
        ....X
        """
    assert verdict(picture) == "legal"
    harmless_column = picture.replace("..X..", ".....", 2)
    assert verdict(harmless_column) == "double three"


def test_three_with_two_four_points() -> None:
    """Both ends of the row on the left must be forbidden to black before it stops being a three."""
    one_end_forbidden = """
        ...X.....
        ...X.....
        ...X.....
        ....XX*..
        ......X..
        ......X..
        """
    both_ends_forbidden = """
        ...X...X.
        ...X...X.
        ...X...X.
        ....XX*..
        ......X..
        ......X..
        """
    assert verdict(one_end_forbidden) == "double three"
    assert verdict(both_ends_forbidden) == "legal"


NESTED = {
    # What a player says who looks at no four-point, at those of the star, at those of these four-points, ...
    "two levels": (
        """
        ....X
        ....X
        .X.X*
        .X...
        ..X..
        X.X..
        """,
        ["double three", "legal", "double three"],
    ),
    "three levels": (
        """
        ..XX
        X*.X
        X..X
        X.X.
        """,
        ["double three", "legal", "double three", "legal"],
    ),
    "four levels": (
        """
        ...X
        *..X
        XX..
        ..XX
        X.X.
        """,
        ["double three", "legal", "double three", "legal", "double three"],
    ),
}


@pytest.mark.parametrize(("picture", "opinions"), NESTED.values(), ids=NESTED)
def test_nested_threes(picture: str, opinions: list[str]) -> None:
    """Every level that is looked at turns the verdict round, and the last one is right."""
    assert [short_sighted_verdict(picture, levels) for levels in range(len(opinions))] == opinions
    assert verdict(picture) == opinions[-1]


# Fours and threes together


def test_four_and_three_are_legal() -> None:
    assert (
        verdict(
            """
            ....X
            ....X
            OXXX*
            """
        )
        == "legal"
    )


def test_four_and_two_threes() -> None:
    assert (
        verdict(
            """
            ....X..
            ....X..
            OXXX*..
            .....X.
            ......X
            """
        )
        == "double three"
    )


def test_two_fours_and_a_three() -> None:
    assert (
        verdict(
            """
            ....X..
            ....X..
            ....X..
            OXXX*..
            .....X.
            ......X
            """
        )
        == "double four"
    )


def test_three_threes() -> None:
    assert (
        verdict(
            """
            ..X.X..
            ...XX..
            ....*XX
            """
        )
        == "double three"
    )


# White


def test_white_wins_with_an_overline() -> None:
    drawn = scene("OOO*OO")
    board = drawn.board(turn=Color.WHITE)
    board.push(drawn.asked)
    assert board.outcome() == Outcome(Color.WHITE, "five", tuple(sorted([*board.moves])))


@pytest.mark.parametrize(
    "picture",
    [
        """
        ..O
        ..O
        OO*
        """,
        """
        ...O
        ...O
        ...O
        OOO*
        """,
        "O.O*O.O",
    ],
    ids=["double three", "double four", "two fours on one line"],
)
def test_white_may_play_what_black_may_not(picture: str) -> None:
    drawn = scene(picture)
    board = drawn.board(turn=Color.WHITE)
    assert board.forbidden_points() == []
    assert board.is_legal(drawn.asked)
    board.push(drawn.asked)
    assert board.outcome() is None


def test_white_may_play_blacks_forbidden_point() -> None:
    drawn = scene(
        """
        ..X
        ..X
        XX*
        """
    )
    board = drawn.board(turn=Color.WHITE)
    assert drawn.asked in board.forbidden_points()
    assert drawn.asked in board.legal_moves
    board.push(drawn.asked)
    assert board.outcome() is None
    assert drawn.asked not in board.forbidden_points()


# What the board does with forbidden points

FOULS = {
    "overline": "XXX*XX",
    "double four": "X.X*X.X",
    "double three": """
        ..X
        ..X
        XX*
        """,
}


@pytest.mark.parametrize(("foul", "picture"), FOULS.items(), ids=FOULS)
def test_refused_with_the_reason(foul: str, picture: str) -> None:
    drawn = scene(picture)
    board = drawn.board()
    before = (board.hash, board.moves, board.turn, str(board))
    with pytest.raises(IllegalMoveError) as error:
        board.push(drawn.asked)
    assert str(error.value) == f"{board.text(drawn.asked)} is forbidden for black: {foul}"
    assert not isinstance(error.value, GameOverError)
    assert (board.hash, board.moves, board.turn, str(board)) == before
    assert not board.is_legal(drawn.asked)
    assert drawn.asked not in board.legal_moves


@pytest.mark.parametrize("picture", FOULS.values(), ids=FOULS)
def test_forbidden_move_loses_if_it_is_allowed(picture: str) -> None:
    drawn = scene(picture)
    board = drawn.board(on_forbidden="loses")
    assert drawn.asked in board.forbidden_points()
    assert drawn.asked in board.legal_moves
    assert board.is_legal(drawn.asked)
    board.push(drawn.asked)
    assert board.outcome() == Outcome(Color.WHITE, "forbidden", ())
    assert board.legal_moves == []
    with pytest.raises(GameOverError):
        board.push("a1")
    assert board.copy().outcome() == board.outcome()
    board.pop()
    assert board.outcome() is None
    assert drawn.asked in board.forbidden_points()


@pytest.mark.parametrize("picture", FIVES.values(), ids=FIVES)
def test_five_wins_also_where_forbidden_moves_lose(picture: str) -> None:
    drawn = scene(picture)
    board = drawn.board(on_forbidden="loses")
    board.push(drawn.asked)
    outcome = board.outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.reason, len(outcome.line)) == (Color.BLACK, "five", 5)


@pytest.mark.parametrize("picture", [*FOULS.values(), *FALSE_THREES.values(), *(case[0] for case in NESTED.values())])
def test_forbidden_points_are_the_same_whoever_is_to_move(picture: str) -> None:
    drawn = scene(picture)
    expected = drawn.position().forbidden_points()
    for turn in Color:
        for on_forbidden in ("refuse", "loses"):
            assert drawn.board(turn, on_forbidden).forbidden_points() == expected


def test_forbidden_points_of_a_played_game() -> None:
    moves = "h10 a1 h9 c1 f8 a15 g8"
    board = Board.from_moves(moves, rule="renju")
    assert [board.text(point) for point in board.forbidden_points()] == ["h8"]
    board.push("o15")
    assert [board.text(point) for point in board.forbidden_points()] == ["h8"]
    with pytest.raises(IllegalMoveError, match=r"^h8 is forbidden for black: double three$"):
        board.push("h8")
    assert Board.from_moves(moves, rule="freestyle").forbidden_points() == []
    assert Board.from_moves(moves, rule="standard").forbidden_points() == []


def test_white_stone_lifts_a_foul() -> None:
    board = Board.from_moves("h10 a1 h9 c1 f8 a15 g8", rule="renju")
    board.push("e8")
    assert board.forbidden_points() == []
    board.pop()
    assert [board.text(point) for point in board.forbidden_points()] == ["h8"]
