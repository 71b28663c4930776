"""Model files: weights as safetensors, with what is known about them as metadata. Never pickle.

The metadata of the safetensors header have one entry, ``tengen``: a JSON object with

- ``format_version``: a number that grows whenever an older Tengen could misread a file;
- ``info``: a `ModelInfo`;
- ``info_sha256``: a checksum of the info as canonical JSON, checked even when only the header is read;
- ``tensors_sha256``: a checksum of the tensors: names, types, shapes and contents.

One entry, because the library writes several in random order, and the same model should give the same bytes.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import safetensors
import safetensors.numpy

from tengen import disk
from tengen.errors import ModelFileError

METADATA_KEY = "tengen"
FORMAT_VERSION = 1
FIRST_HIDDEN = 64
"""Units of the window MLP where a line network's file or run does not say: all had so many once."""

Tensors: TypeAlias = Mapping[str, npt.NDArray[Any]]

_DAMAGED = "it is damaged or incomplete, so get or train it again"


@dataclass(frozen=True)
class ModelInfo:
    """What a model file says about its network.

    Attributes:
        architecture: The family of networks, which names the code that can run it: "line", "residual".
        config: What that code needs to rebuild the network; plain JSON values.
        rules: The rules that it was trained for.
        sizes: The board sizes that it was trained for.
        run: The training run that it comes from.
        games: The number of games seen in training.
        license: Under which terms the weights may be used, as an SPDX identifier.
        created: When it was saved, ISO 8601.
        notes: Anything else for people.
    """

    architecture: str
    config: dict[str, Any]
    rules: list[str]
    sizes: list[int]
    run: str
    games: int
    license: str
    created: str
    notes: str = ""


def save(path: str | os.PathLike[str], tensors: Tensors, info: ModelInfo) -> None:
    """Writes a model file; another reader sees either the old file or the whole new one.

    Raises:
        ModelFileError: The file cannot be written.
    """
    write_atomically(Path(path), to_bytes(tensors, info))


def to_bytes(tensors: Tensors, info: ModelInfo) -> bytes:
    """A model file as it would be written."""
    arrays = {name: _little_endian(tensor) for name, tensor in tensors.items()}
    header = to_header(info, _tensors_sha256(arrays))
    data: bytes = safetensors.numpy.save(arrays, {METADATA_KEY: header})
    return data


def load(path: str | os.PathLike[str]) -> tuple[dict[str, npt.NDArray[Any]], ModelInfo]:
    """Reads a model file and checks all of it.

    Raises:
        ModelFileError: There is no such file, or it is not a sound model file of this format version.
    """
    path = Path(path)
    metadata, tensors = _read(path, lambda file: {name: file.get_tensor(name) for name in file.keys()})  # noqa: SIM118
    info, checksum = parse_header(path, _header(path, metadata))
    if _tensors_sha256(tensors) != checksum:
        raise ModelFileError(f"the weights in {path} do not match their checksum: {_DAMAGED}")
    return tensors, info


def read_info(path: str | os.PathLike[str]) -> ModelInfo:
    """Reads what a model file says about itself, without its weights.

    Raises:
        ModelFileError: As for `load`, except that damage to the weights goes unnoticed.
    """
    path = Path(path)
    metadata, _ = _read(path, lambda file: None)
    return parse_header(path, _header(path, metadata))[0]


def _read(path: Path, take: Callable[[Any], Any]) -> tuple[Mapping[str, str], Any]:
    """Opens a safetensors file and returns its metadata and what `take` makes of it."""
    if path.is_dir():
        raise ModelFileError(f"{path} is a folder, not a model file")
    try:
        # The library maps the file and checks that the tensors of the header cover it exactly.
        with safetensors.safe_open(path, framework="numpy") as file:
            return file.metadata() or {}, take(file)
    except FileNotFoundError:
        raise ModelFileError(f"there is no model file {path}") from None
    except OSError as error:
        raise ModelFileError(f"cannot read the model file {path}: {error.strerror or error}") from None
    except Exception as error:  # The library has several kinds of error for what is no safetensors file.
        raise ModelFileError(f"{path} is not a model file, or {_DAMAGED} ({error})") from None


def _header(path: Path, metadata: Mapping[str, str]) -> str:
    if METADATA_KEY not in metadata:
        raise ModelFileError(f"{path} is a safetensors file but not one of Tengen's models")
    return metadata[METADATA_KEY]


def to_header(info: ModelInfo, tensors_sha256: str) -> str:
    """The JSON text that files of other formats, such as ONNX, can carry as well."""
    fields = dataclasses.asdict(info)
    header = {
        "format_version": FORMAT_VERSION,
        "info": fields,
        "info_sha256": _sha256(_canonical(fields)),
        "tensors_sha256": tensors_sha256,
    }
    return _canonical(header)


def parse_header(path: Path, text: str) -> tuple[ModelInfo, str]:
    """Checks what `to_header` made; returns the info and the checksum that the tensors must have."""
    try:
        header = json.loads(text)
        version = int(header["format_version"])
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
        raise ModelFileError(f"the metadata of {path} cannot be read: {_DAMAGED}") from None
    if version > FORMAT_VERSION:
        raise ModelFileError(
            f"{path} has format version {version}, this Tengen reads {FORMAT_VERSION}: install a newer Tengen"
        )
    if version < FORMAT_VERSION:
        raise ModelFileError(
            f"{path} has the old format version {version}, this Tengen reads {FORMAT_VERSION}: train it again or "
            "use an older Tengen"
        )
    fields = header.get("info")
    if _sha256(_canonical(fields)) != header.get("info_sha256"):
        raise ModelFileError(f"the metadata of {path} do not match their checksum: {_DAMAGED}")
    return _to_info(path, fields), str(header.get("tensors_sha256"))


def _to_info(path: Path, fields: Any) -> ModelInfo:
    """Reads the info; its checksum is right, so only a foreign writer can have made it wrong."""
    try:
        info = ModelInfo(**fields)
    except TypeError:
        raise ModelFileError(f"the metadata of {path} are not those of a model") from None
    strings = (info.architecture, info.run, info.license, info.created, info.notes)
    sound = (
        all(isinstance(value, str) for value in strings)
        and isinstance(info.config, dict)
        and isinstance(info.games, int)
        and all(isinstance(values, list) for values in (info.rules, info.sizes))
        and all(isinstance(rule, str) for rule in info.rules)
        and all(isinstance(size, int) for size in info.sizes)
    )
    if not sound:
        raise ModelFileError(f"the metadata of {path} are not those of a model")
    return info


def _little_endian(tensor: npt.NDArray[Any]) -> npt.NDArray[Any]:
    # Not ascontiguousarray, which gives a scalar a dimension.
    return np.asarray(tensor, dtype=tensor.dtype.newbyteorder("<"), order="C")


def _canonical(value: object) -> str:
    """JSON that is the same for equal values."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


def _tensors_sha256(tensors: Tensors) -> str:
    digest = hashlib.sha256()
    for name in sorted(tensors):
        tensor = _little_endian(tensors[name])
        digest.update(json.dumps([name, tensor.dtype.str, tensor.shape]).encode())
        digest.update(tensor.tobytes())
    return digest.hexdigest()


def write_atomically(path: Path, data: bytes) -> None:
    """Writes a file beside its place, makes sure that it is on the disk, and moves it there.

    Raises:
        ModelFileError: The file cannot be written.
    """
    try:
        disk.write_atomically(path, data)
    except OSError as error:
        raise ModelFileError(f"cannot write {path}: {error.strerror or error}") from None
