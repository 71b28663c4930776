"""The directions of ARCHITECTURE.md: which folder may know which."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "tengen"

#: Which folders of the core each of them may include, as cpp/README.md tells people.
CORE_ROWS = re.findall(r"^\| `(\w+)/` \|[^|]*\|([^|]*)\|", (ROOT / "cpp" / "README.md").read_text(), re.MULTILINE)
CORE_INCLUDES = {
    folder: {folder} | ({name for name, _ in CORE_ROWS} if "all" in allowed else set(re.findall(r"`(\w+)`", allowed)))
    for folder, allowed in CORE_ROWS
}
#: The rows of ARCHITECTURE.md's table: the modules of each, and what they may import.
PACKAGE_ROWS = [
    (re.findall(r"`(\w+)`", modules), set(re.findall(r"`(\w+)`", allowed)), "everything" in allowed)
    for modules, allowed in re.findall(
        r"^\| ((?:`\w+`(?:, )?)+) \|[^|]*\|([^|]*)\|", (ROOT / "ARCHITECTURE.md").read_text(), re.MULTILINE
    )
]
#: Rows that are there for everybody.
BASE_ROWS = 3
#: Packages that only some folders may know.
GUESTS = {"torch": {"bench", "dqn", "nets", "train"}, "ray": {"cluster"}}


def package_imports() -> dict[str, set[str]]:
    """What each module of the package may import, as ARCHITECTURE.md tells people."""
    result: dict[str, set[str]] = {}
    above: set[str] = set()
    base = {module for modules, _, _ in PACKAGE_ROWS[:BASE_ROWS] for module in modules}
    for modules, allowed, everything in PACKAGE_ROWS:
        assert allowed <= above, f"{modules} may import rows above alone, not {allowed - above}"
        for module in modules:
            result[module] = set(modules) | base | (above if everything else allowed)
        above |= set(modules)
    return result


def python_imports(path: Path) -> set[str]:
    """The modules that a file imports, at its top or inside functions."""
    modules = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            inside = {f"{node.module}.{alias.name}" for alias in node.names}
            modules |= inside if node.module == "tengen" else {node.module}
    return modules


def part_of(path: Path) -> str:
    """The top-level module or package under tengen that a file belongs to."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


PYTHON_FILES = sorted(PACKAGE.rglob("*.py"))
CORE_FILES = sorted((ROOT / "cpp").glob("*/*.[ch]*"))


def test_there_is_something_to_check() -> None:
    assert set(CORE_INCLUDES) == {path.parent.name for path in CORE_FILES}
    assert len(PYTHON_FILES) > 20
    assert len(CORE_FILES) > 20


@pytest.mark.parametrize("path", CORE_FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_the_core_includes_what_its_table_allows(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    folders = re.findall(r'#include "(\w+)/', text)
    assert set(folders) <= CORE_INCLUDES[path.parent.name], f"{path} includes what cpp/README.md does not allow"
    assert "Python.h" not in text
    assert "nanobind" not in text


def test_the_table_names_every_module() -> None:
    assert set(package_imports()) == {part_of(path) for path in PYTHON_FILES} - {"__init__"}


@pytest.mark.parametrize("path", PYTHON_FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_modules_import_what_their_table_allows(path: Path) -> None:
    known = package_imports()
    imported = {module.split(".")[1] for module in python_imports(path) if module.startswith("tengen.")} & set(known)
    # What `import tengen` gives is no row; tests/test_package.py sees to it that the rest of it is imported later.
    allowed = known.get(part_of(path), {"board", "errors", "players", "records", "threats", "thinking"})
    assert imported <= allowed, f"{path} imports what ARCHITECTURE.md does not allow"


@pytest.mark.parametrize("path", PYTHON_FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_heavy_packages_stay_in_their_rooms(path: Path) -> None:
    imported = {module.split(".")[0] for module in python_imports(path)}
    for guest, rooms in GUESTS.items():
        assert guest not in imported or part_of(path) in rooms


def test_importing_and_playing_need_no_torch() -> None:
    code = "import sys, tengen, tengen.players, tengen.arena, tengen.cli; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


WALKS = re.findall(r"^\| (an? [\w ]+) \| ((?:`\w+` ?)+)\|", (ROOT / "ARCHITECTURE.md").read_text(), re.MULTILINE)


@pytest.mark.parametrize(("name", "rooms"), WALKS)
def test_walks_go_from_room_to_room_and_never_back(name: str, rooms: str) -> None:
    walk = re.findall(r"`(\w+)`", rooms)
    assert len(set(walk)) == len(walk), f"{name} enters a room twice"
    python = package_imports()
    core = set(CORE_INCLUDES)

    def knows(one: str, other: str) -> bool:
        if one in core:
            return other in CORE_INCLUDES[one]
        return other in core or other in python[one]

    for index, room in enumerate(walk[1:], 1):
        assert any(knows(room, before) or knows(before, room) for before in walk[:index]), f"{name}: no way to {room}"


def test_there_are_walks() -> None:
    assert len(WALKS) == 3
