"""docs/origins.md is true: the files that it names are there, and its numbers of weights are those of the networks."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tengen.cli import app

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


COMMANDS = sorted(
    set(re.findall(r"^\| S[0-4][^|]*\|[^|]*\| `([^`]*)` \|", TEXT.partition("## The claims")[2], re.MULTILINE))
)


@pytest.mark.parametrize("command", COMMANDS)
def test_the_commands_behind_the_claims_are_there(command: str) -> None:
    program, *words = command.split()
    if program == "tengen":
        app.parse_args(words, exit_on_error=False, print_error=False)
    else:
        assert (ROOT / words[0]).exists()


def test_every_claim_has_a_figure() -> None:
    rows = [line for line in TEXT.partition("## The claims")[2].splitlines() if re.match(r"\| S[0-4]", line)]
    assert len(rows) > 20
    assert {row.count("|") for row in rows} == {5}
    assert all(cell.strip() for row in rows for cell in row.strip("|").split("|"))
