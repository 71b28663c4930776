"""Opening procedures in a real browser. `make test-browser` runs these."""

from __future__ import annotations

import pytest

pytest.importorskip("selenium")

from browser import Page

pytestmark = pytest.mark.browser


def test_an_opening_procedure_leads_the_way(page: Page) -> None:
    page.new_game(opening="swap2")
    page.wait(lambda: "Black" in page.text("#guide-text"))
    for point in ("h8", "i9", "g10"):
        page.play(point)
    page.wait(lambda: len(page.all("#guide-buttons button")) == 3)
    page.click("#guide-buttons button:nth-child(2)")
    page.wait(lambda: not page.find("#guide").is_displayed())
    assert page.moves == ["h8", "i9", "g10"]
    page.play("j7")
    assert len(page.moves) == 4


def test_an_opening_procedure_with_the_computer(page: Page) -> None:
    page.new_game(opening="rif", mode="computer", rule="renju", level=1)
    page.wait(lambda: page.js("return tengen.opening.step?.expects") == "place")
    page.play("a1")
    assert "outside" in page.text("#notice")
    for point in ("h8", "i9", "j10"):
        page.play(point)
    page.wait(lambda: page.js("return tengen.opening.step?.person === 'first' || !tengen.opening.active"))
    page.wait(lambda: "You: h8 i9 j10; Tengen" in page.text("#opened"))


def test_an_opening_is_taken_back(page: Page) -> None:
    page.new_game(opening="swap2", mode="computer", level=1)
    page.wait(lambda: page.js("return tengen.opening.step?.expects") == "place")
    assert page.text("#status") == "Swap2"
    for point in ("h8", "i9"):
        page.play(point)
    page.click("#guide-undo")
    assert page.js("return tengen.opening.chosen") == ["h8"]
    for point in ("i9", "g10"):
        page.play(point)
    page.play("a1")  # while Tengen thinks, or when it is done
    page.wait(lambda: page.js("return !tengen.opening.waiting"))
    assert "outside" not in page.text("#notice")
    if page.js("return tengen.opening.active"):
        page.click("#guide-undo")
        page.wait(lambda: page.js("return tengen.opening.step?.expects") == "place")
    else:
        assert "Tengen took" in page.text("#opened")


def test_an_opening_says_who_has_which_colour(page: Page) -> None:
    page.click("#new")
    page.js("document.querySelector('[name=rule][value=freestyle]').click()")
    page.js(
        "const select = document.querySelector('[name=opening]'); select.value = 'taraguchi-10';"
        "select.dispatchEvent(new Event('input', {bubbles: true}))"
    )
    assert page.js("return document.querySelector('#new-form').elements.rule.value") == "renju"
    page.js("document.querySelector('#new-dialog').close()")
    page.new_game(opening="taraguchi-10", mode="computer", human="white", rule="renju", level=1)
    page.wait(lambda: page.js("return tengen.opening.step?.expects") == "swap")
    labels = [button.text for button in page.all("#guide-buttons button")]
    assert labels == ["Swap: take Black", "Stay White"]
    page.click("#guide-buttons button")
    page.wait(lambda: page.js("return tengen.opening.answer?.moves.length") == 2)
    black = page.js("return tengen.opening.answer.black")
    you = 'return document.querySelector("#players [data-color=black]").textContent.startsWith("You")'
    assert page.js(you) == (black == "second")
