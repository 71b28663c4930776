"""What do the updates of a running analysis cost? Compares the server's analysis with the bare search.

tengen play --no-browser --port 8550 --threads 1 --analysis-threads 1 &
python benchmarks/web_analysis.py --url ws://127.0.0.1:8550/ws --pid $! --seconds 5 --rounds 3

Both search the same position in turn. Playouts are counted for a second of the processor, so that other programs on the
machine do not matter: the server's time has everything in it that a page causes, messages included.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import time
from pathlib import Path

import websockets

from tengen import Board
from tengen.players.evaluators import best_evaluator
from tengen.search import Mcts, SearchParams
from tengen.web import limits

MOVES = ["h8", "i9", "g9", "i7", "i8", "g8"]


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def watched(url: str, pid: int, seconds: float) -> tuple[float, float]:
    """Playouts for a second of the processor, and updates for a second on the clock, of an analysis on the server."""
    async with websockets.connect(url) as page:
        await page.recv()
        await page.send(json.dumps({"type": "analyse", "id": 1, "game": {"moves": MOVES}}))
        await page.recv()  # the network is loaded, the search runs
        began, first = time.perf_counter(), cpu_seconds(pid)
        before = json.loads(await page.recv())["thought"]["playouts"]
        updates = 0
        while time.perf_counter() - began < seconds:
            last = json.loads(await page.recv())["thought"]["playouts"]
            updates += 1
        spent, clock = cpu_seconds(pid) - first, time.perf_counter() - began
    return (last - before) / spent, updates / clock


def bare(seconds: float) -> float:
    """Playouts for a second of the processor of a search that nobody watches."""
    board = Board.from_moves(MOVES)
    search = Mcts(best_evaluator(board), SearchParams(memory=limits.ANALYSIS_MEMORY))
    search.search(board, playouts=1000)
    began = time.process_time()
    playouts = search.search(board, seconds=seconds).playouts
    return playouts / (time.process_time() - began)


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", default="ws://127.0.0.1:8550/ws")
    parser.add_argument("--pid", type=int, required=True, help="of the server")
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    ratios, rates = [], []
    for _ in range(options.rounds):
        alone = bare(options.seconds)
        seen, rate = await watched(options.url, options.pid, options.seconds)
        ratios.append(seen / alone)
        rates.append(rate)
        print(
            f"bare {alone:,.0f}, watched {seen:,.0f} playouts a second: {seen / alone:.3f}; {rate:.1f} updates a second"
        )
    print(f"median ratio {statistics.median(ratios):.3f}, {statistics.median(rates):.1f} updates a second")


if __name__ == "__main__":
    asyncio.run(main())
