"""The network that comes with the package, for a rule and a size."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tengen.errors import ModelFileError, NoNetworkError
from tengen.nets import ModelInfo, default, save
from tengen.nets.loading import load_evaluator
from tengen.thinking import evaluators


def ship(folder: Path, name: str, rules: str, sizes: list[int], games: int = 1, architecture: str = "residual") -> Path:
    path = folder / f"{name}.safetensors"
    save(path, {}, ModelInfo(architecture, {}, rules.split(), sizes, "run", games, "MIT", "2025-01-01"))
    return path


def test_rule_and_size(tmp_path: Path) -> None:
    free = ship(tmp_path, "free", "freestyle", [9, 15])
    renju = ship(tmp_path, "renju", "renju standard", [15])
    assert default.find("freestyle", 15, tmp_path) == free
    assert default.find("freestyle", 9, tmp_path) == free
    assert default.find("standard", 15, tmp_path) == renju


def test_most_games_among_equals(tmp_path: Path) -> None:
    ship(tmp_path, "a", "freestyle", [15], games=5)
    best = ship(tmp_path, "b", "freestyle", [15], games=9)
    ship(tmp_path, "c", "freestyle", [15], games=7)
    assert default.find("freestyle", 15, tmp_path) == best


def test_line_networks_play_on_sizes_that_they_were_not_trained_on(tmp_path: Path) -> None:
    small = ship(tmp_path, "small", "freestyle", [9, 11], architecture="line")
    large = ship(tmp_path, "large", "freestyle", [15, 19], architecture="line")
    exact = ship(tmp_path, "exact", "freestyle", [13])
    assert default.find("freestyle", 13, tmp_path) == exact
    assert default.find("freestyle", 12, tmp_path) == small
    assert default.find("freestyle", 20, tmp_path) == large


def test_nothing_fits(tmp_path: Path) -> None:
    with pytest.raises(NoNetworkError, match="no network for renju on 15x15; this package comes without networks"):
        default.find("renju", 15, tmp_path)
    with pytest.raises(ModelFileError, match="comes without networks"):
        default.find("renju", 15, tmp_path / "missing")
    ship(tmp_path, "free", "freestyle", [9, 15])
    with pytest.raises(ModelFileError, match=r"there are: free\.safetensors \(freestyle on 9x9, 15x15\)"):
        default.find("renju", 15, tmp_path)
    with pytest.raises(ModelFileError, match="no network for freestyle on 11x11"):
        default.find("freestyle", 11, tmp_path)


def test_damaged_file(tmp_path: Path) -> None:
    (tmp_path / "bad.safetensors").write_bytes(b"nonsense")
    with pytest.raises(ModelFileError, match="damaged"):
        default.find("freestyle", 15, tmp_path)


def test_a_damaged_file_is_not_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The expert evaluation plays where there is no network, never in place of one."""
    (tmp_path / "bad.safetensors").write_bytes(b"nonsense")
    monkeypatch.setattr(evaluators, "network_for", lambda rule, size: default.find(rule, size, tmp_path))
    with pytest.raises(ModelFileError, match="damaged"):
        evaluators.default_evaluator("freestyle", 15)


def test_a_network_is_read_from_the_disk_once(tmp_path: Path) -> None:
    path = tmp_path / "line.safetensors"
    shutil.copy(default.find("freestyle", 15), path)
    load_evaluator(path)
    written = path.stat().st_mtime_ns
    path.write_bytes(b"damaged")
    os.utime(path, ns=(written, written))
    load_evaluator(path)
    os.utime(path, ns=(written, written + 1))
    with pytest.raises(ModelFileError):
        load_evaluator(path)
    with pytest.raises(ModelFileError, match="there is no model file"):
        load_evaluator(tmp_path / "none.safetensors")
