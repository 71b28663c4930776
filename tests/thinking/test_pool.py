"""Jobs in slices on a few threads."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Generator, Iterator
from typing import Any

import pytest

from tengen import Board
from tengen.search import Mcts, SearchParams
from tengen.thinking.evaluators import best_evaluator
from tengen.thinking.pool import Job, Pool
from tengen.thinking.thought import Budget, Thinking


class Tree:
    """Something that grows."""

    def __init__(self) -> None:
        self.memory = 0
        self.stopped = False

    def stop(self) -> None:
        self.stopped = True


def growing(growth: int, slices: int) -> Callable[[Job], Iterator[None]]:
    """Work that grows by the same amount with each slice until it is told to end."""

    def work(job: Job) -> Iterator[None]:
        tree = Tree()
        job.attend(tree)
        for _ in range(slices):
            tree.memory += growth
            if tree.stopped:
                return
            yield None

    return work


def run(pool: Pool, *jobs: Job) -> list[Job]:
    """The jobs in the order in which they end."""
    done: queue.SimpleQueue[Job] = queue.SimpleQueue()
    for job in jobs:
        pool.add(job, done.put)
    ended = [done.get(timeout=30) for _ in jobs]
    pool.close()
    return ended


def test_the_largest_tree_ends_when_all_together_are_too_large() -> None:
    small, large = (Job(1, growing(*sizes), print) for sizes in ((1, 90), (10, 1_000_000)))
    assert run(Pool(1, memory=500), small, large) == [large, small]
    assert (large.crowded, small.crowded) == (True, False)
    assert large.memory <= 520


def test_jobs_take_turns() -> None:
    order: list[str] = []

    def work(name: str, slices: int) -> Callable[[Job], Iterator[str]]:
        return lambda job: iter([name] * slices)

    begin = threading.Event()
    gate = Job(0, lambda job: iter([begin.wait(30)]), lambda _: None)
    jobs = [Job(name, work(name, slices), order.append) for name, slices in (("a", 3), ("b", 1), ("c", 2))]
    pool = Pool(1)
    pool.add(gate, lambda _: None)
    threading.Timer(0.05, begin.set).start()
    assert [job.id for job in run(pool, *jobs)] == ["b", "c", "a"]
    assert order == ["a", "b", "c", "a", "c", "a"]


def test_only_so_many_jobs_at_once() -> None:
    under_way: list[int] = []
    most = 0

    def work(job: Job) -> Iterator[None]:
        nonlocal most
        under_way.append(1)
        most = max(most, len(under_way))
        for _ in range(5):
            yield None
        under_way.pop()

    jobs = [Job(number, work, print) for number in range(20)]
    assert {job.id for job in run(Pool(2, at_once=3), *jobs)} == set(range(20))
    assert most == 3


@pytest.mark.parametrize("discard", [False, True])
def test_the_last_answer_is_not_sent_but_there_when_the_job_is_done(discard: bool) -> None:
    def work(job: Job) -> Generator[str, None, str]:
        yield "first"
        if discard:
            job.stop(discard=True)
        return "last"

    sent: list[Any] = []
    job = Job(1, work, sent.append)
    run(Pool(1), job)
    assert sent == ["first"]
    assert job.last == (None if discard else "last")


def test_a_job_that_fails_ends_alone(caplog: pytest.LogCaptureFixture) -> None:
    def work(job: Job) -> Iterator[None]:
        yield None
        raise RuntimeError("on purpose")

    sent: list[Any] = []
    bad, good = Job(1, work, print), Job(2, lambda job: iter(["fine"]), sent.append)
    assert set(run(Pool(1), bad, good)) == {bad, good}
    assert sent == ["fine"]
    assert "on purpose" in caplog.text


@pytest.mark.parametrize("discard", [False, True])
def test_a_job_that_is_stopped(discard: bool) -> None:
    sent: list[Any] = []
    board = Board.from_moves("h8 i9")

    def work(job: Job) -> Iterator[Any]:
        yield from job.steps(Thinking(board, Mcts(best_evaluator(board), SearchParams(memory=64 << 20)), Budget()))

    job = Job(1, work, sent.append)
    threading.Timer(0.2, lambda: job.stop(discard)).start()
    run(Pool(1), job)
    assert job.stopped
    assert (sent[-1].ended == "stopped") is not discard
    assert len(sent) >= 1


def test_a_job_that_is_stopped_before_it_begins_still_answers() -> None:
    sent: list[Any] = []
    board = Board.from_moves("h8 i9")
    job = Job(1, lambda job: job.steps(Thinking(board, Mcts(best_evaluator(board)), Budget())), sent.append)
    job.stop()
    run(Pool(1), job)
    assert sent[-1].ended == "stopped"
    assert sent[-1].candidates
