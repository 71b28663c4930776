"""The page as files alone, with a worker that is made up: it speaks to that as it speaks to a server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("selenium")

from browser import Files, Page

from tengen.web import site

pytestmark = pytest.mark.browser

#: It plays along the first row, and falls over when black opens at a15.
WORKER = """
const send = (message) => postMessage(message);
const limits = { min_size: 5, max_size: 20, max_nodes: 100, max_record_bytes: 1000, max_message_bytes: 10000 };
const facts = { levels: [0, 1, 2], elos: [0, 0, 0], rules: ["freestyle"], formats: ["pos"], procedures: [] };
send({ type: "hello", version: "1", server: String(Math.random()), requests: ["state", "think"], ...facts, ...limits });
addEventListener("message", ({ data }) => {
  const { id, type, game } = JSON.parse(data);
  if (game?.moves[0] === "a15") throw new Error("out of memory");
  const state = (moves) => ({ turn: moves.length % 2 ? "white" : "black", result: null, forbidden: [] });
  if (type === "state" || type === "think") send({ id, type: "state", state: state(game.moves) });
  if (type !== "think") return;
  const move = `${"abcdefgh"[game.moves.length >> 1]}1`;
  const thought = { win_rate: 0.5, proof: null, playouts: 1, seconds: 0, depth: 1, candidates: [] };
  send({ id, type: "move", purpose: "move", move, thought, state: state([...game.moves, move]) });
});
"""


@pytest.fixture
def files(tmp_path: Path) -> Iterator[Files]:
    site.write(tmp_path / "site")
    worker = tmp_path / "site" / site.WORKER
    worker.parent.mkdir(exist_ok=True)
    worker.write_text(WORKER)
    server = Files(tmp_path / "site")
    yield server
    server.stop()


def test_a_worker_answers_the_page(blank: Page, files: Files) -> None:
    blank.open(files.url)
    blank.new_game(mode="computer")
    blank.play("h8")
    blank.wait(lambda: blank.moves == ["h8", "a1"])
    blank.play("i9")
    blank.wait(lambda: blank.moves == ["h8", "a1", "i9", "b1"])
    blank.reload()
    assert blank.moves == ["h8", "a1", "i9", "b1"]


def test_what_nobody_answers_is_not_offered(blank: Page, files: Files) -> None:
    blank.open(files.url)
    shown = [tab.text for tab in blank.all("#tabs > *") if tab.is_displayed()]
    assert shown == ["Play", "Analyse"]
    assert not blank.find("#library").is_displayed()
    blank.click("#settings")
    assert "runs in your browser alone" in blank.text("#settings-dialog")


def test_a_worker_that_falls_over_is_replaced(blank: Page, files: Files) -> None:
    blank.open(files.url)
    blank.new_game(mode="computer")
    blank.play("a15")
    blank.wait(lambda: blank.find("#banner").is_displayed())
    blank.new_game(mode="computer")
    blank.wait_until_open()
    blank.play("h8")
    blank.wait(lambda: blank.moves == ["h8", "a1"])
    assert [text for text in blank.errors() if "out of memory" not in text] == []
