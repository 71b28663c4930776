"""Every block of code in the documents is run, with less work than it asks for; what cannot be run here is checked."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from test_docs import PAGES, ROOT, blocks, fences, name_of

from tengen import Board, records
from tengen.cli import app
from tengen.nets import default

PROGRAM = (sys.executable, "-c", "from tengen.cli import main; main()")
#: What takes its time in a player's spec, and what is enough here.
SHORTER_SPECS = {"playouts": "8", "depth": "1", "vct": "2", "time": "0.01"}
#: Options in the place of those that a document gives.
SHORTER_OPTIONS = {
    "match": "--games 2 --move-limit 12",
    "tune": "--games 2 --pairs 1",
    "train": "--minutes 0.02",
    "dqn train": "--minutes 0.02",
    "review": "--playouts 8",
    "explain": "--playouts 2",
    "prove": "--seconds 5",
    "prove each": "--seconds 0.01 --rounds 1",
    **dict.fromkeys(("prove status", "prove certificate", "prove check", "prove measure"), ""),
    "openings make": "--count 1 --playouts 8 --tolerance 1",
    "openings book": "--games 1",
    "puzzles make": "--count 1",
    "puzzles check": "--count 1",
    "bench rules": "--positions 2",
    "bench threats": "--positions 2",
    "bench alphabeta": "--positions 1",
    "bench net": "--positions 2 --rounds 1 --no-training",
    "bench search": "--playouts 50 --rounds 1",
    "bench resnet": "--seconds 0.1",
    "bench selfplay": "--seconds 0.2",
    "bench blindspots": "--positions 1",
    "bench mine-blindspots": "--games 1",
}
#: What people would type.
INPUT = {"play terminal": "quit\n", "engine": "ABOUT\nEND\n"}
#: A position that is proven in a second, for one that takes minutes.
QUICK_PROOF = ("h8 i9 i7 g7", "h8 i9 i7 j5"), "h8 a1 i8 e1 j9 a5"


def without_comment(line: str) -> list[str]:
    return shlex.split(line, comments=True)


def commands(code: str) -> Iterator[list[str]]:
    """The commands of a block one by one, without what is done with their output."""
    for line in code.replace("\\\n", " ").splitlines():
        words = without_comment(line)
        while words:
            end = next((i for i, word in enumerate(words) if word in ("&&", "|", ">")), len(words))
            if words[:end]:
                yield words[:end]
            words = words[end + 1 :] if words[end : end + 1] == ["&&"] else []


def shorter(words: list[str]) -> list[str]:
    """The same command with less to do."""
    text = shlex.join(words)
    for long in QUICK_PROOF[0]:
        text = text.replace(long, QUICK_PROOF[1])
    for name, value in SHORTER_SPECS.items():
        text = re.sub(rf"\b{name}=[\d.]+", f"{name}={value}", text)
    text = re.sub(r"build:path=[^,]+", f"build:path={sys.executable}", text)
    words = shlex.split(text)
    for command in (" ".join(words[:2]), words[0]):
        if command in SHORTER_OPTIONS:
            options = SHORTER_OPTIONS[command].split()
            return [*without(words, {word for word in options if word.startswith("--")}), *options]
    return words


def without(words: list[str], options: set[str]) -> list[str]:
    """The words without some options and their values."""
    return [word for i, word in enumerate(words) if word not in options and (i == 0 or words[i - 1] not in options)]


def run_tengen(words: list[str], folder: Path) -> None:
    if "--cluster" in words or words[0] == "plot":  # tests/cluster has a cluster, tests/cli runs that are long enough
        app.parse_args(words, exit_on_error=False, print_error=False)
        return
    said = INPUT.get(" ".join(words[:2]), INPUT.get(words[0], ""))
    if words[0] == "analysis-engine":
        said = "".join(code for _, code in blocks("json"))
    environment = {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}
    command = [*PROGRAM, *shorter(words)]
    done = subprocess.run(command, cwd=folder, env=environment, input=said, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, f"tengen {shlex.join(shorter(words))}: {done.stderr}"
    assert done.stdout.strip()


def check_make(words: list[str], folder: Path) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8").replace("$(VENV)", ".venv")
    for target in without([word for word in words if "=" not in word], {"-C"}):
        assert re.search(rf"^{re.escape(target)}:", makefile, re.MULTILINE), f"there is no target {target}"


def check_pip(words: list[str], folder: Path) -> None:
    lists = re.findall(r"^(\w+) = \[", (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    asked = re.findall(r"(?:tengen|\.)\[(.*?)\]", " ".join(words))
    assert set(",".join(asked).split(",")) <= {*lists, ""}


def check_cmake(words: list[str], folder: Path) -> None:
    presets = json.loads((ROOT / "CMakePresets.json").read_text(encoding="utf-8"))
    known = {preset["name"] for preset in presets["configurePresets"]}
    if "--preset" in words:
        assert words[words.index("--preset") + 1] in known
    else:
        assert words[0] == "--install"
        assert words[1].removeprefix("build/") in known


def check_paths(words: list[str], folder: Path) -> None:
    for word in words:
        if "/" in word and not word.startswith(("../", ".venv/", "pod")):
            assert (ROOT / word).exists(), f"there is no {word}"


#: How each program is run or, where it needs more than this machine, what is checked of its words.
PROGRAMS: dict[str, Callable[[list[str], Path], None]] = {
    "tengen": run_tengen,
    "make": check_make,  # the targets are what continuous integration runs
    "pip": check_pip,
    "cmake": check_cmake,  # so is the preset native; others need compilers for other machines
    "ctest": check_cmake,
    "pytest": check_paths,
    ".": check_paths,
    "cd": check_paths,
    "git": lambda words, folder: None,  # another checkout of the code
    "ray": lambda words, folder: check_paths([word for word in words if word.endswith(".yaml")], folder),
    "kubectl": lambda words, folder: check_paths([word for word in words if word.endswith(".yaml")], folder),
}
#: What is in the documents, and who runs it: a test here, or for a reason none.
LANGUAGES = {
    "python": "test_docs.py",
    "sh": "test_commands_run",
    "cpp": "test_cpp_is_part_of_the_core",
    "json": "test_commands_run gives it to the analysis engine",
    "dockerfile": "nobody: there is no registry of images here",
    "text": "nobody: these are drawings",
}


@pytest.fixture(scope="module")
def things(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the documents take for granted: games, networks, another engine."""
    pytest.importorskip("torch")
    from tengen.nets import residual
    from tengen.nets.presets import preset

    folder = tmp_path_factory.mktemp("things")
    shutil.copy(default.find("freestyle", 15), folder / "network.safetensors")
    moves = Board.from_moves("h8 i9 h10 h9 g9 i11 i8 j8 f10").moves
    game = records.Game.of_moves(moves, rule="freestyle", result="black")
    records.save(game, folder / "game.sgf")
    for name in ("my-games", "FOLDER", "games"):
        (folder / name).mkdir()
        records.save(game, folder / name / "game.sgf")
    large = folder / "runs" / "s1" / "networks"
    large.mkdir(parents=True)
    residual.save(large / "newest.safetensors", residual.ResidualNet(preset("tiny")), rules=["freestyle"])
    engine = folder / "pbrain-other"
    engine.write_text(f"#!/bin/sh\nexec {sys.executable} -c 'from tengen.protocol.host import run; run()'\n")
    engine.chmod(0o755)
    return folder


@pytest.mark.parametrize("page", [page for page in PAGES if page.name != "README.zh-CN.md"], ids=name_of)
def test_commands_run(page: Path, things: Path, tmp_path: Path) -> None:
    """In their order, in one folder: later ones use what earlier ones have made. The Chinese README has the same."""
    folder = tmp_path / "here"
    shutil.copytree(things, folder)
    done = set()
    for name, code in blocks("sh"):
        if name != name_of(page):
            continue
        for program, *words in commands(code):
            shape = (program, *(shorter(words) if program == "tengen" else words))
            if shape not in done:
                PROGRAMS[program](words, folder)
            done.add(shape)


def test_cpp_is_part_of_the_core() -> None:
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "cpp").rglob("*.[ch]*")]
    for page, code in blocks("cpp"):
        assert any(code in source for source in sources), f"{page}: {code}"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_block_says_what_it_is(page: Path) -> None:
    assert {language for language, _ in fences(page)} <= set(LANGUAGES)
