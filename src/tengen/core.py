"""The compiled core, whichever build of it fits this machine.

A native build is one module. A portable build has one module for each instruction set; the fastest that this processor
runs is taken. All of them give the same results. The environment variable TENGEN_CORE names a folder to load another
build from, such as one with sanitizers.
"""

import importlib
import importlib.util
import os
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tengen._core import *  # noqa: F403


def _load() -> ModuleType:
    if folder := os.environ.get("TENGEN_CORE"):
        (path,) = Path(folder).glob("_core.*.so")
        spec = importlib.util.spec_from_file_location("tengen._core", path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module
    if importlib.util.find_spec("tengen._core") is not None:
        return importlib.import_module("tengen._core")
    baseline = importlib.import_module("tengen._core_baseline")
    return importlib.import_module(f"tengen._core_{baseline.best_instruction_set()}")


globals().update({name: value for name, value in vars(_load()).items() if not name.startswith("__")})
