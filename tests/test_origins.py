"""docs/origins.md is true: the files that it names are there, and its numbers of weights are those of the networks."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "docs" / "origins.md").read_text(encoding="utf-8")
#: What people read before they know this page's short names of the documents.
PAGES = sorted({*ROOT.glob("README*.md"), *ROOT.glob("docs/*.md")} - {ROOT / "docs" / "origins.md"})
FILES = sorted(set(re.findall(r"`((?:cpp|train|experiments|tests|bindings)/[\w/.]*|explain\.py)`", TEXT)))


def test_there_are_files_to_check() -> None:
    assert len(FILES) > 15


@pytest.mark.parametrize("name", FILES)
def test_files_are_there(name: str) -> None:
    assert any((folder / name).exists() for folder in (ROOT, ROOT / "src" / "tengen")), name


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_other_pages_call_the_documents_what_they_are(page: Path) -> None:
    assert re.findall(r"\bS[0-4]\b.*", page.read_text(encoding="utf-8")) == []


def test_modules_are_there() -> None:
    for name in set(re.findall(r"`tengen\.([a-z]+)[`.]", TEXT)):
        assert list((ROOT / "src" / "tengen").glob(f"{name}*")), name


@pytest.mark.parametrize("name", ["s0", "s1", "s2", "s3", "s4"])
def test_numbers_of_weights(name: str) -> None:
    pytest.importorskip("torch")
    from tengen.nets.presets import PRESETS
    from tengen.nets.residual import ResidualNet

    weights = sum(parameter.numel() for parameter in ResidualNet(PRESETS[name]).parameters())
    assert f"{weights:,} weights" in TEXT
