"""Networks for Q-learning in PyTorch: one number for each point, what a move there is worth to the mover."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tengen.board import MAX_SIDE, MIN_SIDE
from tengen.errors import ModelFileError, SetupError
from tengen.nets import files
from tengen.nets.files import ModelInfo

try:
    import torch
    from torch import nn
except ModuleNotFoundError:
    raise SetupError("Q-learning needs PyTorch: pip install 'tengen[train]'") from None

ARCHITECTURE = "q-network"
KINDS = ("s2", "duelling", "lines")


@dataclass(frozen=True)
class QConfig:
    """The shape of a network for Q-learning.

    Attributes:
        kind: "s2" is S2's (docs/origins.md): a 5x5 convolution, a 3x3 pool, the turn, a dense layer. "duelling" is
            convolutional throughout, so one network plays on boards of any size; so does "lines", which looks up what
            the four lines through a point hold.
        size: Points on a side of the board that it is trained for.
        filters: Filters of the convolutions; numbers that describe a line, for "lines".
        layers: Convolutions after the first one; for "duelling".
    """

    kind: str = "lines"
    size: int = 15
    filters: int = 32
    layers: int = 3

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise SetupError(f'there is no Q-network "{self.kind}"; choose one of {", ".join(KINDS)}')
        if not MIN_SIDE <= self.size <= MAX_SIDE:
            raise SetupError(f"a board size is from {MIN_SIDE} to {MAX_SIDE}, not {self.size}")
        if self.filters < 1 or self.layers < 0:
            raise SetupError("a Q-network needs at least one filter")


class S2Net(nn.Module):  # type: ignore[misc]  # torch is not there for the type check
    """S2's network: a 5x5 convolution with 16 filters, a 3x3 pool, the turn, one dense layer.

    90,866 weights on 15x15. It sees stones by colour, 1 black and -1 white, and as the turn 1 or -1: the players p and
    -p of the document's reward.
    """

    def __init__(self, config: QConfig) -> None:
        super().__init__()
        self.convolution = nn.Conv2d(1, config.filters, 5, padding=2)
        pooled = -(-config.size // 3)
        self.values = nn.Linear(config.filters * pooled * pooled + 1, config.size * config.size)

    def forward(self, stones: torch.Tensor, turn: torch.Tensor) -> torch.Tensor:
        """Stones [batch, height, width] (1 own, -1 enemy) and turns [batch] (1 black) to values [batch, cells]."""
        player = 2 * turn - 1
        features = torch.relu(self.convolution((stones * player[:, None, None]).unsqueeze(1)))
        features = nn.functional.max_pool2d(features, 3, ceil_mode=True).flatten(1)
        values: torch.Tensor = self.values(torch.cat([features, player.unsqueeze(1)], dim=1))
        return values


class DuellingNet(nn.Module):  # type: ignore[misc]
    """Convolutions, then the position's value and each move's advantage (Wang et al. 2016).

    The input has a plane of ones, so that the border is seen where it ends.
    """

    def __init__(self, config: QConfig) -> None:
        super().__init__()
        filters = config.filters
        self.first = nn.Conv2d(3, filters, 5, padding=2)
        self.layers = nn.ModuleList(nn.Conv2d(filters, filters, 3, padding=1) for _ in range(config.layers))
        self.advantage = nn.Conv2d(filters, 1, 1)
        self.hidden = nn.Linear(filters, filters)
        self.value = nn.Linear(filters, 1)

    def forward(self, stones: torch.Tensor, turn: torch.Tensor) -> torch.Tensor:
        """As for `S2Net`; the turn is not needed, because the planes are the mover's."""
        own, enemy = (stones > 0).float(), (stones < 0).float()
        features = torch.relu(self.first(torch.stack([own, enemy, torch.ones_like(own)], dim=1)))
        for i, layer in enumerate(self.layers):
            inner = torch.relu(layer(features))
            features = features + inner if i else inner
        value = self.value(torch.relu(self.hidden(features.mean(dim=(2, 3)))))
        advantage = self.advantage(features).flatten(1)
        values: torch.Tensor = value + advantage - advantage.mean(dim=1, keepdim=True)
        return values


class LinesNet(nn.Module):  # type: ignore[misc]
    """Looks up the eight points around a point on each of its lines in one table, and adds up what it finds.

    A convolution has to discover lines; here they are given, and a step costs a fraction. A line and its reverse share
    a row of the table and all directions share the table, so the network is blind to the symmetries of the board.
    Values are the position's plus the move's, as in `DuellingNet`.
    """

    REACH = 4
    DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))

    def __init__(self, config: QConfig) -> None:
        super().__init__()
        channels = config.filters
        self.table = nn.EmbeddingBag(4 ** (2 * self.REACH), channels, mode="sum")
        nn.init.normal_(self.table.weight, std=0.1)
        self.hidden = nn.Linear(channels, channels)
        self.advantage = nn.Linear(channels, 1)
        self.position = nn.Linear(channels, channels)
        self.value = nn.Linear(channels, 1)

    def forward(self, stones: torch.Tensor, turn: torch.Tensor) -> torch.Tensor:
        """As for `S2Net`; the turn is not needed."""
        rows = self._rows(stones)
        lines = torch.relu(self.table(rows.flatten(0, 1))).unflatten(0, rows.shape[:2])
        points = torch.relu(self.hidden(lines))
        # What matters most anywhere: a threat on the other side of the board is everybody's business.
        empty = (stones.flatten(1) == 0).unsqueeze(2)
        strongest = (points * empty).amax(dim=1)
        value = self.value(torch.relu(self.position(strongest)))
        values: torch.Tensor = self.advantage(points).squeeze(2) + value
        return values

    def _rows(self, stones: torch.Tensor) -> torch.Tensor:
        """Rows of the table [batch, cells, 4]: base-4 numbers of the points on a line (0 empty, 1, 2, 3 border)."""
        height, width = stones.shape[1:]
        reach = self.REACH
        digits = torch.where(stones < 0, 2, stones.long())
        padded = nn.functional.pad(digits, (reach, reach, reach, reach), value=3)
        found = []
        for dy, dx in self.DIRECTIONS:
            forward = torch.zeros_like(digits)
            backward = torch.zeros_like(digits)
            for k in range(1, reach + 1):
                for sign in (1, -1):
                    y, x = reach + sign * k * dy, reach + sign * k * dx
                    points = padded[:, y : y + height, x : x + width]
                    forward += points << (2 * (2 * k - (2 if sign > 0 else 1)))
                    backward += points << (2 * (2 * k - (1 if sign > 0 else 2)))
            found.append(torch.minimum(forward, backward).flatten(1))
        return torch.stack(found, dim=2)


_NETS = {"s2": S2Net, "duelling": DuellingNet, "lines": LinesNet}


def make(config: QConfig) -> nn.Module:
    """A network with random weights."""
    return _NETS[config.kind](config)


def to_arrays(net: nn.Module) -> dict[str, npt.NDArray[Any]]:
    """The weights as numpy arrays."""
    return {name: tensor.detach().cpu().numpy() for name, tensor in net.state_dict().items()}


def load_arrays(net: nn.Module, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
    """The reverse of `to_arrays`."""
    net.load_state_dict({name: torch.from_numpy(np.array(array)) for name, array in arrays.items()})


def save(path: str | os.PathLike[str], net: nn.Module, config: QConfig, info: Mapping[str, Any]) -> None:
    """Writes a network file; `info` has the fields of `ModelInfo` that are not known here."""
    described = ModelInfo(architecture=ARCHITECTURE, config=dataclasses.asdict(config), **info)
    files.save(path, to_arrays(net), described)


def load(path: str | os.PathLike[str]) -> tuple[nn.Module, QConfig, ModelInfo]:
    """Reads a network file.

    Raises:
        ModelFileError: There is no such file, or it does not hold a network for Q-learning.
    """
    arrays, info = files.load(path)
    if info.architecture != ARCHITECTURE:
        raise ModelFileError(f'{path} holds a "{info.architecture}" network, not one for Q-learning')
    try:
        # The hidden layer that a network of old had: the others only wrote down its size.
        config = QConfig(**{name: value for name, value in info.config.items() if name != "hidden"})
        net = make(config)
        load_arrays(net, arrays)
    except (TypeError, RuntimeError, SetupError) as error:
        raise ModelFileError(f"{path} does not hold a Q-network that this version can play: {error}") from None
    net.eval()
    return net, config, info


def values(net: nn.Module, stones: npt.NDArray[np.int8], black: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
    """What every move is worth: stones [batch, height, width] and turns [batch] in, [batch, cells] out."""
    with torch.no_grad():
        found = net(torch.from_numpy(stones).float(), torch.from_numpy(np.asarray(black, np.float32)))
    answer: npt.NDArray[np.float32] = found.numpy()
    return answer
