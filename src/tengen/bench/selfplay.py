"""What `tengen bench selfplay` measures."""

from __future__ import annotations

import time
from typing import Any

from tengen import core
from tengen.nets.default import find
from tengen.nets.loading import load_evaluator
from tengen.train.params import SelfPlayParams, SelfPlaySearchParams

#: What the search for continuous fours is switched off by.
WITHOUT_VCF = {"vcf_nodes": 0, "vcf_nodes_root": 0, "vcf_nodes_defence": 0}


#: How the preset hour plays: every move is recorded.
GUMBEL = {"gumbel_moves": 16, "full_playouts": 64, "full_share": 1.0}
#: Name, and what is other than in 400 playouts for recorded moves and 80 for the others.
KINDS: tuple[tuple[str, dict[str, Any], dict[str, Any]], ...] = (
    ("vcf", {}, {}),
    ("no_vcf", {}, WITHOUT_VCF),
    ("kept", {"count_kept": True}, {}),
    ("no_vcf_kept", {"count_kept": True}, WITHOUT_VCF),
    ("gumbel", GUMBEL, {}),
)


def measure(seconds: float, seed: int) -> dict[str, float | int | str]:
    """Games, recorded positions and playouts a second of one thread on 15x15, in several ways."""
    evaluator = load_evaluator(find("freestyle", 15))
    figures: dict[str, float | int | str] = {}
    for name, selfplay, changes in KINDS:
        params = SelfPlayParams(**{"full_playouts": 400, "fast_playouts": 80, "threads": 1, **selfplay})
        search = SelfPlaySearchParams(**changes)
        pool = core.SelfPlayPool(evaluator, params, params.kinds(), search, 1, seed)
        started = time.monotonic()
        games = pool.take_games(0)
        while time.monotonic() - started < seconds:
            games += pool.take_games(0.2)
        elapsed = time.monotonic() - started
        counts = pool.counts
        pool.stop()
        positions = sum(len(game.samples) for game in core.read_games(games))
        figures[f"{name}_games_per_second"] = counts.games / elapsed
        figures[f"{name}_positions_per_second"] = positions / elapsed
        figures[f"{name}_playouts_per_second"] = counts.playouts / elapsed
        figures[f"{name}_moves_per_game"] = counts.moves / max(1, counts.games)
    return figures
