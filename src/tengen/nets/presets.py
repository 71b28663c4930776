"""The shapes of the documents' residual networks, by name. No torch here: files and exported networks need it too."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field

from tengen import core
from tengen.errors import SetupError
from tengen.nets.planes import ENCODINGS, plane_count
from tengen.parameters import Parameters, Sequence, Side

Filters: TypeAlias = Annotated[int, Field(ge=1, le=1024)]
Kernel: TypeAlias = Literal[1, 3, 5, 7, 9, 11]


class ResidualConfig(Parameters):
    """The shape of a convolutional network with a policy head and a value head."""

    encoding: str
    """The input planes, a name from `tengen.nets.planes.ENCODINGS`; or another game than Gomoku (`tengen.games`), which
    knows its planes and moves."""
    width: Side
    """Columns of the board; the heads are dense, so a network is made for one size."""
    height: Side
    """Rows of the board."""
    stem: Annotated[tuple[Filters, ...], Field(min_length=1), Sequence]
    """Filters of the convolutions before the residual blocks."""
    blocks: Annotated[int, Field(ge=0, le=100)]
    """Residual blocks, each with two 3x3 convolutions of the stem's last number of filters."""
    policy_filters: Filters = 2
    """Filters before the dense policy layer."""
    value_filters: Filters = 1
    """1x1 filters before the dense value layers."""
    value_hidden: Annotated[int, Field(ge=1, le=65_536)] = 256
    """Units of the hidden value layer."""
    normalise: bool = True
    """Batch normalisation after every convolution."""
    bias: bool = False
    """Convolutions have a bias even if they are normalised, which gives them another."""
    stem_kernel: Kernel = 3
    """Points on each side of the stem's convolutions."""
    policy_kernel: Kernel = 1
    """Points on each side of the convolution before the dense policy layer."""

    def __post_init__(self) -> None:
        plane_count(self.encoding)

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


#: The networks of the documents (docs/origins.md, layer by layer) and two small ones: `small` to compare speeds with,
#: `tiny` for tests.
#:
#: S0, S1 and S2 give every layer; S1 gives its code, in which convolutions have a bias under the normalisation. S3 says
#: "as in AlphaGo Zero" and the number of blocks; the 64 filters are those that S2 found in the chapter's program. S4
#: gives its three convolutions and that each head reduces the dimensions before a dense layer: the rest is the usual
#: form of that network, without normalisation. `agz` is the network of AlphaGo Zero and AlphaZero as S1, S3 and S4
#: describe it: 17 planes, 256 filters, 19 blocks.
PRESETS: Mapping[str, ResidualConfig] = {
    "s0": ResidualConfig(encoding="s0", width=15, height=15, stem=(256,), blocks=7, policy_kernel=3),
    "s1": ResidualConfig(encoding="s1", width=11, height=11, stem=(128,), blocks=4, value_hidden=128, bias=True),
    "s2": ResidualConfig(encoding="s2", width=15, height=15, stem=(64,), stem_kernel=1, blocks=19),
    "s3": ResidualConfig(encoding="s3", width=11, height=11, stem=(64,), blocks=19),
    "s4": ResidualConfig(
        encoding="s4",
        width=15,
        height=15,
        stem=(32, 64, 128),
        blocks=0,
        policy_filters=4,
        value_filters=2,
        value_hidden=64,
        normalise=False,
    ),
    "agz": ResidualConfig(encoding="agz", width=15, height=15, stem=(256,), blocks=19),
    "small": ResidualConfig(encoding="s2", width=15, height=15, stem=(64,), blocks=6, value_hidden=64),
    "tiny": ResidualConfig(encoding="s2", width=9, height=9, stem=(8,), blocks=1, value_hidden=8),
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
