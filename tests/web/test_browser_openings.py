"""Opening procedures in a real browser. `make test-browser` runs these."""

from __future__ import annotations

import pytest

pytest.importorskip("selenium")

from browser import Page, Server

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


def test_a_procedure_explains_itself(page: Page) -> None:
    page.new_game(opening="soosorv-8", rule="renju")
    page.wait(lambda: "Black" in page.text("#guide-text"))
    assert "either colour" in page.text("#guide-why")
    for point in ("h8", "h9", "i9"):
        page.play(point)
    page.wait(lambda: "Take the colour" in page.text("#guide-why"))


def test_openings_are_browsed_by_name(page: Page) -> None:
    page.show("analyse")
    page.click("#openings summary")
    page.wait(lambda: len(page.all("#opening-choice option")) > 26)
    page.click("#opening-choice option:nth-child(4)")
    page.wait(lambda: page.moves == ["h8", "h9", "i9"])
    page.wait(lambda: "games came here" in page.text("#book-tally"))
    first = page.find("#replies tbody [data-move]").get_attribute("data-move")
    page.click("#replies tbody button")
    page.wait(lambda: page.moves == ["h8", "h9", "i9", first])
    page.wait(lambda: "came here" in page.text("#book-tally"))


def test_the_openings_speak_both_languages_and_know_proofs(page: Page, server: Server) -> None:
    page.visit(f"{server.url}#15/freestyle/h8i9i7g7")
    page.click("#openings summary")
    page.wait(lambda: "Proven: Black wins by" in page.text("#proven"))
    page.click("#language")
    page.wait(lambda: "已证明" in page.text("#proven"))
    page.wait(lambda: "花月" in page.text("#opening-choice"))


def test_the_search_says_what_it_thinks_of_each_reply(page: Page) -> None:
    page.show("analyse")
    page.click("#openings summary")
    page.wait(lambda: page.find("#replies").is_displayed())
    assert page.text("#replies tbody tr td:last-child") == "–"
    page.js("tengen.set('best', 12)")
    page.click("#analyse")
    page.wait(lambda: any("%" in cell.text for cell in page.all("#replies tbody td:last-child")))
    page.click("#analyse")


def test_one_voice_says_whose_turn_it_is_while_tengen_thinks(page: Page) -> None:
    page.js("window.send = tengen.connection.send; tengen.connection.send = () => 0")  # an answer that takes its time
    page.new_game(opening="swap2", mode="computer", human="white", level=1)
    assert page.text("#guide-text") == "Tengen is thinking"
    assert page.text("#status") == "Swap2"
    page.play("a1")
    assert page.text("#notice") == "It is not your turn."
    page.js("tengen.connection.send = send; tengen.opening.resume()")
    page.wait(lambda: page.js("return tengen.opening.step?.person") == "second")
    assert not page.find("#notice").is_displayed()
