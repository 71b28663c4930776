"""Many games at once against the web board: is everybody answered, how soon, and how much memory does it take?

tengen play --no-browser --port 8550 &
python benchmarks/web_load.py --url ws://127.0.0.1:8550/ws --games 100 --moves 10 --level 5
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import time
from pathlib import Path

import websockets


async def play(url: str, level: int, moves: int, seconds: list[list[float]], start: asyncio.Event) -> None:
    """One page that asks for both sides' moves."""
    async with websockets.connect(url) as socket:
        await socket.recv()
        await start.wait()
        game: list[str] = ["h8"]
        waits: list[float] = []
        seconds.append(waits)
        for number in range(moves):
            asked = time.perf_counter()
            request = {"type": "think", "id": number, "level": level, "game": {"moves": game}}
            await socket.send(json.dumps(request))
            while (answer := json.loads(await socket.recv()))["type"] == "progress":
                pass
            waits.append(time.perf_counter() - asked)
            if answer["type"] == "error":
                raise SystemExit(answer["message"])
            game.append(answer["move"])
            if answer["state"]["result"]:
                game = ["h8"]
        await asyncio.sleep(1)  # idle, for the measurement of memory


def resident(pid: int | None) -> int:
    """Bytes of memory that a process holds, 0 if unknown."""
    if pid is None:
        return 0
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * 4096


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", default="ws://127.0.0.1:8550/ws")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--moves", type=int, default=10, help="answers that each game asks for")
    parser.add_argument("--level", type=int, default=5)
    parser.add_argument("--pid", type=int, help="of the server, to measure its memory")
    options = parser.parse_args()
    before = resident(options.pid)
    seconds: list[list[float]] = []
    start = asyncio.Event()
    pages = [
        asyncio.create_task(play(options.url, options.level, options.moves, seconds, start))
        for _ in range(options.games)
    ]
    await asyncio.sleep(2)
    idle = resident(options.pid)
    began = time.perf_counter()
    start.set()
    await asyncio.gather(*pages)
    total = time.perf_counter() - began - 1
    waits = sorted(wait for game in seconds for wait in game)
    means = [statistics.mean(game) for game in seconds]
    print(f"{options.games} games, level {options.level}: {len(waits)} answers in {total:.1f} s")
    late = waits[int(0.99 * len(waits))]
    print(f"an answer: median {statistics.median(waits):.3f} s, 99 % {late:.3f} s, slowest {waits[-1]:.3f} s")
    print(f"a game's mean: fastest {min(means):.3f} s, slowest {max(means):.3f} s")
    if options.pid:
        page = (idle - before) / options.games
        print(f"memory: {before / 1e6:.0f} MB before, {page / 1e6:.3f} MB for each idle page")
        print(f"memory: {resident(options.pid) / 1e6:.0f} MB after")


if __name__ == "__main__":
    asyncio.run(main())
