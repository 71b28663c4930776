"""The coach in a real browser. `make test-browser` runs these."""

from __future__ import annotations

import pytest

pytest.importorskip("selenium")

from browser import Page, Server

pytestmark = pytest.mark.browser

#: Black to move; far away from the fight loses most of the win rate.
QUIET = "h8 i9 g9 g8"


def begin(page: Page, coach: str) -> None:
    page.load(QUIET)
    page.js(
        "Object.assign(tengen.game, { mode: 'computer', human: 'black', level: 1, coach: arguments[0] });"
        "tengen.render()",
        coach,
    )


def test_a_bad_move_is_answered_by_the_coach_and_taken_back(page: Page) -> None:
    begin(page, "blunder")
    page.play("a15")
    page.wait(lambda: page.find("#coach-look").is_displayed())
    assert page.text("#coach-text").startswith("That loses ")
    assert page.text("#status") == "The coach would not play that"
    assert len(page.moves) == 5  # Tengen waits
    page.click("#coach-look")
    page.wait(lambda: len(page.all(".line-stone")) >= 2)
    page.click("#coach-undo")
    assert page.moves == QUIET.split()
    assert page.all(".line-stone") == []
    assert page.text("#coach-text") == "The coach is watching."
    assert not page.find("#coach-buttons").is_displayed()
    page.play("a15")
    page.wait(lambda: page.find("#coach-on").is_displayed())
    page.click("#coach-on")
    page.wait(lambda: len(page.moves) == 6)


def test_the_coach_shows_the_win_that_was_missed(page: Page) -> None:
    """Not what white does next, which says nothing of it; where white has a win now, that is shown."""
    begin(page, "blunder")
    for forced, shown in ((None, ["black", "white", "black"]), ("vcf", ["white"])):
        after = {"loss": 0.3, "mistake": "blunder", "missed": "vcf", "forced": forced, "better": [], "line": ["c3"]}
        page.js(
            "const node = tengen.game.head.play('a15');"
            "tengen.play.coach.speak(node, 'blunder', { line: ['k7', 'k8', 'k6'] }, arguments[0])",
            after,
        )
        page.click("#coach-look")
        page.wait(lambda shown=shown: len(page.all(".line-stone")) == len(shown))  # type: ignore[misc]
        fills = page.js(
            "return [...document.querySelectorAll('.line-stone circle')].map((at) => at.getAttribute('fill'))"
        )
        assert ["black" if "black" in fill else "white" for fill in fills] == shown
        page.js("tengen.play.coach.dismiss()")


@pytest.mark.parametrize("coach", ["blunder", "inaccuracy"])
def test_nothing_jumps_while_the_coach_looks(page: Page, coach: str) -> None:
    begin(page, coach)
    before = page.find("#undo").rect
    page.click("#hint")
    page.play(page.wait(lambda: page.js("return tengen.play.hint?.move")))
    tops = set()

    def answered() -> bool:
        tops.add(page.find("#undo").rect["y"])
        return len(page.moves) == 6

    page.wait(answered)
    assert tops == {before["y"]}


def test_the_coach_stands_below_the_board_of_a_phone(blank: Page, server: Server) -> None:
    page = blank
    page.open(server.url, width=390, height=664, phone=True)
    begin(page, "blunder")
    page.js("tengen.choose('a15')")
    page.wait(lambda: page.find("#coach-undo").is_displayed())
    board, coach = page.find("#board").rect, page.find("#coach-buttons").rect
    assert board["y"] + board["height"] <= coach["y"] <= 664 - coach["height"]


def test_the_coach_talks_as_much_as_one_likes(page: Page) -> None:
    begin(page, "inaccuracy")
    page.click("#hint")
    page.play(page.wait(lambda: page.js("return tengen.play.hint?.move")))
    page.wait(lambda: page.text("#coach-text").startswith(("Good", "A good move")))
    page.wait(lambda: len(page.moves) == 6)
    page.new_game(mode="computer", level=1)
    page.play("a15")
    page.wait_for_turn()
    assert not page.find("#coach").is_displayed()


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ["That loses 31 points: look. It leaves h8: VCF in 4.", "You had a win: k7, VCT in 2.", "four-three"]),
        (
            "zh-CN",
            ["损失 31 个百分点：看看。给对方留下必胜：h8，4 手 VCF。", "你本有必胜：k7，2 手 VCT。", "好棋：四三。"],
        ),
    ],
)
def test_the_coach_says_what_the_solvers_know(page: Page, language: str, words: list[str]) -> None:
    page.js("tengen.set('language', arguments[0])", language)
    bad = {"loss": 0.31, "mistake": "blunder", "better": ["k7"], "line": ["h8", "i9", "g7", "f6", "j10", "k11", "a1"]}
    verdicts = [
        {**bad, "forced": "vcf", "missed": None},
        {**bad, "forced": None, "missed": "vct"},
        {"mistake": None, "shape": "four_three"},
    ]
    for verdict, told in zip(verdicts, words, strict=True):
        call = "(({ wordsFor }) => wordsFor({ line: ['k7', 'l8', 'm9'] }, arguments[0]))"
        said = page.js(f"return import('/js/coach.js').then{call}", verdict)
        assert told in said
