"""Records: round trips, and one clear error for whatever is wrong."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen.board import Move
from tengen.records import FORMATS, Game, Node, RecordError, load, load_all, parse, pos, psq, save, sgf

_text = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=20)


@st.composite
def games(draw: st.DrawFn, tree: bool = True) -> Game:
    """A game on any board, with variations and comments."""
    width = draw(st.integers(3, 22))
    height = draw(st.integers(3, 22)) if tree else width
    game = Game(width, height)
    game.black, game.white = (" ".join(draw(_text).split()) for _ in range(2))
    game.result = draw(st.sampled_from(["", "black", "white", "draw"]))
    cells = [Move(x, y) for y in range(height) for x in range(width)]
    points = draw(st.lists(st.sampled_from(cells), unique=True, max_size=12))
    nodes: list[tuple[Node, int]] = [(game.root, 0)]
    for place, point in enumerate(points):
        # Every point is used once in the whole tree, so no variation can meet its own stones.
        parent = nodes[draw(st.integers(0, place)) if tree else -1][0]
        nodes.append((parent.add(point, draw(_text).strip() if tree else ""), place))
    return game


@given(games())
def test_sgf_round_trip(game: Game) -> None:
    data = sgf.write(game)
    assert b"GM[4]" in data
    again = sgf.read(data)
    assert again == game
    assert sgf.write(again) == data


@given(games(tree=False))
def test_psq_round_trip(game: Game) -> None:
    again = psq.read(psq.write(game))
    assert again.moves == game.moves
    assert (again.width, again.height) == (game.width, game.height)


@given(games(tree=False))
def test_pos_round_trip(game: Game) -> None:
    again = pos.read(pos.write(game), game.width)
    assert again.moves == game.moves


@given(st.binary(max_size=300))
def test_any_bytes(data: bytes) -> None:
    for name in ("", *FORMATS):
        try:
            parse(data, name).check()
            message = ""
        except RecordError as error:
            message = str(error)
        assert "\n" not in message


@given(games(), st.data())
def test_damaged_files(game: Game, data: st.DataObject) -> None:
    content = bytearray(sgf.write(game))
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(content) - 1))
        content[place : place + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    with contextlib.suppress(RecordError):
        sgf.write(sgf.read(bytes(content)))


EXAMPLE = rb"""junk (;FF[4]GM[4]SZ[15]PB[\[a\]]PW[b]RE[W+Resign]RU[renju]EV[cup];B[hh]C[centre
\] x];W[ii](;B[jj];W[aa])(;B[kk]C[other]))"""


def test_sgf_example() -> None:
    game = sgf.read(EXAMPLE)
    assert (game.black, game.white, game.result, game.rule) == ("[a]", "b", "white", "renju")
    assert game.moves == [Move(7, 7), Move(8, 8), Move(9, 9), Move(0, 0)]
    assert game.root.properties == {"EV": ["cup"]}
    assert game.root.children[0].comment == "centre\n] x"
    assert [node.move for node in game.root.children[0].children[0].children] == [Move(9, 9), Move(10, 10)]


def test_sgf_in_another_encoding() -> None:
    data = "(;GM[4]CA[GB18030]PB[棋手]C[好];B[hh])".encode("gb18030")
    game = sgf.read(data)
    assert (game.black, game.root.comment) == ("棋手", "好")
    assert sgf.read(sgf.write(game)) == game


@pytest.mark.parametrize(
    ("charset", "name"),
    [
        ("Big5", "成功"),
        ("Shift_JIS", "表ソ十"),
        ("cp932", "能―ゾ"),
        ("GBK", "閉俓"),
        ("gb18030", "俔閈"),
        ("EUC-JP", "表"),
        ("UTF-8", "功"),
        ("ISO-8859-1", "André"),
    ],
)
@pytest.mark.parametrize(
    "order", ["CA[{0}]PB[{1}]PW[x]", "PB[{1}]CA[{0}]PW[x]", "C[a ;CA[klingon\\]]PB[{1}]PW[x]CA [ {0} ]"]
)
def test_sgf_characters_with_the_bytes_of_brackets(charset: str, name: str, order: str) -> None:
    data = f"(;GM[4]{order.format(charset, name)}EV[{name}];B[hh]C[{name}\\]])".encode(charset)
    game = sgf.read(data)
    assert (game.black, game.white, game.root.properties) == (name, "x", {"EV": [name]})
    assert game.root.children[0].comment == f"{name}]"
    assert sgf.read(sgf.write(game)) == game


@pytest.mark.parametrize(
    ("encoding", "name"),
    [
        ("utf-8", "棋手"),
        ("gbk", "棋手"),
        ("gbk", "俓喆"),
        ("gb18030", "㐀"),
        ("latin-1", "André"),
        ("latin-1", "Ærø ÿ"),
    ],
)
@pytest.mark.parametrize("charset", ["", "CA[]"])
def test_sgf_that_names_no_encoding(encoding: str, name: str, charset: str) -> None:
    game = sgf.read(f"(;GM[4]{charset}PB[{name}]PW[x];B[hh])".encode(encoding))
    assert (game.black, game.white) == (name, "x")


@pytest.mark.parametrize("comment", [";CA[klingon", "] CA[utf-16", ";CA[shift_jis", ";CA[GB18030]", "\\;CA[hex"])
@pytest.mark.parametrize("charset", ["CA[UTF-8]", ""])
def test_a_comment_may_speak_of_encodings(comment: str, charset: str) -> None:
    game = Game.of_moves([Move(7, 7)], black="棋手")
    game.root.comment = comment
    written = sgf.write(game).replace(b"CA[UTF-8]", charset.encode())
    assert parse(written) == parse(written.decode()) == game


@pytest.mark.parametrize("charset", ["GB18030", "Shift_JIS", "klingon"])
def test_a_text_needs_no_encoding(charset: str) -> None:
    game = parse(f"\ufeff(;GM[4]CA[{charset}]PB[王]PW[李小龙];B[hh]C[好];W[gg])")
    assert (game.black, game.white, len(game.moves)) == ("王", "李小龙", 2)


@pytest.mark.parametrize(
    ("text", "result"),
    [
        *((text, "black") for text in ("B+", "b+5", "B+Resign", "Black wins", "1-0")),
        *((text, "white") for text in ("W+", "w+T", "W+Forfeit", "white", "0-1")),
        *((text, "draw") for text in ("0", "Draw", "draw", "DRAW", " 1/2-1/2 ")),
        *((text, "") for text in ("", "?", "Void", "0-0", "0.5", "Don't know", "drawing", "1-01", "Bob", "Who knows")),
    ],
)
def test_sgf_results(text: str, result: str) -> None:
    assert sgf.read(f"(;GM[4]RE[{text}];B[hh])".encode()).result == result


def test_sgf_properties_without_a_name_are_left_out() -> None:
    game = sgf.read(b"(;GM[4]abc[x];B[hh]c[hello]Ev[cup])")
    assert game.root.properties == {}
    assert game.root.children[0].properties == {"E": ["cup"]}
    assert sgf.read(sgf.write(game)) == game


def test_set_up_stones_become_moves() -> None:
    game = sgf.read(b"(;GM[4]SZ[15]AB[hh][ji]AW[ih][jj]PL[B]C[a problem];B[kk](;W[ll])(;W[mm]))")
    stones = [Move(7, 7), Move(8, 7), Move(9, 8), Move(9, 9)]
    assert game.moves == [*stones, Move(10, 10), Move(11, 11)]
    assert game.root.comment == "a problem"
    assert len(list(game.main_line())[5].children) == 2
    assert sgf.read(sgf.write(game)) == game
    odd = sgf.read(b"(;GM[4]AB[aa][cc]AW[bb];W[dd])")
    assert odd.moves == [Move(0, 0), Move(1, 1), Move(2, 2), Move(3, 3)]
    rectangle = sgf.read(b"(;GM[4];AB[aa:ba]AW[ab:bb])")
    assert rectangle.moves == [Move(0, 0), Move(0, 1), Move(1, 0), Move(1, 1)]


def test_unequal_stones_are_refused_with_a_reason() -> None:
    with pytest.raises(RecordError, match="sets up 3 black and 1 white stones"):
        sgf.read(b"(;GM[4]AB[aa][bb][cc]AW[dd])")


def test_tt_is_a_point_and_no_pass() -> None:
    assert sgf.read(b"(;GM[4]SZ[20];B[tt])").moves == [Move(19, 19)]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"(",
        b"(;",
        b"(;GM[1];B[aa])",
        b"(;GM[4]SZ[99];B[aa])",
        b"(;GM[4]SZ[x];B[aa])",
        b"(;GM[4]SZ[2])",
        b"(;GM[4];B[])",
        b"(;GM[4];B[a])",
        b"(;GM[4];B[zz])",
        b"(;GM[4];W[aa])",
        b"(;GM[4];B[aa];B[bb])",
        b"(;GM[4];B[aa]W[bb])",
        b"(;GM[4];B[aa][bb])",
        b"(;GM[4];B[aa];W[aa])",
        b"(;GM[4]AB[aa];B[bb])",
        b"(;GM[4]AB[aa][bb][cc]AW[dd];W[ee])",
        b"(;GM[4]AB[aa]AW[aa])",
        b"(;GM[4]AB[zz]AW[bb])",
        b"(;GM[4]AB[aa:bb:cc])",
        b"(;GM[4]AB[a])",
        b"(;GM[4]AB[aa]AW[bb]PL[W])",
        b"(;GM[4]AB[aa]AW[bb]AE[cc])",
        b"(;GM[4]AB[aa]W[bb])",
        b"(;GM[4];B[aa];AW[bb])",
        b"(;GM[4]CA[klingon];B[aa])",
        b"(;GM[4]CA[hex];B[aa])",
        b"(;GM[4]CA[shift_jis_2004];B[aa])",
        b"(;GM[4]" + b"(;" * 200_000,
        b"(;GM[4]" + b";" * 200_000 + b")",
        b"x" * (5 << 20),
    ],
)
def test_wrong_sgf(data: bytes) -> None:
    with pytest.raises(RecordError):
        sgf.read(data)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"nothing",
        b"Piskvorky 15, 11:11, 1\n",
        b"Piskvorky 99x99, 11:11, 1\n1,1,0\n",
        b"Piskvorky 15x15, 11:11, 1\n0,1,0\n",
        b"Piskvorky 15x15, 11:11, 1\n16,1,0\n",
        b"Piskvorky 15x15, 11:11, 1\n1,1\n",
        b"Piskvorky 15x15, 11:11, 1\n1,1,0\n1,1,0\n",
    ],
)
def test_wrong_psq(data: bytes) -> None:
    with pytest.raises(RecordError):
        psq.read(data)


def test_psq_of_the_manager() -> None:
    data = b"Piskvorky 20x20, 11:11, 0\r\n10,9,100\r\n11,10,250\r\npbrain-a.exe\r\npbrain-b.exe\r\n-1\r\n0,0,0\r\n"
    game = psq.read(data)
    assert game.moves == [Move(9, 8), Move(10, 9)]
    assert (game.black, game.white) == ("pbrain-a.exe", "pbrain-b.exe")


@pytest.mark.parametrize("data", [b"h8h8", b"z1", b"h16", b"h0", b"hello", b"8h", b"\xff"])
def test_wrong_pos(data: bytes) -> None:
    with pytest.raises(RecordError):
        pos.read(data)


def test_all_games_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "games.sgf"
    path.write_bytes("(;GM[4]SZ[15]PB[甲];B[hh])\n(;GM[4]SZ[19];B[jj];W[kk])".encode())
    games = load_all(path)
    assert [(game.black, game.width, game.moves) for game in games] == [
        ("甲", 15, [Move(7, 7)]),
        ("", 19, [Move(9, 9), Move(10, 10)]),
    ]
    assert load(path) == games[0]
    path.write_bytes(b"(;GM[4]SZ[15];B[hh])(;GM[1]SZ[19];B[jj])")
    assert load(path).moves == [Move(7, 7)]
    with pytest.raises(RecordError, match="not of gomoku"):
        load_all(path)
    (tmp_path / "game.psq").write_bytes(b"Piskvorky 15x15, 11:11, 1\n1,1,0\n")
    assert [game.moves for game in load_all(tmp_path / "game.psq")] == [[Move(0, 0)]]


def test_files(tmp_path: Path) -> None:
    game = Game.of_moves([Move(7, 7), Move(8, 8)])
    for name in FORMATS:
        save(game, tmp_path / f"game.{name}")
        assert load(tmp_path / f"game.{name}").moves == game.moves
    with pytest.raises(RecordError):
        save(game, tmp_path / "game.txt")
    with pytest.raises(RecordError):
        save(game, tmp_path / "missing" / "game.sgf")
    with pytest.raises(RecordError):
        load(tmp_path / "missing.sgf")
    with pytest.raises(RecordError):
        load(tmp_path)
