"""What the training loop asks of a network that learns, and the choice of one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from numpy.typing import NDArray

from tengen import core
from tengen.train.learner import LineLearner
from tengen.train.params import RunParams
from tengen.train.residual_learner import ResidualLearner
from tengen.train.torch_learner import StepLosses


class Learner(Protocol):
    """A network in training.

    Attributes:
        steps: Steps taken so far.
        rate: The learning rate, where something else than the run's progress decides on it.
        compute: Makes the passes over batches, if others help; see `TorchLearner`.
        architecture: Of its files, see `tengen.nets.files.ModelInfo`.
    """

    steps: int
    rate: float | None
    compute: Any
    architecture: str

    @property
    def config(self) -> dict[str, Any]:
        """What it takes to rebuild the network, for its files."""
        ...

    def draw(self, buffer: core.SampleBuffer, count: int, seed: int) -> Any:
        """Random positions for `step`, in the form that it wants."""
        ...

    def step(self, batch: Any, progress: float) -> StepLosses:
        """Learns from positions that `draw` gave; `progress` is the share of the run that is over."""
        ...

    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """The weights that play, as they are written to files."""
        ...

    def evaluator(self) -> Any:
        """The weights that play as an evaluator of the run's game."""
        ...

    def state(self) -> Mapping[str, NDArray[Any]]:
        """Everything that is needed to go on, as arrays by name."""
        ...

    def start_from(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Begins with the network of another run, given its `state`."""
        ...

    def start_from_network(self, arrays: Mapping[str, NDArray[Any]], config: Mapping[str, Any]) -> None:
        """Begins with a network from its file, of which `config` gives the shape."""
        ...

    def load_state(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Goes on from what `state` gave."""
        ...


def make_learner(params: RunParams) -> Learner:
    """The learner that `params.learn.network` asks for, with random weights."""
    if params.learn.network == "line":
        return LineLearner(params.learn, params.seed)
    return ResidualLearner(params)
