"""What `tengen bench search` measures."""

from __future__ import annotations

import random
from itertools import pairwise

from tengen import core
from tengen.board import Board
from tengen.nets.line_random import random_network
from tengen.search.mcts import Mcts
from tengen.search.params import SearchParams

POSITIONS = 4
#: Every form of parallelism, with its thread count.
PARALLEL = (("tree", 2), ("root", 2), ("leaf", 2))
#: Of the time of a playout, each added to those before it: tree and board, evaluation by the network, fours in every
#: position, threats at the root and after the moves that are doubted.
PARTS = ("tree", "evaluation", "fours", "doubt")


def measure(playouts: int, rounds: int, seed: int) -> dict[str, float | int | str]:
    """Playouts/s by evaluator, threads and parallelism, what the parts of a playout take, and a signature."""
    boards = [_middle_game(random.Random(f"{seed} {i}")) for i in range(POSITIONS)]
    network = core.NetworkEvaluator(random_network(4, 64, seed))
    plain = SearchParams(threats=False, seed=seed)
    knowing = SearchParams(seed=seed)
    figures: dict[str, float | int | str] = {}
    signature = 0
    for name, evaluator, params in (
        ("uniform", core.UniformEvaluator(), plain),
        ("network", network, plain),
        ("network_vcf", network, knowing),
    ):
        one, visits = _speed(evaluator, params, boards, playouts, rounds)
        signature = (signature * 1_000_003 + visits) % 2**64
        figures[f"{name}_playouts_per_second"] = one
        for parallelism, threads in PARALLEL:
            shared = SearchParams(**{**vars(params), "parallelism": parallelism, "threads": threads})
            speed, _ = _speed(evaluator, shared, boards, playouts, rounds)
            figures[f"{name}_{parallelism}{threads}_ratio"] = round(speed / one, 3)
    figures["signature"] = f"{signature:016x}"
    doubtless = SearchParams(seed=seed, vct_nodes_root=0, vct_nodes_answer=0)
    speeds = [figures[f"{name}_playouts_per_second"] for name in ("uniform", "network", "network_vcf")]
    speeds.insert(2, _speed(network, doubtless, boards, playouts, rounds)[0])
    for part, added in zip(PARTS, _differences([1e6 / float(speed) for speed in speeds]), strict=True):
        figures[f"microseconds_{part}"] = round(added, 2)
    return figures


def _differences(sums: list[float]) -> list[float]:
    return [now - before for before, now in pairwise([0.0, *sums])]


def _middle_game(rng: random.Random) -> Board:
    """Eight random stones near the centre, nobody in danger."""
    while True:
        board = Board()
        while board.ply < 8:
            board.push(
                rng.choice([move for move in map(board._move, board._core.candidates()) if board.is_legal(move)])
            )
        analysis = Mcts(core.UniformEvaluator()).search(board, playouts=200)
        if not board.is_over and analysis.proof is None:
            return board


def _speed(
    evaluator: core.Evaluator, params: SearchParams, boards: list[Board], playouts: int, rounds: int
) -> tuple[float, int]:
    """The best round's playouts/s, and a number that depends on every visit count.

    As in a game, one searcher searches one position after the other: its memory is made ready by the first.
    """
    seconds = [float("inf")] * len(boards)
    search = Mcts(evaluator, params)
    done = visits = 0
    for _ in range(rounds):
        done = visits = 0
        for i, board in enumerate(boards):
            analysis = search.search(board, playouts=playouts, best=500)
            seconds[i] = min(seconds[i], analysis.seconds)
            done += analysis.playouts
            for candidate in analysis.candidates:
                visits = (visits * 31 + candidate.visits * 997 + candidate.move.y * 22 + candidate.move.x) % 2**64
    return done / sum(seconds), visits
