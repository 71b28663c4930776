"""The soak: it finds what is wrong, a part that dies is a failure, and the page adds up what was found."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "benchmarks"))

from soak import __main__ as soak  # noqa: E402
from soak import report  # noqa: E402
from soak.mutation import mutate  # noqa: E402
from soak.part import Limit, Outcome, Part  # noqa: E402


def part(name: str = "sgf") -> Part:
    return soak.PARTS[name]


@pytest.fixture(autouse=True)
def path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "benchmarks") + os.pathsep + os.environ.get("PYTHONPATH", ""))


def test_odd_inputs_are_many_and_come_again_with_the_seed() -> None:
    sound = [b"(;GM[4]SZ[15];B[hh])", b"level:5"]
    odd = [mutate(random.Random(seed), sound[0], sound) for seed in range(200)]
    assert len(set(odd)) > 150
    assert odd == [mutate(random.Random(seed), sound[0], sound) for seed in range(200)]


def written(tmp_path: Path, *parts: Part) -> str:
    page = tmp_path / "page.md"
    page.write_text(f"by hand\n\n{report.BEGIN}\nold\n\n{report.END}\nby hand, too\n")
    report.write(page, parts, tmp_path)
    report.write(page, parts, tmp_path)
    text = page.read_text()
    assert text.startswith("by hand\n")
    assert text.endswith("\nby hand, too\n")
    assert "old" not in text
    return text


def test_runs_add_up_on_the_page(tmp_path: Path) -> None:
    for _ in range(2):
        assert soak.run_part(part(), 60, 30, tmp_path)
    entries = report.read(tmp_path / "sgf.jsonl")
    assert [(entry["seed"], entry["tried"], entry["failed"]) for entry in entries] == [(1, 30, 0), (2, 30, 0)]
    assert "| 60 of 1,000,000 files | 0 |" in written(tmp_path, part())
    assert "| no files yet | |" in written(tmp_path, part("psq"))


def test_the_page_keeps_what_the_folder_does_not_know(tmp_path: Path) -> None:
    assert soak.run_part(part(), 60, 30, tmp_path)
    page = tmp_path / "page.md"
    page.write_text(report.BEGIN + report.END)
    report.write(page, [part()], tmp_path)
    text = page.read_text()
    report.write(page, [part(), part("psq")], tmp_path / "another folder")
    assert page.read_text() == text.replace("| 0 |\n", f"| 0 |\n| `psq` | {part('psq').promise} | no files yet | |\n")


def test_a_part_that_dies_is_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    killed = subprocess.CompletedProcess[str]([], -11, stdout="")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: killed)
    monkeypatch.setattr(soak, "_commit", lambda: "")
    assert not soak.run_part(part(), 1, 1, tmp_path)
    page = written(tmp_path, part())
    assert "| 0 of 1,000,000 files | 1 |" in page
    assert "exit code -11" in page


def test_every_fault_that_was_mended_has_its_test() -> None:
    page = (ROOT / "docs" / "reliability.md").read_text()
    tests = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", page)
    assert len(tests) > 20
    for file, name in tests:
        assert f"def {name}(" in (ROOT / file).read_text(), f"{file} has no {name}"


def test_every_part_has_a_promise_and_a_name_of_its_own() -> None:
    assert {"protocol", "crowd", "kill-training", "lateness"} <= set(soak.PARTS)
    assert len({part.promise for part in soak.PARTS.values()}) == len(soak.PARTS)


def test_a_limit_ends_with_the_count_or_the_time() -> None:
    assert not Limit(60, 5).allows(Outcome(tried=5))
    assert Limit(60, 5).allows(Outcome(tried=4))
    assert not Limit(0, 5).allows(Outcome())
