"""`tengen export`: a network for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import cyclopts
from rich.console import Console

from tengen.disk import check_output
from tengen.errors import SetupError


def export(model: Path, out: Path, /, *, onnx: Annotated[bool, cyclopts.Parameter(show=False)] = False) -> None:
    """Write a residual network in another format, with its metadata.

    Args:
        model: The model file.
        out: The file to write; its ending says the format. There is one: .onnx, which onnxruntime and many other
            programs run without PyTorch.
        onnx: As ONNX, whatever the ending.
    """
    if not onnx and out.suffix.lower() != ".onnx":
        raise SetupError(f'"{out}" does not end in .onnx, the one format that networks can be exported to')
    check_output(out)
    from tengen.nets.onnx import export as export_onnx

    export_onnx(model, out)
    Console(highlight=False, soft_wrap=True).print(f"wrote {out} ({out.stat().st_size:,} bytes)", markup=False)
