"""Memory that is given back: searches and games in one process, its size before and after."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from pathlib import Path

from soak.part import Limit, Outcome, Part
from tengen import players
from tengen.arena import GameSetup, play_game
from tengen.board import Board
from tengen.search import Mcts, SearchParams
from tengen.thinking.evaluators import best_evaluator

_WARM_UP = 0.2
"""Of the goal, or of what there was time for: caches fill, and the allocator keeps what it may need again."""
_MOST_GROWTH = 16 << 20


def _resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


def _watch(make: Callable[[random.Random], Callable[[], None]], chance: random.Random, limit: Limit) -> Outcome:
    """Does something again and again and looks at the memory from a fifth of the way on."""
    outcome = Outcome()
    once = make(chance)
    sizes = []
    while limit.allows(outcome):
        once()
        outcome.tried += 1
        sizes.append(_resident())
    later = sizes[int(_WARM_UP * len(sizes)) :]
    quarter = max(1, len(later) // 4)
    growth = max(later[-quarter:]) - max(later[:quarter])
    outcome.figures = {"resident_mb": round(sizes[-1] / 1e6, 1), "growth_mb": round(growth / 1e6, 2)}
    if growth > _MOST_GROWTH:
        outcome.fail(f"{growth / 1e6:.1f} MB more after {outcome.tried}")
    return outcome


def _searches(chance: random.Random) -> Callable[[], None]:
    def search() -> None:
        board = Board(rule=chance.choice(("freestyle", "standard", "renju")))
        for _ in range(chance.randint(0, 30)):
            if not board.is_over:
                board.push(chance.choice(board.legal_moves))
        if not board.is_over:
            params = SearchParams(threads=chance.randint(1, 2), memory=32 << 20, seed=chance.getrandbits(32))
            Mcts(best_evaluator(board), params).search(board, 500)

    return search


def _games(chance: random.Random) -> Callable[[], None]:
    black, white = players.create("alphabeta:depth=1,hash=1"), players.create("mcts:playouts=4")
    setup = GameSetup(size=9)

    def game() -> None:
        play_game(black, white, setup, seeds=(chance.getrandbits(32), chance.getrandbits(32)))

    return game


PARTS = (
    Part(
        "search-memory",
        "A process that searches again and again does not grow (more than 16 MB after the first fifth)",
        "searches",
        1_000,
        partial(_watch, _searches),
    ),
    Part(
        "game-memory",
        "Nor does one that plays game after game",
        "games",
        10_000,
        partial(_watch, _games),
    ),
)
