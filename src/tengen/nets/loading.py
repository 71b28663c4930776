"""From a network file to something that the search can use. torch is needed for residual networks alone."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np

from tengen import core
from tengen.errors import ModelFileError
from tengen.nets import files
from tengen.nets.planes import Floats, plane_spec
from tengen.nets.presets import ResidualConfig

#: Positions that are evaluated together at most.
MAX_BATCH = 64


def load_evaluator(path: str | os.PathLike[str], random_symmetry: bool = False, seed: int = 1) -> core.Evaluator:
    """The evaluator of a network file: a line network, or a residual one as safetensors (torch) or ONNX.

    Args:
        path: The file.
        random_symmetry: Show a residual network each position in a random symmetry (S3).
        seed: Their random seed.
    """
    path = Path(path)
    if path.suffix == ".onnx":
        from tengen.nets.onnx import OnnxEvaluator

        onnx = OnnxEvaluator(path)
        return batched(onnx, onnx.config, random_symmetry, seed)
    if (network := _line_network(path, _modified(path))) is not None:
        return core.NetworkEvaluator(network)
    from tengen.nets import residual

    net, _ = residual.load(path)
    residual.set_threads(net.config)
    return batched(residual.TorchEvaluator(net), net.config, random_symmetry, seed)


def _modified(path: Path) -> int:
    """When a file was written; 0 where there is none, which whoever reads it will say."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


@functools.lru_cache(maxsize=4)
def _line_network(path: Path, modified: int) -> core.LineNetwork | None:
    """A line network, loaded once for all players: its tables take a moment and tens of megabytes.

    None for a file with a network of another kind.
    """
    if files.read_info(path).architecture != "line":
        return None
    arrays, info = files.load(path)
    try:
        return core.LineNetwork(
            info.config["radius"],
            info.config["channels"],
            info.config.get("hidden", files.FIRST_HIDDEN),
            {name: np.ascontiguousarray(array, np.float32) for name, array in arrays.items()},
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ModelFileError(f"{path} does not hold a line network that this version can play: {error}") from None


def batched(
    evaluate: Callable[[Floats], tuple[Floats, Floats]],
    config: ResidualConfig,
    random_symmetry: bool,
    seed: int,
    max_batch: int = MAX_BATCH,
) -> core.Evaluator:
    """A network that works on batches, as an evaluator for any number of search threads."""
    queue = core.BatchQueue(
        lambda planes: tuple(np.ascontiguousarray(part, np.float32) for part in evaluate(planes)),
        planes=config.planes,
        height=config.height,
        width=config.width,
        moves=config.moves,
        max_batch=max_batch,
    )
    return core.BatchedEvaluator(queue, plane_spec(config.encoding), random_symmetry, seed)
