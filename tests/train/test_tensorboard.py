"""The log for TensorBoard."""

from __future__ import annotations

from pathlib import Path

import pytest

from tengen.train.tensorboard import EventFiles

ENTRY = {"minutes": 1.5, "games": 12, "policy_loss": 3.5, "evaluation": {"elo": 7}, "elo": 100.0}


def test_numbers_are_written_over_seconds(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    events = EventFiles(tmp_path)
    events.write(ENTRY)
    events.write({**ENTRY, "minutes": 3.0, "policy_loss": 3.0})
    events.close()
    read = accumulator.EventAccumulator(str(tmp_path))
    read.Reload()
    assert set(read.Tags()["scalars"]) == {"other/games", "loss/policy_loss", "strength/elo"}
    assert [(event.step, event.value) for event in read.Scalars("loss/policy_loss")] == [(90, 3.5), (180, 3.0)]


def test_without_the_package_nothing_happens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    events = EventFiles(tmp_path)
    events.write(ENTRY)
    events.close()
    assert list(tmp_path.iterdir()) == []
