"""The explained tree search in a real browser. `make test-browser` runs these."""

from __future__ import annotations

import pytest

pytest.importorskip("selenium")

from browser import Page, Server
from selenium.webdriver.common.keys import Keys

pytestmark = pytest.mark.browser


def shown(page: Page) -> tuple[str, list[str], list[str]]:
    """The step that is explained: its phase, the nodes on the way, and the texts of the one that is looked at."""
    texts = "e => [...e.querySelectorAll(':scope > text')].map(t => t.textContent)"
    return (
        page.text("#phases [aria-current]"),
        page.js("return [...document.querySelectorAll('#tree .node.path')].map(e => e.dataset.path)"),
        page.js(f"return ({texts})(document.querySelector('#tree .looked'))"),
    )


def test_a_search_is_explained_step_by_step(page: Page, server: Server) -> None:
    """The textbook's three playouts, its numbers in the picture; forth and back by button, slider and key."""
    page.click('#tabs a[href="explain.html"]')
    page.wait(lambda: page.all("#tree .node"))
    seen = [shown(page)]
    while page.find("#forward").is_enabled():
        page.click("#forward")
        seen.append(shown(page))
    playout = ["Select", "Expand", "Evaluate", "Back up"]
    assert [phase for phase, *_ in seen] == [*playout, *playout, "Select", "Select", "Evaluate", "Back up", "Play"]
    assert seen[7] == ("Back up", ["", "b3"], ["N 1", "Q 0.10", "+0.10"])
    assert seen[11] == ("Back up", ["", "b3", "b3 c1"], ["N 1", "Q 1.00", "+1.00"])
    assert len(page.all("#tree .node")) == 1 + 6 + 1, "what was visited, and the moves to choose from"
    assert page.text("#numbers tr.chosen").split()[:4] == ["b3", "2", "−0.90", "−0.45"]
    page.find("body").send_keys(Keys.HOME)
    assert shown(page) == seen[0]
    page.click("#playout")
    assert shown(page) == seen[4]
    page.js(
        "document.querySelector('#step').value = 11; document.querySelector('#step').dispatchEvent(new Event('input'))"
    )
    assert shown(page) == seen[11]


def test_another_search_is_explained_in_chinese_and_in_the_dark(page: Page, server: Server) -> None:
    page.driver.get(server.url + "explain.html")
    page.wait(lambda: page.all("#tree .node"))
    page.js(
        "document.querySelector('#evaluator').value = 'rollouts'; document.querySelector('#position').value = 'empty'"
    )
    page.js("document.querySelector('#playouts').value = 20")
    page.js("document.querySelector('#playouts').dispatchEvent(new Event('change'))")
    page.wait(lambda: page.js("return explain.steps.length > 60"))
    page.click("#language")
    page.click("#theme")
    page.click("#end")
    assert "第 20 次模拟" in page.text("#sentence")
    assert "19 次访问中占" in page.text("#sentence")
    visits = page.js("return explain.steps.at(-1).children.map(child => child.visits)")
    assert len(visits) == 9
    assert sum(visits) == 19
    assert page.js("return getComputedStyle(document.body).backgroundColor") == "rgb(23, 22, 20)"
    page.driver.get(server.url)
    assert page.text("#new") == "新对局", "both pages have the same settings"


def test_the_explained_search_on_a_phone(blank: Page, server: Server) -> None:
    page = blank
    page.open(server.url, width=390, height=844, phone=True)
    page.driver.get(server.url + "explain.html")
    page.wait(lambda: page.all("#tree .node"))
    for _ in range(4):
        page.click("#forward")
    assert page.js("return document.documentElement.scrollWidth") <= 390
    bounds = page.js("return document.querySelector('#tree .chosen').getBoundingClientRect().toJSON()")
    assert bounds["left"] >= 0
    assert bounds["right"] <= 390, "the move that is chosen can be seen"
