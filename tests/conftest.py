"""Settings for all tests, and the web board's server and browser, which its tests share."""

from __future__ import annotations

import json
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from tengen import core
from tengen.nets import default

if TYPE_CHECKING:
    from browser import Page, Server

# No time limit for a single example: a busy machine must not fail a test.
settings.register_profile("tengen", deadline=None)
settings.load_profile("tengen")

# A shell starts background jobs with Ctrl-C ignored, and their children inherit that: the tests of Ctrl-C need it back.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    from browser import Server

    runs = tmp_path_factory.mktemp("runs")
    _make_runs(runs)
    server = Server(runs)
    yield server
    server.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Page]:
    from browser import Page

    page = Page()
    yield page
    page.quit()


@pytest.fixture
def blank(browser: Page) -> Iterator[Page]:
    """A browser that has not opened the board yet."""
    yield browser
    errors = browser.errors()
    browser.leave()
    assert errors == []


@pytest.fixture
def page(blank: Page, server: Server) -> Page:
    """The board in a fresh tab."""
    blank.open(server.url)
    return blank


def _make_runs(runs: Path) -> None:
    (runs / "with games" / "games").mkdir(parents=True)
    (runs / "with games" / "log.jsonl").write_text('{"minutes": 1}\n')
    game = core.write_game(core.Rule.freestyle, 5, 15, 15, 1, 0, list(range(20)), [])
    (runs / "with games" / "games" / "000.bin").write_bytes(game)
    (runs / "first" / "networks").mkdir(parents=True)
    shutil.copy(default.find("freestyle", 15), runs / "first" / "networks" / "003.safetensors")
    lines = [
        {"minutes": minute, "games_per_second": 9.0, "policy_loss": 3.0, "value_loss": 1.0} for minute in range(13)
    ]
    (runs / "first" / "log.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
