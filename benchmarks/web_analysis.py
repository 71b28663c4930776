"""What do the updates of a running analysis cost? Compares the server's analysis with the bare search.

tengen play --no-browser --port 8550 --threads 1 --analysis-threads 1 &
python benchmarks/web_analysis.py --url ws://127.0.0.1:8550/ws --pid $! --playouts 150000 --rounds 5

Both search the same position in turn. Playouts are counted for a second of the processor, so that other programs on the
machine do not matter: the server's time has everything in it that a page causes, messages included.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import statistics
import time
from pathlib import Path

import websockets

from tengen import Board
from tengen.search import Mcts, SearchParams
from tengen.thinking.evaluators import best_evaluator
from tengen.web import limits

MOVES = ["h8", "i9", "g9", "i7", "i8", "g8"]


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def watched(url: str, pid: int, playouts: int) -> tuple[float, float]:
    """Playouts for a second of the processor, and updates for a second on the clock, of an analysis on the server."""
    async with websockets.connect(url) as page:
        await page.recv()
        began, first = time.perf_counter(), cpu_seconds(pid)
        await page.send(json.dumps({"type": "analyse", "id": 1, "game": {"moves": MOVES}, "playouts": playouts}))
        updates = 1
        while not (answer := json.loads(await page.recv()))["done"]:
            updates += 1
        spent, clock = cpu_seconds(pid) - first, time.perf_counter() - began
    return answer["thought"]["playouts"] / spent, updates / clock


def bare(playouts: int) -> float:
    """Playouts for a second of the processor of a search that nobody watches."""
    board = Board.from_moves(MOVES)
    evaluator = best_evaluator(board)
    began = time.process_time()
    search = Mcts(evaluator, SearchParams(memory=limits.ANALYSIS_MEMORY, seed=random.getrandbits(63)))
    found = search.search(board, playouts).playouts
    return found / (time.process_time() - began)


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", default="ws://127.0.0.1:8550/ws")
    parser.add_argument("--pid", type=int, required=True, help="of the server")
    parser.add_argument("--playouts", type=int, default=150_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    ratios, rates = [], []
    await watched(options.url, options.pid, 10_000)  # loads the network
    for _ in range(options.rounds):
        alone = bare(options.playouts)
        seen, rate = await watched(options.url, options.pid, options.playouts)
        ratios.append(seen / alone)
        rates.append(rate)
        print(
            f"bare {alone:,.0f}, watched {seen:,.0f} playouts a second: {seen / alone:.3f}; {rate:.1f} updates a second"
        )
    print(f"median ratio {statistics.median(ratios):.3f}, {statistics.median(rates):.1f} updates a second")


if __name__ == "__main__":
    asyncio.run(main())
