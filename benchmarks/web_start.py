"""How long does the web board take from its start until it greets a page?

python benchmarks/web_start.py --rounds 5 tengen ../other/.venv/bin/tengen

Several programs are started in turn, so that a busy machine is fair to all. The processor's time is steadier than the
clock.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import socket
import statistics
import subprocess
import time
import urllib.request
from pathlib import Path

import websockets


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def greet(port: int) -> None:
    """Loads the first page and waits for the server's first message."""
    while True:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/") as page:
                page.read()
            break
        except OSError:
            await asyncio.sleep(0.01)
    async with websockets.connect(f"ws://127.0.0.1:{port}/ws") as page_socket:
        await page_socket.recv()


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def start(program: str) -> tuple[float, float]:
    """Seconds on the clock and of the processor."""
    port = free_port()
    began = time.perf_counter()
    process = subprocess.Popen([program, "play", "--no-browser", "--port", str(port)], stdout=subprocess.DEVNULL)
    try:
        asyncio.run(greet(port))
        return time.perf_counter() - began, cpu_seconds(process.pid)
    finally:
        process.send_signal(signal.SIGINT)
        process.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="+")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    found: dict[str, list[tuple[float, float]]] = {program: [] for program in options.programs}
    for _ in range(options.rounds):
        for program, times in found.items():
            times.append(start(program))
    for program, times in found.items():
        clock, cpu = (statistics.median(column) for column in zip(*times, strict=True))
        print(f"{program}: greets a page after {clock:.2f} s, {cpu:.2f} s of the processor (medians)")


if __name__ == "__main__":
    main()
