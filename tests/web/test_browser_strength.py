"""A level that follows the person, in a real browser. `make test-browser` runs these."""

from __future__ import annotations

import json
import statistics

import pytest

pytest.importorskip("selenium")

from browser import Page

pytestmark = pytest.mark.browser

#: Thirty games of a person whose strength is known against the level that follows them: what the page thinks then.
#: Chance is a generator with a seed (mulberry32), so that it is the same every time.
SIMULATION = """
const [truth, seed, facts] = arguments;
let state = seed;
const chance = () => {
  state = (state + 0x6d2b79f5) | 0;
  let bits = Math.imul(state ^ (state >>> 15), 1 | state);
  bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
  return ((bits ^ (bits >>> 14)) >>> 0) / 4294967296;
};
return import("/js/rating.js").then(({ fitted, levelFor, eloAt }) => {
  const start = eloAt(1, facts);
  const results = [];
  let person = fitted(start, results);
  for (let game = 0; game < 30; game++) {
    const elo = eloAt(levelFor(person, facts), facts);
    results.push([elo, chance() < 1 / (1 + 10 ** ((elo - truth) / 400)) ? 1 : 0]);
    person = fitted(start, results);
  }
  return { ...person, score: results.slice(10).reduce((sum, [, score]) => sum + score / 20, 0) };
});
"""

LADDER = """
return import("/js/rating.js").then(({ eloAt }) => arguments[0].levels.slice(1).map((n) => eloAt(n, arguments[0])));
"""


def test_a_person_of_known_strength_is_found_within_thirty_games(page: Page) -> None:
    facts = page.js("return tengen.facts")
    lowest, *_, highest = page.js(LADDER, facts)
    near = []
    for truth in range(round(lowest) + 50, round(highest) - 50, 300):
        found = [page.js(SIMULATION, truth, seed, facts) for seed in range(30)]
        errors = [abs(person["rating"] - truth) for person in found]
        assert statistics.median(errors) < 70
        near += [error < 100 for error in errors]
        assert sum(error < 1.96 * person["deviation"] for error, person in zip(errors, found, strict=True)) >= 25
        assert 0.45 < statistics.mean(person["score"] for person in found) < 0.7
    assert statistics.mean(near) > 0.79  # of 30 persons of one strength chance would leave too few to say


def lose(page: Page) -> None:
    page.play("h8")
    page.wait_for_turn()
    page.click("#resign")
    page.click("#resign.sure")


def test_a_level_follows_the_person(page: Page) -> None:
    page.click("#new")
    page.click("[name=follows]")
    assert "not known yet" in page.text("#level-about")
    page.click("#start")
    page.wait(lambda: "follows you" in page.text("#players"))  # the dialog closes a moment later
    level = page.js("return tengen.game.level")
    lose(page)
    assert "known after 4 more games" in page.text("#end-text")
    page.click("#end-again")
    assert page.js("return tengen.game.level") <= level
    page.play("h8")
    page.wait_for_turn()
    page.click("#undo")
    lose(page)
    assert "known after" not in page.text("#end-text")  # whoever takes moves back does not count
    page.reload()
    assert page.js("return tengen.person.strength(tengen.facts).games") == 1


def test_a_game_against_the_proof_says_nothing_of_strength(page: Page) -> None:
    """No person can win it, and the levels were measured without it."""
    page.new_game(mode="computer", level=8, human="white")
    page.wait_for_turn()
    assert page.moves == ["h8"]
    page.play("i9")
    page.wait_for_turn()
    assert page.moves[2] == "i7"
    page.click("#resign")
    page.click("#resign.sure")
    page.wait(lambda: page.text("#end-text"))
    assert page.js("return tengen.person.strength(tengen.facts)?.games ?? 0") == 0


def test_nobody_hears_of_the_strength_of_a_person(page: Page) -> None:
    """It is kept in this browser. The server hears of games and positions, and which puzzles would suit."""
    page.js(
        "window.sent = []; const { send } = WebSocket.prototype;"
        "WebSocket.prototype.send = function (text) { sent.push(text); return send.call(this, text); }"
    )
    page.new_game(mode="computer", level=1)
    lose(page)
    page.wait(lambda: page.js("return tengen.game.number !== null"))
    page.show("puzzles")
    page.wait(lambda: page.js("return tengen.puzzles.state === 'open' && !!tengen.puzzles.puzzle?.name"))
    page.click("#puzzle-hint")
    page.wait(lambda: page.all("#board .hint"))
    kept = page.js("return JSON.parse(localStorage.getItem('tengen.person'))")
    assert kept["ladder"]["results"] == [[1, 0]]
    assert kept["puzzles"]["freestyle"]["person"]["rating"] < 1200
    sent = page.js("return sent")
    assert {"think", "keep", "puzzle", "attempt"} <= {json.loads(text)["type"] for text in sent}
    for word in ("deviation", "streak", "results", "ladder"):
        assert not any(word in text for text in sent), word
    assert [text for text in sent if "rating" in text] == [text for text in sent if '"type":"puzzle"' in text]


def test_strength_is_told_when_it_means_something_and_is_never_negative(page: Page) -> None:
    page.js("tengen.dialogs.begin({ mode: 'computer', level: 1, human: 'black', opening: 'none' })")
    page.js("for (let game = 0; game < 3; game++) tengen.person.countGame(1, 0)")
    lose(page)
    assert page.text("#end-text").endswith("known after one more game.")
    page.click("#end-again")
    lose(page)
    assert "about level 1, from 5 games" in page.text("#end-text")
    page.js("for (let game = 0; game < 60; game++) tengen.person.countGame(1, 0)")
    assert page.js("return tengen.person.strength(tengen.facts).rating") > 0
    page.click("#new")
    page.click("[name=follows]")
    assert "Your strength:" in page.text("#level-about")
    assert "-" not in page.text("#level-about")


def test_strength_rises_with_a_win(page: Page) -> None:
    page.load("h8 a1 i8 a3 j8 a5")
    page.js("Object.assign(tengen.game, { mode: 'computer', human: 'black', level: 3.4 }); tengen.render()")
    page.play("k8")
    page.wait_for_turn()
    page.play(next(point for point in ("g8", "l8") if point not in page.moves))
    page.wait(lambda: "Your strength" in page.text("#end-text"))
    start = "return import('/js/rating.js').then(({ eloAt }) => eloAt(3.4, tengen.facts))"
    assert page.js("return tengen.person.strength(tengen.facts).rating") > page.js(start)
