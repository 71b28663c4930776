"""How fast a line network trains on this machine."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import torch

from tengen import core
from tengen.train.learner import LineLearner
from tengen.train.params import LearnParams


def _close_game(rng: np.random.Generator) -> core.Board:
    """A middle game whose stones lie close together, as in real games: each next to as many as possible of three."""
    board = core.Board(15, 15, core.Rule.freestyle, 5)
    taken = np.zeros((19, 19), np.int64)
    for _ in range(int(rng.integers(10, 45))):
        choices = rng.choice(board.candidates(), 3)
        near = [taken[cell // 15 : cell // 15 + 5, cell % 15 : cell % 15 + 5].sum() for cell in choices]
        cell = int(choices[int(np.argmax(near))])
        taken[cell // 15 + 2, cell % 15 + 2] = 1
        board.play(cell)
    return board


def _batch(rng: np.random.Generator, size: int) -> dict[str, Any]:
    stones = np.zeros((size, 225), np.uint8)
    for row in stones:
        board = _close_game(rng)
        row[board.stones(board.turn)] = 1
        row[board.stones(1 - board.turn)] = 2
    policy = rng.random(stones.shape).astype(np.float32) ** 8 * core.mark_candidates(stones, 15, 15)
    return {
        "width": 15,
        "height": 15,
        "stones": stones,
        "rules": np.zeros(size, np.uint8),
        "turns": np.zeros(size, np.uint8),
        "policy": policy / policy.sum(1, keepdims=True),
        "outcome": rng.dirichlet((1, 1, 1), size).astype(np.float32),
    }


def training_speed(params: LearnParams, steps: int = 12, seed: int = 1) -> float:
    """Positions a second of CPU time that a line network learns from, in the fastest of some steps as in a run."""
    threads = torch.get_num_threads()
    learner = LineLearner(params, seed)
    batch = _batch(np.random.default_rng(seed), params.batch)
    fastest = float("inf")
    for _ in range(steps):
        start = time.process_time()
        learner.step([batch], 0.0)
        fastest = min(fastest, time.process_time() - start)
    torch.set_num_threads(threads)
    return params.batch / fastest
