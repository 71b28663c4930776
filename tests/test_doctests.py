"""The examples in the docstrings of the package show what really happens."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src"
MODULES = sorted(
    ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")
    for path in SOURCE.rglob("*.py")
    if ">>> " in path.read_text(encoding="utf-8")
)


def test_there_are_examples() -> None:
    assert "tengen.board" in MODULES


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_a_module(name: str) -> None:
    module = pytest.importorskip(name, exc_type=ImportError)  # torch or PettingZoo may not be there
    found = doctest.testmod(module)
    assert found.attempted > 0
    assert found.failed == 0
