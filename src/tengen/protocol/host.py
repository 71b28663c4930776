"""The engine on the standard streams; all of it is in the core (cpp/protocol)."""

from __future__ import annotations

import os
import random

from tengen import core
from tengen.thinking.evaluators import default_evaluator
from tengen.thinking.levels import find_level


def run(level: int | None = None, seed: int | None = None) -> None:
    """Serves the standard streams.

    Args:
        level: Plays at this level of the web board; None plays as well as the manager's limits allow.
        seed: Of the level's chance and of opening stones; None plays differently every time.
    """
    if seed is None:
        seed = random.getrandbits(53)
    found = None if level is None else find_level(level)
    # The protocol has the real streams to itself: whatever else is printed must not look like an answer.
    source, target = os.dup(0), os.dup(1)
    os.dup2(2, 1)
    if not core.serve_engine(source, target, lambda rule, side: default_evaluator(rule.name, side), seed, found):
        os._exit(0)  # a thread that reads cannot be ended
