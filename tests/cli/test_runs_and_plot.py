"""`tengen runs` and `tengen plot` on runs that are only files."""

from __future__ import annotations

from pathlib import Path

import pytest

from tengen import InputError, SetupError
from tengen.cli.plot import plot
from tengen.cli.runs import runs
from tengen.train.journal import Journal, JudgedNetwork
from tengen.train.json_lines import append_line


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, loss in (("one", 3.25), ("two", 2.5)):
        run = tmp_path / name
        run.mkdir()
        (run / "params.json").write_text('{"preset": "hour", "minutes": 60}')
        for minute in range(1, 6):
            append_line(
                run / "log.jsonl",
                {"minutes": minute, "games": 1000 * minute, "positions": 8000, "policy_loss": loss, "black_wins": 0.5},
            )
        append_line(run / "log.jsonl", {"message": "nothing to count"})
    journal = Journal(tmp_path / "one")
    journal.set_known({"random": 0.0})
    journal.add_network(JudgedNetwork("000", 0.0, 0, None, None, True))
    journal.add_network(JudgedNetwork("001", 3.0, 900, "000", 1.0, True))
    for _ in range(4):
        journal.add_game("001", "random", 1.0)
    return tmp_path


def test_runs_are_listed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runs(runs=folder)
    text = capsys.readouterr().out
    one = next(line for line in text.splitlines() if line.startswith("one"))
    for part in ("hour", "5.0/60", "5.0k", "8.0k", "3.250", "±", " s ago"):
        assert part in one
    assert "2.500" in text
    runs("two", runs=folder)
    assert "one" not in capsys.readouterr().out


def test_no_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runs(runs=tmp_path)
    assert "no run" in capsys.readouterr().out
    with pytest.raises(InputError, match='no run "three"'):
        runs("three", runs=tmp_path)


def test_curves_are_drawn(folder: Path) -> None:
    pytest.importorskip("matplotlib")
    out = folder / "curves.png"
    plot("one", "two", to=out, runs=folder)
    assert out.read_bytes()[:4] == b"\x89PNG"


def test_mistakes_are_one_sentence(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SetupError, match="name a run"):
        plot(runs=folder)
    with pytest.raises(SetupError, match=r"\.png"):
        plot("one", to=Path("curves.txt"), runs=folder)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(SetupError, match=r"tengen\[plot\]"):
        plot("one", to=folder / "c.png", runs=folder)
