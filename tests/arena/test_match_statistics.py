"""The formulas, against values computed by hand."""

from __future__ import annotations

import math

import pytest

from tengen.arena.ratings import Rating
from tengen.arena.statistics import (
    Elo,
    Sprt,
    elo_difference,
    elo_from_pairs,
    elo_text,
    expected_score,
    mean_and_variance,
    wilson_interval,
)
from tengen.errors import SetupError


def test_elo_and_score_are_inverse() -> None:
    assert expected_score(0) == 0.5
    assert expected_score(400) == pytest.approx(10 / 11)
    assert elo_difference(0.75) == pytest.approx(400 * math.log10(3))  # 190.8
    assert elo_difference(0.25) == pytest.approx(-400 * math.log10(3))
    assert elo_difference(expected_score(123.4)) == pytest.approx(123.4)
    assert elo_difference(1.0) == math.inf
    assert elo_difference(0.0) == -math.inf


def test_mean_and_variance_of_pairs() -> None:
    # Ten pairs: 1 lost, 2 with half a point, 3 even, 0, 4 won. Points over 2: 0, .25, .25, .5 x3, 1 x4 -> 6 / 10.
    mean, variance = mean_and_variance([1, 2, 3, 0, 4])
    assert mean == pytest.approx(0.6)
    # .36 + 2 * .1225 + 3 * .01 + 4 * .16 = 1.275
    assert variance == pytest.approx(0.1275)


def test_wilson_interval() -> None:
    # 8 of 10, z = 1.96: (0.8 + 0.19207 -+ 1.95996 * sqrt(0.016 + 0.0096036)) / 1.384146
    low, high = wilson_interval(0.8, 10)
    assert low == pytest.approx(0.4902, abs=1e-4)
    assert high == pytest.approx(0.9433, abs=1e-4)
    assert wilson_interval(1, 10)[1] == 1


def test_interval_of_an_even_match() -> None:
    # With a won and a lost pair added to 98 even ones: mean 1/2, variance 2 * 1/4 / 100, error^2 0.00005: like 5,000
    # independent games, where 1.96 * sqrt(0.25 / 5000) = 0.01386.
    elo = elo_from_pairs([0, 0, 98, 0, 0])
    assert elo.elo == 0
    assert elo.high == pytest.approx(elo_difference(0.51386), abs=0.01)
    assert elo.low == pytest.approx(-elo.high)
    assert elo.los == pytest.approx(0.5)


def test_interval_of_a_clean_sweep() -> None:
    # 25 won pairs: with the two added ones like 27 independent games, all won: from 1 / (1 + z^2 / 27) = 0.8754.
    elo = elo_from_pairs([0, 0, 0, 0, 25])
    assert elo.elo == math.inf
    assert elo.high == math.inf
    assert elo.low == pytest.approx(elo_difference(1 / (1 + 1.959964**2 / 27)), abs=1e-3)
    assert 335 < elo.low < 345
    assert elo.los > 0.9999


@pytest.mark.parametrize("pairs", range(1, 60))
def test_a_clean_sweep_has_no_end(pairs: int) -> None:
    assert str(elo_from_pairs([0, 0, 0, 0, pairs])).endswith(", +∞]")
    assert str(elo_from_pairs([pairs, 0, 0, 0, 0])).startswith("-∞ [-∞, ")


def test_a_lopsided_match_has_finite_ends() -> None:
    elo = elo_from_pairs([18, 0, 2, 0, 0])
    # Like 30.3 games with a score of 0.05: 0.0117 to 0.1895.
    assert elo.low == pytest.approx(-771, abs=3)
    assert elo.high == pytest.approx(-252, abs=3)


def test_swapping_the_players_mirrors_the_result() -> None:
    ours, theirs = elo_from_pairs([3, 1, 10, 4, 7]), elo_from_pairs([7, 4, 10, 1, 3])
    assert ours.elo == pytest.approx(-theirs.elo)
    assert ours.low == pytest.approx(-theirs.high)
    assert ours.los == pytest.approx(1 - theirs.los)


def test_no_games_say_almost_nothing() -> None:
    # The two added pairs alone: like 2 games of which one was won.
    elo = elo_from_pairs([0, 0, 0, 0, 0])
    assert elo.elo == 0
    assert elo.low == pytest.approx(-elo.high)
    assert elo.high > 350
    assert elo.los == 0.5
    assert str(Elo(12.3, -5.1, 30, 0.9)) == "+12 [-5, +30]"


def test_nothing_has_no_minus() -> None:
    assert str(elo_difference(0.5)) == "0.0"
    assert [elo_text(value) for value in (-0.0, -0.4, 0.4, -0.6)] == ["+0", "+0", "+0", "-1"]
    assert [elo_text(value) for value in (math.inf, -math.inf)] == ["+∞", "-∞"]
    assert str(elo_from_pairs([0, 0, 98, 0, 0])).startswith("+0 [")
    assert str(Rating(-0.2, 5)) == "+0 ± 5"


def test_sprt_bounds_and_ratio() -> None:
    sprt = Sprt(0, 20, alpha=0.05, beta=0.1)
    low, high = sprt.bounds
    assert low == pytest.approx(math.log(0.1 / 0.95))
    assert high == pytest.approx(math.log(0.9 / 0.05))
    # With a won and a lost pair added: mean 7 / 12, variance 0.149306; s0 = 0.5, s1 = 0.528751
    s1 = 1 / (1 + 10 ** (-20 / 400))
    assert sprt.llr([1, 2, 3, 0, 4]) == pytest.approx(10 * (s1 - 0.5) * (14 / 12 - 0.5 - s1) / (2 * 0.149306), 1e-5)
    assert sprt.llr([0, 0, 0, 0, 0]) == 0


def test_sprt_does_not_decide_on_a_few_pairs_that_happen_to_agree() -> None:
    assert Sprt(0, 50).decision([0, 0, 0, 1, 1]) is None
    assert Sprt(0, 20).llr([0, 0, 0, 1, 3]) < Sprt(0, 20).llr([0, 0, 0, 0, 4])


@pytest.mark.parametrize(
    ("pairs", "decision"),
    [([0, 0, 0, 0, 0], None), ([10, 0, 50, 0, 90], "elo1"), ([90, 0, 50, 0, 10], "elo0"), ([1, 2, 3, 0, 4], None)],
)
def test_sprt_decides(pairs: list[int], decision: str | None) -> None:
    assert Sprt(0, 30).decision(pairs) == decision


def test_sprt_refuses_nonsense() -> None:
    with pytest.raises(SetupError, match="elo0 must be below elo1, not 5 and 5"):
        Sprt(5, 5)
    with pytest.raises(SetupError, match="alpha and beta"):
        Sprt(0, 5, alpha=0)


def test_a_sequential_test_is_written_as_two_numbers() -> None:
    assert Sprt.from_text("0,8") == Sprt(0, 8)
    assert Sprt.from_text("-5, 0.5") == Sprt(-5, 0.5)
    for text in ("", "8", "0 8", "0,8,16", "a,b"):
        with pytest.raises(SetupError, match="two Elo differences like 0,8, not"):
            Sprt.from_text(text)
