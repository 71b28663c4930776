"""Residual networks in PyTorch: the networks of the documents, and their evaluator on CPU or GPU."""

from __future__ import annotations

import datetime
import os
from collections.abc import Sequence

import numpy as np

from tengen.errors import ModelFileError, SetupError
from tengen.nets import files
from tengen.nets.files import ModelInfo
from tengen.nets.planes import Floats
from tengen.nets.presets import ResidualConfig

try:
    import torch
    from torch import nn
except ModuleNotFoundError:
    raise SetupError("residual networks need PyTorch: pip install 'tengen[train]'") from None

ARCHITECTURE = "residual"


class ResidualNet(nn.Module):  # type: ignore[misc]  # torch is not there for the type check
    """Convolutions, residual blocks, a policy head and a value head, shaped by a `ResidualConfig`.

    Key method: `forward`, planes to policy logits and values.
    """

    def __init__(self, config: ResidualConfig) -> None:
        super().__init__()
        self.config = config
        stem: list[nn.Module] = []
        channels = config.planes
        for filters in config.stem:
            stem += [_convolution(config, channels, filters, config.stem_kernel), nn.ReLU()]
            channels = filters
        self.stem = nn.Sequential(*stem)
        self.blocks = nn.Sequential(*(_Block(config) for _ in range(config.blocks)))
        self.policy = nn.Sequential(
            _convolution(config, channels, config.policy_filters, config.policy_kernel),
            nn.ReLU(),
            nn.Flatten(),
            nn.Linear(config.policy_filters * config.cells, config.moves),
        )
        self.value = nn.Sequential(
            _convolution(config, channels, config.value_filters, 1),
            nn.ReLU(),
            nn.Flatten(),
            nn.Linear(config.value_filters * config.cells, config.value_hidden),
            nn.ReLU(),
            nn.Linear(config.value_hidden, 1),
            nn.Tanh(),
        )

    def forward(self, planes: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """[batch, planes, height, width] to policy logits [batch, moves] and values [batch] in [-1, 1]."""
        features = self.blocks(self.stem(planes))
        return self.policy(features), self.value(features).squeeze(-1)


class _Block(nn.Module):  # type: ignore[misc]
    """Two 3x3 convolutions around which the input is added back."""

    def __init__(self, config: ResidualConfig) -> None:
        super().__init__()
        filters = config.stem[-1]
        self.first = _convolution(config, filters, filters, 3)
        self.second = _convolution(config, filters, filters, 3)

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        inner = self.second(torch.relu(self.first(features)))
        return torch.relu(features + inner)


def _convolution(config: ResidualConfig, channels: int, filters: int, kernel: int) -> nn.Module:
    # The normalisation has its own bias.
    bias = config.bias or not config.normalise
    convolution = nn.Conv2d(channels, filters, kernel, padding=kernel // 2, bias=bias)
    return nn.Sequential(convolution, nn.BatchNorm2d(filters)) if config.normalise else convolution


def save(
    path: str | os.PathLike[str],
    net: ResidualNet,
    *,
    rules: Sequence[str],
    run: str = "",
    games: int = 0,
    license: str = "MIT",
    notes: str = "",
) -> None:
    """Writes a model file; the keywords are those of `ModelInfo`."""
    config = net.config
    info = ModelInfo(
        architecture=ARCHITECTURE,
        config=config.to_dict(),
        rules=list(rules),
        sizes=[config.width] if config.width == config.height else [],
        run=run,
        games=games,
        license=license,
        created=datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        notes=notes,
    )
    tensors = {name: tensor.detach().cpu().numpy() for name, tensor in net.state_dict().items()}
    files.save(path, tensors, info)


def load(path: str | os.PathLike[str]) -> tuple[ResidualNet, ModelInfo]:
    """Reads a model file; the network is on the CPU and in evaluation mode.

    Raises:
        ModelFileError: As for `files.load`, and for files with another kind of network.
    """
    tensors, info = files.load(path)
    if info.architecture != ARCHITECTURE:
        raise ModelFileError(f"{path} holds a {info.architecture} network, not a residual one")
    try:
        net = ResidualNet(ResidualConfig(**info.config))
        net.load_state_dict({name: torch.from_numpy(tensor) for name, tensor in tensors.items()})
    except (SetupError, RuntimeError):
        raise ModelFileError(f"the weights in {path} do not fit the network that it describes") from None
    return net.eval(), info


def pick_device(device: str = "auto") -> torch.device:
    """The device of that name; "auto" is CUDA if there is any, else the CPU."""
    if device == "auto":
        device = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        chosen = torch.device(device)
        torch.empty(0, device=chosen)
    except (RuntimeError, AssertionError, NotImplementedError):
        raise SetupError(f'the device "{device}" is not available; use auto, cpu or cuda') from None
    return chosen


#: Networks with fewer multiplications a position are faster on one thread: others would wait more than they compute.
_ONE_THREAD = 5_000_000


def set_threads(config: ResidualConfig) -> None:
    """Lets torch use one thread if that is best for a network of this shape."""
    if config.multiplications < _ONE_THREAD:
        torch.set_num_threads(1)


class TorchEvaluator:
    """A `BatchEvaluator` with a network in PyTorch, which is moved to the device and put in evaluation mode.

    The number of threads is torch's: `torch.set_num_threads`.
    """

    def __init__(self, net: ResidualNet, device: str = "auto") -> None:
        self.config = net.config
        self.device = pick_device(device)
        # Channels last is 1.6 to 1.8 times as fast on a CPU from batches of 8 on (6 blocks of 64 and S1's network).
        self.net = net.to(self.device, memory_format=torch.channels_last).eval()

    def __call__(self, planes: Floats) -> tuple[Floats, Floats]:
        """Evaluates a batch; see `BatchEvaluator`."""
        with torch.inference_mode():
            inputs = torch.from_numpy(np.ascontiguousarray(planes)).to(self.device, memory_format=torch.channels_last)
            logits, values = self.net(inputs)
            return logits.cpu().numpy(), values.cpu().numpy()
