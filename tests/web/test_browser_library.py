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
