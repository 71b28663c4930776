"""How fast a line network trains on this machine."""

from __future__ import annotations

import time

import numpy as np
import torch

from tengen import core
from tengen.board import Color
from tengen.nets.fused import fused_loss
from tengen.nets.line import LineConfig, LineNet
from tengen.nets.line_batch import BatchEncoder, Positions, condition


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


def _batch(rng: np.random.Generator, size: int) -> Positions:
    stones = np.zeros((size, 225), np.uint8)
    for row in stones:
        board = _close_game(rng)
        row[board.stones(board.turn)] = 1
        row[board.stones(1 - board.turn)] = 2
    policy = rng.random(stones.shape).astype(np.float32) ** 8 * core.mark_candidates(stones, 15, 15)
    outcome = rng.dirichlet((1, 1, 1), size).astype(np.float32)
    conditions = np.full(size, condition("freestyle", Color.BLACK), np.uint8)
    return Positions(15, 15, stones, conditions, policy / policy.sum(1, keepdims=True), outcome)


def training_speed(config: LineConfig, batch: int = 1024, steps: int = 12, seed: int = 1) -> float:
    """Positions a second of CPU time, encoding, gradients and Adam included, in the fastest of some steps."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    positions = _batch(np.random.default_rng(seed), batch)
    model, encoder = LineNet(config), BatchEncoder(config.radius)
    optimizer = torch.optim.Adam(model.parameters(), 1e-3, fused=True)
    fastest = float("inf")
    for _ in range(steps):
        start = time.process_time()
        optimizer.zero_grad()
        loss, _, _ = fused_loss(model, encoder.encode([positions]))
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        model.clip_weights()
        fastest = min(fastest, time.process_time() - start)
    torch.set_num_threads(threads)
    return batch / fastest
