"""The coach in a real browser. `make test-browser` runs these."""

from __future__ import annotations

import pytest

pytest.importorskip("selenium")

from browser import Page

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
    assert not page.find("#coach").is_displayed()
    page.play("a15")
    page.wait(lambda: page.find("#coach-on").is_displayed())
    page.click("#coach-on")
    page.wait(lambda: len(page.moves) == 6)


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
        ("zh-CN", ["损失 31 个百分点：看看。 给对方留下 h8：VCF 4 手。", "你有必胜：k7，VCT 2 手。", "四三"]),
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
