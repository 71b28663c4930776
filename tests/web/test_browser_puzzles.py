"""Puzzles in a real browser. `make test-browser` runs these."""

from __future__ import annotations

import pytest

pytest.importorskip("selenium")

from browser import Page

from tengen.puzzles import Puzzle, shipped

pytestmark = pytest.mark.browser


def open_puzzle(page: Page) -> Puzzle:
    """The puzzle that the page has chosen."""
    page.wait(lambda: page.js("return tengen.puzzles.state === 'open' && !!tengen.puzzles.puzzle?.name"))
    return shipped(page.js("return tengen.puzzles.set"))[page.js("return tengen.puzzles.puzzle.name")]


def solve(page: Page, puzzle: Puzzle) -> None:
    for ply in range(0, len(puzzle.line), 2):
        page.wait(lambda ply=ply: page.js("return tengen.puzzles.played.length") == ply)  # type: ignore[misc]
        page.wait(lambda: page.js("return tengen.puzzles.state") == "open")
        page.play(puzzle.line[ply])
    page.wait(lambda: page.text("#puzzle-feedback") == "Solved!")


def test_a_puzzle_is_solved_and_the_rating_follows(page: Page) -> None:
    page.show("puzzles")
    first = open_puzzle(page)
    assert len(page.all("[data-stone]")) == len(first.moves)
    assert page.text("#puzzle-text").endswith(("find the only move.", "that does not lose."))
    before = page.js("return tengen.person.record('freestyle').person")
    solve(page, first)
    after = page.js("return tengen.person.record('freestyle').person")
    assert after["rating"] > before["rating"]
    assert after["deviation"] < before["deviation"]
    assert "streak 1, best 1" in page.text("#puzzle-person")
    page.click("#puzzle-next")
    page.wait(lambda: page.js("return tengen.puzzles.puzzle.name") != first.name)
    page.reload()
    assert "streak 1" in page.text("#puzzle-person")


def show_puzzle(page: Page, puzzle: Puzzle) -> None:
    """Puts this puzzle on the board."""
    page.show("puzzles")
    open_puzzle(page)
    given = {"name": puzzle.name, "goal": puzzle.goal, "rating": puzzle.rating, "length": puzzle.length}
    game = {"size": 15, "rule": puzzle.rule, "moves": puzzle.moves}
    page.js(
        "tengen.puzzles.set = arguments[1].rule; tengen.puzzles.begin({...arguments[0], game: arguments[1]})",
        {**given, "left": 1, "total": 1},
        game,
    )


def test_the_five_of_a_solved_puzzle_is_marked_and_the_analysis_opens(page: Page) -> None:
    puzzle = next(puzzle for puzzle in shipped("freestyle").values() if puzzle.goal == "win")
    show_puzzle(page, puzzle)
    assert not page.find("#puzzle-analyse").is_enabled()
    solve(page, puzzle)
    page.wait(lambda: len(page.all("#board .winning")) >= 5)
    page.click("#puzzle-analyse")
    assert page.js("return tengen.view") == "analyse"
    assert page.moves == [*puzzle.moves, *puzzle.line]


def test_a_click_on_a_stone_is_no_attempt(page: Page) -> None:
    page.show("puzzles")
    puzzle = open_puzzle(page)
    page.play(puzzle.moves[0])
    assert page.text("#notice") == f"{puzzle.moves[0]} is taken."
    solve(page, puzzle)
    assert "streak 1" in page.text("#puzzle-person")


def test_forbidden_points_are_marked_in_puzzles(page: Page) -> None:
    black = (puzzle for puzzle in shipped("renju").values() if len(puzzle.moves) % 2 == 0)
    puzzle = next(puzzle for puzzle in black if puzzle.board().forbidden_points())
    show_puzzle(page, puzzle)
    page.wait(lambda: page.all("#board .forbidden"))
    point = page.find("#board .forbidden").get_attribute("data-point")
    page.play(str(point))
    assert page.text("#notice").startswith(f"{point} is forbidden for black")
    assert page.js("return [tengen.puzzles.played.length, tengen.puzzles.spoiled]") == [0, False]


def test_a_wrong_move_is_answered_and_counts_once(page: Page) -> None:
    page.show("puzzles")
    puzzle = open_puzzle(page)
    free = (point for point in ("a1", "a2", "b1", "o15") if point not in (*puzzle.moves, puzzle.line[0]))
    page.play(next(free))
    page.wait(lambda: page.text("#puzzle-feedback").startswith("That does not work"))
    rating = page.js("return tengen.person.record('freestyle').person.rating")
    assert rating < 1200
    page.click("#puzzle-again")
    page.click("#puzzle-hint")
    page.wait(lambda: page.all("#board .hint"))
    assert page.js("return tengen.puzzles.hinted") == puzzle.line[0]
    solve(page, puzzle)
    assert page.js("return tengen.person.record('freestyle').person.rating") == rating
    assert "streak 0" in page.text("#puzzle-person")


def test_every_rule_has_puzzles_in_both_languages(page: Page) -> None:
    page.show("puzzles")
    open_puzzle(page)
    page.click("#language")
    for rule in ("standard", "renju"):
        page.click(f'#puzzle-sets [value="{rule}"]')
        page.wait(lambda rule=rule: page.js("return tengen.puzzles.puzzle?.game.rule") == rule)  # type: ignore[misc]
        assert "轮到" in page.text("#puzzle-text")


def test_ones_own_mistakes_become_puzzles(page: Page) -> None:
    page.load("h8 a1 i8 a3 j8 a5 o1 j9 o3")  # black had an open three, and later as well
    page.js("Object.assign(tengen.game, { mode: 'computer', human: 'black' })")
    page.show("analyse")
    page.js("tengen.keepMistake(tengen.current.path()[6], {mistake: 'blunder', missed: 'vcf', forced: null})")
    page.show("puzzles")
    page.click('#puzzle-sets [value="own"]')
    page.wait(lambda: page.text("#puzzle-person") == "One position of yours to put right")
    assert len(page.all("[data-stone]")) == 6
    page.play("g8")
    page.wait(lambda: page.js("return tengen.puzzles.played.length") == 2)
    page.wait(lambda: page.js("return tengen.puzzles.state") == "open")
    page.play("k8" if "f8" in page.js("return tengen.puzzles.played") else "f8")
    page.wait(lambda: page.text("#puzzle-feedback") == "Solved!")
    page.click("#puzzle-next")
    page.wait(lambda: page.text("#puzzle-text").startswith("No mistakes yet"))
