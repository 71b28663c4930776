"""The documents: their code runs, their commands exist, their links lead somewhere."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tengen.cli import app

ROOT = Path(__file__).parent.parent
PAGES = [
    *ROOT.glob("*.md"),
    *(ROOT / "docs").glob("*.md"),
    ROOT / "cpp" / "README.md",
]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def blocks(language: str) -> list[tuple[str, str]]:
    return [
        (name_of(page), code)
        for page in PAGES
        for kind, code in BLOCK.findall(page.read_text(encoding="utf-8"))
        if kind == language
    ]


def commands() -> list[tuple[str, list[str]]]:
    """Every call of tengen in a block for the shell, without its redirections."""
    found = []
    for page, code in blocks("sh"):
        for line in code.replace("\\\n", " ").splitlines():
            words = shlex.split(line, comments=True)
            if words and words[0] == "tengen":
                end = next((i for i, word in enumerate(words) if word in ("|", ">", "&&", "&")), len(words))
                found.append((page, words[1:end]))
    return found


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize(("page", "code"), blocks("python"))
def test_python_runs(page: str, code: str, capsys: pytest.CaptureFixture[str]) -> None:
    if page.endswith("add-a-game.md"):
        pytest.skip("tests/games builds that game")
    exec(compile(code, page, "exec"), {})
    assert capsys.readouterr().out.strip(), "an example prints something"


@pytest.mark.parametrize(("page", "words"), commands(), ids=lambda value: value if isinstance(value, str) else "")
def test_commands_exist_with_their_options(page: str, words: list[str]) -> None:
    app.parse_args(words, exit_on_error=False, print_error=False)


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
