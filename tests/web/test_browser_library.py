"""The library in a real browser. `make test-browser` runs these."""

from __future__ import annotations

import urllib.request

import pytest

pytest.importorskip("selenium")

from browser import Page, Server

pytestmark = pytest.mark.browser


def test_a_finished_game_is_kept_found_and_opened(page: Page, server: Server) -> None:
    page.load("c3 a1 c4 a2 c5 a3 c6 a4 c7", rule="standard")
    page.wait(lambda: page.find("#end").is_displayed())
    page.new_game(mode="computer", level=1)
    page.play("d4")
    page.wait_for_turn()
    page.click("#resign")
    page.click("#resign.sure")
    page.click("#library")
    page.js(
        "const box = document.querySelector('#library-text'); box.value = 'c3 a1';box.dispatchEvent(new Event('input'))"
    )
    page.wait(lambda: page.text("#library-total") == "One game")
    assert "Black wins" in page.text("#library-games")
    exported = urllib.request.urlopen(f"{server.url}library.sgf").read().decode()
    assert "PB[You]" in exported
    assert exported.count("(;") >= 2
    page.click("#library-games .game")
    assert page.js("return [tengen.view, tengen.game.rule]") == ["analyse", "standard"]
    assert len(page.moves) == 9
    page.click("#library")
    page.wait(lambda: page.text("#library-total") == "One game")
    page.click("#library-games li .quiet")
    page.wait(lambda: page.text("#library-total") == "0 games")
    page.js("document.querySelector('#library-dialog').close()")


def test_a_review_is_told_in_the_library(page: Page) -> None:
    page.load("h8 a1 h9 a2 h10 a3 h11 a4 h12")
    page.wait(lambda: page.find("#end").is_displayed())
    page.wait(lambda: page.js("return tengen.game.number !== null"))
    page.click("#end-review")
    page.wait(lambda: not page.find("#review-progress").is_displayed() and page.js("return tengen.mistakes().length"))
    top = page.js("return document.querySelector('#review-text').getBoundingClientRect().top")
    assert 0 < top < page.js("return innerHeight"), "the summary is what one came for"
    page.click("#library")
    page.wait(lambda: "Reviewed: mistakes of black" in page.text("#library-games"))


def test_progress_is_drawn_where_there_is_enough_of_it(page: Page) -> None:
    page.js("for (let game = 0; game < 4; game++) tengen.person.countGame(2, 1)")
    page.click("#library")
    assert not page.find("#progress-curves").is_displayed()
    page.js("document.querySelector('#library-dialog').close()")
    page.js("for (let game = 0; game < 6; game++) tengen.person.countGame(3, game % 2)")
    page.js("for (let n = 0; n < 5; n++) tengen.person.count('renju', String(n), { rating: 1200 + 9 * n }, true)")
    page.click("#library")
    assert [figure.text.split()[-1] for figure in page.all("#progress-curves figure")] == ["strength", "Renju"]
