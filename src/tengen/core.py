"""The compiled core, whichever build of it fits this machine.

A native build is one module. A portable build for x86-64 has one for each instruction set; the fastest that this
processor runs is taken. All of them give the same results. The environment variable TENGEN_CORE names a folder to load
another build from, such as one with sanitizers.
"""

import atexit
import importlib
import importlib.machinery
import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tengen._core import *  # noqa: F403

_NAME = "tengen._core"


def _load() -> ModuleType:
    if folder := os.environ.get("TENGEN_CORE"):
        return _load_from(Path(folder))
    if importlib.util.find_spec(_NAME) is not None:
        return importlib.import_module(_NAME)
    processor = importlib.import_module("tengen._processor")
    assert processor.__file__ is not None
    folders = [Path(processor.__file__).parent / "_cores" / name for name in processor.instruction_sets()]
    return _load_from(next(folder for folder in folders if folder.is_dir()))


def _load_from(folder: Path) -> ModuleType:
    """The module in a folder, under the name that it has in every build: types are pickled by it."""
    (path,) = (path for suffix in importlib.machinery.EXTENSION_SUFFIXES for path in folder.glob(f"_core{suffix}"))
    spec = importlib.util.spec_from_file_location(_NAME, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[_NAME] = module
    spec.loader.exec_module(module)
    return module


_module = _load()
globals().update({name: value for name, value in vars(_module).items() if not name.startswith("__")})

# Python must not end, nor a child begin, without a word to the core: threads may be at work there.
atexit.register(_module.leave)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_module.forget_threads)
