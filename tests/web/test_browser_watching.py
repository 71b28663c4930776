"""Watching a training run in a real browser. `make test-browser` runs these."""

from __future__ import annotations

import os
import time
from pathlib import Path

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


def test_the_page_follows_a_run_that_begins(blank: Page, tmp_path: Path) -> None:
    """First there is none, and the page says how to begin one; then it shows whichever is the newest."""
    server, page = Server(tmp_path), blank
    try:
        page.open(server.url)
        page.show("watch")
        page.wait(lambda: "tengen train" in page.text("#watch-empty"))
        assert not page.find("#replay").is_displayed(), "no empty board where there is nothing to show"
        for age, run in ((60, "older"), (0, "newer")):
            (tmp_path / run).mkdir()
            log = tmp_path / run / "log.jsonl"
            log.write_text('{"minutes": 1, "games": 7}\n')
            os.utime(log, (time.time() - age,) * 2)
            page.wait(lambda run=run: page.text("#running") == f"{run} is training now.")  # type: ignore[misc]
            assert not page.find("#watch-empty").is_displayed()
    finally:
        server.stop()
