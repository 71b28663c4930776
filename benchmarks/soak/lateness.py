"""Is the engine ever late? Games through pipes at 100 ms a move, while every core is busy with something else.

Where something else keeps the cores busy already, such as another run of this part, SOAK_BUSY=0 says so.

With each move a control is asked too, a process that does nothing but wait for as long as the engine usually thinks and
then answers. What the control is late for is the machine's fault: of a virtual one whose host is busy, say.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import select
import statistics
import subprocess
import sys
import time

from soak.part import Limit, Outcome, Part
from tengen.arena import GameSetup
from tengen.arena.balanced import match_openings
from tengen.board import Board, Move

_TURN_MS = 100
_ENGINE = [sys.executable, "-c", "from tengen.protocol.host import run; run()"]
_CONTROL = [
    sys.executable,
    "-uc",
    "import sys, time\nfor line in sys.stdin:\n    time.sleep(float(line) / 1000); print(time.perf_counter())",
]
_PATIENCE = 60.0


def _keep_busy() -> None:
    """One core's worth of other people's work."""
    while True:
        sum(range(100_000))


class _Process:
    """A program behind two pipes, whose answers are timed."""

    def __init__(self, command: list[str]) -> None:
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        self._rest = b""

    def tell(self, *lines: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write("".join(f"{line}\n" for line in lines).encode())

    def ask(self, *lines: str) -> tuple[str, float]:
        """The answer, and the milliseconds until it came."""
        asked = time.perf_counter()
        self.tell(*lines)
        return self.answer(), 1000 * (time.perf_counter() - asked)

    def answer(self) -> str:
        """The next line that is for us."""
        assert self._process.stdout is not None
        while True:
            while b"\n" in self._rest:
                line, _, self._rest = self._rest.partition(b"\n")
                if not line.startswith((b"MESSAGE", b"DEBUG")):
                    return line.decode().strip()
            if not select.select([self._process.stdout], [], [], _PATIENCE)[0]:
                raise TimeoutError(f"no answer within {_PATIENCE:.0f} s")
            if not (data := os.read(self._process.stdout.fileno(), 4096)):
                raise EOFError("it has left")
            self._rest += data

    def end(self) -> None:
        self._process.kill()
        self._process.communicate()


def _begin(engine: _Process, size: int) -> None:
    answer, _ = engine.ask(f"START {size}")
    assert answer == "OK", answer
    engine.tell(f"INFO timeout_turn {_TURN_MS}", "INFO timeout_match 0", "INFO rule 0")
    time.sleep(0.5)  # a manager has its own work between INFO and the first question


def _move(engine: _Process, board: Board) -> tuple[Move, float]:
    stones = [f"{m.x},{m.y},{1 if board.piece_at(m) == board.turn else 2}" for m in board.moves]
    answer, milliseconds = engine.ask("INFO time_left 2147483647", "BOARD", *stones, "DONE")
    x, y = answer.split(",")
    return Move(int(x), int(y)), milliseconds


class _Measurement:
    """Games between two engines with a control beside them."""

    def __init__(self) -> None:
        self._engines = [_Process(_ENGINE), _Process(_ENGINE)]
        self._control = _Process(_CONTROL)
        self.times: list[float] = []
        self.control_times: list[float] = []
        self.control_late = 0

    def play(self, board: Board, limit: Limit, outcome: Outcome) -> None:
        """One game, broken off when the time is up."""
        for engine in self._engines:
            _begin(engine, board.width)
        while not board.is_over and limit.seconds_left:
            usual = min(statistics.median(self.times[-99:] or [0.0]), 0.95 * _TURN_MS)
            asked = time.perf_counter()  # one clock for all processes
            self._control.tell(f"{usual:.1f}")
            move, milliseconds = _move(self._engines[board.turn], board)
            control = 1000 * (float(self._control.answer()) - asked)
            board.push(move)
            self.times.append(milliseconds)
            self.control_times.append(control - usual)
            self.control_late += control > _TURN_MS
            if milliseconds > _TURN_MS:
                outcome.fail(
                    f"{milliseconds:.1f} ms for move {board.ply}; the control was {control - usual:.1f} ms late"
                )

    def end(self) -> None:
        for process in (*self._engines, self._control):
            process.end()


def _run(chance: random.Random, limit: Limit) -> Outcome:
    outcome = Outcome()
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    wanted = int(os.environ.get("SOAK_BUSY", cores))
    busy = [multiprocessing.Process(target=_keep_busy, daemon=True) for _ in range(wanted)]
    for process in busy:
        process.start()
    measurement = _Measurement()
    setup = GameSetup()
    try:
        for opening in match_openings(1000, setup, seed=chance.getrandbits(32)):
            if not limit.allows(outcome):
                break
            measurement.play(setup.board(opening), limit, outcome)
            outcome.tried += 1
    finally:
        measurement.end()
        for process in busy:
            process.terminate()
    times = sorted(measurement.times)
    if not times:
        return outcome
    outcome.figures = {
        "moves": len(times),
        "median_ms": round(statistics.median(times), 1),
        "slowest_ms": round(times[-1], 1),
        "control_late": measurement.control_late,
        "control_slowest_ms_over": round(max(measurement.control_times), 1),
    }
    return outcome


PARTS = (
    Part(
        "lateness",
        f"At {_TURN_MS} ms a move the engine is never late, with a busy process on every core",
        "games",
        1_000,
        _run,
        alone=True,
    ),
)
