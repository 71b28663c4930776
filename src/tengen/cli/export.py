"""`tengen export`: a network for other programs."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from tengen.errors import SetupError


def export(model: Path, out: Path, /, *, onnx: bool = False) -> None:
    """Write a residual network in another format, with its metadata.

    Args:
        model: The model file.
        out: The file to write.
        onnx: As ONNX, which onnxruntime and many other programs run without PyTorch.
    """
    if not onnx:
        raise SetupError("say which format to write; there is one: --onnx")
    from tengen.nets.onnx import export as export_onnx

    export_onnx(model, out)
    Console(highlight=False, soft_wrap=True).print(f"wrote {out} ({out.stat().st_size:,} bytes)", markup=False)
