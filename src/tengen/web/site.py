"""The web board as files alone: the same page, answered by a worker in the browser instead of a server."""

from __future__ import annotations

import shutil
from pathlib import Path

STATIC = Path(__file__).with_name("static")
WORKER = "js/engine/worker.js"
_SERVED = ("explain.html", "explain.css", "explain.js", "explain-tree.js", "api.css", "review-page.js")
"""What only a server can answer, or puts together."""


def write(folder: Path) -> None:
    """Writes the page into a folder, in place of what is there.

    Args:
        folder: Anything that serves files may serve it, at any address.
    """
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(STATIC, folder, ignore=shutil.ignore_patterns(*_SERVED))
    page = folder / "index.html"
    text = page.read_text(encoding="utf-8")
    page.write_text(text.replace("<html ", f'<html data-worker="{WORKER}" ', 1), encoding="utf-8")
