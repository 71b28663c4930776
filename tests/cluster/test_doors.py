"""The doors to a cluster where ray is not installed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tengen import cluster
from tengen.errors import SetupError


@pytest.mark.parametrize(
    "door",
    [
        cluster.players_of,
        lambda address: cluster.crew_of(address, print),
        lambda address: cluster.spread_over(address, print),
    ],
    ids=["train", "match", "review"],
)
def test_a_cluster_without_ray_is_one_sentence(door: Callable[[str], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(SetupError, match=r"needs ray: pip install 'tengen\[cluster\]'"):
        door("auto")
