"""For MkDocs: pages that live outside docs/, where people look for them in the repository, become pages of the site."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parent.parent.parent
#: Files of the repository by the page that each becomes.
PAGES = {
    "architecture.md": "ARCHITECTURE.md",
    "changelog.md": "CHANGELOG.md",
    "contributing.md": "CONTRIBUTING.md",
    "core.md": "cpp/README.md",
}
_LINK = re.compile(r"\]\(([^)#:\s]+\.md)(#[^)]*)?\)")


def on_files(files: Files, config: Any) -> Files:
    """Adds the pages."""
    for page, source in PAGES.items():
        files.append(File.generated(config, page, abs_src_path=str(ROOT / source)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Makes links between files of the repository links between pages."""
    here = posixpath.dirname(PAGES.get(page.file.src_uri, f"docs/{page.file.src_uri}"))
    pages = {source: name for name, source in PAGES.items()}

    def link(found: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(here, found[1]))
        return f"]({pages.get(target, target.removeprefix('docs/'))}{found[2] or ''})"

    return _LINK.sub(link, markdown)
