"""The scripts in examples/ run as they stand."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from tengen import records

EXAMPLES = sorted((Path(__file__).parent.parent / "examples").glob("*.py"))
#: Arguments that make a script short, and what it says then.
ARGUMENTS = {"learn_tictactoe": ["0.02"]}
SAYS = {
    "analyse_a_position": "white to move, win rate",
    "learn_tictactoe": "against random moves",
    "play_a_game": "five in a row",
    "review_a_game": "blunder: loses",
    "solve_a_problem": "win by vcf",
    "write_a_player": "hugger:distance=2 scores",
}


def run(path: Path, *arguments: str) -> str:
    done = subprocess.run([sys.executable, path, *arguments], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_example_is_expected_to_say_something() -> None:
    assert [path.stem for path in EXAMPLES] == sorted(SAYS)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_run(path: Path) -> None:
    if path.stem.startswith("learn") and importlib.util.find_spec("torch") is None:
        pytest.skip("learning needs torch")
    assert SAYS[path.stem] in run(path, *ARGUMENTS.get(path.stem, []))


def test_a_game_that_an_example_keeps_can_be_reviewed_by_another(tmp_path: Path) -> None:
    scripts = {path.stem: path for path in EXAMPLES}
    kept = tmp_path / "game.sgf"
    run(scripts["play_a_game"], str(kept))
    assert records.load(kept).rule == "renju"
    run(scripts["review_a_game"], str(kept))
