"""ONNX: the exported network gives the same numbers, without torch, and damage is found."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tengen import Board, SetupError
from tengen.cli import app
from tengen.errors import ModelFileError
from tengen.nets import ModelInfo, read_info, save
from tengen.nets.planes import encode_batch
from tengen.nets.presets import preset

torch = pytest.importorskip("torch")
pytest.importorskip("onnxruntime")
pytest.importorskip("onnxscript")
residual = pytest.importorskip("tengen.nets.residual")
onnx = pytest.importorskip("tengen.nets.onnx")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With a network, tiny.safetensors, and what the command line makes of it, tiny.onnx."""
    folder = tmp_path_factory.mktemp("onnx")
    torch.manual_seed(4)
    net = residual.ResidualNet(preset("tiny"))
    net(torch.rand(16, 4, 9, 9))  # statistics other than the initial ones
    residual.save(folder / "tiny.safetensors", net, rules=["freestyle"], run="test", games=3)
    app(["export", "--onnx", str(folder / "tiny.safetensors"), str(folder / "tiny.onnx")], result_action="return_value")
    return folder


def test_same_numbers_as_torch(folder: Path) -> None:
    net, info = residual.load(folder / "tiny.safetensors")
    evaluator = onnx.OnnxEvaluator(folder / "tiny.onnx")
    assert evaluator.info == info
    assert evaluator.config == net.config
    boards = [Board.from_moves(moves, size=9) for moves in ("", "e5", "e5 d4", "e5 d4 c3 b2")]
    planes = encode_batch(boards, evaluator.config.encoding)
    for batch in (1, 4):
        logits, values = evaluator(planes[:batch])
        expected_logits, expected_values = residual.TorchEvaluator(net, "cpu")(planes[:batch])
        assert logits.dtype == values.dtype == np.float32
        assert logits.shape == (batch, 81)
        assert values.shape == (batch,)
        np.testing.assert_allclose(logits, expected_logits, atol=1e-5)
        np.testing.assert_allclose(values, expected_values, atol=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["s0", "s1", "s2", "s3", "s4"])
def test_every_preset(name: str, tmp_path: Path) -> None:
    net = residual.ResidualNet(preset(name))
    residual.save(tmp_path / "net.safetensors", net, rules=["freestyle"])
    onnx.export(tmp_path / "net.safetensors", tmp_path / "net.onnx")
    config = net.config
    planes = np.random.default_rng(1).random((3, config.planes, config.height, config.width), dtype=np.float32)
    expected = residual.TorchEvaluator(net, "cpu")(planes)
    for got, wanted in zip(onnx.OnnxEvaluator(tmp_path / "net.onnx")(planes), expected, strict=True):
        np.testing.assert_allclose(got, wanted, atol=1e-4)


def test_runs_without_torch(folder: Path) -> None:
    code = (
        "import sys; sys.modules['torch'] = None\n"
        "from tengen import Board; from tengen.nets.onnx import OnnxEvaluator; from tengen.nets.planes import encode\n"
        "evaluator = OnnxEvaluator(sys.argv[1])\n"
        "evaluator(encode(Board(size=9), evaluator.config.encoding)[None])\n"
    )
    subprocess.run([sys.executable, "-c", code, str(folder / "tiny.onnx")], check=True)


def test_without_torch_the_error_says_what_to_install(folder: Path) -> None:
    code = "import sys; sys.modules['torch'] = None; from tengen.cli import main; main()"
    arguments = ["export", "--onnx", str(folder / "tiny.safetensors"), str(folder / "out.onnx")]
    run = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert run.stderr == "error: residual networks need PyTorch: pip install 'tengen[train]'\n"


def test_nothing_of_the_exporting_machine_is_in_the_file(folder: Path) -> None:
    data = (folder / "tiny.onnx").read_bytes()
    assert b"site-packages" not in data
    assert b"residual.py" not in data


def test_damage_is_found(folder: Path, tmp_path: Path) -> None:
    data = (folder / "tiny.onnx").read_bytes()
    path = tmp_path / "bad.onnx"
    for position in range(0, len(data), len(data) // 200):
        flipped = data[:position] + bytes([data[position] ^ 0x55]) + data[position + 1 :]
        for damaged in (flipped, data[:position], data + flipped):
            path.write_bytes(damaged)
            with pytest.raises(ModelFileError, match="damaged"):
                onnx.OnnxEvaluator(path)


def test_errors(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match="there is no model file"):
        onnx.OnnxEvaluator(tmp_path / "none.onnx")
    with pytest.raises(ModelFileError, match=r"cannot read the model file .*: Is a directory"):
        onnx.OnnxEvaluator(tmp_path)
    with pytest.raises(ModelFileError, match="is not an ONNX file of Tengen's"):
        onnx.OnnxEvaluator(folder / "tiny.safetensors")
    with pytest.raises(ModelFileError, match="cannot write"):
        onnx.export(folder / "tiny.safetensors", tmp_path / "missing" / "out.onnx")
    line = tmp_path / "line.safetensors"
    save(line, {}, ModelInfo("line", {}, ["freestyle"], [15], "", 0, "MIT", ""))
    with pytest.raises(ModelFileError, match="holds a line network, not a residual one"):
        onnx.export(line, tmp_path / "line.onnx")


def test_export_needs_a_format(folder: Path) -> None:
    with pytest.raises(SetupError, match=r"does not end in \.onnx"):
        app(["export", str(folder / "tiny.safetensors"), "out"], result_action="return_value")


def test_model_show(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder / "tiny.safetensors"
    app(["model", "show", str(path), "--json"], result_action="return_value")
    facts = json.loads(capsys.readouterr().out)
    config = preset("tiny")
    assert facts["parameters"] == sum(p.numel() for p in residual.ResidualNet(config).parameters())
    assert facts["config"] == config.to_dict() == read_info(path).config
    assert (facts["architecture"], facts["rules"], facts["sizes"]) == ("residual", ["freestyle"], [9])
    assert (facts["run"], facts["games"], facts["checksum"]) == ("test", 3, "ok")
    assert facts["bytes"] == path.stat().st_size
    app(["model", "show", str(path)], result_action="return_value")
    table = capsys.readouterr().out
    for text in ("residual", "freestyle", "checksum", "ok"):
        assert text in table


@pytest.mark.slow
def test_bench(capsys: pytest.CaptureFixture[str]) -> None:
    app(["bench", "resnet", "--preset", "tiny", "--seconds", "0.01", "--json"], result_action="return_value")
    figures = json.loads(capsys.readouterr().out)
    assert figures["network"] == "tiny"
    assert all(value > 0 for name, value in figures.items() if "per_second" in name)
