"""What other programs send us, and how to tell them what is wrong with it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any


def sentence(errors: Sequence[Mapping[str, Any]]) -> str:
    """What is wrong with a message, in one line, from the errors that pydantic lists."""
    first = errors[0]
    where = ".".join(str(part) for part in first["loc"])
    return f"{where}: {first['msg']}" if where else str(first["msg"])


def id_in(text: str | bytes) -> object:
    """The id of a message that is wrong elsewhere, whatever it is, so that people know which one was refused."""
    try:
        return json.loads(text).get("id")
    except (ValueError, AttributeError, RecursionError):
        return None
