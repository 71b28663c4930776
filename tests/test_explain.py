"""The search that explains itself, against the worked example of S3's chapter (figures 15.6 to 15.15)."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from typing import Any

import pytest
from rich.console import Console

from tengen.board import Board
from tengen.cli.explain import _at_the_users_pace
from tengen.errors import GameOverError, SetupError
from tengen.explain import CHAPTER_MOVES, ExplainedSearch, Step, chapter, even, rollouts


def tic_tac_toe(*moves: str) -> Board:
    return Board.from_moves(" ".join(moves), size=3, n_in_row=3)


def point(number: int) -> str:
    """A point as the chapter numbers it: 1 to 9 by rows from the top left."""
    return f"{'abc'[(number - 1) % 3]}{3 - (number - 1) // 3}"


def steps(playouts: int, evaluator: Any = chapter) -> list[Step]:
    return list(ExplainedSearch(tic_tac_toe(*CHAPTER_MOVES), evaluator).steps(playouts))


def numbers(step: Step) -> dict[tuple[str, ...], Any]:
    """N, W and Q by path after backing up."""
    return {
        update.path: (update.visits, pytest.approx(update.total), pytest.approx(update.mean)) for update in step.updates
    }


def test_the_position_is_that_of_figures_15_1_and_15_6() -> None:
    assert (point(5), point(4), point(1)) == CHAPTER_MOVES
    whole = tic_tac_toe(*(point(number) for number in (5, 4, 1, 7, 9)))
    assert str(whole.outcome()) == "black wins by three in a row"


def test_the_three_playouts_of_the_chapter() -> None:
    found = steps(3)
    kinds = [(step.playout, step.kind) for step in found]
    assert kinds == [
        (1, "select"),
        (1, "expand"),
        (1, "evaluate"),
        (1, "back up"),
        (2, "select"),
        (2, "expand"),
        (2, "evaluate"),
        (2, "back up"),
        (3, "select"),
        (3, "select"),
        (3, "evaluate"),  # the end of a game: nothing joins the tree
        (3, "back up"),
        (3, "play"),
    ]
    # Figure 15.7: the root's six moves join the tree; then the root has one visit and neither W nor Q.
    assert {child.move for child in found[1].children} == {point(number) for number in (2, 3, 6, 7, 8, 9)}
    assert all(child.visits == child.total == child.mean == 0 for child in found[1].children)
    assert numbers(found[3]) == {(): (1, 0, 0)}
    # Figures 15.8 to 15.11: white goes to 2; black is to move and the value is -0.1 for it, so 0.1 for white's node.
    assert (found[4].chosen, found[4].to_move) == (point(2), "white")
    assert (found[6].value, found[6].to_move) == (-0.1, "black")
    assert numbers(found[7]) == {(point(2),): (1, 0.1, 0.1), (): (2, 0, 0)}
    # Figures 15.12 and 15.13: white 2, black 9, black has won: -1 for white, whose turn it would be.
    assert [step.chosen for step in found[8:10]] == [point(2), point(9)]
    assert (found[10].value, found[10].to_move) == (-1, "white")
    assert numbers(found[11]) == {
        (point(2), point(9)): (1, 1, 1),
        (point(2),): (2, 0.1 - 1, (0.1 - 1) / 2),
        (): (3, 0, 0),
    }


@pytest.mark.parametrize("evaluator", [chapter, even, rollouts(1)])
def test_after_400_more_white_stops_the_row(evaluator: Any) -> None:
    last = steps(401, evaluator)[-1]
    assert sum(child.visits for child in last.children) == 400  # figure 15.14: the root's 401 less the first
    assert last.chosen == point(9)  # figure 15.15


def test_selection_is_the_formula() -> None:
    for step in steps(60, rollouts(3)):
        if step.kind != "select" or not step.children:
            continue
        parent = 1 + sum(child.visits for child in step.children)
        scores = {}
        for child in step.children:
            assert child.mean == (child.total / child.visits if child.visits else 0)
            assert child.bonus == pytest.approx(5 * child.prior * parent**0.5 / (1 + child.visits))
            scores[child.move] = child.mean + child.bonus
        assert scores[step.chosen or ""] == max(scores.values())


def test_the_search_changes_nothing_and_can_go_on() -> None:
    board = tic_tac_toe(*CHAPTER_MOVES)
    search = ExplainedSearch(board, even)
    first = list(search.steps(10))
    second = list(search.steps(10))
    assert board.ply == 3
    assert second[0].playout == 11
    assert sum(child.visits for child in second[-1].children) == 19
    assert first + second[:-1] != second


def test_an_unvisited_root_still_has_a_move() -> None:
    assert steps(1)[-1].chosen == point(2)


def test_wrong_calls_are_refused() -> None:
    with pytest.raises(GameOverError, match="the game is over"):
        ExplainedSearch(tic_tac_toe(*(point(number) for number in (5, 4, 1, 7, 9))), even)
    with pytest.raises(SetupError, match="at least 1 playout"):
        next(ExplainedSearch(tic_tac_toe(), even).steps(0))
    with pytest.raises(SetupError, match="c_puct"):
        ExplainedSearch(tic_tac_toe(), even, c_puct=float("nan"))


# -- the command


@pytest.mark.parametrize(("keys", "shown"), [("\n\nq\n", 3), ("p\nq\n", 5), ("e\n", 13), ("\np\np\ne\n", 13)])
def test_keys_lead_through_the_steps(keys: str, shown: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(keys))
    console = Console(file=io.StringIO())
    assert len(list(_at_the_users_pace(console, steps(3)))) == shown


def command(*arguments: str, keys: str | None = None) -> subprocess.CompletedProcess[str]:
    code = "from tengen.cli import main; main()"
    return subprocess.run(
        [sys.executable, "-c", code, "explain", *arguments], input=keys, capture_output=True, text=True, timeout=60
    )


def test_plain_steps_for_a_pipe() -> None:
    result = command("--evaluator", "chapter", "--playouts", "3")
    assert result.returncode == 0, result.stderr
    lines = [line.split()[2] for line in result.stdout.splitlines() if line.startswith("playout")]
    assert lines == [step.kind.split()[0] for step in steps(3)]
    assert "b3 c1" in result.stdout
    assert "\x1b" not in result.stdout


def test_steps_as_json() -> None:
    found = json.loads(command("--empty", "--json", "--playouts", "2", "--evaluator", "even").stdout)
    assert [step["kind"] for step in found][-1] == "play"
    assert len(found[1]["children"]) == 9
    assert found[3]["updates"][0] == {"path": [], "added": 0.0, "visits": 1, "total": 0.0, "mean": 0.0}


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--size", "9"), "at most 6x6"),
        (("--evaluator", "none"), "evaluator must be one of"),
        (("b2", "b2"), "b2 is occupied"),
        (("b2", "--empty"), "not both"),
    ],
)
def test_mistakes_are_a_sentence(arguments: tuple[str, ...], complaint: str) -> None:
    result = command(*arguments)
    assert result.returncode == 2
    assert complaint in result.stderr
    assert "Traceback" not in result.stderr
