"""Every experiment runs with tiny settings and writes its section, into a document of the test's own."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("matplotlib")

pytestmark = pytest.mark.filterwarnings("ignore:Cyclopts application invoked without tokens")

FOLDER = Path(__file__).parent.parent / "experiments"
SCRIPTS = sorted(path for path in FOLDER.glob("*.py") if path.name != "section.py")
WITH_PICTURE = {"cure", "generators", "planes", "selfplay"}


def run(script: Path, document: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.syspath_prepend(str(FOLDER))
    monkeypatch.setattr("sys.argv", [str(script), "--short", "--to", str(document)])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(script), run_name="__main__")
    assert ended.value.code in (0, None)
    return document.read_text(encoding="utf-8")


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_an_experiment_writes_its_section(script: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    document = tmp_path / "experiments.md"
    document.write_text("# Experiments\n\nWhat others wrote.\n", encoding="utf-8")
    text = run(script, document, monkeypatch)
    assert "What others wrote." in text
    assert f"`python experiments/{script.stem}.py --short`" in text
    tables = re.findall(r"^\|(?:---\|| --- \|)+$", text, re.MULTILINE)
    assert tables, "there is a table"
    assert "nan" not in re.findall(r"[a-z]+", text)
    assert (tmp_path / "images" / f"{script.stem}.png").exists() == (script.stem in WITH_PICTURE)


def test_without_a_document_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    documents = FOLDER.parent / "docs"
    before = {path: path.read_bytes() for path in documents.glob("*.md")}
    monkeypatch.syspath_prepend(str(FOLDER))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["hashing.py", "--short"])
    with pytest.raises(SystemExit):
        runpy.run_path(str(FOLDER / "hashing.py"), run_name="__main__")
    assert "## Incremental against full hashing" in capsys.readouterr().out
    assert {path: path.read_bytes() for path in documents.glob("*.md")} == before
    assert not list(tmp_path.iterdir())


def test_running_again_replaces_the_section(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    document = tmp_path / "experiments.md"
    run(FOLDER / "hashing.py", document, monkeypatch)
    document.write_text(document.read_text(encoding="utf-8") + "\nWritten below.\n", encoding="utf-8")
    text = run(FOLDER / "hashing.py", document, monkeypatch)
    assert text.count("## Incremental against full hashing") == 1
    assert text.rstrip().endswith("Written below.")
    assert "gave different hashes in 0 cases" in text
