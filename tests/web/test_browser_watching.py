"""Watching a training run in a real browser. `make test-browser` runs these."""

from __future__ import annotations

import pytest

pytest.importorskip("selenium")

from browser import Page, Server

pytestmark = pytest.mark.browser


def test_a_training_run_is_shown(page: Page, server: Server) -> None:
    page.show("watch")
    page.wait(lambda: page.text("#tiles strong") == "12")
    page.wait(lambda: len(page.all("#curves .chart")) == 2)
    assert page.text("#running").startswith(("first is training now", "first last wrote"))
    page.show("play")
    assert page.find("#board").is_displayed()


def test_the_replay_follows_the_run(page: Page) -> None:
    def choose(run: str) -> None:
        page.js(
            "const select = document.querySelector('#run'); select.value = arguments[0];"
            "select.dispatchEvent(new Event('change'))",
            run,
        )

    page.show("watch")
    page.wait(lambda: len(page.all("#run option")) == 3)
    choose("with games")
    page.wait(lambda: len(page.all("#replay [data-stone]")) > 2)
    choose("first")
    page.wait(lambda: page.text("#tiles strong") == "12")
    assert page.all("#replay [data-stone]") == []
    assert page.text("#replay-text") == ""
    assert page.all("#replay-games button") == []
