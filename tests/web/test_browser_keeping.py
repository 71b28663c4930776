"""What survives a reload, a restart of the server and a browser that keeps nothing. `make test-browser` runs these."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

pytest.importorskip("selenium")

from browser import Page, Server
from selenium.webdriver.common.action_chains import ActionChains

pytestmark = pytest.mark.browser


def test_a_reload_keeps_the_game(page: Page) -> None:
    page.load("h8 i9 g9", mode="people", rule="renju")
    page.reload()
    assert page.moves == ["h8", "i9", "g9"]
    assert page.js("return tengen.game.rule") == "renju"
    assert len(page.all("[data-stone]")) == 3


def test_a_reload_in_the_middle_of_a_search_begins_it_again(page: Page) -> None:
    page.new_game(mode="computer", level=10)
    page.play("h8")
    page.wait(lambda: page.find("#stop").is_displayed())
    page.reload()
    page.wait_for_turn()
    assert page.moves[0] == "h8"
    assert len(page.moves) == 2


def test_two_tabs_have_two_games(page: Page, server: Server) -> None:
    page.load("h8 i9 g9")
    page.js("tengen.keeper.save()")
    first = page.driver.current_window_handle
    page.driver.switch_to.new_window("tab")
    try:
        page.driver.get(server.url)
        page.wait_until_open()
        page.load("a1 b2", rule="renju")
        page.js("tengen.keeper.save()")
        page.reload()
        assert page.moves == ["a1", "b2"]
    finally:
        page.driver.close()
        page.driver.switch_to.window(first)
    page.reload()
    assert page.moves == ["h8", "i9", "g9"]
    assert page.js("return tengen.game.rule") == "freestyle"


def test_a_game_that_cannot_be_read_is_replaced_by_one_like_the_last(page: Page) -> None:
    page.js("tengen.keeper.save()")
    page.js(
        "tengen.settings.lastGame = {mode: 'computer', level: 1, human: 'random', opening: 'none', size: 9};"
        "tengen.set('numbers', true);"
        "for (const storage of [localStorage, sessionStorage]) storage.setItem('tengen.game', 'nonsense');"
        "history.replaceState(null, '', '/')"
    )
    page.reload()
    assert page.js("return [tengen.game.size, tengen.game.opening]") == [9, None]
    assert page.js("return tengen.game.human") in ("black", "white")


def test_the_board_follows_where_the_browser_keeps_nothing(page: Page) -> None:
    """Browsers refuse to save, and to change the address too often; the page must not stop for it."""
    page.js(
        "for (const name of ['pushState', 'replaceState'])"
        "  history[name] = () => { throw new DOMException('too often', 'SecurityError') };"
        "for (const name of ['sessionStorage', 'localStorage'])"
        "  Object.defineProperty(window, name, {get() { throw new DOMException('denied', 'SecurityError') }})"
    )
    page.load("h8 i9 g9")
    page.show("analyse")
    page.js("tengen.keeper.save()")
    page.find("#comment").send_keys("x" * 120)
    assert page.js("return tengen.current.comment.length") == 120
    page.js("tengen.keeper.save(); document.activeElement.blur()")
    for _ in range(3):
        ActionChains(page.driver).send_keys("[").perform()
    assert page.moves == []
    assert page.all("[data-stone]") == []


def test_the_game_is_saved_only_when_it_changed_and_not_at_every_key(page: Page) -> None:
    page.load("h8 i9 g9")
    page.show("analyse")
    page.js(
        "tengen.keeper.save();"
        "window.saved = 0;"
        "for (const [host, name] of [[history, 'replaceState'], [Storage.prototype, 'setItem']]) {"
        "  const original = host[name];"
        "  host[name] = function (...values) { saved += 1; return original.apply(this, values); };"
        "}"
    )
    # A page in which no time passes: nothing may be saved while keys are held down.
    page.js(
        "const box = document.querySelector('#comment');"
        "for (let i = 0; i < 200; i++) { box.value += 'x'; box.dispatchEvent(new Event('input')); }"
        "for (let i = 0; i < 200; i++) tengen.step(i % 2 ? 'next' : 'previous');"
    )
    assert page.js("return saved") <= 3
    page.wait(lambda: "x" * 200 in page.js("return sessionStorage.getItem('tengen.game')"))
    page.js("tengen.keeper.save(); saved = 0; tengen.changed(); tengen.keeper.save()")
    assert page.js("return saved") == 0


def test_a_restart_of_the_server_is_survived(blank: Page, tmp_path: Path) -> None:
    server, page = Server(tmp_path), blank
    page.open(server.url)
    try:
        page.new_game(mode="computer", level=1)
        page.play("h8")
        page.wait_for_turn()
        moves = page.moves
        server.stop()
        page.wait(lambda: "connection to Tengen is lost" in page.text("#banner"))
        server.start()
        page.wait(lambda: "started again" in page.text("#banner"))
        assert page.moves == moves
        free = next(point for point in ("a1", "b2", "c3") if point not in moves)
        page.play(free)
        page.wait(lambda: len(page.moves) == 4)
    finally:
        server.stop()


def test_a_closed_page_frees_its_search(page: Page, server: Server) -> None:
    page.load("h8 i9")
    page.show("analyse")
    page.click("#analyse")
    page.wait(lambda: len(page.all(".candidate")) >= 3)
    page.leave()
    pid = server.process.pid
    time.sleep(1.0)
    before = cpu_seconds(pid)
    time.sleep(1.0)
    assert cpu_seconds(pid) - before < 0.5


def cpu_seconds(pid: int) -> float:
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_a_game_under_way_is_not_lost_when_another_is_opened(page: Page) -> None:
    page.new_game(mode="computer", level=1, human="black")
    page.play("h8")
    page.wait_for_turn()
    moves = page.moves
    assert len(moves) == 2
    page.js("tengen.explorer.table.open(15, 'renju', ['h8', 'i9', 'i7'])")
    assert page.moves == ["h8", "i9", "i7"]
    page.js("tengen.keeper.save()")
    page.reload()
    page.click("#resume")
    assert page.js("return [tengen.view, tengen.game.mode, tengen.game.rule]") == ["play", "computer", "freestyle"]
    assert page.moves == moves
    assert not page.find("#resume").is_displayed()


def test_stones_sound_unless_somebody_wants_silence(page: Page) -> None:
    page.js(
        "window.tones = 0; const Real = OscillatorNode;"
        "window.OscillatorNode = class extends Real { start(at) { window.tones++; super.start(at); } }"
    )
    page.new_game()
    page.play("h8")
    heard = page.js("return tones")
    assert heard > 0
    page.click("#settings")
    page.click('#settings-form [name="sound"]')
    page.click("#settings-form .primary")
    page.play("i9")
    assert page.moves == ["h8", "i9"]
    assert page.js("return tones") == heard
