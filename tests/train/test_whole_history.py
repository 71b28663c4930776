"""Ratings of many players from all their games."""

from __future__ import annotations

import itertools

import pytest

from tengen.arena.statistics import expected_score
from tengen.train.whole_history import Meeting, fit_ratings


def test_true_ratings_are_found_from_exact_scores() -> None:
    true = {"anchor": 0.0, "b": 120.0, "c": -250.0, "d": 400.0}
    meetings = [
        Meeting(a, b, 100_000, 100_000 * expected_score(true[a] - true[b])) for a, b in itertools.combinations(true, 2)
    ]
    ratings = fit_ratings(meetings, {"anchor": 0.0})
    for name, elo in true.items():
        assert ratings[name].elo == pytest.approx(elo, abs=0.5)
    assert ratings["anchor"].error == 0
    assert 0 < ratings["b"].error < 2


def test_sweeps_are_finite_and_in_order() -> None:
    """Each network beat the one before 20-0, and the known players one after the other."""
    networks = ["000", "001", "002", "003"]
    meetings = [Meeting(new, old, 20, 20.0) for old, new in itertools.pairwise(networks)]
    meetings += [Meeting("000", "weak", 4, 0.0), Meeting("003", "weak", 4, 4.0), Meeting("003", "strong", 4, 2.0)]
    ratings = fit_ratings(meetings, {"weak": 0.0, "strong": 1000.0}, networks)
    curve = [ratings[name].elo for name in networks]
    assert curve == sorted(curve)
    assert curve[0] < 0 < curve[3]
    assert curve[3] == pytest.approx(1000, abs=150)
    assert all(0 < ratings[name].error < 600 for name in networks)


def test_more_games_mean_smaller_errors() -> None:
    few, many = (fit_ratings([Meeting("a", "b", n, n / 2)], {"b": 50.0})["a"] for n in (4, 400))
    assert many.error < few.error / 5
    assert many.elo == pytest.approx(50, abs=1)


def test_nobody_known_and_nobody_met() -> None:
    assert fit_ratings([], {}) == {}
    assert fit_ratings([Meeting("a", "b", 2, 1.0)], {})["a"].elo == 0
    alone = fit_ratings([], {"k": 300.0}, ["x"])["x"]
    assert alone.elo == pytest.approx(300)
    assert alone.error > 1000
