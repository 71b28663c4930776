"""Playing white against the proof in a real browser. `make test-browser` runs these."""

from __future__ import annotations

from collections.abc import Callable

import pytest

pytest.importorskip("selenium")

from browser import Page, Server
from selenium.webdriver.common.action_chains import ActionChains

pytestmark = pytest.mark.browser

#: A second move that is proven to lose.
SECOND = "b14"


def within(page: Page) -> int:
    """Moves up to the five, as the page says."""
    return int(page.js("return proof.found.within"))


def play(page: Page, point: str) -> None:
    asked(page, lambda: page.play(point))


def play_hardest(page: Page) -> None:
    """Clicks on the first reply of the list."""
    asked(page, page.all("#replies button")[0].click)


def asked(page: Page, action: Callable[[], object]) -> None:
    """Does something, and waits until the proof has answered."""
    before = page.js("return proof.found")
    action()
    page.wait(lambda: page.js("return proof.found") != before)


def open_proof(page: Page, server: Server, moves: str = "") -> None:
    page.driver.get("about:blank")
    page.driver.get(f"{server.url}proof.html#{moves}")
    page.wait(lambda: page.js("return Boolean(window.proof?.found)"))


def test_white_loses_to_the_proof_click_by_click(page: Page, server: Server) -> None:
    """From the board's own link to the five: black answers every click, and the end comes no later than it was said."""
    page.click('#tabs a[href="proof.html"]')
    page.wait(lambda: page.js("return Boolean(window.proof?.found)"))
    assert "Every reply is proven" in page.text("#sentence")
    assert page.all(f'.length[data-move="{SECOND}"]')
    play(page, SECOND)
    left = within(page)
    assert left > 5
    while not page.js("return proof.isOver"):
        assert len(page.js("return proof.found.replies")) == page.js("return proof.empty"), "every reply is answered"
        assert page.all("#replies button")[0].text.split()[1] == str(left - 1), "what holds out longest is first"
        play_hardest(page)
        assert within(page) == left - 1
        left = within(page)
    assert "Five" in page.text("#sentence")
    assert len(page.all(".winning")) >= 5


def test_a_click_is_seen_before_the_proof_has_answered(page: Page, server: Server) -> None:
    """A busy machine takes seconds: the page says what it does, and the stone is there."""
    open_proof(page, server)
    stones = len(page.all("[data-stone]"))
    page.js(
        "window.ask = fetch;"
        "window.fetch = (...request) => new Promise((done) => { window.go = () => done(ask(...request)); })"
    )
    page.play(SECOND)
    assert page.text("#sentence") == "Tengen is looking it up …"
    assert len(page.all("[data-stone]")) == stones + 1
    asked(page, lambda: page.js("go()"))
    assert "Black plays" in page.text("#sentence")
    page.js("window.fetch = () => Promise.reject()")
    before = page.js("return proof.moves")
    page.all("#replies button")[0].click()
    page.wait(lambda: page.find("#notice").is_displayed())
    assert "Black plays" in page.text("#sentence"), "where one was"
    assert len(page.all("[data-stone]")) == len(before)


def test_a_game_that_the_proof_does_not_know_is_said_to_be_open(page: Page, server: Server) -> None:
    open_proof(page, server, "a1b14")
    assert "b14 is open" in page.text("#sentence")
    assert page.all("#replies button") == []
    asked(page, lambda: page.click("#start"))
    assert "Every reply is proven" in page.text("#sentence")
    assert len(page.all("#replies button")) == 224


def test_the_proof_of_another_rule(page: Page, server: Server) -> None:
    """Chosen by hand, played to its five, and named by a link."""
    open_proof(page, server)
    asked(page, lambda: page.click('#rules label:has([value="standard"])'))
    assert page.js("return location.hash") == "#standard/h8"
    assert "the others are open" in page.text("#sentence")
    assert len(page.all("#replies button")) == 220
    play(page, SECOND)
    while not page.js("return proof.isOver"):
        play_hardest(page)
    assert len(page.all(".winning")) == 5
    open_proof(page, server, "standard/h8h9i9h10")
    assert page.js("return proof.moves.length") == 5
    assert page.find('#rules [value="standard"]').is_selected()
    asked(page, lambda: page.click('#rules label:has([value="freestyle"])'))
    assert page.js("return location.hash") == "#h8"


def test_the_threat_is_shown_and_the_tree_is_browsed(page: Page, server: Server) -> None:
    open_proof(page, server, "h8i9i7g7")
    assert page.js("return proof.moves.length") == 5
    while not page.js("return proof.found.threat.length"):
        play_hardest(page)
    ActionChains(page.driver).move_to_element(page.find("#threat button")).perform()
    line = page.js("return proof.found.threat")
    assert len(page.all(".line-stone")) == len(line) > 0
    ActionChains(page.driver).move_to_element(page.find("#summary")).perform()
    assert page.all(".line-stone") == []
    play_hardest(page)
    length = page.js("return proof.moves.length")
    asked(page, page.all("#path button")[1].click)
    assert page.js("return proof.moves.length") < length
    assert page.js("return location.hash") == "#" + "".join(page.js("return proof.moves"))


def test_the_proof_in_chinese_in_the_dark_on_a_phone(blank: Page, server: Server) -> None:
    page = blank
    page.open(server.url, width=390, height=844, phone=True, dark=True)
    open_proof(page, server)
    page.click("#language")
    play(page, SECOND)
    assert "最多再走" in page.text("#sentence")
    assert page.js("return document.documentElement.scrollWidth") <= 390
    assert page.js("return getComputedStyle(document.body).backgroundColor") == "rgb(23, 22, 20)"
    assert page.errors() == []
