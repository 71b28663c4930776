"""What `import tengen` gives."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import tengen
from tengen import Board, GameOverError, SetupError


def test_all_public_names_are_there() -> None:
    assert set(tengen.__all__) <= set(dir(tengen))
    for name in tengen.__all__:
        assert getattr(tengen, name) is not None


def test_names_that_take_long_to_import_wait_until_they_are_used() -> None:
    code = (
        "import sys, tengen; assert 'tengen.players' not in sys.modules, 'too early'; "
        "assert tengen.players.KINDS; assert tengen.records.load; assert tengen.threats.solve; print('later')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "later\n", done.stderr


def test_the_version_and_its_date_are_the_same_everywhere() -> None:
    root = Path(__file__).parent.parent
    newest = re.search(r"^## (\S+) \((\S+)\)$", (root / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert newest is not None
    version, date = newest.groups()
    assert version == tengen.__version__
    cited = (root / "CITATION.cff").read_text(encoding="utf-8").splitlines()
    assert f"version: {version}" in cited
    assert f"date-released: {date}" in cited


def test_a_name_that_does_not_exist() -> None:
    with pytest.raises(AttributeError, match="module 'tengen' has no attribute 'nothing'"):
        tengen.nothing  # noqa: B018


def test_analyse() -> None:
    board = Board.from_moves("h8 i9 h9")
    analysis = tengen.analyse(board, playouts=200, best=3)
    assert analysis.playouts == 200
    assert len(analysis.candidates) == 3
    assert board.is_legal(analysis.candidates[0].move)
    assert len(board.moves) == 3


def test_analyse_of_nothing() -> None:
    with pytest.raises(GameOverError):
        tengen.analyse(Board.from_moves("a1 a2 b1 b2 c1 c2 d1 d2 e1"))
    with pytest.raises(SetupError):
        tengen.analyse(Board(), playouts=0)
