"""Reviews of games: mistakes, missed wins, and their reports."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tengen import core
from tengen.board import Board, Color, Move
from tengen.cli import review as review_command
from tengen.errors import InputError, SetupError
from tengen.records import Game, RecordError, load, sgf
from tengen.review import MoveReview, Reviewer, loss_class
from tengen.review.report import annotate, as_dict, table
from tengen.web.review_page import page

# Both have an open three at move 7: black plays elsewhere, then white does, then black wins.
MISSED = "h8 h4 i8 i4 j8 j4 o15 a15 g8 a13 k8"


def game_of(moves: str) -> Game:
    return Game.of_moves(Board.from_moves(moves, on_forbidden="loses").moves)


def review(moves: str, rule: str = "", playouts: int = 50) -> list[MoveReview]:
    return list(Reviewer(core.ExpertEvaluator(), playouts).review(game_of(moves), rule))


def test_a_missed_win_and_a_blunder() -> None:
    reviews = review(MISSED)
    seventh = reviews[6]
    assert (seventh.missed, seventh.mistake, seventh.win_rate, seventh.win_rate_after) == ("vcf", "blunder", 1, 0)
    board = Board.from_moves("h8 h4 i8 i4 j8 j4")
    for move in seventh.win:
        board.push(move)
    assert board.outcome() is not None
    assert (reviews[7].missed, reviews[7].mistake, reviews[7].win_rate_after) == ("vcf", "blunder", 0)
    assert reviews[8].mistake == ""
    assert reviews[10].win_rate_after == 1, "the winning move"
    assert [one.number for one in reviews] == list(range(1, 12))
    assert {one.color for one in reviews[::2]} == {Color.BLACK}


def test_an_only_answer_is_judged_by_what_follows() -> None:
    # Black can make two open threes at once, and makes a four elsewhere first, which white has to answer.
    four, answer = review("h8 b3 i8 a15 j6 o15 j7 a8 c3 o1 d3 a1 e3 o8 f3 g3")[-2:]
    assert (four.win_rate, four.win_rate_after, four.mistake, four.missed) == (1, 1, "", "")
    assert (answer.win_rate, answer.win_rate_after, answer.mistake) == (0, 0, "")


@pytest.mark.parametrize(
    ("loss", "name"),
    [
        (-1, ""),
        (0.049, ""),
        (0.05, "inaccuracy"),
        (0.1, "mistake"),
        (0.199, "mistake"),
        (0.2, "blunder"),
        (1, "blunder"),
    ],
)
def test_classes(loss: float, name: str) -> None:
    assert loss_class(loss) == name


def test_the_rule_matters() -> None:
    # Six in a row: a win in freestyle, so the record must end there; nothing in standard.
    moves = "h8 a1 i8 a3 j8 a5 l8 a7 m8 a9 k8"
    assert review(moves, "freestyle")[-1].win_rate_after == 1
    assert review(moves, "standard")[-1].win_rate_after < 1


def test_a_record_that_goes_on_after_the_end() -> None:
    game = game_of("h8 a1 i8 a3 j8 a5 k8 a7 l8")
    game.root.children[0].children[0].children[0].children[0].children[0].children[0].children[0].children[0].children[
        0
    ].add(Move(5, 5))
    with pytest.raises(RecordError, match="move 10"):
        list(Reviewer(core.ExpertEvaluator(), 10).review(game))


def test_long_text_is_no_file_name() -> None:
    with pytest.raises(RecordError, match="on a stone"):
        review_command.review("h8" * 1000, playouts=1)


def test_playouts_must_be_positive() -> None:
    with pytest.raises(SetupError):
        Reviewer(core.ExpertEvaluator(), 0)


def test_reports() -> None:
    game, reviews = game_of(MISSED), review(MISSED)
    assert as_dict(game, reviews[6])["missed"] == "vcf"
    json.dumps([as_dict(game, one) for one in reviews])
    assert table(game, reviews).row_count == 11
    annotate(game, reviews)
    again = sgf.read(sgf.write(game))
    assert again.moves == game.moves
    sixth, seventh = list(again.main_line())[6:8]
    assert f"{reviews[6].mistake}, loses" in seventh.comment
    assert "BM" in seventh.properties
    assert [child.move for child in sixth.children] == [reviews[6].move, reviews[6].best]


def test_reviewing_a_reviewed_game_changes_nothing() -> None:
    game = game_of(MISSED)
    list(game.main_line())[7].comment = "I did not see it.\n\nblack wins, I thought"
    annotate(game, review(MISSED))
    once = sgf.write(game)
    again = sgf.read(once)
    annotate(again, review(MISSED))
    assert sgf.write(again) == once
    assert list(again.main_line())[7].comment.startswith(
        "I did not see it.\n\nblack wins, I thought\n\nblack wins 0.0 %"
    )


def test_outputs_are_checked_before_the_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tengen.cli.review.reviewer_for", None)  # whoever asks for it has begun to search
    for keywords in ({"html": tmp_path / "none" / "a.html"}, {"sgf": tmp_path / "none" / "a.sgf"}, {"html": tmp_path}):
        with pytest.raises(InputError, match="cannot be written"):
            review_command.review("h8i9", **keywords)  # type: ignore[arg-type]


def test_the_first_of_several_games_is_reviewed_with_a_note(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.sgf"
    path.write_bytes(b"(;GM[4]SZ[15];B[hh])(;GM[4]SZ[15];B[aa])")
    review_command.review(str(path), playouts=10, json=True)
    output = capsys.readouterr()
    assert json.loads(output.out)["move"] == "h8"
    assert "the file has 1 more game; this is the first" in output.err
    path.write_bytes(b"(;GM[4]SZ[15];B[hh])(;GM[1]SZ[19];B[aa])")  # the second one is Go
    review_command.review(str(path), playouts=10, json=True)
    assert "more game" not in capsys.readouterr().err


def test_what_is_no_game_is_said_with_the_formats(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("Dear diary, today we played until midnight.")
    with pytest.raises(InputError, match=r"notes\.txt. is not a game: it is neither SGF nor PSQ, and not a text of"):
        review_command.review(str(tmp_path / "notes.txt"))


def test_page_is_self_contained_and_safe() -> None:
    game = game_of(MISSED)
    game.black = "</script><script>alert(1)</script>"
    text = page(game, "freestyle", 50, review(MISSED))
    assert text.count("</script>") == 1
    assert "TENGEN-" not in text
    assert not re.search(r"(src|href)=|@import|fetch\(|https?:(?!//www\.w3\.org/2000/svg)", text)
    assert "default-src 'none'" in text
    assert "prefers-color-scheme: dark" in text


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    moves = MISSED.replace(" ", "")
    review_command.review(moves, playouts=20, json=True, sgf=tmp_path / "out.sgf", html=tmp_path / "out.html")
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["number"] for line in lines] == list(range(1, 12))
    assert lines[6]["missed"] == "vcf"
    assert (tmp_path / "out.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    review_command.review(str(tmp_path / "out.sgf"), playouts=5)
    assert "VCF in" in capsys.readouterr().out
    assert load(tmp_path / "out.sgf").rule == "freestyle"


@pytest.mark.parametrize("game", ["nonsense", "missing.sgf", "h8h8", " "])
def test_wrong_games(game: str) -> None:
    with pytest.raises(InputError):
        review_command.review(game, playouts=1)
