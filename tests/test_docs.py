"""The documents: their Python runs, their links lead somewhere. Other code: test_documented_code.py."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [
    *ROOT.glob("*.md"),
    *(ROOT / "docs").glob("*.md"),
    ROOT / "cpp" / "README.md",
]
BLOCK = re.compile(r"^( *)```(.*?)\n(.*?)^\1```$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def fences(page: Path) -> list[tuple[str, str]]:
    """The blocks of code of a page: language and code."""
    return [(language, code) for _, language, code in BLOCK.findall(page.read_text(encoding="utf-8"))]


def blocks(language: str) -> list[tuple[str, str]]:
    return [(name_of(page), code) for page in PAGES for kind, code in fences(page) if kind == language]


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize(("page", "code"), blocks("python"))
def test_python_runs(page: str, code: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(code, page, "exec"), {})
    assert capsys.readouterr().out.strip(), "an example prints something"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        if re.match(r"https?:|mailto:", target):
            continue
        path, _, anchor = target.partition("#")
        place = (page.parent / path).resolve() if path else page
        assert place.exists(), f"{target} leads nowhere"
        if anchor and place.suffix == ".md":
            assert anchor in anchors(place), f"{target}: there is no such heading"


def test_every_page_is_on_the_site() -> None:
    listed = set(re.findall(r": ([\w-]+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE))
    assert {page.name for page in (ROOT / "docs").glob("*.md")} <= listed
