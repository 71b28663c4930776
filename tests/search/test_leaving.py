"""Python may leave, or fork, whatever its threads are doing in the core."""

from __future__ import annotations

import subprocess
import sys

import pytest

PATIENCE = 120.0  # a busy machine must not fail a test

NAMES = """
import os, sys, threading, time
import numpy as np
from tengen import core
from tengen.board import Board
from tengen.errors import SetupError
from tengen.nets.planes import plane_spec
from tengen.search import AlphaBeta, Mcts, SearchParams
from tengen.train.params import SelfPlayParams

board = Board.from_moves("h8 i9")

def no_opinion(planes):
    return np.zeros((len(planes), 225), np.float32), np.zeros(len(planes), np.float32)

def batched():
    spec = plane_spec("s4")
    queue = core.BatchQueue(no_opinion, spec.planes, 15, 15, moves=225, max_batch=4)
    return core.BatchedEvaluator(queue, spec, False, 1)

def pool(evaluator):
    params = SelfPlayParams(full_playouts=40, fast_playouts=10)
    return core.SelfPlayPool(evaluator, params, params.kinds(), SearchParams(memory=8 << 20), threads=2, seed=5)
"""

#: What a daemon thread may be doing when Python leaves.
WORK = {
    "a search": "Mcts(core.RolloutEvaluator(1), SearchParams(threads=2)).search(board, seconds=1000)",
    "short searches": "[Mcts(core.UniformEvaluator()).search(board, 10) for _ in iter(int, 1)]",
    "a search with a network in Python": "Mcts(batched()).search(board, seconds=1000)",
    "alpha-beta": "AlphaBeta(depth=60).search(board)",
    "self-play with a network in Python": "games = pool(batched()); games.take_games(1000)",
}


def run(script: str) -> str:
    """What a script says, which ends well and without complaints."""
    done = subprocess.run([sys.executable, "-c", NAMES + script], capture_output=True, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stderr.decode()) == (0, "")
    return done.stdout.decode()


@pytest.mark.parametrize("work", WORK.values(), ids=WORK)
def test_python_leaves_while_a_daemon_thread_works(work: str) -> None:
    run(f"""
begun = threading.Event()
def work():
    begun.set()
    {work}
threading.Thread(target=work, daemon=True).start()
begun.wait()
time.sleep(0.3)
""")


def test_python_leaves_with_work_that_nobody_waits_for() -> None:
    run("games = pool(batched()); games.take_games(0.3)")


FORK = """
if child := os.fork():
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def test_a_forked_child_searches_anew_and_leaves() -> None:
    said = run(f"""
search = Mcts(core.UniformEvaluator(), SearchParams(threads=2))
games = pool(core.UniformEvaluator())
search.search(board, 500)
{FORK}
print(search.search(board, 300).visits)
""")
    assert said == "300\n"


def test_a_network_in_python_stays_where_it_is() -> None:
    said = run(f"""
search = Mcts(batched())
search.search(board, 20)
{FORK}
try:
    search.search(board, 20)
except SetupError as error:
    print(error)
""")
    assert said == "this network works in another process: load it again after a fork\n"
