"""The web board as files alone: the same page, answered by the core in a worker of the browser instead of a server.

`python -m tengen.web.site FOLDER CORE` writes it, as `make site` does; CORE is the folder where emscripten has built
tengen-web. Whatever serves files may serve the folder, at any address; the page can be installed, and then needs no
network.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tengen import __version__, records, renju
from tengen.puzzles import puzzle
from tengen.puzzles.judge import DELAYS, Effort
from tengen.review import reviewer
from tengen.search import SearchParams
from tengen.thinking import levels, pool, thought
from tengen.web import equal, limits, messages

STATIC = Path(__file__).with_name("static")
WORKER = "js/engine/worker.js"
CORE_FILES = ("tengen-web.js", "tengen-web.wasm")
TREE_MEMORY = 64 << 20
"""Bytes of one tree: a browser on a phone has not many more."""
_SERVED = (
    *("explain.html", "explain.css", "explain.js", "explain-tree.js"),
    *("proof.html", "proof.css", "proof.js"),
    *("side-page.js", "api.css", "review-page.js"),
)
"""What only a server can answer, or puts together."""
_HEAD = """<link rel="manifest" href="manifest.json">
  <meta name="theme-color" content="#b5813f">
  <script>navigator.serviceWorker?.register("offline.js");</script>
"""


def write(folder: Path, core: Path | None = None) -> None:
    """Writes the page into a folder, in place of what is there.

    Args:
        folder: Where.
        core: Folder of the core that emscripten has built; without it there is nobody to answer the page.
    """
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(STATIC, folder, ignore=shutil.ignore_patterns(*_SERVED))
    page = folder / "index.html"
    text = page.read_text(encoding="utf-8").replace("<html ", f'<html data-worker="{WORKER}" ', 1)
    page.write_text(text.replace('<script type="module"', f'{_HEAD}  <script type="module"', 1), encoding="utf-8")
    if core is not None:
        for name in CORE_FILES:
            shutil.copy(core / name, (folder / WORKER).with_name(name))
    _write_json((folder / WORKER).with_name("facts.json"), facts())
    _write_json(folder / "manifest.json", _manifest())
    # Last: it has a list of all other files, by which it knows when one of them has changed.
    offline = (folder / "offline.js").read_text(encoding="utf-8")
    files = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    content = hashlib.sha256(b"".join((folder / name).read_bytes() for name in files)).hexdigest()[:16]
    offline = offline.replace('"VERSION"', json.dumps(content)).replace('["FILES"]', json.dumps(["./", *files]))
    (folder / "offline.js").write_text(offline, encoding="utf-8")


def facts() -> dict[str, Any]:
    """What the worker has to know of the numbers that Python's side of the house declares."""
    hello = messages.Hello(
        version=__version__,
        server="",
        levels=list(levels.LEVELS),
        elos=list(levels.ELOS.values()),
        requests=[],
        formats=list(records.FORMATS),
        procedures=[],
    )
    return {
        "hello": hello.model_dump(exclude={"type", "server", "requests"}),
        "search": {**asdict(SearchParams()), "memory": TREE_MEMORY},
        "hint": {"level": levels.STRONGEST.number, "seconds": limits.HINT_SECONDS},
        "slice": pool.SLICE_SECONDS,
        "update": pool.UPDATE_SECONDS,
        "equal_playouts": equal.FIRST_PLAYOUTS,
        "line": {"nodes": thought.LINE_NODES, "seconds": thought.LINE_SECONDS},
        "review": {
            "playouts": reviewer.PLAYOUTS,
            "vcf_nodes": reviewer.VCF_NODES,
            "vct_nodes": reviewer.VCT_NODES,
            "classes": reviewer.CLASSES,
        },
        "limits": {
            "analysis_seconds": limits.MAX_ANALYSIS_SECONDS,
            "priors": limits.MAX_PRIORS,
            "solve_nodes": limits.SOLVE_NODES,
            "solve_seconds": limits.SOLVE_SECONDS,
            "nodes": limits.MAX_NODES,
            "record_bytes": limits.MAX_RECORD_BYTES,
            "listed_games": limits.MAX_LISTED_GAMES,
            "min_size": limits.MIN_SIZE,
            "max_size": limits.MAX_SIZE,
        },
        "openings": _openings(),
        "puzzles": _puzzles(),
    }


def _openings() -> dict[str, Any]:
    """The openings of renju, and which of them the second and third stone make, seen from the first."""
    names = [
        {"number": opening.number, "name": opening.name, "chinese": opening.chinese}
        for opening in renju.openings.values()
    ]
    order = list(renju.openings.values())
    places = {" ".join(f"{x},{y}" for x, y in stones): order.index(found) for stones, found in renju.BY_STONES.items()}
    return {"names": names, "places": places}


def _puzzles() -> dict[str, Any]:
    """Those that ship, by rule: name, goal, rating, position, solution; and how hard the solvers look at attempts."""
    effort = Effort()
    shipped = {
        rule: [
            (entry.name, entry.goal, entry.rating, " ".join(entry.moves), " ".join(entry.line))
            for entry in puzzle.shipped(rule).values()
        ]
        for rule in puzzle.RULES
    }
    looks = {**asdict(effort), "log2_remembered": effort.log2_remembered, "delays": DELAYS}
    return {"size": puzzle.SIZE, "shipped": shipped, "effort": looks}


def _manifest() -> dict[str, Any]:
    return {
        "name": "Tengen 天元",
        "short_name": "Tengen",
        "description": "Gomoku and renju against a strong opponent, also without a network",
        "start_url": "./",
        "display": "standalone",
        "background_color": "#f6f1e8",
        "theme_color": "#b5813f",
        "icons": [{"src": "icon.svg", "sizes": "any", "type": "image/svg+xml", "purpose": "any"}],
    }


def _write_json(path: Path, content: Any) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")


def main() -> None:
    """Writes the folder and says how large it is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("core", type=Path)
    arguments = parser.parse_args()
    write(arguments.folder, arguments.core)
    size = sum(path.stat().st_size for path in arguments.folder.rglob("*") if path.is_file())
    print(f"{arguments.folder}: {size / 1e6:.2f} MB; try it with python -m http.server -d {arguments.folder}")


if __name__ == "__main__":
    main()
