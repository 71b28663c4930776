"""Is the engine ever late? Games through pipes at a short time a move, while every core is busy with something else.

python benchmarks/engine_lateness.py --games 200 --turn 100 --log lateness.jsonl

Both sides are engines in processes of their own. Each move is timed from the question to the answer, by a manager that
has to wait for a processor too: a late line in the log is the engine's or the manager's, never hidden. To tell a late
engine from a machine that stands still (a virtual one whose host is busy), a thread that does nothing but sleep for
2 ms notes how much longer that took: "stall" in the log. Exit code 1 if a move was late, whatever the reason.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import select
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import IO

from tengen.arena import GameSetup
from tengen.arena.balanced import match_openings
from tengen.board import Board, Move

COMMAND = [sys.executable, "-c", "from tengen.protocol.host import run; run()"]
PATIENCE = 60.0


def keep_busy() -> None:
    """One core's worth of other people's work."""
    while True:
        sum(range(100_000))


class Watch:
    """Notes how long the machine keeps a thread waiting that only wants to wake up."""

    _PAUSE = 0.002

    def __init__(self) -> None:
        self._longest = 0.0
        threading.Thread(target=self._look, daemon=True).start()

    def _look(self) -> None:
        while True:
            asleep = time.perf_counter()
            time.sleep(self._PAUSE)
            self._longest = max(self._longest, time.perf_counter() - asleep - self._PAUSE)

    def take(self) -> float:
        """The longest stall since the last call, in milliseconds."""
        longest, self._longest = self._longest, 0.0
        return 1000 * longest


class Engine:
    """One engine behind two pipes."""

    def __init__(self, turn: int) -> None:
        self._process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        self._turn = turn
        self._rest = b""

    def _ask(self, lines: list[str]) -> tuple[str, float]:
        """The answer to some lines, and the milliseconds until it came."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        data = "".join(f"{line}\n" for line in lines).encode()
        asked = time.perf_counter()
        self._process.stdin.write(data)
        while True:
            while b"\n" in self._rest:
                line, _, self._rest = self._rest.partition(b"\n")
                if not line.startswith((b"MESSAGE", b"DEBUG")):
                    return line.decode().strip(), 1000 * (time.perf_counter() - asked)
            if not select.select([self._process.stdout], [], [], PATIENCE)[0]:
                raise SystemExit("an engine does not answer at all")
            data = os.read(self._process.stdout.fileno(), 4096)
            if not data:
                raise SystemExit("an engine has left")
            self._rest += data

    def start(self, size: int) -> None:
        answer, _ = self._ask([f"START {size}"])
        assert answer == "OK", answer
        assert self._process.stdin is not None
        infos = [f"INFO timeout_turn {self._turn}", "INFO timeout_match 0", "INFO rule 0"]
        self._process.stdin.write("".join(f"{line}\n" for line in infos).encode())
        time.sleep(0.5)  # a manager has its own work between INFO and the first question

    def move(self, board: Board) -> tuple[Move, float]:
        stones = [f"{m.x},{m.y},{1 if board.piece_at(m) == board.turn else 2}" for m in board.moves]
        answer, milliseconds = self._ask(["INFO time_left 2147483647", "BOARD", *stones, "DONE"])
        x, y = answer.split(",")
        return Move(int(x), int(y)), milliseconds

    def end(self) -> None:
        self._process.communicate(b"END\n", timeout=PATIENCE)


def play(
    engines: list[Engine],
    setup: GameSetup,
    opening: tuple[Move, ...],
    game: int,
    log: IO[str],
    until: float,
    watch: Watch,
) -> list[float]:
    """One game, broken off when the time is up; the milliseconds of its moves."""
    board = setup.board(opening)
    for engine in engines:
        engine.start(setup.size)
    times = []
    while not board.is_over and time.monotonic() < until:
        watch.take()
        move, milliseconds = engines[board.turn].move(board)
        stall = watch.take()
        board.push(move)
        times.append(milliseconds)
        entry = {"game": game, "ply": board.ply, "ms": round(milliseconds, 2), "stall": round(stall, 2)}
        print(json.dumps(entry), file=log, flush=True)
    return times


def measure(count: int, turn: int, seconds: float, path: Path) -> tuple[int, list[float]]:
    """Plays games until there are enough or the time is up; how many, and the milliseconds of all moves."""
    setup = GameSetup()
    engines = [Engine(turn), Engine(turn)]
    watch = Watch()
    times: list[float] = []
    games = 0
    until = time.monotonic() + seconds
    with path.open("w", encoding="utf-8") as log:
        for opening in match_openings(count, setup, seed=1):
            if time.monotonic() >= until:
                break
            games += 1
            times += play(engines, setup, opening, games, log, until, watch)
    for engine in engines:
        engine.end()
    return games, times


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--turn", type=int, default=100, help="milliseconds a move")
    parser.add_argument("--busy", type=int, default=os.cpu_count() or 1, help="processes that keep cores busy")
    parser.add_argument("--minutes", type=float, default=0.0, help="stop after so many, 0 for no limit")
    parser.add_argument("--log", type=Path, default=Path("lateness.jsonl"))
    options = parser.parse_args()
    busy = [multiprocessing.Process(target=keep_busy, daemon=True) for _ in range(options.busy)]
    for process in busy:
        process.start()
    try:
        games, times = measure(options.games, options.turn, 60 * options.minutes or float("inf"), options.log)
    finally:
        for process in busy:
            process.terminate()
    late = sum(milliseconds > options.turn for milliseconds in times)
    quantiles = statistics.quantiles(times, n=1000, method="inclusive")
    print(
        f"{games} games, {len(times)} moves at {options.turn} ms with {options.busy} busy processes: {late} late; "
        f"median {quantiles[499]:.1f} ms, 99.9 % {quantiles[998]:.1f} ms, slowest {max(times):.1f} ms"
    )
    return 1 if late else 0


if __name__ == "__main__":
    sys.exit(main())
