"""Both READMEs say the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tengen import Board

ROOT = Path(__file__).parent.parent


def test_both_languages_show_the_same_code() -> None:
    pattern = re.compile(r"```(?:python|sh)\n.*?```", re.DOTALL)
    blocks = [
        [re.sub(r"#.*", "", block) for block in pattern.findall((ROOT / name).read_text(encoding="utf-8"))]
        for name in ("README.md", "README.zh-CN.md")
    ]
    assert blocks[0] == blocks[1]


@pytest.mark.parametrize("name", ["README.md", "README.zh-CN.md"])
def test_the_renju_example_has_the_forbidden_point_that_it_names(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    (example,) = re.findall(r"^tengen board ([a-z0-9 ]+) --rule renju.*\b([a-o]\d+)$", text, re.MULTILINE)
    moves, point = example
    board = Board.from_moves(moves, rule="renju")
    assert [board.text(found) for found in board.forbidden_points()] == [point]
