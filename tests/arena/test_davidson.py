"""Ratings of many players by maximum likelihood."""

from __future__ import annotations

import itertools

import pytest

from tengen.arena.davidson import Score, rate


def expected(difference: float) -> float:
    return float(1 / (1 + 10 ** (-difference / 400)))


def test_true_ratings_are_found_from_expected_scores() -> None:
    truth = [0.0, 120.0, -300.0, 50.0]
    scores = []
    for first, second in itertools.combinations(range(4), 2):
        wins = 1e5 * expected(truth[first] - truth[second])
        scores.append(Score(first, second, wins, 1e5 - wins, 0))
    found = [rating.elo for rating in rate(4, scores, anchor=0)]
    assert found == pytest.approx(truth, abs=0.5)


def test_draws_bring_players_together_and_narrow_the_error() -> None:
    without = rate(2, [Score(0, 1, 30, 10, 0)], anchor=1)[0]
    drawn = rate(2, [Score(0, 1, 30, 10, 40)], anchor=1)[0]
    assert 0 < drawn.error < without.error
    # Davidson's estimate depends on wins and losses alone, so a draw counts as half of each only in the score.
    assert drawn.elo == pytest.approx(without.elo, rel=0.05)


def test_a_clean_sweep_is_finite_and_more_games_are_surer() -> None:
    few, many = (rate(2, [Score(0, 1, games, 0, 0)], anchor=1)[0] for games in (4, 400))
    assert 0 < few.elo < many.elo < 3000
    assert few.elo - few.error < few.elo


def test_the_error_shrinks_with_games() -> None:
    few, many = (rate(2, [Score(0, 1, games, games, 0)])[0] for games in (10, 1000))
    assert many.error < few.error / 5
    assert few.elo == pytest.approx(0, abs=1e-6)


def test_the_mean_is_zero_without_an_anchor_and_unplayed_pairings_do_no_harm() -> None:
    ratings = rate(3, [Score(0, 1, 8, 2, 1), Score(0, 2, 0, 0, 0)])
    assert sum(rating.elo for rating in ratings) == pytest.approx(0, abs=1e-6)
    assert ratings[2].error > ratings[0].error


def test_strength_is_passed_on_through_common_opponents() -> None:
    """Players that never met are compared through those between them."""
    chain = [Score(place, place + 1, 1, 9, 0) for place in range(5)]
    elos = [rating.elo for rating in rate(6, chain)]
    assert elos == sorted(elos)
    steps = [second - first for first, second in itertools.pairwise(elos)]
    assert max(steps) - min(steps) < 1
