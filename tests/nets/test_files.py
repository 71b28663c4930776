"""Model files: what is saved is what is loaded, and anything else is one clear error."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import safetensors.numpy
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tengen.errors import ModelFileError, TengenError
from tengen.nets import ModelInfo, files, load, read_info, save

INFO = ModelInfo(
    architecture="residual",
    config={"blocks": 2, "filters": 8, "planes": "s0", "nested": {"list": [1, 2.5, None]}},
    rules=["freestyle", "renju"],
    sizes=[9, 15],
    run="运行 1",
    games=1234,
    license="MIT",
    created="2025-01-01T00:00:00+00:00",
    notes='quotes " and\nlines',
)
TENSORS: dict[str, npt.NDArray[Any]] = {
    "weights": np.arange(24, dtype=np.float32).reshape(2, 3, 4),
    "scale": np.array(0.5, dtype=np.float32),
    "table": np.array([-3, 7], dtype=np.int16),
    "empty": np.zeros((0, 4), dtype=np.float64),
}
FUZZ = settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "net.safetensors"
    save(path, TENSORS, INFO)
    return path


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("files") / "net.safetensors"
    save(path, TENSORS, INFO)
    return path.read_bytes()


def assert_same(path: Path) -> None:
    tensors, info = load(path)
    assert info == INFO
    assert tensors.keys() == TENSORS.keys()
    for name, tensor in TENSORS.items():
        assert tensors[name].dtype == tensor.dtype
        assert tensors[name].shape == tensor.shape
        np.testing.assert_array_equal(tensors[name], tensor)


def test_round_trip(path: Path) -> None:
    assert_same(path)
    assert read_info(path) == INFO


def test_the_same_model_gives_the_same_bytes(path: Path) -> None:
    data = path.read_bytes()
    for _ in range(5):
        save(path, dict(reversed(TENSORS.items())), INFO)
        assert path.read_bytes() == data


def test_any_layout_of_memory_is_saved_right(path: Path) -> None:
    matrix = np.arange(12, dtype=np.float32).reshape(3, 4)
    save(path, {"turned": matrix.T, "strided": matrix[:, ::2], "big": matrix.astype(">f4")}, INFO)
    tensors, _ = load(path)
    np.testing.assert_array_equal(tensors["turned"], matrix.T)
    np.testing.assert_array_equal(tensors["strided"], matrix[:, ::2])
    np.testing.assert_array_equal(tensors["big"], matrix)


def test_saving_replaces_the_file_and_leaves_nothing_behind(path: Path) -> None:
    save(path, {"other": np.ones(3)}, INFO)
    assert list(load(path)[0]) == ["other"]
    assert os.listdir(path.parent) == [path.name]


def test_a_failed_save_keeps_the_old_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(ModelFileError, match=r"cannot write .*: No space left on device"):
        save(path, {"other": np.ones(3)}, INFO)
    monkeypatch.undo()
    assert_same(path)
    assert os.listdir(path.parent) == [path.name]


def test_save_into_a_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match=r"cannot write .*: No such file or directory"):
        save(tmp_path / "missing" / "net.safetensors", TENSORS, INFO)


@pytest.mark.parametrize("read", [load, read_info])
class TestErrors:
    def test_missing(self, read: object, tmp_path: Path) -> None:
        self.check(read, tmp_path / "none.safetensors", "there is no model file")

    def test_folder(self, read: object, tmp_path: Path) -> None:
        self.check(read, tmp_path, "is a folder, not a model file")

    def test_empty(self, read: object, path: Path) -> None:
        path.write_bytes(b"")
        self.check(read, path, "damaged or incomplete")

    def test_text(self, read: object, path: Path) -> None:
        path.write_text("this is not a network\n" * 20)
        self.check(read, path, "is not a model file")

    def test_truncated(self, read: object, path: Path) -> None:
        data = path.read_bytes()
        for length in range(0, len(data), 7):
            path.write_bytes(data[:length])
            self.check(read, path, "damaged or incomplete")

    def test_foreign(self, read: object, path: Path) -> None:
        for metadata in (None, {}, {"format": "pt"}):
            safetensors.numpy.save_file(TENSORS, path, metadata)
            self.check(read, path, "is a safetensors file but not one of Tengen's models")

    @pytest.mark.parametrize(
        ("header", "message"),
        [
            ('{"format_version": 2}', "install a newer Tengen"),
            ('{"format_version": 0}', "has the old format version 0"),
            ('{"format_version": "x"}', "cannot be read"),
            ('{"format_version": null}', "cannot be read"),
            ('{"format_version": 1e999}', "cannot be read"),
            ('{"format_version": 1}', "do not match their checksum"),
            ('{"format_version": 1, "info": {}, "info_sha256": 5}', "do not match their checksum"),
            ("{}", "cannot be read"),
            ("[]", "cannot be read"),
            ("5", "cannot be read"),
            ("nonsense", "cannot be read"),
            ("[" * 100_000, "cannot be read"),
        ],
        ids=lambda text: text[:24],
    )
    def test_header(self, read: object, path: Path, header: str, message: str) -> None:
        safetensors.numpy.save_file(TENSORS, path, {files.METADATA_KEY: header})
        self.check(read, path, message)

    @pytest.mark.parametrize("fields", [None, {}, [], {"architecture": 5}, {**vars(INFO), "games": "many"}])
    def test_info_of_a_foreign_writer(self, read: object, path: Path, fields: object) -> None:
        header = {"format_version": 1, "info": fields, "info_sha256": files._sha256(files._canonical(fields))}
        safetensors.numpy.save_file(TENSORS, path, {files.METADATA_KEY: json.dumps(header)})
        self.check(read, path, "are not those of a model")

    @staticmethod
    def check(read: object, path: Path, message: str) -> None:
        assert callable(read)
        with pytest.raises(ModelFileError, match=message) as caught:
            read(path)
        assert isinstance(caught.value, TengenError)
        assert str(path) in str(caught.value)
        assert "\n" not in str(caught.value)


@FUZZ
@given(data=st.binary(max_size=400))
def test_random_bytes_are_an_error(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    with pytest.raises(ModelFileError):
        load(path)


@FUZZ
@given(header=st.text(alphabet='{}[]",:0123456789_metadtaFI', max_size=60), data=st.binary(max_size=40))
def test_random_headers_are_an_error(path: Path, header: str, data: bytes) -> None:
    path.write_bytes(len(header).to_bytes(8, "little") + header.encode() + data)
    with pytest.raises(ModelFileError):
        load(path)


@FUZZ
@given(data=st.data())
def test_flipped_bytes_are_found(path: Path, sound: bytes, data: st.DataObject) -> None:
    content = bytearray(sound)
    for position in data.draw(st.lists(st.integers(0, len(content) - 1), min_size=1, max_size=3)):
        content[position] ^= data.draw(st.integers(1, 255))
    path.write_bytes(content)
    with contextlib.suppress(ModelFileError):
        assert_same(path)


def test_nets_does_not_import_torch() -> None:
    code = "import sys, tengen.nets, tengen.nets.planes; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
