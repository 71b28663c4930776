"""Two people in two browsers, by a link. `make test-browser` runs these."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

pytest.importorskip("selenium")

from browser import Page, Server

pytestmark = pytest.mark.browser


@pytest.fixture
def friend() -> Iterator[Page]:
    """Somebody else's browser."""
    page = Page()
    yield page
    errors = page.errors()
    page.quit()
    assert errors == []


def invite(page: Page, minutes: int = 5) -> str:
    """Begins a game by clicking, and gives the link."""
    page.click("#new")
    page.click('[name=mode][value="friend"]')
    page.js("document.querySelector('[name=minutes]').value = arguments[0]", str(minutes))
    page.click("#start")
    page.wait(lambda: page.find("#friend").is_displayed())
    assert "Waiting" in page.text("#status")
    link = page.find("#friend-link").get_property("value")
    assert isinstance(link, str)
    return link


def move(mover: Page, other: Page, point: str) -> None:
    """One plays, the other sees it."""
    mover.wait(lambda: mover.js("return tengen.play.mayPlay()"))
    other.wait(lambda: not other.js("return tengen.play.mayPlay()"))
    mover.play(point)
    other.wait(lambda: other.moves[-1:] == [point])


def test_two_browsers_play_a_game_to_its_end_and_another(page: Page, friend: Page, server: Server) -> None:
    link = invite(page)
    assert "/#friend/" in link
    page.play("h8")  # nobody is there yet
    assert page.moves == []
    friend.open(link)
    page.wait(lambda: "Your friend is here" in page.text("#friend-text"))
    for ply, point in enumerate(["h8", "a1", "i8", "a3", "j8", "a5", "k8", "a7", "l8"]):
        mover, other = (page, friend) if ply % 2 == 0 else (friend, page)
        move(mover, other, point)
        if ply == 3:
            friend.reload()
            friend.wait(lambda: friend.js("return tengen.friend.room?.color") == "white")
            assert friend.moves == ["h8", "a1", "i8", "a3"]
    page.wait(lambda: page.text("#end-title") == "You won!")
    friend.wait(lambda: friend.text("#end-title") == friend.text("#status") == "Your friend wins")
    assert page.text("#end-text") == "Five in a row after 9 moves."
    assert page.text('.player[data-color="white"]').startswith("Friend")
    page.click("#end-again")
    friend.wait(lambda: "wants another game" in friend.text("#friend-text"))
    friend.click("#end-again")
    page.wait(lambda: page.js("return tengen.game.human") == "white")
    friend.wait(lambda: friend.js("return tengen.game.human") == "black")
    assert page.moves == friend.moves == []


def test_one_who_looks_on_and_one_who_resigns(page: Page, friend: Page, server: Server) -> None:
    link = invite(page)
    friend.open(link)
    friend.wait(lambda: friend.js("return tengen.friend.room?.color") == "white")
    friend.js("localStorage.removeItem('tengen.seats')")  # a third person, who has no key
    friend.js("sessionStorage.clear()")
    friend.visit(link)
    friend.wait(lambda: "looking on" in friend.text("#friend-text"))
    page.wait(lambda: "away" in page.text("#friend-text"))
    page.play("h8")
    friend.wait(lambda: friend.moves == ["h8"])
    assert not friend.js("return tengen.play.mayPlay()")
    page.click("#resign")
    page.click("#resign.sure")
    friend.wait(lambda: friend.text("#end-title") == "White wins")


def test_a_game_that_is_gone_is_told(page: Page, server: Server) -> None:
    page.visit(f"{server.url}#friend/{'x' * 24}")
    page.wait(lambda: "no such game" in page.text("#notice"))
