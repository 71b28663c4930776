"""For MkDocs: files outside docs/ become pages of the site, and examples in docstrings look like code."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from markdown import Extension, Markdown
from markdown.preprocessors import Preprocessor
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parent.parent.parent
#: Files of the repository by the page that each becomes.
PAGES = {
    "architecture.md": "ARCHITECTURE.md",
    "changelog.md": "CHANGELOG.md",
    "contributing.md": "CONTRIBUTING.md",
    "core.md": "cpp/README.md",
    "kubernetes.yaml": "examples/cluster/kubernetes.yaml",
    "machines.yaml": "examples/cluster/machines.yaml",
}
_LINK = re.compile(r"\]\(([^)#:\s]+\.(?:md|yaml))(#[^)]*)?\)")
#: MkDocs knows where an image is only if Markdown says so.
_IMAGE = re.compile(r'<img src="([^":]+)" alt="([^"]*)" width="(\d+)">')


class _Examples(Preprocessor):
    """Examples that begin with ">>>" are code, up to the next empty line; Markdown takes them for quotations."""

    def run(self, lines: list[str]) -> list[str]:
        inside = False
        result = []
        for line in lines:
            inside = bool(line.strip()) and (inside or line.startswith(">>> "))
            result.append(f"    {line}" if inside else line)
        return result


class _ExamplesExtension(Extension):
    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802
        md.preprocessors.register(_Examples(md), "examples", 40)


def on_config(config: Any) -> Any:
    """Adds the way to read examples."""
    config.markdown_extensions.append(_ExamplesExtension())
    return config


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

    return _IMAGE.sub(r'![\2](\1){ width="\3" }', _LINK.sub(link, markdown))
