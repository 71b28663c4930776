"""A small Gomocup engine for tests. Run as a program: `fake_engine.py MODE [LOG]`.

It plays the first empty point in reading order, and misbehaves as MODE says when asked for its third move or so.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

PATIENCE = 60


def main() -> None:
    mode, log = sys.argv[1], Path(sys.argv[2]) if len(sys.argv) > 2 else None
    size = 0
    stones: set[tuple[int, int]] = set()
    in_board = False
    answers = 0
    for raw in sys.stdin:
        line = raw.strip()
        if log is not None:
            with log.open("a") as file:
                print(line, file=file)
        command, _, rest = line.partition(" ")
        if in_board and line != "DONE":
            x, y, _ = map(int, line.split(","))
            stones.add((x, y))
            continue
        if command == "START":
            size = int(rest)
            stones = set()
            if mode == "silent":
                time.sleep(PATIENCE)
            say("ERROR too small" if mode == "refuse" else "OK")
            if mode == "flood":
                flood(log)
        elif command == "INFO" and mode in ("answer INFO", "only UNKNOWN"):
            say(f"UNKNOWN {rest}")
        elif command == "BOARD":
            in_board, stones = True, set()
        elif command in ("BEGIN", "TURN", "DONE"):
            in_board = False
            if command == "TURN":
                x, y = map(int, rest.split(","))
                stones.add((x, y))
            answers += 1
            if mode == "only UNKNOWN":
                say("UNKNOWN command")
                return
            if answers >= 3:
                misbehave(mode)
            point = next((x, y) for y in range(size) for x in range(size) if (x, y) not in stones)
            stones.add(point)
            say("MESSAGE depth 1")
            say("DEBUG nothing")
            say(f"{point[0]},{point[1]}")
            if mode == "chatter":
                say("UNKNOWN what now")
        elif command == "YXSTOP":
            say("0,0")
        elif command == "END" and mode != "stay":
            return


def flood(log: Path | None) -> None:
    """Writes without end and without a line's end, and notes how often it got rid of 64 KB."""
    while True:
        sys.stdout.buffer.write(b"a" * 65536)
        sys.stdout.flush()
        if log is not None:
            with log.open("a") as file:
                print("flood", file=file)


def misbehave(mode: str) -> None:
    if mode == "crash":
        sys.exit(3)
    if mode == "hang":
        time.sleep(PATIENCE)
    if mode == "garbage":
        say("\udcff\udcfe?!")
    if mode == "illegal":
        say("99,99")
    if mode == "occupied":
        say("0,0")
    if mode == "wait for YXSTOP":
        while sys.stdin.readline().strip() != "YXSTOP":
            pass


def say(text: str) -> None:
    sys.stdout.buffer.write(f"{text}\r\n".encode("utf-8", "surrogateescape"))
    sys.stdout.flush()


if __name__ == "__main__":
    main()
