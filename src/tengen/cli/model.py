"""`tengen model`: what is in a model file."""

from __future__ import annotations

import json as json_format
import math
from pathlib import Path

import cyclopts
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from tengen.nets import files

app = cyclopts.App(name="model", help="Look into model files.")

#: What a network keeps besides its parameters.
_STATISTICS = ("running_mean", "running_var", "num_batches_tracked")


@app.command
def show(path: Path, /, *, json: bool = False) -> None:
    """Show what a model file says about its network, and check that it is sound.

    Args:
        path: The model file.
        json: One JSON object instead of a table.
    """
    tensors, info = files.load(path)
    parameters = sum(math.prod(tensor.shape) for name, tensor in tensors.items() if not name.endswith(_STATISTICS))
    facts = {
        "architecture": info.architecture,
        "config": info.config,
        "parameters": parameters,
        "rules": info.rules,
        "sizes": info.sizes,
        "run": info.run,
        "games": info.games,
        "license": info.license,
        "created": info.created,
        "notes": info.notes,
        "checksum": "ok",  # or it would not have been loaded
        "bytes": path.stat().st_size,
    }
    if json:
        print(json_format.dumps(facts, ensure_ascii=False))
        return
    table = Table(title=escape(path.name), show_header=False)
    for name, value in facts.items():
        table.add_row(name, escape(_text(value)))
    Console(highlight=False).print(table)


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, dict):
        return ", ".join(f"{name} {_text(part)}" for name, part in value.items())
    return str(value)
