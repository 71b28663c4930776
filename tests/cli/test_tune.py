"""`tengen tune` as a person calls it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tengen.arena.spsa import Range
from tengen.arena.tuning import TuningStep
from tengen.cli.tune import draw, tune
from tengen.errors import SetupError

ARGUMENTS = ("mcts:c_puct=1.4", "--param", "playouts=10:2:60", "--games", "8", "--pairs", "2", "--size", "7")


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    program = (sys.executable, "-c", "from tengen.cli import main; main()")
    return subprocess.run([*program, "tune", *arguments], capture_output=True, text=True, timeout=120)


def test_a_small_tuning_prints_a_table_and_is_kept(tmp_path: Path) -> None:
    folder = tmp_path / "tuning"
    result = run(*ARGUMENTS, "--save", str(folder))
    assert result.returncode == 0, result.stderr
    assert "8 of 8 games" in result.stdout
    assert "now test it: tengen match mcts:playouts=" in result.stdout
    assert len((folder / "steps.jsonl").read_text().splitlines()) == 2
    again = json.loads(run(*ARGUMENTS, "--save", str(folder), "--json").stdout)
    assert again["complete"] is True
    assert again["values"] == json.loads((folder / "steps.jsonl").read_text().splitlines()[-1])["values"]
    refused = run(*ARGUMENTS, "--rate", "0.1", "--save", str(folder))
    assert refused.returncode == 2
    assert "holds another tuning" in refused.stderr


@pytest.mark.parametrize(
    ("spec", "parameter", "sentence"),
    [
        ("mcts", "depth=1:0:2", 'mcts has no key "depth"'),
        ("mcts", "threats=1:0:2", "threats is no number"),
        ("mcts:c_puct=2", "c_puct=1.5:1:2", "c_puct is given twice"),
    ],
)
def test_what_cannot_be_tuned_is_said_in_a_sentence(spec: str, parameter: str, sentence: str) -> None:
    with pytest.raises(SetupError, match=sentence):
        tune(spec, param=[parameter], games=8, size=7)


def test_the_picture_has_a_panel_for_each_parameter() -> None:
    pytest.importorskip("matplotlib")
    ranges = [Range("a", 1, 0, 2), Range("b", 5, 0, 9)]
    figure = draw(ranges, [TuningStep(4, 1.0, {"a": 1.1, "b": 5.0}), TuningStep(8, -1.0, {"a": 1.0, "b": 5.2})])
    assert [axis.get_title() for axis in figure.axes] == ["a", "b"]
    assert list(figure.axes[0].lines[0].get_ydata()) == [1, 1.1, 1.0]
