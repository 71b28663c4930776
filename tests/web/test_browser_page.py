"""Sizes, languages, colours and keys in a real browser. `make test-browser` runs these."""

from __future__ import annotations

import pytest

pytest.importorskip("selenium")

from browser import Page, Server
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

pytestmark = pytest.mark.browser


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


def test_a_phone(blank: Page, server: Server) -> None:
    page = blank
    page.open(server.url, width=390, height=844, phone=True)
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


@pytest.mark.parametrize(
    ("width", "height"), [(844, 390), (720, 450), (1024, 768), (1440, 900), (390, 844), (320, 640)]
)
def test_the_board_fits_into_the_window(page: Page, width: int, height: int) -> None:
    """Also on a phone held sideways, and where letters are twice as large."""
    page.resize(width, height, phone=width < 600)
    board = page.find(".board").rect
    assert board["y"] + board["height"] <= height
    assert page.js("return document.documentElement.scrollWidth <= innerWidth")
    sideways = width > height
    room = (height - 90) if sideways else width - 24
    assert board["width"] >= min(0.9 * room, 0.6 * width)
    if sideways:
        assert page.find("#status").rect["x"] >= board["x"] + board["width"]


@pytest.mark.parametrize("language", ["en", "zh-CN"])
@pytest.mark.parametrize(("width", "height"), [(320, 640), (360, 640), (390, 844), (667, 375), (844, 390)])
def test_a_phone_shows_all_views_and_both_players(page: Page, width: int, height: int, language: str) -> None:
    page.resize(width, height, phone=True)
    page.js("tengen.set('language', arguments[0])", language)
    views = page.all("#tabs > *")
    assert len(views) == 6
    for view in views:
        assert view.is_displayed()
        assert 0 <= view.rect["x"] <= width - view.rect["width"]
    page.new_game(mode="computer", level=10)
    cut = page.js(
        "return [...document.querySelectorAll('#tabs, #players .player, #players .player > span')]"
        "  .filter((element) => element.scrollWidth > element.clientWidth).map((element) => element.textContent)"
    )
    assert cut == []


@pytest.mark.parametrize("language", ["en", "zh-CN"])
@pytest.mark.parametrize("width", [320, 390])
def test_no_page_scrolls_sideways(blank: Page, server: Server, width: int, language: str) -> None:
    page = blank
    page.open(server.url, width=width, height=700, phone=True)
    page.js("tengen.set('language', arguments[0])", language)
    overlap = "return document.documentElement.scrollWidth - innerWidth"
    page.load("h8 i9 h9 h10 g8 a1 i8 a2 f8")
    for view in ("play", "analyse", "puzzles", "watch"):
        page.show(view)
        page.wait(lambda view=view: page.js("return document.body.dataset.view") == view)  # type: ignore[misc]
        assert page.js(overlap) <= 0, view
    for address in ("explain.html", "proof.html"):
        page.driver.get(server.url + address)
        page.wait(lambda: page.text("#sentence"))
        assert page.js(overlap) <= 0, address


def test_nothing_comes_from_elsewhere(page: Page, server: Server) -> None:
    """What a page has loaded, and where it may send anything to: this server, and nobody else."""
    for address in ("", "explain.html", "proof.html", "api"):
        page.driver.get(server.url + address)
        if not address:
            page.wait_until_open()
            page.show("puzzles")
            page.wait(lambda: page.js("return tengen.puzzles.state === 'open'"))
        loaded = page.js("return performance.getEntriesByType('resource').map((entry) => entry.name)")
        assert loaded
        assert [name for name in loaded if not name.startswith(server.url)] == []
        policy = page.js("return fetch(location.href).then((answer) => answer.headers.get('content-security-policy'))")
        assert policy.startswith("default-src 'none'")
        allowed = {source for part in policy.split(";") for source in part.split()[1:]}
        assert allowed <= {"'none'", "'self'", "'unsafe-inline'", "data:", "blob:"}


def test_the_moves_of_an_analysis_are_above_the_fold(page: Page) -> None:
    page.resize(1440, 900)
    page.load("h8 i9 g9")
    page.show("analyse")
    assert page.find("#moves").rect["y"] < 900


def test_the_board_of_a_phone_stays_while_one_reads_below_it(blank: Page, server: Server) -> None:
    page = blank
    page.open(server.url, width=390, height=844, phone=True)
    page.load("h8 i9 h9 h10 g8 a1 i8 a2 f8")
    page.show("analyse")
    page.js("scrollTo(0, document.body.scrollHeight)")
    board = page.find("#board").rect
    assert page.js("return scrollY") > 100
    assert page.js("return document.querySelector('#board').getBoundingClientRect().top") >= 0
    page.js("document.querySelector('#comment').focus()")  # a keyboard comes up and takes half of the window
    assert page.js("return document.querySelector('#board').getBoundingClientRect().bottom") < board["height"] / 2


def test_the_button_that_places_a_stone_covers_no_point(blank: Page, server: Server) -> None:
    for width, height in ((844, 390), (390, 844), (667, 375)):
        blank.open(server.url, width=width, height=height, phone=True)
        blank.new_game()
        blank.js("document.querySelector('#confirm').hidden = false")
        button, board = blank.find("#confirm-place").rect, blank.find("#board").rect
        beside = button["x"] >= board["x"] + board["width"] or button["y"] >= board["y"] + board["height"]
        assert beside, (width, height)
        assert button["y"] + button["height"] <= height
        middle = button["x"] + button["width"] / 2, button["y"] + button["height"] / 2
        assert blank.js("return document.elementFromPoint(...arguments).id", *middle) == "confirm-place"


def test_back_leads_to_the_view_before(page: Page) -> None:
    page.load("h8 i9")
    page.show("analyse")
    page.play("g9")
    page.js("tengen.keeper.save()")
    page.show("watch")
    for view in ("analyse", "play"):
        page.driver.back()
        page.wait(lambda view=view: page.js("return tengen.view") == view)  # type: ignore[misc]
    assert page.moves == ["h8", "i9"]
    page.driver.forward()
    page.wait(lambda: page.js("return tengen.view") == "analyse")
    assert page.js("return tengen.current.root().children.length") == 1


def test_a_notice_does_not_outlive_its_view(page: Page) -> None:
    page.load("h8")
    page.play("h8")
    assert page.text("#notice") == "h8 is taken."
    page.show("analyse")
    assert not page.find("#notice").is_displayed()


def test_help_lists_every_key(page: Page) -> None:
    page.press("?")
    page.wait(lambda: page.find("#help-dialog").is_displayed())
    assert page.js("return document.querySelector('#help-dialog').scrollTop") == 0
    listed = page.js("return [...document.querySelectorAll('#keys dt')].map((entry) => entry.textContent).join(' ')")
    for key in ("N", "U", "R", "H", "A", "M", "Space", "←", "Home", "End", "?", "Enter"):
        assert key in listed.split()


def test_keys_go_through_the_moves(page: Page) -> None:
    page.load("h8 i9 g9")
    page.play("a1")
    for key, moves in ((Keys.ARROW_LEFT, 3), (Keys.HOME, 0), (Keys.ARROW_RIGHT, 1), (Keys.END, 4)):
        page.press(key)
        assert len(page.moves) == moves
    page.show("analyse")
    page.js("document.activeElement.blur()")
    page.press(" ")
    page.wait(lambda: page.text("#analyse") == "Pause")
    page.press(" ")
    assert page.text("#analyse") == "Analyse"


def test_the_keyboard_plays(page: Page) -> None:
    page.new_game()
    page.js("tengen.board.moveCursor(7, 7)")
    ActionChains(page.driver).send_keys(Keys.ENTER, Keys.ARROW_RIGHT, Keys.ARROW_UP, Keys.ENTER, "u").perform()
    assert page.moves == ["h8"]
    assert page.js("return document.activeElement.dataset.point") == "i9"
    label = page.find('.cell[data-point="h8"]').get_attribute("aria-label")
    assert label == "h8, Black, move 1"


def test_every_point_has_a_name(page: Page) -> None:
    page.load("h8 i9")
    names = page.js("return [...document.querySelectorAll('.cell')].map((cell) => cell.getAttribute('aria-label'))")
    points = {f"{column}{row}" for column in "abcdefghijklmno" for row in range(1, 16)}
    stones = {"h8, Black, move 1", "i9, White, move 2"}
    assert set(names) == stones | {f"{point}, empty" for point in points - {"h8", "i9"}}
    assert len(names) == 225


def test_the_keyboard_keeps_its_place(page: Page) -> None:
    """After a key the focus is where it was, and the tabulator reaches one point of the board."""
    page.load("h8 i9 g9")
    page.js("document.querySelector('.cell[data-point=a1]').focus()")
    assert page.js("return document.querySelectorAll('.cell[tabindex=\"0\"]').length") == 1
    page.js("document.querySelectorAll('#moves button')[1].focus()")
    ActionChains(page.driver).send_keys(Keys.ENTER).perform()
    assert page.moves == ["h8", "i9"]
    assert page.js("return document.activeElement === document.querySelectorAll('#moves button')[1]")
    page.show("analyse")
    page.js("document.querySelector('#tree [tabindex]').focus()")
    ActionChains(page.driver).send_keys(Keys.ARROW_LEFT, Keys.ARROW_LEFT, Keys.ARROW_RIGHT).perform()
    assert page.moves == ["h8"]
    assert page.js("return document.activeElement.dataset.line") == "h8"


def test_dialogs_begin_at_their_top(page: Page) -> None:
    """In a low window too, where what has the focus is below."""
    page.resize(844, 390)
    page.press("n")
    page.wait(lambda: page.find("#new-dialog").is_displayed())
    assert page.js("return document.querySelector('#new-dialog').scrollTop") == 0
    assert page.js("return document.activeElement.id") == "start"


@pytest.mark.parametrize("width", [320, 1440])
def test_the_end_is_told_beside_its_stone(page: Page, width: int) -> None:
    page.resize(width, 800)
    page.load("h8 a1 h9 a2 h10 a3 h11 a4 h12")
    page.wait(lambda: page.find("#end").is_displayed())
    stone, title = page.find("#end-stone").rect, page.find("#end-title").rect
    assert stone["x"] + stone["width"] <= title["x"]


def test_curves_without_games_have_the_whole_page(page: Page) -> None:
    page.resize(1440, 900)
    page.show("watch")
    page.wait(lambda: len(page.all("#curves .card")) >= 2)
    one, other = page.all("#curves .card")[:2]
    assert page.find("#replay-card").is_displayed() or one.rect["y"] == other.rect["y"]
