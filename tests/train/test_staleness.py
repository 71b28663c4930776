"""The age of games that come from afar."""

from __future__ import annotations

from tengen.train.pools import Games, Origin
from tengen.train.staleness import Staleness


def games(network: int, count: int = 1) -> Games:
    return Games(b"", Origin("a", 0, count, network))


def test_old_games_are_not_learned_from() -> None:
    staleness = Staleness(most=3)
    assert staleness.add(games(network=7, count=3), network=10)
    assert not staleness.add(games(network=6), network=10)
    assert staleness.take_figures() == {"network_age": (3 * 3 + 4) / 4, "network_age_most": 4, "games_too_old": 1}
    assert staleness.take_figures() == {}


def test_without_a_limit_all_are() -> None:
    assert Staleness(most=0).add(games(network=1), network=1000)


def test_games_of_this_machine_have_no_age() -> None:
    staleness = Staleness(most=1)
    assert staleness.add(Games(b""), network=5)
    assert staleness.take_figures() == {}
