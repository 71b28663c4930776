"""Analysis and review in a real browser. `make test-browser` runs these."""

from __future__ import annotations

import pytest

pytest.importorskip("selenium")

from browser import Page
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

pytestmark = pytest.mark.browser

DOUBLE_THREE = "g8 a1 f8 a3 h9 a5 h10 a7"


def test_the_analysis_names_the_colour_that_wins(page: Page) -> None:
    page.new_game(mode="computer", level=1)
    page.show("analyse")
    for point in ("h8", "a1", "h9", "a2", "h10", "a3", "h11", "a4", "h12"):
        page.play(point)
    page.wait(lambda: page.text("#status") == "Black wins")


def test_analysis_shows_the_best_moves_on_the_board(page: Page) -> None:
    page.load("h8 i9 g9")
    page.show("analyse")
    page.click("#analyse")
    page.wait(lambda: len(page.all(".candidate")) >= 3)
    first = page.js("return tengen.analyse.latest.thought.playouts")
    page.wait(lambda: page.js("return tengen.analyse.latest.thought.playouts") > first)
    best = page.js("return tengen.analyse.latest.thought.candidates[0].move")
    ActionChains(page.driver).move_to_element(page.find(f'.cell[data-point="{best}"]')).perform()
    page.wait(lambda: page.all(".line-stone"))
    page.click("#heat")
    page.wait(lambda: page.all(".heat"))
    page.click("#analyse")
    assert page.text("#analyse") == "Analyse"


def test_a_slow_click_hits_a_candidate_between_two_updates(page: Page) -> None:
    page.load("h8 i9 g9")
    page.show("analyse")
    page.click("#analyse")
    page.wait(lambda: page.all("#candidates tbody tr"))
    ActionChains(page.driver).move_to_element(page.find("#candidates tbody tr")).click_and_hold().perform()
    page.wait(lambda: page.all(".line-stone"))
    move = page.js("return document.querySelector('#candidates tr:hover').dataset.move")
    held = page.js("return tengen.analyse.latest.thought.playouts")
    page.wait(lambda: page.js("return tengen.analyse.latest.thought.playouts") > held)
    ActionChains(page.driver).release().perform()
    page.wait(lambda: page.moves == ["h8", "i9", "g9", move])


def test_threats_are_named_in_both_languages(page: Page) -> None:
    page.load(DOUBLE_THREE)
    page.show("analyse")
    page.js("tengen.set('threats', true)")
    badge = '.threat[data-point="h8"][data-color="black"] text'
    page.wait(lambda: page.all(badge))
    assert page.text(badge) == "33"
    page.click("#language")
    page.wait(lambda: page.text(badge) == "双三")
    page.js("tengen.set('threats', false)")


def test_a_move_that_was_not_tried_has_no_rate(page: Page) -> None:
    page.load("h8 a1 i8 a3 j8 a5")  # won before the first playout
    page.show("analyse")
    page.click("#analyse")
    page.wait(lambda: page.text("#candidates tbody tr td:nth-child(2)") == "wins")
    rows = [row.text.split() for row in page.all("#candidates tbody tr")]
    assert all(rate in ("wins", "–") for _, rate, visits, *_ in rows if visits == "0")


def test_a_forced_win_is_played_out(page: Page) -> None:
    page.load("h8 a1 i8 a3 j8 a5")
    page.show("analyse")
    page.click("#vcf")
    page.wait(lambda: page.find("#play-out").is_displayed())
    assert page.text("#solution").startswith("VCF: Black wins in 2 moves")
    page.click("#play-out")
    page.wait(lambda: page.js("return tengen.result(tengen.current)?.winner") == "black")


def test_a_review_marks_mistakes(page: Page) -> None:
    page.load("h8 i9 h9 h10 g8 a1 i8 a2 f8")
    page.show("analyse")
    page.click("#review")
    page.wait(lambda: page.js("return !tengen.analyse.review"), 60)
    page.click("#chart")  # the middle
    middle = len(page.moves)
    assert 3 <= middle <= 6
    page.js("document.querySelector('#chart').focus()")
    ActionChains(page.driver).send_keys(Keys.ARROW_RIGHT).perform()
    assert len(page.moves) == middle + 1
    page.click("#last")
    summary = page.text("#review-text").splitlines()
    assert [line.partition(":")[0] for line in summary] == ["Black", "White"]
    assert all("points lost a move; blunders" in line for line in summary)
    page.click("#next-mistake")  # from the end to the first one
    assert len(page.moves) > 0
    assert "Better:" in page.text("#review-text")
    assert len(page.all("#board .hint")) == 1
    assert len(page.all("#board .graded")) == 1  # on the stone itself, and on those of mistakes before it
    page.click("#last")
    assert len(page.all("#board .graded")) == page.js("return tengen.mistakes().length")


def test_variations_are_kept(page: Page) -> None:
    page.load("h8 i9 g9")
    page.show("analyse")
    page.click("#previous")
    page.play("j10")
    assert page.moves == ["h8", "i9", "j10"]
    assert page.text(".variation").endswith("g9")


def test_the_tree_of_variations(page: Page) -> None:
    page.load("h8 i9 g9")
    page.show("analyse")
    page.click("#previous")
    page.play("j10")
    assert len(page.all("#tree .node")) == 5
    page.click('#tree .node[data-line="h8 i9 g9"]')
    assert page.moves == ["h8", "i9", "g9"]
    assert not page.find("#promote").is_enabled()
    page.click('#tree .node[data-line="h8 i9 j10"]')
    page.click("#promote")
    assert page.js("return tengen.current.isMain()")
    page.find("#comment").send_keys("sharper")
    page.reload()
    assert page.js("return document.querySelector('#comment').value") == "sharper"
    page.click('#tree .node[data-line="h8 i9 g9"]')
    page.click("#delete")
    assert page.moves == ["h8", "i9"]
    assert len(page.all("#tree .node")) == 4


def test_the_best_moves_are_searched_equally(page: Page) -> None:
    page.load("h8 i9 g9")
    page.show("analyse")
    page.click("#equal")
    page.click("#analyse")
    page.wait(lambda: page.js("return tengen.analyse.latest?.thought.candidates.length") == 5)
    rates = page.js("return tengen.analyse.latest.thought.candidates.map((candidate) => candidate.win_rate)")
    assert rates == sorted(rates, reverse=True)
    assert "Pause" in page.text("#analyse")


def test_a_solved_position_needs_no_pause(page: Page) -> None:
    page.load("h8 a1 i8 a3 j8 a5")
    page.show("analyse")
    page.click("#analyse")
    page.wait(lambda: "solved" in page.text("#speed"))
    assert page.text("#analyse") == "Analyse"
    page.click("#first")
    page.wait(lambda: page.text("#analyse") == "Pause")


def test_a_legend_explains_the_threats_and_candidates_do_not_cover_them(page: Page) -> None:
    page.load(DOUBLE_THREE)
    page.show("analyse")
    assert not page.find("#legend").is_displayed()
    page.click("#threats")
    assert "33 double three" in page.text("#legend")
    page.click("#analyse")
    page.wait(lambda: page.all(".threat") and page.all(".candidate"))
    page.click("#analyse")
    covered = page.js(
        "const middle = (element) => { const box = element.getBoundingClientRect(); return box.y + box.height / 2; };"
        "return [...document.querySelectorAll('.threat')].flatMap((badge) => {"
        "  const disc = document.querySelector(`.candidate[data-move='${badge.dataset.point}'] .rate, "
        "    .candidate[data-move='${badge.dataset.point}'] .proof`);"
        "  return disc ? [Math.abs(middle(badge) - middle(disc))] : []; })"
    )
    assert covered, "a candidate that is a threat"
    assert min(covered) > 6, "the win rate can be read beside the badge"


def test_signs_of_mistakes_do_not_touch(page: Page) -> None:
    page.load("h8 i9 h9 h10 g8 a1 i8 a2 f8")
    page.show("analyse")
    boxes = page.js(
        "const verdict = (ply) => ({win_rate: ply % 2 ? 0.7 : 0.3, mistake: 'blunder', loss: 0.4, better: []});"
        "for (const node of tengen.line()) node.verdict = verdict(node.ply);"
        "tengen.render();"
        "return [...document.querySelectorAll('#chart .grade text')].map((sign) => {"
        "  const {left, right, top, bottom} = sign.getBoundingClientRect(); return [left, right, top, bottom]; })"
    )
    assert len(boxes) > 3
    for index, (left, right, top, bottom) in enumerate(boxes):
        for other_left, other_right, other_top, other_bottom in boxes[:index]:
            apart = left >= other_right or right <= other_left or top >= other_bottom or bottom <= other_top
            assert apart, "?? over ??"
