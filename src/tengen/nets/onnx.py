"""Residual networks as ONNX files: export with torch, evaluation with onnxruntime where torch is not installed."""

from __future__ import annotations

import hashlib
import importlib.util
import logging
import os
import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from tengen.errors import ModelFileError, SetupError
from tengen.nets import files
from tengen.nets.files import METADATA_KEY, ModelInfo
from tengen.nets.planes import Floats
from tengen.nets.presets import ResidualConfig

#: A file cannot hold its own checksum: this stands in its place while the sum is computed.
_NO_CHECKSUM = "0" * 64
#: Where the metadata hold it. Found in the bytes, so that nothing damaged ever reaches onnxruntime.
_CHECKSUM = re.compile(rb'"tensors_sha256": "([0-9a-f]{64})"')


def export(model: str | os.PathLike[str], out: str | os.PathLike[str]) -> None:
    """Writes a residual network as an ONNX file with the same metadata, for any batch size.

    The input is ``planes`` [batch, planes, height, width], the outputs are ``policy`` (logits) [batch, height * width]
    and ``value`` [batch], all float32.

    Raises:
        ModelFileError: The model cannot be read, or the ONNX file cannot be written.
        SetupError: torch, onnx or onnxscript is not installed.
    """
    from tengen.nets import residual

    net, info = residual.load(model)
    graph = _to_graph(net)
    graph.metadata_props.add(key=METADATA_KEY, value=files.to_header(info, _NO_CHECKSUM))
    data = graph.SerializeToString()
    files.write_atomically(Path(out), _with_checksum(data, hashlib.sha256(data).hexdigest()))


class OnnxEvaluator:
    """A `BatchEvaluator` with an exported network in onnxruntime, on CUDA if present, else the CPU."""

    def __init__(self, path: str | os.PathLike[str], threads: int = 1) -> None:
        """Loads a file that `export` wrote.

        Args:
            path: The ONNX file.
            threads: CPU threads for one batch; 0 takes all cores.

        Raises:
            ModelFileError: There is no such file, or it is damaged, or it is not one of Tengen's.
            SetupError: onnxruntime is not installed.
        """
        path = Path(path)
        self._session = _open_session(_read(path), threads)
        metadata = self._session.get_modelmeta().custom_metadata_map
        self.info: ModelInfo = files.parse_header(path, metadata.get(METADATA_KEY, ""))[0]
        self.config = ResidualConfig(**self.info.config)

    def __call__(self, planes: Floats) -> tuple[Floats, Floats]:
        """Evaluates a batch; see `BatchEvaluator`."""
        policy, value = self._session.run(["policy", "value"], {"planes": np.ascontiguousarray(planes)})
        return policy, value


def _to_graph(net: Any) -> Any:
    """The network as an ONNX model, without torch's remarks about where it was made."""
    if importlib.util.find_spec("onnxscript") is None:
        raise SetupError("the export needs onnx and onnxscript: pip install 'tengen[train,export]'")
    import torch

    config = net.config
    example = torch.zeros(2, config.planes, config.height, config.width)
    logger = logging.getLogger("torch.onnx")
    level = logger.level
    logger.setLevel(logging.ERROR)  # It warns about packages that have nothing to do with us.
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            program = torch.onnx.export(
                net,
                (example,),
                dynamo=True,
                verbose=False,
                input_names=["planes"],
                output_names=["policy", "value"],
                dynamic_shapes=({0: "batch"},),
            )
    finally:
        logger.setLevel(level)
    model = program.model_proto
    # Stack traces and paths of the machine that exported it.
    for part in (model.graph, *model.graph.node, *model.graph.input, *model.graph.output, *model.graph.value_info):
        part.ClearField("metadata_props")
        part.ClearField("doc_string")
    return model


def _read(path: Path) -> bytes:
    """The contents of an ONNX file of ours that is sound."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise ModelFileError(f"there is no model file {path}") from None
    except OSError as error:
        raise ModelFileError(f"cannot read the model file {path}: {error.strerror or error}") from None
    match = _CHECKSUM.search(data)
    if match is None:
        raise ModelFileError(f"{path} is not an ONNX file of Tengen's, or it is damaged; write it with: tengen export")
    if hashlib.sha256(_with_checksum(data, _NO_CHECKSUM)).hexdigest() != match[1].decode():
        raise ModelFileError(f"{path} does not match its checksum: it is damaged, so export it again")
    return data


def _with_checksum(data: bytes, checksum: str) -> bytes:
    match = _CHECKSUM.search(data)
    assert match is not None
    return data[: match.start(1)] + checksum.encode() + data[match.end(1) :]


def _open_session(data: bytes, threads: int) -> Any:
    try:
        import onnxruntime
    except ModuleNotFoundError:
        raise SetupError("ONNX networks need onnxruntime: pip install 'tengen[onnx]'") from None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    available = onnxruntime.get_available_providers()
    providers = [name for name in ("CUDAExecutionProvider", "CPUExecutionProvider") if name in available]
    return onnxruntime.InferenceSession(data, options, providers=providers)
