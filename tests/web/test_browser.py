"""The web board in a real browser. `make test-browser` runs these."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("selenium")

from browser import Page
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from tengen import core

pytestmark = pytest.mark.browser

DOUBLE_THREE = "g8 a1 f8 a3 h9 a5 h10 a7"
MIDGAME = "h8 i9 i8 g8 h9 h10 g10 i10 j10 g9 h7 h6"


class Server:
    """`tengen play` in a process of its own."""

    def __init__(self, runs: Path) -> None:
        self._runs = runs
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}/"
        self.start()

    def start(self) -> None:
        program = "from tengen.cli import main; main()"
        arguments = ["play", "--no-browser", "--port", str(self.port), "--threads", "1", "--runs", str(self._runs)]
        self._process = subprocess.Popen([sys.executable, "-c", program, *arguments], stdout=subprocess.DEVNULL)
        end = time.monotonic() + 120
        while time.monotonic() < end:
            with contextlib.suppress(OSError), urllib.request.urlopen(self.url, timeout=1):
                return
            time.sleep(0.05)
        raise AssertionError("the server did not start")

    def stop(self) -> None:
        self._process.send_signal(signal.SIGINT)
        try:
            assert self._process.wait(60) in (0, 130)
        finally:
            self._process.kill()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    runs = tmp_path_factory.mktemp("runs")
    (runs / "with games" / "games").mkdir(parents=True)
    (runs / "with games" / "log.jsonl").write_text('{"minutes": 1}\n')
    game = core.write_game(core.Rule.freestyle, 5, 15, 15, 1, 0, list(range(20)), [])
    (runs / "with games" / "games" / "000.bin").write_bytes(game)
    (runs / "first").mkdir()
    lines = [
        {"minutes": minute, "games_per_second": 9.0, "policy_loss": 3.0, "value_loss": 1.0} for minute in range(13)
    ]
    (runs / "first" / "log.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    server = Server(runs)
    yield server
    server.stop()


@pytest.fixture
def page(server: Server) -> Iterator[Page]:
    page = Page(server.url)
    yield page
    errors = page.errors()
    page.close()
    assert errors == []


def wait_for_turn(page: Page) -> None:
    page.wait(lambda: page.js("return !!tengen.result() || (tengen.play.mayPlay() && !!tengen.game.head.state)"))


def test_a_whole_game_against_level_1_to_its_end(page: Page) -> None:
    """Hints against the weakest level: somebody wins, and the end is announced with a review."""
    page.click("#new")
    page.js("document.querySelector('[name=level]').value = 1")
    page.click("#start")
    for _ in range(110):
        wait_for_turn(page)
        if page.js("return !!tengen.result()"):
            break
        page.click("#hint")
        page.wait(lambda: page.js("return !!tengen.play.hint"))
        page.play(page.js("return tengen.play.hint.move"))
    page.wait(lambda: page.find("#end-dialog").is_displayed())
    assert page.text("#end-title") in ("You won!", "Tengen wins", "Draw")
    assert len(page.all(".winning")) >= 5
    moves = page.moves
    page.click("#end-dialog button[value=review]")
    page.wait(lambda: page.all(".chart .curve") and page.js("return !tengen.analyse.review"), 60)
    assert page.moves == moves
    page.click('#tabs [data-view="play"]')
    page.click("#restart")
    assert page.moves == []


@pytest.mark.parametrize("level", [0, 1, 3, 5, 8, 10])
def test_a_person_wins_against_a_level(page: Page, level: int) -> None:
    """Three in a row and open: the person makes four and five by clicking, and the end is announced."""
    page.load("h8 a1 i8 a3 j8 a5")
    page.js(
        "Object.assign(tengen.game, { mode: 'computer', human: 'black', level: arguments[0] }); tengen.render()", level
    )
    page.play("k8")
    wait_for_turn(page)
    assert len(page.moves) == 8
    page.play(next(point for point in ("g8", "l8") if point not in page.moves))
    page.wait(lambda: page.find("#end-dialog").is_displayed())
    assert page.text("#end-title") == "You won!"
    assert len(page.all(".winning")) == 5


def test_a_click_shows_its_stone_at_once(page: Page) -> None:
    page.new_game()
    # Before the server could have answered: within the same turn of the event loop.
    shown = page.js(
        "document.querySelector('[data-point=h8]').dispatchEvent(new MouseEvent('click', {bubbles: true}));"
        "return !!document.querySelector('[data-stone=h8]')"
    )
    assert shown


def test_undo_and_redo(page: Page) -> None:
    page.new_game(mode="computer", level=1)
    page.play("h8")
    wait_for_turn(page)
    moves = page.moves
    assert len(moves) == 2
    page.click("#undo")
    assert page.moves == []
    page.click("#redo")
    assert page.moves == moves
    page.new_game()
    for point in ("h8", "i9", "j10"):
        page.play(point)
    page.click("#undo")
    assert page.moves == ["h8", "i9"]
    assert len(page.all("[data-stone]")) == 2


def test_what_is_tried_in_the_analysis_stays_out_of_the_game(page: Page) -> None:
    page.load("h8 i9 g9 g8")
    page.click("#undo")
    page.click('#tabs [data-view="analyse"]')
    page.play("a1")
    page.play("a2")
    page.click('#tabs [data-view="play"]')
    assert page.moves == ["h8", "i9", "g9"]
    listed = page.js("return [...document.querySelectorAll('#moves button')].map((button) => button.lastChild.data)")
    assert listed == ["h8", "i9", "g9", "g8"]
    page.driver.refresh()
    page.wait(lambda: page.js("return window.tengen?.connection.isOpen"))
    page.click("#redo")
    assert page.moves == ["h8", "i9", "g9", "g8"]
    assert not page.find("#redo").is_enabled()
    assert not page.find("#next").is_enabled()
    page.click("#undo")
    page.play("j7")
    assert not page.find("#redo").is_enabled()


def test_the_computer_expects_what_follows_its_move(page: Page) -> None:
    """A weak level does not always play what its search likes best."""
    page.new_game(mode="computer", level=1)
    page.play("h8")
    wait_for_turn(page)
    shown = "return document.querySelector('#thoughts').textContent"
    candidates = [{"move": "a1", "line": ["a1", "b1"]}, {"move": "a2", "line": ["a2", "b2", "c2"]}]
    for move, expected in (("a2", "expects b2 c2"), ("a3", "playouts")):
        page.js("Object.assign(tengen.play.thought, arguments[0])", {"move": move, "candidates": candidates})
        page.js("tengen.render()")
        assert page.js(shown).endswith(expected)


def test_a_stopped_game_goes_on(page: Page) -> None:
    page.new_game(mode="computer", level=10, minutes=1)
    page.play("h8")
    page.wait(lambda: page.find("#stop").is_displayed())
    page.click("#stop")
    used = page.js("return tengen.game.used.white")
    time.sleep(0.6)
    assert page.js("return tengen.game.used.white") == used  # nobody loses on time meanwhile
    assert not page.find("#stop").is_displayed()
    page.click("#continue")
    wait_for_turn(page)
    assert len(page.moves) == 2
    assert not page.find("#continue").is_displayed()


def test_a_loss_on_time_is_not_taken_back(page: Page) -> None:
    page.load("h8 i9", minutes=1)
    page.js("tengen.game.used.black = 60")
    page.wait(lambda: page.find("#end-dialog").is_displayed())
    assert page.text("#end-text") == "Black ran out of time."
    page.click("#end-dialog button[value=close]")
    assert not page.find("#undo").is_enabled()


def test_swap_sides_and_resign(page: Page) -> None:
    page.new_game(mode="computer", level=1)
    page.click("#swap")
    page.wait(lambda: len(page.moves) == 1)
    wait_for_turn(page)
    page.click("#resign")
    page.wait(lambda: page.find("#end-dialog").is_displayed())
    assert page.text("#end-title") == "Tengen wins"


def test_a_resigned_game_can_be_analysed(page: Page) -> None:
    page.load("h8 i9 g9")
    page.click("#resign")
    page.wait(lambda: page.find("#end-dialog").is_displayed())
    page.click("#end-dialog button[value=close]")
    page.click('#tabs [data-view="analyse"]')
    page.click("#analyse")
    page.wait(lambda: len(page.all(".candidate")) >= 3)
    page.play("a1")
    assert page.moves == ["h8", "i9", "g9", "a1"]
    page.click('#tabs [data-view="play"]')
    assert page.text("#status") == "Black wins"
    assert page.moves == ["h8", "i9", "g9"]


def test_the_analysis_names_the_colour_that_wins(page: Page) -> None:
    page.new_game(mode="computer", level=1)
    page.click('#tabs [data-view="analyse"]')
    for point in ("h8", "a1", "h9", "a2", "h10", "a3", "h11", "a4", "h12"):
        page.play(point)
    page.wait(lambda: page.text("#status") == "Black wins")


def test_a_forbidden_point_is_refused_with_its_reason(page: Page) -> None:
    page.load(DOUBLE_THREE, rule="renju")
    page.wait(lambda: page.all('.forbidden[data-point="h8"]'))
    page.play("h8")
    assert page.text("#notice") == "h8 is forbidden for black: double three."
    assert "h8" not in page.moves
    assert "forbidden" in str(page.find('.cell[data-point="h8"]').get_attribute("aria-label"))


def test_a_point_chosen_too_early_waits_for_the_forbidden_ones(page: Page) -> None:
    page.load(DOUBLE_THREE, rule="renju")
    page.wait(lambda: page.all('.forbidden[data-point="h8"]'))
    moves = page.moves
    for point in ("h8", "c13"):
        page.js("tengen.current.state = null; tengen.choose(arguments[0])", point)
        assert page.moves == moves
        page.js("tengen.askState(tengen.current)")
        page.wait(lambda: page.js("return Boolean(tengen.current.state)"))
        assert ("h8" in page.text("#notice")) == (point == "h8")
    page.wait(lambda: page.moves[: len(moves) + 1] == [*moves, "c13"])


def test_analysis_shows_the_best_moves_on_the_board(page: Page) -> None:
    page.load("h8 i9 g9")
    page.click('#tabs [data-view="analyse"]')
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
    page.click('#tabs [data-view="analyse"]')
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
    page.click('#tabs [data-view="analyse"]')
    page.js("tengen.set('threats', true)")
    badge = '.threat[data-point="h8"][data-color="black"] text'
    page.wait(lambda: page.all(badge))
    assert page.text(badge) == "33"
    page.click("#language")
    page.wait(lambda: page.text(badge) == "双三")
    page.js("tengen.set('threats', false)")


def test_a_forced_win_is_played_out(page: Page) -> None:
    page.load("h8 a1 i8 a3 j8 a5")
    page.click('#tabs [data-view="analyse"]')
    page.click("#vcf")
    page.wait(lambda: page.find("#play-out").is_displayed())
    assert page.text("#solution").startswith("VCF: Black wins in 2 moves")
    page.click("#play-out")
    page.wait(lambda: page.js("return tengen.result(tengen.current)?.winner") == "black")


def test_a_review_marks_mistakes(page: Page) -> None:
    page.load("h8 i9 h9 h10 g8 a1 i8 a2 f8")
    page.click('#tabs [data-view="analyse"]')
    page.click("#review")
    page.wait(lambda: page.js("return !tengen.analyse.review"), 60)
    page.click("#chart")  # the middle
    middle = len(page.moves)
    assert 3 <= middle <= 6
    page.js("document.querySelector('#chart').focus()")
    ActionChains(page.driver).send_keys(Keys.ARROW_RIGHT).perform()
    assert len(page.moves) == middle + 1
    page.click("#first")
    page.click("#next-mistake")
    assert len(page.moves) > 0
    assert "Better:" in page.text("#review-text")
    assert len(page.all("#board .hint")) == 1


def test_variations_are_kept(page: Page) -> None:
    page.load("h8 i9 g9")
    page.click('#tabs [data-view="analyse"]')
    page.click("#previous")
    page.play("j10")
    assert page.moves == ["h8", "i9", "j10"]
    assert page.text(".variation").endswith("g9")


def test_the_tree_of_variations(page: Page) -> None:
    page.load("h8 i9 g9")
    page.click('#tabs [data-view="analyse"]')
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
    page.driver.refresh()
    page.wait(lambda: page.js("return window.tengen?.connection.isOpen"))
    assert page.js("return document.querySelector('#comment').value") == "sharper"
    page.click('#tree .node[data-line="h8 i9 g9"]')
    page.click("#delete")
    assert page.moves == ["h8", "i9"]
    assert len(page.all("#tree .node")) == 4


def test_variations_go_out_and_come_back(page: Page) -> None:
    def read(text: str) -> None:
        page.click("#import")
        page.js("document.querySelector('#import-text').value = arguments[0]", text)
        page.click("#import-open")
        page.wait(lambda: not page.find("#import-dialog").is_displayed())

    def written() -> str:
        page.js("document.querySelector('#export-text').value = ''")
        page.click("#export")
        text = page.wait(lambda: page.js("return document.querySelector('#export-text').value"))
        page.js("document.querySelector('#export-dialog').close()")
        return str(text)

    read("(;GM[4]SZ[15];B[hh]C[the centre];W[ig](;B[gg])(;B[jf](;W[ji])(;W[gi])))")
    assert page.moves == ["h8", "i9", "g9"]
    assert len(page.all("#tree .node")) == 7
    page.click('#tree .node[data-line="h8"]')
    assert page.js("return document.querySelector('#comment').value") == "the centre"
    text = written()
    assert "C[the centre]" in text
    page.js("tengen.dialogs.begin({opening: 'none'})")
    read(text)
    assert len(page.all("#tree .node")) == 7
    assert written() == text


def test_a_game_goes_out_and_comes_back(page: Page) -> None:
    page.load(MIDGAME, rule="renju")
    page.click("#export")
    for name in page.js("return tengen.facts.formats"):
        page.click(f'#export-formats input[value="{name}"]')
        text = page.wait(lambda: page.js("return document.querySelector('#export-text').value"))
        page.js("document.querySelector('#export-dialog').close(); tengen.share.openImport()")
        page.js("document.querySelector('#import-text').value = arguments[0]", text)
        page.click("#import-open")
        page.wait(lambda: not page.find("#import-dialog").is_displayed())
        assert page.moves == MIDGAME.split()
        page.click("#export")
    page.js("document.querySelector('#export-dialog').close()")
    page.click("#import")
    page.js("document.querySelector('#import-text').value = 'this is no game'")
    page.click("#import-open")
    page.wait(lambda: page.find("#import-error").is_displayed())


def test_sharing_without_a_clipboard_or_a_connection(page: Page) -> None:
    page.load("h8 i9")
    page.js("Object.defineProperty(navigator, 'clipboard', {value: undefined})")  # as in pages over plain HTTP
    page.click("#link")
    page.wait(lambda: page.text("#notice").endswith("#15/freestyle/h8i9"))
    page.click("#export")
    text = page.wait(lambda: page.js("return document.querySelector('#export-text').value"))
    page.click("#export-copy")
    assert page.wait(lambda: page.js("return getSelection().toString()")) == text
    page.js("tengen.connection.greeted = false; tengen.share.exportAs('pos')")
    assert "lost" in page.js("return document.querySelector('#export-text').value")
    page.js("document.querySelector('#export-dialog').close(); tengen.share.openImport()")
    page.click("#import-open")
    assert "lost" in page.text("#import-error")


def test_pictures(page: Page) -> None:
    page.load("h8 i9")
    picture = page.js("return tengen.board.picture()")
    assert picture.startswith("<svg")
    assert picture.count("data-stone") == 2
    assert picture.count('font-size="12.5"') == 30
    assert "gridcell" not in picture


def test_the_language_can_be_switched_and_stays(page: Page) -> None:
    assert page.text("#new") == "New game"
    page.click("#language")
    assert page.text("#new") == "新对局"
    page.driver.refresh()
    page.wait(lambda: page.text("#new") == "新对局")
    assert page.js("return document.documentElement.lang") == "zh-CN"


def test_the_language_is_the_first_known_one_of_the_reader(page: Page) -> None:
    def preferred(*names: str) -> str:
        page.js("Object.defineProperty(navigator, 'languages', {value: arguments[0], configurable: true})", names)
        page.js("localStorage.removeItem('tengen.settings')")
        return str(page.js("return import('/js/store.js').then((store) => store.loadSettings().language)"))

    assert preferred("de", "en-GB", "zh-CN") == "en"
    assert preferred("ja", "zh-TW", "en") == "zh-CN"
    assert preferred("de") == "en"


def test_light_and_dark(page: Page) -> None:
    def ground() -> str:
        return str(page.js("return getComputedStyle(document.body).backgroundColor"))

    light = ground()
    page.click("#theme")
    assert ground() != light
    page.click("#theme")
    assert ground() == light


def test_a_phone(server: Server) -> None:
    page = Page(server.url, width=390, height=844, phone=True)
    try:
        page.new_game()
        assert page.js("return document.documentElement.scrollWidth <= innerWidth")
        board = page.find(".board")
        assert board.size["width"] > 360
        cell = page.find('.cell[data-point="h8"]')
        touch = (
            "const box = arguments[0].getBoundingClientRect();"
            "const at = {bubbles: true, detail: 1, clientX: box.x + box.width / 2, clientY: box.y + box.height / 2};"
            "arguments[0].dispatchEvent(new PointerEvent('pointerdown', {...at, pointerType: 'touch'}));"
            "arguments[0].dispatchEvent(new MouseEvent('click', at))"  # as in browsers whose clicks say no more
        )
        page.js(touch, cell)
        assert page.moves == []
        assert page.find("#confirm-place").is_displayed()
        page.click("#confirm-place")
        assert page.moves == ["h8"]
        cell = page.find('.cell[data-point="i9"]')
        page.js(touch, cell)
        page.js(touch, cell)
        assert page.moves == ["h8", "i9"]
        page.js(touch, page.find('.cell[data-point="j10"]'))
        page.new_game()
        assert not page.find("#confirm").is_displayed()
        assert page.errors() == []
    finally:
        page.close()


def test_the_keyboard_plays(page: Page) -> None:
    page.new_game()
    page.js("tengen.board.moveCursor(7, 7)")
    ActionChains(page.driver).send_keys(Keys.ENTER, Keys.ARROW_RIGHT, Keys.ARROW_UP, Keys.ENTER, "u").perform()
    assert page.moves == ["h8"]
    assert page.js("return document.activeElement.dataset.point") == "i9"
    label = page.find('.cell[data-point="h8"]').get_attribute("aria-label")
    assert label == "h8, Black, move 1"


def test_the_keyboard_keeps_its_place(page: Page) -> None:
    """After a key the focus is where it was, and the tabulator reaches one point of the board."""
    page.load("h8 i9 g9")
    page.js("document.querySelector('.cell[data-point=a1]').focus()")
    assert page.js("return document.querySelectorAll('.cell[tabindex=\"0\"]').length") == 1
    page.js("document.querySelectorAll('#moves button')[1].focus()")
    ActionChains(page.driver).send_keys(Keys.ENTER).perform()
    assert page.moves == ["h8", "i9"]
    assert page.js("return document.activeElement === document.querySelectorAll('#moves button')[1]")
    page.click('#tabs [data-view="analyse"]')
    page.js("document.querySelector('#tree [tabindex]').focus()")
    ActionChains(page.driver).send_keys(Keys.ARROW_LEFT, Keys.ARROW_LEFT, Keys.ARROW_RIGHT).perform()
    assert page.moves == ["h8"]
    assert page.js("return document.activeElement.dataset.line") == "h8"


def test_a_hint_is_spoken(page: Page) -> None:
    page.load("h8 a1 h9 a2 h10 a3 h11 a4")
    page.click("#hint")
    page.wait(lambda: page.js("return !!tengen.play.hint"))
    assert "Hint: h" in page.js("return document.querySelector('#spoken').textContent")


def test_a_reload_keeps_the_game(page: Page) -> None:
    page.load("h8 i9 g9", mode="people", rule="renju")
    page.driver.refresh()
    page.wait(lambda: page.js("return window.tengen?.connection.isOpen"))
    assert page.moves == ["h8", "i9", "g9"]
    assert page.js("return tengen.game.rule") == "renju"
    assert len(page.all("[data-stone]")) == 3


def test_a_game_that_cannot_be_read_is_replaced_by_one_like_the_last(page: Page) -> None:
    page.js("tengen.keeper.save()")
    page.js(
        "tengen.settings.lastGame = {mode: 'computer', level: 1, human: 'random', opening: 'none', size: 9};"
        "tengen.set('numbers', true);"
        "for (const storage of [localStorage, sessionStorage]) storage.setItem('tengen.game', 'nonsense');"
        "history.replaceState(null, '', '/')"
    )
    page.driver.refresh()
    page.wait(lambda: page.js("return window.tengen?.connection.isOpen"))
    assert page.js("return [tengen.game.size, tengen.game.opening]") == [9, None]
    assert page.js("return tengen.game.human") in ("black", "white")


def test_a_link_carries_the_position(page: Page, server: Server) -> None:
    page.driver.get("about:blank")
    page.driver.get(f"{server.url}#9/standard/e5f6")
    page.wait(lambda: page.js("return window.tengen?.connection.isOpen"))
    assert page.moves == ["e5", "f6"]
    assert page.js("return [tengen.game.size, tengen.game.rule]") == [9, "standard"]


def test_a_link_to_a_board_that_there_is_not(page: Page, server: Server) -> None:
    for address in ("#25/freestyle/h8", "#15/chess/h8"):
        page.driver.get("about:blank")
        page.driver.get(f"{server.url}{address}")
        page.wait(lambda: page.js("return window.tengen?.connection.isOpen"))
        assert page.js("return [tengen.game.size, tengen.game.rule]") == [15, "freestyle"]
        assert "address" in page.text("#notice")


def test_the_board_follows_where_the_browser_keeps_nothing(page: Page) -> None:
    """Browsers refuse to save, and to change the address too often; the page must not stop for it."""
    page.js(
        "for (const name of ['pushState', 'replaceState'])"
        "  history[name] = () => { throw new DOMException('too often', 'SecurityError') };"
        "for (const name of ['sessionStorage', 'localStorage'])"
        "  Object.defineProperty(window, name, {get() { throw new DOMException('denied', 'SecurityError') }})"
    )
    page.load("h8 i9 g9")
    page.click('#tabs [data-view="analyse"]')
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
    page.click('#tabs [data-view="analyse"]')
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


@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_files_in_other_encodings(page: Page, tmp_path: Path, language: str) -> None:
    page.js("tengen.set('language', arguments[0])", language)
    for charset, name in (("GB18030", "李小龙"), ("Big5", "成功"), ("Shift_JIS", "表ソ十")):
        text = f"(;GM[4]CA[{charset}]SZ[15]C[{name}];B[hh]C[{name}\\]];W[ig])"
        path = tmp_path / f"{charset}.sgf"
        path.write_bytes(text.encode(charset))
        for content in (path, text):
            page.new_game()
            page.click("#import")
            if content is path:
                page.find("#import-file").send_keys(str(path))
            else:
                page.js("document.querySelector('#import-text').value = arguments[0]", text)
                page.click("#import-open")
            page.wait(lambda: not page.find("#import-dialog").is_displayed())
            assert page.moves == ["h8", "i9"]
            comments = page.js("return [tengen.current.root(), ...tengen.current.path()].map((node) => node.comment)")
            assert comments == [name, f"{name}]", ""]


@pytest.mark.parametrize(
    ("language", "large", "unreadable"),
    [("en", "too large: 256 KB", "No game was found in it"), ("zh-CN", "最多 256 KB", "读不出棋谱")],
)
def test_a_game_is_refused_in_the_language_of_the_page(
    page: Page, tmp_path: Path, language: str, large: str, unreadable: str
) -> None:
    path = tmp_path / "large.sgf"
    path.write_text(f"(;GM[4]C[{'x' * 300_000}];B[hh])")
    page.load("h8 i9")
    page.js("tengen.set('language', arguments[0]); tengen.current.comment = 'x'.repeat(3_000_000)", language)
    page.click("#import")
    page.find("#import-file").send_keys(str(path))
    page.wait(lambda: large in page.text("#import-error"))
    for text, refusal in (("nonsense", unreadable), ("x" * 300_000, large)):
        page.js("document.querySelector('#import-text').value = arguments[0]", text)
        page.click("#import-open")
        page.wait(lambda refusal=refusal: refusal in page.text("#import-error"))  # type: ignore[misc]
    page.js("document.querySelector('#import-dialog').close()")
    page.click("#export")
    page.wait(lambda: large in page.js("return document.querySelector('#export-text').value"))
    assert page.js("return tengen.connection.isOpen")


def test_a_move_costs_one_question(page: Page) -> None:
    page.js(
        "const send = tengen.connection.send; window.asked = [];"
        "tengen.connection.send = function (request, handler) {"
        "  asked.push(request.type); return send.call(this, request, handler); }"
    )
    page.new_game(mode="computer", level=1)
    page.wait(lambda: page.js("return Boolean(tengen.current.state)"))
    page.js("asked.length = 0")
    for point in ("h8", "a1"):
        page.play(point)
        wait_for_turn(page)
    assert page.js("return asked") == ["think", "think"]
    assert page.js("return tengen.current.path().every((node) => node.state)")


def test_the_choices_of_a_new_game_are_those_of_the_server(page: Page) -> None:
    page.click("#new")
    facts = page.js("return tengen.facts")
    value = "return [...document.querySelectorAll(arguments[0])].map((option) => option.value)"
    assert page.js(value, "#new-form [name=rule]") == facts["rules"]
    sizes = range(facts["min_size"], facts["max_size"] + 1)
    assert page.js(value, "#new-form [name=size] option") == [str(size) for size in sizes]
    level = page.find("#new-form [name=level]")
    assert (level.get_attribute("min"), level.get_attribute("max")) == (str(facts["levels"][0]), "10")


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


def test_a_training_run_is_shown(page: Page, server: Server) -> None:
    page.click('#tabs [data-view="watch"]')
    page.wait(lambda: page.text("#tiles strong") == "12")
    page.wait(lambda: len(page.all("#curves .chart")) == 2)
    page.click('#tabs [data-view="play"]')
    assert page.find("#board").is_displayed()


def test_the_replay_follows_the_run(page: Page) -> None:
    def choose(run: str) -> None:
        page.js(
            "const select = document.querySelector('#run'); select.value = arguments[0];"
            "select.dispatchEvent(new Event('change'))",
            run,
        )

    page.click('#tabs [data-view="watch"]')
    page.wait(lambda: len(page.all("#run option")) == 2)
    choose("with games")
    page.wait(lambda: len(page.all("#replay [data-stone]")) > 2)
    choose("first")
    page.wait(lambda: page.text("#tiles strong") == "12")
    assert page.all("#replay [data-stone]") == []
    assert page.text("#replay-text") == ""
    assert page.all("#replay-games button") == []


def test_a_restart_of_the_server_is_survived(tmp_path: Path) -> None:
    server = Server(tmp_path)
    page = Page(server.url)
    try:
        page.new_game(mode="computer", level=1)
        page.play("h8")
        wait_for_turn(page)
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
        page.close()
        server.stop()


def test_a_closed_page_frees_its_search(server: Server) -> None:
    page = Page(server.url)
    page.load("h8 i9")
    page.click('#tabs [data-view="analyse"]')
    page.click("#analyse")
    page.wait(lambda: len(page.all(".candidate")) >= 3)
    page.close()
    pid = server._process.pid
    time.sleep(1.0)
    before = cpu_seconds(pid)
    time.sleep(1.0)
    assert cpu_seconds(pid) - before < 0.5


def cpu_seconds(pid: int) -> float:
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


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


def test_the_explained_search_on_a_phone(server: Server) -> None:
    page = Page(server.url, width=390, height=844, phone=True)
    try:
        page.driver.get(server.url + "explain.html")
        page.wait(lambda: page.all("#tree .node"))
        for _ in range(4):
            page.click("#forward")
        assert page.js("return document.documentElement.scrollWidth") <= 390
        bounds = page.js("return document.querySelector('#tree .chosen').getBoundingClientRect().toJSON()")
        assert bounds["left"] >= 0
        assert bounds["right"] <= 390, "the move that is chosen can be seen"
        assert page.errors() == []
    finally:
        page.close()
