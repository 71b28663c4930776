"""The residual networks of the documents: sizes counted by hand, files, evaluator, and that they learn."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tengen import Board, SetupError
from tengen.errors import ModelFileError
from tengen.nets import ModelInfo, files, read_info
from tengen.nets.planes import encode_batch
from tengen.nets.presets import PRESETS, ResidualConfig, preset

torch = pytest.importorskip("torch")
residual = pytest.importorskip("tengen.nets.residual")


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Two threads beside a busy core are many times slower than one."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def norm(filters: int) -> int:
    return 2 * filters  # a scale and a bias each


# Written out from the documents, layer by layer. Only S1's convolutions have a bias under a normalisation.
PARAMETERS = {
    # S0, 4.2.1: 13 planes; 3x3 (256); 7 blocks; policy 3x3 (2) -> 225; value 1x1 (1) -> 256 -> 1
    "s0": (9 * 13 * 256 + norm(256))
    + 7 * 2 * (9 * 256 * 256 + norm(256))
    + (9 * 256 * 2 + norm(2) + 2 * 225 * 225 + 225)
    + (256 * 1 + norm(1) + 225 * 256 + 256 + 256 + 1),
    # S1's code on 11x11: 6 planes; 3x3 (128); 4 blocks; policy 1x1 (2) -> 121; value 1x1 (1) -> 128 -> 1
    "s1": (9 * 6 * 128 + 128 + norm(128))
    + 4 * 2 * (9 * 128 * 128 + 128 + norm(128))
    + (128 * 2 + 2 + norm(2) + 2 * 121 * 121 + 121)
    + (128 * 1 + 1 + norm(1) + 121 * 128 + 128 + 128 + 1),
    # S2, 3.2.2: 4 planes; 1x1 (64); 19 blocks; policy 1x1 (2) -> 225; value 1x1 (1) -> 256 -> 1
    "s2": (4 * 64 + norm(64))
    + 19 * 2 * (9 * 64 * 64 + norm(64))
    + (64 * 2 + norm(2) + 2 * 225 * 225 + 225)
    + (64 * 1 + norm(1) + 225 * 256 + 256 + 256 + 1),
    # S3, table 15.1 and AlphaGo Zero on 11x11: 9 planes; 3x3 (64); 19 blocks
    "s3": (9 * 9 * 64 + norm(64))
    + 19 * 2 * (9 * 64 * 64 + norm(64))
    + (64 * 2 + norm(2) + 2 * 121 * 121 + 121)
    + (64 * 1 + norm(1) + 121 * 256 + 256 + 256 + 1),
    # S4, 2.3.2: 4 planes; 3x3 (32, 64, 128), biases and no normalisation; 1x1 (4) -> 225; 1x1 (2) -> 64 -> 1
    "s4": (9 * 4 * 32 + 32)
    + (9 * 32 * 64 + 64)
    + (9 * 64 * 128 + 128)
    + (128 * 4 + 4 + 4 * 225 * 225 + 225)
    + (128 * 2 + 2 + 2 * 225 * 64 + 64 + 64 + 1),
    # AlphaGo Zero in S1 and S3: 17 planes; 3x3 (256); 19 blocks; policy 1x1 (2); value 1x1 (1) -> 256 -> 1
    "agz": (9 * 17 * 256 + norm(256))
    + 19 * 2 * (9 * 256 * 256 + norm(256))
    + (256 * 2 + norm(2) + 2 * 225 * 225 + 225)
    + (256 * 1 + norm(1) + 225 * 256 + 256 + 256 + 1),
    # 4 planes -> 64; 6 blocks; value hidden 64
    "small": (9 * 4 * 64 + norm(64))
    + 6 * 2 * (9 * 64 * 64 + norm(64))
    + (64 * 2 + norm(2) + 2 * 225 * 225 + 225)
    + (64 * 1 + norm(1) + 225 * 64 + 64 + 64 + 1),
}


@pytest.mark.parametrize("name", PARAMETERS)
def test_number_of_parameters(name: str) -> None:
    net = residual.ResidualNet(PRESETS[name])
    assert sum(parameter.numel() for parameter in net.parameters()) == PARAMETERS[name]


def test_the_documents_networks_in_figures() -> None:
    """The sums of the above, as docs/origins.md gives them."""
    sums = {name: PARAMETERS[name] for name in ("s0", "s1", "s2", "s3", "s4")}
    assert sums == {"s0": 8_459_626, "s1": 1_235_557, "s2": 1_565_866, "s3": 1_472_098, "s4": 325_964}


def test_s0s_network_has_17_convolutions() -> None:
    net = residual.ResidualNet(PRESETS["s0"])
    assert sum(isinstance(module, torch.nn.Conv2d) for module in net.modules()) == 17


@pytest.mark.parametrize(("name", "kernels"), [("s0", [3] * 15 + [3, 1]), ("s2", [1] + [3] * 38 + [1, 1])])
def test_kernels_as_in_the_documents(name: str, kernels: list[int]) -> None:
    net = residual.ResidualNet(PRESETS[name])
    found = [module for module in net.modules() if isinstance(module, torch.nn.Conv2d)]
    assert [convolution.kernel_size for convolution in found] == [(kernel, kernel) for kernel in kernels]
    assert all(convolution.padding == (kernel // 2,) * 2 for convolution, kernel in zip(found, kernels, strict=True))


def test_files_from_before_there_were_other_kernels(tmp_path: Path) -> None:
    net = residual.ResidualNet(preset("tiny"))
    residual.save(tmp_path / "new.safetensors", net, rules=["freestyle"])
    arrays, info = files.load(tmp_path / "new.safetensors")
    old = {name: value for name, value in info.config.items() if name not in ("bias", "stem_kernel", "policy_kernel")}
    files.save(tmp_path / "old.safetensors", arrays, dataclasses.replace(info, config=old))
    loaded, _ = residual.load(tmp_path / "old.safetensors")
    assert loaded.config == net.config


@pytest.mark.parametrize("wrong", [{"stem_kernel": 2}, {"policy_kernel": 0}])
def test_even_kernels_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(SetupError, match="kernel must be one of 1, 3, 5"):
        preset("tiny", **wrong)


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("size", [None, 7])
def test_shapes_of_the_outputs(name: str, size: int | None) -> None:
    config = preset(name, size)
    net = residual.ResidualNet(config).eval()
    with torch.inference_mode():
        logits, values = net(torch.rand(3, config.planes, config.height, config.width))
    assert logits.shape == (3, config.height * config.width)
    assert values.shape == (3,)
    assert values.abs().max() <= 1


def test_boards_that_are_not_square() -> None:
    config = preset("tiny", width=7, height=5)
    evaluator = residual.TorchEvaluator(residual.ResidualNet(config), "cpu")
    logits, values = evaluator(encode_batch([Board(width=7, height=5)] * 2, config.encoding))
    assert logits.shape == (2, 35)
    assert values.shape == (2,)


class TestFiles:
    def test_round_trip(self, tmp_path: Path) -> None:
        path = tmp_path / "net.safetensors"
        torch.manual_seed(1)
        net = residual.ResidualNet(preset("tiny"))
        net(torch.rand(8, 4, 9, 9))  # moves the running statistics, which belong to the file too
        residual.save(path, net, rules=["freestyle"], run="test", games=7)
        loaded, info = residual.load(path)
        assert info == read_info(path)
        assert (info.rules, info.sizes, info.run, info.games) == (["freestyle"], [9], "test", 7)
        assert loaded.config == net.config
        planes = np.random.default_rng(1).random((4, 4, 9, 9), dtype=np.float32)
        before, after = residual.TorchEvaluator(net)(planes), residual.TorchEvaluator(loaded)(planes)
        np.testing.assert_array_equal(before[0], after[0])
        np.testing.assert_array_equal(before[1], after[1])

    def test_another_kind_of_network(self, tmp_path: Path) -> None:
        path = tmp_path / "net.safetensors"
        files.save(path, {}, ModelInfo("line", {}, ["freestyle"], [15], "", 0, "MIT", ""))
        with pytest.raises(ModelFileError, match="holds a line network, not a residual one"):
            residual.load(path)

    @pytest.mark.parametrize("change", [{"blocks": 2}, {"stem": [16]}, {"encoding": "s9"}, {"width": 99}, {"extra": 1}])
    def test_weights_that_do_not_fit(self, tmp_path: Path, change: dict[str, object]) -> None:
        path = tmp_path / "net.safetensors"
        residual.save(path, residual.ResidualNet(preset("tiny")), rules=["freestyle"])
        tensors, info = files.load(path)
        info.config.update(change)
        files.save(path, tensors, info)
        with pytest.raises(ModelFileError, match="do not fit the network that it describes"):
            residual.load(path)


def test_evaluator() -> None:
    torch.manual_seed(2)
    net = residual.ResidualNet(preset("tiny"))
    evaluator = residual.TorchEvaluator(net, "cpu")
    boards = [Board.from_moves(moves, size=9) for moves in ("", "e5", "e5 d4 c3")]
    planes = encode_batch(boards, net.config.encoding)
    logits, values = evaluator(planes)
    assert logits.dtype == values.dtype == np.float32
    with torch.inference_mode():
        expected, _ = net(torch.from_numpy(planes))
    np.testing.assert_allclose(logits, expected.numpy(), atol=1e-5)
    one_by_one = np.concatenate([evaluator(planes[i : i + 1])[0] for i in range(3)])
    np.testing.assert_allclose(one_by_one, logits, atol=1e-5)


def test_errors() -> None:
    with pytest.raises(SetupError, match='no residual network "s7"; choose one of s0, s1'):
        preset("s7")
    with pytest.raises(SetupError, match="width must be a whole number from 3 to 22, not 40"):
        preset("s0", 40)
    with pytest.raises(SetupError, match="stem must have at least one entry"):
        preset("s0", stem=())
    with pytest.raises(SetupError, match="width must be given"):
        ResidualConfig(encoding="s0")  # type: ignore[call-arg]
    with pytest.raises(SetupError, match='the device "nowhere" is not available'):
        residual.pick_device("nowhere")


def test_s1_overfits_a_few_positions() -> None:
    """Memorises random policies and results of 8 positions: the gradient reaches every part of the network."""
    torch.manual_seed(3)
    rng = random.Random(3)
    boards = []
    for plies in range(0, 16, 2):
        board = Board(size=11)
        for _ in range(plies):
            board.push(rng.choice(board.legal_moves))
        boards.append(board)
    config = PRESETS["s1"]
    net = residual.ResidualNet(config).to(memory_format=torch.channels_last)
    planes = torch.from_numpy(encode_batch(boards, config.encoding)).contiguous(memory_format=torch.channels_last)
    targets = torch.tensor([rng.randrange(config.cells) for _ in boards])
    results = torch.tensor([rng.choice([-1.0, 0.0, 1.0]) for _ in boards])
    optimiser = torch.optim.Adam(net.parameters(), lr=0.002)
    for _ in range(50):
        logits, values = net(planes)
        loss = torch.nn.functional.cross_entropy(logits, targets) + ((values - results) ** 2).mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    logits, values = residual.TorchEvaluator(net, "cpu")(planes.numpy())
    probabilities = torch.softmax(torch.from_numpy(logits), 1)[range(8), targets]
    assert loss.item() < 0.02
    assert probabilities.min() > 0.9
    assert np.abs(values - results.numpy()).max() < 0.3  # the running statistics still lag behind
