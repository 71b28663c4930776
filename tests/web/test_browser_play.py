"""Playing in a real browser. `make test-browser` runs these."""

from __future__ import annotations

import time

import pytest

pytest.importorskip("selenium")

from browser import Page, Server

pytestmark = pytest.mark.browser

DOUBLE_THREE = "g8 a1 f8 a3 h9 a5 h10 a7"


def test_a_whole_game_against_level_1_to_its_end(page: Page) -> None:
    """Hints against the weakest level: somebody wins, and the end is announced with a review."""
    page.click("#new")
    page.js("document.querySelector('[name=level]').value = 1")
    page.click("#start")
    page.follow_hints()
    page.wait(lambda: page.find("#end").is_displayed())
    assert page.text("#end-title") in ("You won!", "Tengen wins", "Draw")
    assert len(page.all(".winning")) >= 5
    moves = page.moves
    page.click("#end-review")
    page.wait(lambda: page.all(".chart .curve") and page.js("return !tengen.analyse.review"), 60)
    assert page.moves == moves
    page.show("play")
    page.click("#restart")
    page.click("#restart.sure")
    assert page.moves == []


@pytest.mark.parametrize("level", [0, 1, 3, 5, 8, 10])
def test_a_person_wins_against_a_level(page: Page, level: int) -> None:
    """Three in a row and open: the person makes four and five by clicking, and the end is announced."""
    page.load("h8 a1 i8 a3 j8 a5")
    page.js(
        "Object.assign(tengen.game, { mode: 'computer', human: 'black', level: arguments[0] }); tengen.render()", level
    )
    page.play("k8")
    page.wait_for_turn()
    assert len(page.moves) == 8
    page.play(next(point for point in ("g8", "l8") if point not in page.moves))
    page.wait(lambda: page.find("#end").is_displayed())
    assert page.text("#end-title") == "You won!"
    assert page.find("#end").get_attribute("data-result") == "won"
    assert len(page.all(".winning")) == 5


def test_the_end_hides_nothing_and_stays(page: Page) -> None:
    """Who won and why stands beside the board, with the review one click away, also after a look elsewhere."""
    page.load("h8 a1 h9 a2 h10 a3 h11 a4 h12")
    page.wait(lambda: page.find("#end").is_displayed())
    assert page.text("#end-title") == "Black wins"
    assert page.text("#end-text") == "Five in a row after 9 moves."
    end, board = page.find("#end").rect, page.find(".board").rect
    assert end["x"] >= board["x"] + board["width"] or end["y"] >= board["y"] + board["height"]
    assert page.all("dialog[open]") == []
    page.show("analyse")
    assert not page.find("#end").is_displayed()
    page.show("play")
    assert page.find("#end-review").is_displayed()
    page.click("#undo")
    assert not page.find("#end").is_displayed()


@pytest.mark.parametrize(
    ("level", "follows", "advised"),
    [(1, False, True), (9, False, True), (10, False, False), (3, True, False), (0, False, False)],
)
def test_a_stronger_level_is_advised_where_there_is_one_to_choose(
    page: Page, level: int, follows: bool, advised: bool
) -> None:
    page.load("h8 a1 h9 a2 h10 a3 h11 a4 h12")
    page.js(
        "Object.assign(tengen.game, { mode: 'computer', human: 'black', ...arguments[0] })",
        {"level": level, "follows": follows},
    )
    page.js("tengen.render()")
    page.wait(lambda: page.text("#end-title") == "You won!")
    assert ("next level" in page.text("#end-text")) == advised
    page.js("tengen.set('language', 'zh-CN')")
    assert page.text("#end-text").startswith("第 9 手连成五子。")
    assert "。 " not in page.text("#end-text")


def test_the_first_visit_asks_how_strong(blank: Page, server: Server) -> None:
    page = blank
    page.open(server.url, first_visit=True)
    assert "five in a row" in page.text("#welcome-dialog").lower()
    assert page.js("return tengen.game.level") == 1  # also for whoever closes the question
    assert page.js("return document.activeElement.dataset.level") == "1"
    page.click('#strengths [data-level="5"]')
    assert page.js("return [tengen.game.level, tengen.view]") == [5, "play"]
    assert "five or more" in page.text("#facts").lower()
    page.reload()
    assert page.all("dialog[open]") == []


def test_a_restart_is_undone(page: Page) -> None:
    page.load("h8 i9")
    page.click("#restart")
    page.click("#restart.sure")
    assert page.moves == []
    page.click("#undo")
    assert page.moves == ["h8", "i9"]
    page.click("#undo")
    assert page.moves == ["h8"]


def test_what_cannot_be_undone_asks_first(page: Page) -> None:
    page.load("h8 i9")
    for name in ("restart", "resign"):
        page.click(f"#{name}")
        assert page.text(f"#{name}").startswith("Really")
        assert page.moves == ["h8", "i9"]
        page.click("#hint")
        assert not page.text(f"#{name}").startswith("Really")
        assert not page.find("#end").is_displayed()


def test_buttons_stay_where_they_are_while_tengen_thinks(page: Page) -> None:
    page.new_game(mode="computer", level=10)
    before = page.find("#undo").rect
    page.play("h8")
    page.wait(lambda: page.find("#stop").is_displayed())
    assert page.find("#undo").rect == before
    page.click("#now")
    page.wait_for_turn()
    assert page.find("#undo").rect == before


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
    page.wait_for_turn()
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
    page.show("analyse")
    page.play("a1")
    page.play("a2")
    page.show("play")
    assert page.moves == ["h8", "i9", "g9"]
    listed = page.js("return [...document.querySelectorAll('#moves button')].map((button) => button.lastChild.data)")
    assert listed == ["h8", "i9", "g9", "g8"]
    page.reload()
    page.click("#redo")
    assert page.moves == ["h8", "i9", "g9", "g8"]
    assert not page.find("#redo").is_enabled()
    assert not page.find("#next").is_enabled()
    page.click("#undo")
    page.play("j7")
    assert not page.find("#redo").is_enabled()


def test_the_computer_expects_what_follows_its_move(page: Page) -> None:
    """A weak level does not always play what its search likes best."""
    page.js("tengen.set('thoughts', true)")
    page.new_game(mode="computer", level=1)
    page.play("h8")
    page.wait_for_turn()
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
    page.wait_for_turn()
    assert len(page.moves) == 2
    assert not page.find("#continue").is_displayed()


def test_a_loss_on_time_is_not_taken_back(page: Page) -> None:
    page.load("h8 i9", minutes=1)
    page.js("tengen.game.used.black = 60")
    page.wait(lambda: page.find("#end").is_displayed())
    assert page.text("#end-text") == "Black ran out of time."
    assert page.find("#end").get_attribute("data-result") == "over"
    assert not page.find("#undo").is_enabled()


def test_swap_sides_and_resign(page: Page) -> None:
    page.new_game(mode="computer", level=1)
    page.click("#swap")
    page.wait(lambda: len(page.moves) == 1)
    page.wait_for_turn()
    page.click("#resign")
    page.click("#resign.sure")
    page.wait(lambda: page.find("#end").is_displayed())
    assert page.text("#end-title") == "Tengen wins"
    assert page.find("#end").get_attribute("data-result") == "lost"
    assert "resigned" in page.text("#end-text")


def test_a_resigned_game_can_be_analysed(page: Page) -> None:
    page.load("h8 i9 g9")
    page.click("#resign")
    page.click("#resign.sure")
    page.wait(lambda: page.find("#end").is_displayed())
    page.show("analyse")
    page.click("#analyse")
    page.wait(lambda: len(page.all(".candidate")) >= 3)
    page.play("a1")
    assert page.moves == ["h8", "i9", "g9", "a1"]
    page.show("play")
    assert page.text("#status") == "Black wins"
    assert page.moves == ["h8", "i9", "g9"]


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


def test_black_may_play_a_forbidden_point_and_lose(page: Page) -> None:
    page.click("#new")
    page.js("document.querySelector('[name=mode][value=people]').click()")
    assert not page.find("#foul-choice").is_displayed()
    page.js("document.querySelector('[name=rule][value=renju]').click()")
    page.click("[name=foul]")
    page.click("#start")
    for point in DOUBLE_THREE.split():
        page.play(point)
    page.wait(lambda: page.js("return Boolean(tengen.current.state?.forbidden.length)"))
    assert page.all(".forbidden") == []
    page.play("h8")
    page.wait(lambda: page.find("#end").is_displayed())
    assert page.text("#end-title") == "White wins"
    assert page.text("#end-text") == "Black played a forbidden point."


def test_a_network_of_ones_own_is_played_against(page: Page) -> None:
    page.click("#new")
    page.wait(lambda: len(page.all("[name=network] option")) == 2)
    page.js("document.querySelector('[name=network]').value = 'first/003'")
    page.click("#start")
    page.wait(lambda: "first/003" in page.text("#players"))
    page.play("h8")
    page.wait_for_turn()
    assert len(page.moves) == 2
    page.js("tengen.game.network = '../../etc/passwd'")
    page.play(next(point for point in ("a1", "a2") if point not in page.moves))
    page.wait(lambda: "there is no network" in page.text("#notice"))
    assert page.find("#continue").is_displayed()


def test_a_hint_is_spoken(page: Page) -> None:
    page.load("h8 a1 h9 a2 h10 a3 h11 a4")
    page.click("#hint")
    page.wait(lambda: page.js("return !!tengen.play.hint"))
    assert "Hint: h" in page.js("return document.querySelector('#spoken').textContent")


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
        page.wait_for_turn()
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


def test_what_tengen_thinks_is_hidden_unless_asked_for(page: Page) -> None:
    page.new_game(mode="computer", level=1)
    page.play("h8")
    page.wait_for_turn()
    assert page.js("return Boolean(tengen.play.thought)")
    assert page.text("#thoughts") == ""
    page.click("#settings")
    page.click('#settings-form [name="thoughts"]')
    page.click("#settings-form .primary")
    assert "playouts" in page.text("#thoughts")


def test_one_is_not_many(page: Page) -> None:
    page.click("#new")
    clocks = page.js("return [...document.querySelectorAll('[name=minutes] option')].map((option) => option.text)")
    assert "1 minute each" in clocks
    say = "return import('/js/i18n.js').then(({ t }) => t(arguments[0], { n: 1, rate: '50%', playouts: 1 }))"
    assert page.js(say, "thought") == "Black 50% · 1 playout"
    assert page.js(say, "analyse.speed").startswith("1 playout ")


def test_the_board_names_its_points_as_the_text_does(page: Page) -> None:
    page.load("h10")
    letters = page.js("return [...document.querySelectorAll('#board .coordinate')].map((mark) => mark.textContent)")
    assert set("abcdefghijklmno") < set(letters)
    assert page.text("#moves").endswith("h10")
