"""The engine behind two pipes: whatever it is told, it lives, answers in the protocol's words, and ends if told to."""

from __future__ import annotations

import random
import re
import select
import subprocess
import sys
import tempfile
import time
from typing import IO

from soak.mutation import mutate
from soak.part import Limit, Outcome, Part

_COMMAND = [sys.executable, "-c", "from tengen.protocol.host import run; run()"]
_PATIENCE = 120.0
_BATCH = 100
_SOUND = re.compile(
    r"OK|\d+,\d+(?: \d+,\d+)*|ERROR .*|UNKNOWN .*|MESSAGE .*|DEBUG .*|SUGGEST .*|FORBID .*|SWAP|name=.*|YX.*"
)
_PROBE = "name="


def _line(chance: random.Random) -> bytes:
    x, y = chance.randint(-1, 20), chance.randint(-1, 20)
    kinds = (
        f"START {chance.choice((5, 9, 15, 20, 22, 0, -3, 99))}",
        f"RECTSTART {x},{y}",
        "RESTART",
        "BEGIN",
        f"TURN {x},{y}",
        f"TURN {chance.randint(0, 14)},{chance.randint(0, 14)}",
        f"PLAY {x},{y}",
        f"TAKEBACK {x},{y}",
        "BOARD",
        f"{x},{y},{chance.randint(0, 4)}",
        f"{chance.randint(0, 14)},{chance.randint(0, 14)},{chance.randint(1, 2)}",
        "DONE",
        "YXBOARD",
        "YXSHOWFORBID",
        f"YXNBEST {chance.randint(-1, 9)}",
        "YXSTOP",
        "YXHASHCLEAR",
        "SWAP2BOARD",
        f"INFO rule {chance.choice((0, 1, 2, 4, 8, 77))}",
        f"INFO timeout_turn {chance.choice((0, 1, 5, -1, 10**12))}",
        f"INFO timeout_match {chance.choice((0, 1, 1000))}",
        f"INFO time_left {chance.choice((0, 1, 100, 2147483647))}",
        f"INFO max_memory {chance.choice((0, 1, 350 << 20))}",
        f"INFO {chance.choice(('pondering 1', 'pondering 0', 'show_detail 1', 'game_type 1', 'folder /tmp', 'x'))}",
    )  # and not ABOUT, whose answer says that all before it has been heard
    line = chance.choice(kinds).encode()
    return mutate(chance, line, [kind.encode() for kind in kinds]) if chance.random() < 0.3 else line


class _Engine:
    """A process that is told odd things."""

    def __init__(self, errors: IO[bytes]) -> None:
        self._process = subprocess.Popen(
            _COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, bufsize=0
        )
        self._rest = b""

    def tell(self, data: bytes) -> bool:
        """False if it has left."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(data)
        except BrokenPipeError:
            return False
        return True

    def lines_until_probe(self) -> tuple[list[str], bool]:
        """What it says until it answers ABOUT or leaves, and whether it did either in time."""
        assert self._process.stdout is not None
        lines: list[str] = []
        end = time.monotonic() + _PATIENCE
        while time.monotonic() < end:
            while b"\n" in self._rest:
                line, _, self._rest = self._rest.partition(b"\n")
                lines.append(line.decode("latin-1"))
                if lines[-1].startswith(_PROBE):
                    return lines, True
            if select.select([self._process.stdout], [], [], 1)[0]:
                data = self._process.stdout.read(1 << 16)
                if not data:
                    return lines, True
                self._rest += data
        return lines, False

    def leave(self) -> int | None:
        """The exit code after the end of its input; None if it stays."""
        try:
            self._process.communicate(timeout=_PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            return None
        return self._process.returncode


def _talk(engine: _Engine, chance: random.Random, limit: Limit, outcome: Outcome) -> None:
    """Until END, which is among the lines sometimes, or the limit."""
    engine.tell(b"START 15\nINFO max_node 3\nINFO timeout_turn 5\nINFO timeout_match 0\n")
    while limit.allows(outcome):
        batch = [_line(chance) for _ in range(_BATCH)]
        ends = chance.random() < 0.02
        end = chance.choice((b"\n", b"\r\n", b"\r"))
        # A block that is under way would take ABOUT for a stone.
        data = b"".join(line + end for line in batch) + b"DONE\nINFO max_node 3\n" + (b"END\n" if ends else b"ABOUT\n")
        stays = engine.tell(data)
        lines, in_time = engine.lines_until_probe()
        outcome.tried += len(batch)
        if not in_time:
            outcome.fail(f"no answer within {_PATIENCE:.0f} s to {batch!r}")
            return
        for line in lines:
            if not _SOUND.fullmatch(line.rstrip("\r")):
                outcome.fail(f"said {line!r} to {batch!r}")
        if ends or not stays or not lines or not lines[-1].startswith(_PROBE):
            return


def _run(chance: random.Random, limit: Limit) -> Outcome:
    outcome = Outcome()
    processes = 0
    with tempfile.TemporaryFile() as errors:
        while limit.allows(outcome):
            engine = _Engine(errors)
            processes += 1
            _talk(engine, chance, limit, outcome)
            if (code := engine.leave()) != 0:
                outcome.fail(f"the engine {'does not leave' if code is None else f'left with code {code}'}")
        errors.seek(0)
        if complaints := errors.read().decode("utf-8", "replace").strip():
            outcome.fail(f"on the error stream: {complaints[-400:]}")
    outcome.figures["processes"] = processes
    return outcome


PARTS = (
    Part(
        "protocol",
        "Whatever a manager says, the engine lives, answers in the words of the protocol and leaves when told to",
        "lines",
        1_000_000,
        _run,
    ),
)
