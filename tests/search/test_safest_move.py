"""The move that is played: the most visited one, or the one with the best lower confidence bound."""

from __future__ import annotations

import math
import random

import pytest

from tengen import core
from tengen.board import Board
from tengen.nets.line_random import random_network
from tengen.search.mcts import Analysis, Candidate, Mcts
from tengen.search.params import SearchParams

NETWORK = core.NetworkEvaluator(random_network(4, 32, 1))


def analyse(board: Board, deviations: float) -> Analysis:
    search = Mcts(NETWORK, SearchParams(lcb_deviations=deviations, threats=False, memory=1 << 24))
    return search.search(board, playouts=400, best=500)


def random_board(seed: int) -> Board:
    chance, board = random.Random(seed), Board(size=9)
    while board.ply < 6:
        board.push(chance.choice(list(board.legal_moves)))
    return board


def bound(candidate: Candidate, deviations: float) -> float:
    return candidate.value - deviations * math.sqrt((1 - candidate.value**2) / candidate.visits)


@pytest.mark.parametrize("deviations", [0.1, 1.0, 3.0])
def test_the_safest_move_comes_first(deviations: float) -> None:
    changed = 0
    for seed in range(20):
        board = random_board(seed)
        usual, safe = analyse(board, 0), analyse(board, deviations)
        by_visits = usual.candidates
        tried = [one for one in by_visits if one.proof is None and 8 * one.visits >= by_visits[0].visits]
        best = max(tried, key=lambda one: bound(one, deviations))
        assert safe.candidates[0].visits == best.visits
        assert safe.candidates[0].value == pytest.approx(best.value)
        assert sorted(map(str, safe.candidates)) == sorted(map(str, by_visits))  # nothing else about it changes
        changed += safe.candidates[0].move != by_visits[0].move
    assert changed > 0 or deviations > 1
