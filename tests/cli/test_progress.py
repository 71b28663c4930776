"""Long work tells how far it has come, also where nobody sees a bar."""

from __future__ import annotations

import itertools

import pytest

from tengen.cli import progress


@pytest.fixture
def seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a minute passes between two looks at the clock."""
    clock = itertools.count(0.0, 30.0)
    monkeypatch.setattr("tengen.cli.progress.time.monotonic", lambda: next(clock))


@pytest.mark.usefixtures("seconds")
def test_a_log_gets_a_line_a_minute(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(progress.tracked("abcdefgh", 1_008, "[letters]")) == list("abcdefgh")
    out, err = capsys.readouterr()
    assert out == ""  # there are results, which may be JSON
    assert err.splitlines() == [f"{done} of 1,008  [letters]" for done in (2, 4, 6, 8)]


def test_short_work_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    list(progress.tracked(range(1000), 1000))
    assert capsys.readouterr() == ("", "")
