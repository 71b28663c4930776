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
#: Nothing imports these but themselves and the command line.
LEAVES = {"cli", "web", "protocol", "terminal"}
#: torch belongs here and nowhere else.
TORCH_FOLDERS = {"dqn", "nets", "train"}


def python_imports(path: Path) -> set[str]:
    """The modules that a file imports, at its top or inside functions."""
    modules = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            modules |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
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


@pytest.mark.parametrize("path", PYTHON_FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_leaves_are_not_imported(path: Path) -> None:
    mine = part_of(path)
    for module in python_imports(path):
        parts = module.split(".")
        if len(parts) > 1 and parts[0] == "tengen" and parts[1] in LEAVES - {mine}:
            assert mine in LEAVES, f"{path} imports {module}"


@pytest.mark.parametrize("path", PYTHON_FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_torch_stays_in_its_rooms(path: Path) -> None:
    uses_torch = any(module.split(".")[0] == "torch" for module in python_imports(path))
    assert not uses_torch or part_of(path) in TORCH_FOLDERS
    uses_ray = any(module.split(".")[0] == "ray" for module in python_imports(path))
    assert not uses_ray or part_of(path) == "cluster"


def test_importing_and_playing_need_no_torch() -> None:
    code = "import sys, tengen, tengen.players, tengen.arena, tengen.cli; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
