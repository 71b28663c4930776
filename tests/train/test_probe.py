"""What learning did between two publications."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tengen import core
from tengen.nets.line_random import random_network
from tengen.search import SearchParams
from tengen.train.params import SelfPlayParams
from tengen.train.probe import Probe, divergence, explained_variance


@pytest.fixture(scope="module")
def games() -> list[core.GameRecord]:
    params = SelfPlayParams(sizes=(9,), full_playouts=10, fast_playouts=4)
    pool = core.SelfPlayPool(core.UniformEvaluator(), params, params.kinds(), SearchParams(memory=1 << 20), 1, 5)
    data = b""
    while len(core.read_games(data)) < 12:
        data += pool.take_games(1.0)
    pool.stop()
    return core.read_games(data)


def test_a_network_does_not_differ_from_itself(games: list[core.GameRecord]) -> None:
    probe = Probe(16, 1)
    network = core.NetworkEvaluator(random_network(4, 32, 1))
    assert probe.look(network) is None, "no games yet"
    probe.add(games)
    look = probe.look(network)
    assert look is not None
    change = look.compare(network)
    assert change.kl == pytest.approx(0, abs=1e-6)
    assert change.variance_before == change.variance_after


def test_two_networks_differ(games: list[core.GameRecord]) -> None:
    probe = Probe(16, 1)
    probe.add(games)
    one, other = (core.NetworkEvaluator(random_network(4, 32, seed)) for seed in (1, 2))
    look = probe.look(one)
    assert look is not None
    change = look.compare(other)
    assert change.kl > 0.001
    assert change.variance_before != change.variance_after


def test_judging_needs_no_search() -> None:
    board = core.Board(9, 9, core.Rule.freestyle, 5)
    for cell in (40, 41):
        board.play(cell)
    value, moves, priors = core.UniformEvaluator().judge(board)
    assert value == 0
    assert 40 not in moves
    assert priors == pytest.approx([1 / len(moves)] * len(moves))


def test_formulas() -> None:
    assert divergence({1: 0.5, 2: 0.5}, {1: 0.25, 2: 0.75}) == pytest.approx(0.5 * math.log(2) + 0.5 * math.log(2 / 3))
    assert divergence({1: 1.0}, {2: 1.0}) > 10
    results = np.array([1.0, -1.0, 1.0, -1.0])
    assert explained_variance(results, results) == 1
    assert explained_variance(results, np.zeros(4)) == 0
    assert explained_variance(results, -results) < 0
    assert explained_variance(np.ones(4), results) == 0
