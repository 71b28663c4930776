"""Ratings of many players by maximum likelihood: tournaments, and the networks of a run."""

from __future__ import annotations

import itertools
import math
import random

import pytest

from tengen.arena.ratings import Score, rate_history, rate_match
from tengen.arena.statistics import expected_score


def test_true_ratings_are_found_from_expected_scores() -> None:
    truth = [0.0, 120.0, -300.0, 50.0]
    scores = []
    for first, second in itertools.combinations(range(4), 2):
        wins = 1e5 * expected_score(truth[first] - truth[second])
        scores.append(Score(first, second, wins, 1e5 - wins, 0))
    found = [rating.elo for rating in rate_match(4, scores, anchor=0)]
    assert found == pytest.approx(truth, abs=0.5)


def test_draws_bring_players_together_and_narrow_the_error() -> None:
    without = rate_match(2, [Score(0, 1, 30, 10, 0)], anchor=1)[0]
    drawn = rate_match(2, [Score(0, 1, 30, 10, 40)], anchor=1)[0]
    assert 0 < drawn.margin95 < without.margin95
    # Davidson's estimate depends on wins and losses alone, so a draw counts as half of each only in the score.
    assert drawn.elo == pytest.approx(without.elo, rel=0.05)


def test_a_clean_sweep_is_finite_and_more_games_are_surer() -> None:
    few, many = (rate_match(2, [Score(0, 1, games, 0, 0)], anchor=1)[0] for games in (4, 400))
    assert 0 < few.elo < many.elo < 3000
    assert few.elo - few.margin95 < few.elo


def test_the_error_shrinks_with_games() -> None:
    few, many = (rate_match(2, [Score(0, 1, games, games, 0)])[0] for games in (10, 1000))
    assert many.margin95 < few.margin95 / 5
    assert few.elo == pytest.approx(0, abs=1e-6)


def test_the_mean_is_zero_without_an_anchor_and_unplayed_pairings_do_no_harm() -> None:
    ratings = rate_match(3, [Score(0, 1, 8, 2, 1), Score(0, 2, 0, 0, 0)])
    assert sum(rating.elo for rating in ratings) == pytest.approx(0, abs=1e-6)
    assert ratings[2].margin95 > ratings[0].margin95


def test_strength_is_passed_on_through_common_opponents() -> None:
    """Players that never met are compared through those between them."""
    chain = [Score(place, place + 1, 1, 9, 0) for place in range(5)]
    elos = [rating.elo for rating in rate_match(6, chain)]
    assert elos == sorted(elos)
    steps = [second - first for first, second in itertools.pairwise(elos)]
    assert max(steps) - min(steps) < 1


# -- the networks of a run


def met(first: str, second: str, games: int, points: float) -> Score:
    return Score(first, second, points, games - points)


def test_true_ratings_of_a_run_are_found_from_exact_scores() -> None:
    true = {"anchor": 0.0, "b": 120.0, "c": -250.0, "d": 400.0}
    meetings = [
        met(a, b, 100_000, 100_000 * expected_score(true[a] - true[b])) for a, b in itertools.combinations(true, 2)
    ]
    ratings = rate_history(meetings, {"anchor": 0.0})
    for name, elo in true.items():
        assert ratings[name].elo == pytest.approx(elo, abs=0.5)
    assert ratings["anchor"].margin95 == 0
    assert 0 < ratings["b"].margin95 < 4


def test_sweeps_are_finite_and_in_order() -> None:
    """Each network beat the one before 20-0, and the known players one after the other."""
    networks = ["000", "001", "002", "003"]
    meetings = [met(new, old, 20, 20.0) for old, new in itertools.pairwise(networks)]
    meetings += [met("000", "weak", 4, 0.0), met("003", "weak", 4, 4.0), met("003", "strong", 4, 2.0)]
    ratings = rate_history(meetings, {"weak": 0.0, "strong": 1000.0}, networks)
    curve = [ratings[name].elo for name in networks]
    assert curve == sorted(curve)
    assert curve[0] < 0 < curve[3]
    assert curve[3] == pytest.approx(1000, abs=150)
    assert all(0 < ratings[name].margin95 < 1200 for name in networks)


def test_more_games_of_a_run_mean_smaller_margins() -> None:
    few, many = (rate_history([met("a", "b", n, n / 2)], {"b": 50.0})["a"] for n in (4, 400))
    assert many.margin95 < few.margin95 / 5
    assert many.elo == pytest.approx(50, abs=1)


def test_nobody_known_and_nobody_met() -> None:
    assert rate_history([], {}) == {}
    assert rate_history([met("a", "b", 2, 1.0)], {})["a"].elo == 0
    alone = rate_history([], {"k": 300.0}, ["x"])["x"]
    assert alone.elo == pytest.approx(300)
    assert alone.margin95 > 2000


# -- the same numbers as ever: what two solvers of their own found before there was one


def tournament(seed: int) -> tuple[int, list[Score]]:
    chance = random.Random(seed)
    players = chance.randint(2, 6)
    return players, [
        Score(first, second, chance.randint(0, 9), chance.randint(0, 9), chance.randint(0, 4))
        for first, second in itertools.combinations(range(players), 2)
    ]


def history(seed: int) -> tuple[list[str], list[Score]]:
    chance = random.Random(100 + seed)
    networks = [f"{number:03d}" for number in range(chance.randint(2, 6))]
    scores = []
    for old, new in itertools.pairwise(networks):
        games = chance.randint(1, 10) * 2
        scores.append(met(new, old, games, chance.randint(0, 2 * games) / 2))
    for network in networks:
        scores.append(met(network, chance.choice(["weak", "strong", "other"]), 4, chance.randint(0, 8) / 2))
    return networks, scores


@pytest.mark.parametrize(
    ("seed", "golden"),
    [
        (0, [(0, 0), (-197.7347, 143.9627), (-42.4318, 126.2527), (-40.6925, 137.0083), (-69.8239, 123.4251)]),
        (1, [(20.85, 100.1564), (-69.5237, 97.1547), (48.6737, 97.6956)]),
        (2, [(0, 0), (0, 393.1532)]),
        (3, [(-21.7945, 82.1818), (57.9788, 87.2445), (-36.1844, 87.4186)]),
    ],
)
def test_golden_tournaments(seed: int, golden: list[tuple[float, float]]) -> None:
    players, scores = tournament(seed)
    ratings = rate_match(players, scores, anchor=None if seed % 2 else 0)
    for rating, (elo, margin) in zip(ratings, golden, strict=True):
        assert (rating.elo, rating.margin95) == pytest.approx((elo, margin), abs=1e-3)


STANDARD_ERRORS = 1.959964  # in half of a 95 % interval


@pytest.mark.parametrize(
    ("seed", "golden"),
    [
        (0, {"000": (-340.942, 115.3066), "002": (276.5095, 158.4529), "weak": (-520.8197, 762.2938), "001": (0, 0)}),
        (1, {"001": (782.5307, 139.0866), "004": (147.9959, 117.5593), "other": (485.6964, 187.7881)}),
        (2, {"000": (-47.8502, 73.2741), "002": (143.4791, 121.3418), "other": (47.4714, 147.2361)}),
        (3, {"000": (215.2543, 141.8674), "003": (-311.2184, 115.9475), "strong": (1000, 0)}),
    ],
)
def test_golden_runs(seed: int, golden: dict[str, tuple[float, float]]) -> None:
    networks, scores = history(seed)
    ratings = rate_history(scores, {"weak": 0.0, "strong": 1000.0} if seed % 2 else {}, networks)
    for name, (elo, error) in golden.items():
        found = (ratings[name].elo, ratings[name].margin95 / STANDARD_ERRORS)
        assert found == pytest.approx((elo, error), abs=1e-3), name


def test_a_player_who_met_nobody_has_a_rating_that_says_so() -> None:
    ratings = rate_match(3, [Score(0, 1, 8, 2)])
    assert math.isfinite(ratings[2].elo)
    assert ratings[2].margin95 > 10_000
