"""What `tengen bench search` says of a search."""

from __future__ import annotations

import pytest

from tengen.bench.search import PARTS, measure


def test_the_parts_of_a_playout_add_up() -> None:
    figures = measure(playouts=60, rounds=1, seed=1)
    parts = [float(figures[f"microseconds_{part}"]) for part in PARTS]
    assert parts[0] == pytest.approx(1e6 / float(figures["uniform_playouts_per_second"]), abs=0.01)
    assert sum(parts) == pytest.approx(1e6 / float(figures["network_vcf_playouts_per_second"]), abs=0.05)


def test_the_signature_is_of_the_search_alone() -> None:
    signatures = {measure(playouts=60, rounds=rounds, seed=1)["signature"] for rounds in (1, 2)}
    assert len(signatures) == 1
    assert signatures != {measure(playouts=60, rounds=1, seed=2)["signature"]}
