"""Networks behind the batch queue: gathered batches, symmetries undone, errors that reach the caller."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from tengen import Board, core
from tengen.nets.planes import plane_spec
from tengen.search import Mcts, SearchParams

Floats = npt.NDArray[np.float32]
Network = Callable[[Floats], tuple[Floats, Floats]]


def no_opinion(planes: Floats) -> tuple[Floats, Floats]:
    return np.zeros((len(planes), planes.shape[2] * planes.shape[3]), np.float32), np.zeros(len(planes), np.float32)


def near_the_last_move(planes: Floats) -> tuple[Floats, Floats]:
    """Likes points near the last move: the same from every side, so symmetries must not change what comes out."""
    size = planes.shape[2]
    rows, columns = np.mgrid[:size, :size]
    policy = []
    for last in planes[:, 2]:
        y, x = np.unravel_index(int(last.argmax()), last.shape)
        policy.append(-np.hypot(rows - y, columns - x).reshape(-1))
    return np.array(policy, np.float32), np.zeros(len(planes), np.float32)


def evaluator(
    network: Network, size: int = 9, random_symmetry: bool = False, patience: float = 0.002
) -> tuple[core.Evaluator, core.BatchQueue]:
    spec = plane_spec("s4")
    queue = core.BatchQueue(network, spec.planes, size, size, moves=size * size, max_batch=16, patience=patience)
    return core.BatchedEvaluator(queue, spec, random_symmetry, 1), queue


def test_a_network_without_opinion_searches_like_the_uniform_evaluator() -> None:
    board = Board.from_moves("e5 f6 d4", size=9)
    batched, _ = evaluator(no_opinion)
    first = Mcts(batched).search(board, playouts=300, best=100)
    second = Mcts(core.UniformEvaluator()).search(board, playouts=300, best=100)
    assert [(c.move, c.visits) for c in first.candidates] == [(c.move, c.visits) for c in second.candidates]


@pytest.mark.parametrize("random_symmetry", [False, True])
def test_policies_come_back_in_the_boards_own_orientation(random_symmetry: bool) -> None:
    board = Board.from_moves("b2 c3 d2", size=9)
    batched, _ = evaluator(near_the_last_move, random_symmetry=random_symmetry)
    for _ in range(8):
        analysis = Mcts(batched).search(board, playouts=200, best=3)
        nearest = max(abs(analysis.candidates[0].move.x - 3), abs(analysis.candidates[0].move.y - 7))
        assert nearest == 1
        best = max(analysis.candidates, key=lambda c: c.prior)
        assert abs(best.move.x - 3) + abs(best.move.y - 7) == 1


def test_many_threads_share_batches() -> None:
    sizes = []

    def watched(planes: Floats) -> tuple[Floats, Floats]:
        sizes.append(len(planes))
        return no_opinion(planes)

    batched, queue = evaluator(watched)
    analysis = Mcts(batched, SearchParams(threads=8)).search(Board.from_moves("e5 f6", size=9), playouts=800)
    assert analysis.playouts == 800
    assert queue.positions == sum(sizes)
    assert queue.batches == len(sizes)
    assert max(sizes) > 1
    assert sum(sizes) / len(sizes) > 2, "threads wait for each other's positions"


@pytest.mark.parametrize("parallelism", ["tree", "root", "leaf"])
@pytest.mark.parametrize("threads", [1, 4])
def test_no_batch_waits_for_threads_that_will_not_ask(threads: int, parallelism: Any) -> None:
    """Neither for evaluators that no thread uses, nor for threads that sleep until another has expanded a node."""
    batched, queue = evaluator(no_opinion, patience=20)
    params = SearchParams(threads=threads, parallelism=parallelism)
    Mcts(batched, params).search(Board.from_moves("e5 f6", size=9), playouts=200)
    assert queue.positions >= 200 // threads
    assert queue.timeouts == 0


def test_python_runs_while_the_search_waits() -> None:
    """The GIL is held for the network's call alone."""
    batched, _ = evaluator(no_opinion)
    ticks = 0
    done = threading.Event()

    def count() -> None:
        nonlocal ticks
        while not done.is_set():
            ticks += 1

    counter = threading.Thread(target=count)
    counter.start()
    Mcts(batched, SearchParams(threads=2)).search(Board.from_moves("e5", size=9), playouts=400)
    done.set()
    counter.join()
    assert ticks > 0


def test_a_failing_network_is_reported() -> None:
    def broken(planes: Floats) -> tuple[Floats, Floats]:
        raise ValueError("out of order")

    batched, _ = evaluator(broken)
    with pytest.raises(RuntimeError, match="out of order"):
        Mcts(batched).search(Board.from_moves("e5", size=9), playouts=20)


def test_a_failure_is_reported_once() -> None:
    fails = True

    def recovers(planes: Floats) -> tuple[Floats, Floats]:
        if fails:
            raise ValueError("out of order")
        return no_opinion(planes)

    batched, _ = evaluator(recovers)
    search = Mcts(batched)
    with pytest.raises(RuntimeError, match="out of order"):
        search.search(Board.from_moves("e5", size=9), playouts=20)
    batched.check()
    fails = False
    assert search.search(Board.from_moves("e5 d5", size=9), playouts=20).playouts == 20


@pytest.mark.parametrize(("shape", "max_batch"), [((3, 9, 9, 81), 0), ((0, 9, 9, 81), 1), ((3, 9, -9, 81), 1)])
def test_a_queue_without_room_is_refused(shape: tuple[int, int, int, int], max_batch: int) -> None:
    with pytest.raises(ValueError, match=r"at least one|room for one"):
        core.BatchQueue(no_opinion, *shape, max_batch=max_batch)


def test_wrong_shapes_are_reported() -> None:
    batched, _ = evaluator(lambda planes: (np.zeros((1, 3), np.float32), np.zeros(1, np.float32)))
    with pytest.raises(RuntimeError, match="shape"):
        Mcts(batched).search(Board.from_moves("e5", size=9), playouts=20)


def test_another_board_size_is_refused() -> None:
    batched, _ = evaluator(no_opinion)
    with pytest.raises(ValueError, match="9x9, not 15x15"):
        Mcts(batched).search(Board(), playouts=20)


def diverged(planes: Floats) -> tuple[Floats, Floats]:
    policy, value = no_opinion(planes)
    return policy * np.nan, value


@pytest.mark.parametrize("threads", [1, 4])
def test_a_network_that_has_diverged_is_an_error_and_not_an_endless_search(threads: int) -> None:
    batched, _ = evaluator(diverged)
    with pytest.raises(RuntimeError, match="not made of finite numbers"):
        Mcts(batched, SearchParams(threads=threads)).search(Board(size=9), playouts=100)


def test_a_network_is_not_asked_about_another_board() -> None:
    batched, _ = evaluator(no_opinion)
    with pytest.raises(ValueError, match="made for boards of 9x9, not 15x15"):
        batched.judge(Board()._core)
