"""The shapes of the documents' residual networks, by name. No torch here: files and exported networks need it too."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tengen import core
from tengen.board import MAX_SIDE, MIN_SIDE
from tengen.errors import SetupError
from tengen.nets.planes import ENCODINGS, plane_count


@dataclass(frozen=True)
class ResidualConfig:
    """The shape of a convolutional network with a policy head and a value head.

    Attributes:
        encoding: The input planes, a name from `tengen.nets.planes.ENCODINGS`; or another game than Gomoku
            (`tengen.games`), which knows its planes and moves.
        width: Columns of the board; the heads are dense, so a network is made for one size.
        height: Rows of the board.
        stem: Filters of the convolutions before the residual blocks.
        stem_kernel: Points on each side of these convolutions; odd.
        blocks: Residual blocks, each with two 3x3 convolutions of the stem's last number of filters.
        policy_filters: Filters before the dense policy layer.
        policy_kernel: Points on each side of that convolution; odd.
        value_filters: 1x1 filters before the dense value layers.
        value_hidden: Units of the hidden value layer.
        normalise: Batch normalisation after every convolution.
        bias: Convolutions have a bias even if they are normalised, which gives them another.
    """

    encoding: str
    width: int
    height: int
    stem: tuple[int, ...]
    blocks: int
    policy_filters: int = 2
    value_filters: int = 1
    value_hidden: int = 256
    normalise: bool = True
    bias: bool = False
    stem_kernel: int = 3
    policy_kernel: int = 1

    def __post_init__(self) -> None:
        plane_count(self.encoding)
        for side in (self.width, self.height):
            if not MIN_SIDE <= side <= MAX_SIDE:
                raise SetupError(f"a network is made for boards of {MIN_SIDE} to {MAX_SIDE} points a side, not {side}")
        widths = (*self.stem, self.policy_filters, self.value_filters, self.value_hidden)
        if not self.stem or min(widths) < 1 or self.blocks < 0:
            raise SetupError("a network needs at least one convolution, and at least one unit in every layer")
        for kernel in (self.stem_kernel, self.policy_kernel):
            if kernel < 1 or kernel % 2 == 0:
                raise SetupError(f"a convolution spans an odd number of points, not {kernel}")

    @property
    def planes(self) -> int:
        """The number of input planes."""
        return plane_count(self.encoding)

    @property
    def cells(self) -> int:
        """The number of points of the board."""
        return self.width * self.height

    @property
    def multiplications(self) -> int:
        """About how many the convolutions need for one position."""
        stem = sum(before * after for before, after in itertools.pairwise((self.planes, *self.stem)))
        return self.cells * (self.stem_kernel**2 * stem + 9 * 2 * self.blocks * self.stem[-1] ** 2)

    @property
    def moves(self) -> int:
        """The number of moves that the policy tells apart: the points, and in some games more."""
        return self.cells if self.encoding in ENCODINGS else core.make_game(self.encoding).move_count

    def to_dict(self) -> dict[str, Any]:
        """As plain JSON values."""
        return {**dataclasses.asdict(self), "stem": list(self.stem)}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> ResidualConfig:
        """The reverse of `to_dict`.

        Raises:
            SetupError: The values do not describe a network.
        """
        try:
            return cls(**{**values, "stem": tuple(values["stem"])})
        except (TypeError, KeyError):
            raise SetupError("the configuration does not describe a residual network") from None


#: The networks of the documents (docs/origins.md, layer by layer) and two small ones: `small` to compare speeds with,
#: `tiny` for tests.
#:
#: S0, S1 and S2 give every layer; S1 gives its code, in which convolutions have a bias under the normalisation. S3 says
#: "as in AlphaGo Zero" and the number of blocks; the 64 filters are those that S2 found in the chapter's program. S4
#: gives its three convolutions and that each head reduces the dimensions before a dense layer: the rest is the usual
#: form of that network, without normalisation.
PRESETS: Mapping[str, ResidualConfig] = {
    "s0": ResidualConfig("s0", 15, 15, stem=(256,), blocks=7, policy_kernel=3),
    "s1": ResidualConfig("s1", 11, 11, stem=(128,), blocks=4, value_hidden=128, bias=True),
    "s2": ResidualConfig("s2", 15, 15, stem=(64,), stem_kernel=1, blocks=19),
    "s3": ResidualConfig("s3", 11, 11, stem=(64,), blocks=19),
    "s4": ResidualConfig(
        "s4", 15, 15, stem=(32, 64, 128), blocks=0, policy_filters=4, value_filters=2, value_hidden=64, normalise=False
    ),
    "small": ResidualConfig("s2", 15, 15, stem=(64,), blocks=6, value_hidden=64),
    "tiny": ResidualConfig("s2", 9, 9, stem=(8,), blocks=1, value_hidden=8),
}


def preset(name: str, size: int | None = None, **changes: Any) -> ResidualConfig:
    """A preset, for another board size or with other changes.

    Args:
        name: A name from `PRESETS`.
        size: Points on each side of the board; the document's size if not given.
        **changes: Fields of `ResidualConfig` to replace.
    """
    if name not in PRESETS:
        raise SetupError(f'there is no residual network "{name}"; choose one of {", ".join(PRESETS)}')
    if size is not None:
        changes = {"width": size, "height": size, **changes}
    return dataclasses.replace(PRESETS[name], **changes)
