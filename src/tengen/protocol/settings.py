"""What a manager tells an engine with INFO."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tengen.parameters import MAX_THREADS

UNLIMITED_MS = 2147483647

_INTEGER = re.compile(r"[+-]?\d{1,18}")


@dataclass
class Settings:
    """The values of INFO, in the protocol's units. Key method: `update`.

    Attributes:
        timeout_turn: Milliseconds a move, 0 for as fast as possible.
        timeout_match: Milliseconds a game, 0 for no limit.
        time_left: Milliseconds left of the game, None where the manager has not said.
        max_memory: Bytes for the process, 0 for no limit.
        game_type: Against a person 0, an engine 1, in a tournament 2, over a network 3; nothing depends on it.
        rule: The rule's name.
        folder: For files that an engine wants to keep; Tengen keeps none.
        max_node: Playouts a move, 0 for no limit.
        max_depth: Moves of the expected line after which the search ends, 0 for no limit; a tree search has no other
            depth that it completes.
        hash_size: Kilobytes for the tree, 0 for no limit beyond max_memory.
        thread_num: Threads.
        show_detail: Whether to tell what the search finds, while it runs and at its end.
        pondering: Whether to think in the opponent's time.
        strength: From 0 to 100; below 100 the playouts are limited.
    """

    timeout_turn: int = 5000
    timeout_match: int = 0
    time_left: int | None = None
    max_memory: int = 0
    game_type: int = 1
    rule: str = "freestyle"
    folder: str = ""
    max_node: int = 0
    max_depth: int = 0
    hash_size: int = 0
    thread_num: int = 1
    show_detail: bool = False
    pondering: bool = False
    strength: int = 100

    def update(self, key: str, value: str) -> None:
        """Takes over one INFO. Unknown keys and values that make no sense are ignored, as the protocol asks."""
        key = key.lower()
        if key == "folder":
            self.folder = value
            return
        if not _INTEGER.fullmatch(value):
            return
        number = int(value)
        if key == "rule":
            self.rule = rule_of(number)
        elif key == "time_left":
            self.time_left = None if number >= UNLIMITED_MS else number
        elif key in ("show_detail", "pondering"):
            setattr(self, key, number > 0)
        elif key == "thread_num":
            self.thread_num = min(max(1, number), MAX_THREADS)
        elif key == "strength":
            self.strength = min(max(0, number), 100)
        elif key in ("timeout_turn", "timeout_match", "max_memory", "game_type", "max_node", "max_depth", "hash_size"):
            setattr(self, key, max(0, number))

    @property
    def playouts(self) -> int:
        """Playouts a move, 0 for no limit: the smaller one of what max_node and strength allow."""
        limits = [self.max_node] if self.max_node else []
        if self.strength < 100:
            limits.append(round(8 * 2 ** (self.strength / 7)))  # 8 at strength 0, twice as many every 7 points
        return min(limits, default=0)


def rule_of(mask: int) -> str:
    """The rule of INFO's bit mask: 1 exactly five, 2 a continuous game, 4 renju, 8 caro.

    A bare 2 is renju in managers that follow Yixin; continuous games, which mean nothing to an engine, are always sent
    with another bit or as 0 by those that follow Gomocup.
    """
    if mask & 4 or mask == 2:
        return "renju"
    if mask & 8:
        return "caro"
    return "standard" if mask & 1 else "freestyle"
