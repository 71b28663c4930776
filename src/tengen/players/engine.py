"""Other people's programs as players, through the Gomocup (Piskvork) protocol.

An engine that crashes, hangs, is late or talks nonsense raises EngineError in `choose`, which loses a match's game; its
process is always ended. Every game gets a fresh process, so nothing carries over from the game before.
"""

from __future__ import annotations

import contextlib
import glob
import os
import re
import select
import shlex
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated

from pydantic import Field

from tengen.board import Board, Move
from tengen.errors import PlayerError, SetupError
from tengen.parameters import Parameters, Spec
from tengen.players.player import Player
from tengen.players.spec import Kind

_RULES: Mapping[str, int] = {"freestyle": 0, "standard": 1, "renju": 4, "caro": 8}  # INFO rule's bit mask
_UNLIMITED_MS = 2147483647
_START_SECONDS = 15.0  # to load networks and tables
_LATE_SECONDS = 0.5  # on top of its time: for pipes and a busy machine
_END_SECONDS = 1.0  # what the protocol grants an engine to leave by itself
_CHUNK = 4096  # bytes read at once
_LONGEST_LINE = 4096
_MOST_DROPPED = 1 << 20  # bytes of unasked output that are dropped before a question
_REMARKS = ("MESSAGE", "DEBUG", "SUGGEST", "INFO")
_MOVE = re.compile(r"(\d{1,2})\s*,\s*(\d{1,2})")


class EngineError(PlayerError):
    """An engine failed."""


class EngineParameters(Parameters):
    """Keys of `engine`; the command is what follows them."""

    command: Annotated[str, Spec(verbatim=True)]
    """The program and its arguments, as in a shell."""
    time: Annotated[float, Field(gt=0, le=86_400)] = 1.0
    """Seconds a move."""
    memory: Annotated[int, Field(ge=1, le=2**20)] = 350
    """Megabytes."""


class EnginePlayer(Player):
    """A Gomocup engine in a process of its own."""

    def __init__(self, parameters: EngineParameters, name: str, seed: int | None = None) -> None:
        """Looks for the program; it is started with the first move.

        Args:
            parameters: The command and its limits.
            name: The spec.
            seed: Not used: the protocol has none.
        """
        super().__init__(name)
        self._parameters = parameters
        try:
            self._arguments = shlex.split(parameters.command)
        except ValueError as error:
            raise SetupError(f'player "{name}": the command cannot be read: {error}') from None
        if not self._arguments or shutil.which(self._arguments[0]) is None:
            raise SetupError(f'player "{name}": there is no program "{"".join(self._arguments[:1])}" to run')
        self._process: _Process | None = None
        self._known: Board | None = None  # what the engine has on its board

    def prepare(self, board: Board) -> None:
        """Starts the process."""
        if self._process is None:
            try:
                self._start(board)
            except BaseException:
                self._leave()
                raise

    def _think(self, board: Board) -> Move:
        try:
            process = self._process or self._start(board)
            process.drop_waiting_lines()
            # Lines come in order: an answer to an INFO, which has none in the protocol, comes before the first move.
            strays = len(self._settings(board)) if self._known is None else 0
            answer = process.ask(self._question(board), self._parameters.time + _LATE_SECONDS, strays)
            move = self._read_move(answer)
        except BaseException:
            self._leave()  # whatever went wrong, this process is not to be trusted with another question
            raise
        self._known = board.copy()
        if board.is_legal(move):
            self._known.push(move)
        return move

    def _start(self, board: Board) -> _Process:
        if board.n_in_row != 5:
            raise EngineError(f"the engine protocol knows five in a row only, not {board.n_in_row}")
        self._process = process = _Process(self._arguments)
        square = board.width == board.height
        start = f"START {board.width}" if square else f"RECTSTART {board.width},{board.height}"
        answer = process.ask([start], _START_SECONDS)
        if answer.upper() != "OK":
            raise EngineError(f'the engine answered "{answer[:80]}" to START')
        process.send(self._settings(board))
        return process

    def _settings(self, board: Board) -> list[str]:
        return [
            f"INFO timeout_turn {max(1, round(1000 * self._parameters.time))}",
            "INFO timeout_match 0",
            f"INFO time_left {_UNLIMITED_MS}",
            f"INFO max_memory {self._parameters.memory * 2**20}",
            "INFO game_type 1",
            f"INFO rule {_RULES[board.rule]}",
        ]

    def _question(self, board: Board) -> list[str]:
        """The shortest way to tell the position: engines keep what they know of a game that goes on."""
        moves = board.moves
        if not moves:
            return ["BEGIN"]
        before = board.copy()
        before.pop()
        if self._known is not None and before == self._known:
            return [f"TURN {moves[-1].x},{moves[-1].y}"]
        stones = [f"{move.x},{move.y},{1 if board.piece_at(move) == board.turn else 2}" for move in moves]
        return ["BOARD", *stones, "DONE"]

    def _read_move(self, answer: str) -> Move:
        match = _MOVE.fullmatch(answer)
        if match is None:
            raise EngineError(f'the engine answered "{answer[:80]}" instead of a move')
        return Move(int(match[1]), int(match[2]))

    def new_game(self, seed: int | None = None) -> None:
        """Ends the process; the next move starts a new one."""
        self._leave()

    def stop(self) -> None:
        """Asks for the move now; an engine that does not answer soon is ended."""
        if (process := self._process) is not None:
            process.hurry()

    def close(self) -> None:
        """Ends the process."""
        self._leave()

    def _leave(self) -> None:
        process, self._process, self._known = self._process, None, None
        if process is not None:
            process.end()


class _Process:
    """A running engine: lines in, lines out, and a certain end.

    What it writes is read when an answer is due. In between the pipe holds it back, so an engine can neither fill our
    memory nor keep us waiting by a child that holds its output open.
    """

    def __init__(self, arguments: Iterable[str]) -> None:
        try:
            # A session of its own: Ctrl-C is for us, and whatever the engine starts can be ended with it.
            self._popen = subprocess.Popen(
                list(arguments),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError as error:
            raise SetupError(f"the engine does not start: {error.strerror}") from None
        assert self._popen.stdout is not None
        self._output = self._popen.stdout.fileno()
        self._waiter = select.poll()
        self._waiter.register(self._output, select.POLLIN)
        self._unread = b""
        self._lock = threading.Lock()
        self._deadline: float | None = None  # of the answer that is due, if one is

    def send(self, lines: Iterable[str]) -> None:
        """Writes lines."""
        assert self._popen.stdin is not None
        try:
            self._popen.stdin.write("".join(f"{line}\n" for line in lines).encode())
            self._popen.stdin.flush()
        except OSError:
            raise EngineError("the engine has left") from None

    def drop_waiting_lines(self) -> None:
        """Forgets what came unasked; only for when no answer is due."""
        with contextlib.suppress(EngineError):  # that the engine has left is for `ask` to say
            for _ in range(_MOST_DROPPED // _CHUNK):
                self._unread = b""
                if not self._receive(0):
                    break
        self._unread = b""

    def ask(self, lines: Iterable[str], seconds: float, strays: int = 0) -> str:
        """Writes lines and returns the next line that is an answer and not a remark.

        Args:
            lines: The question.
            seconds: How long to wait for the answer.
            strays: How many lines that are no move may come before the move; without a move the last is the answer.
        """
        with self._lock:
            self.send(lines)
            self._deadline = time.monotonic() + seconds
        stray = ""
        try:
            while not _MOVE.fullmatch(line := self._next_answer(seconds)) and strays:
                strays, stray = strays - 1, line
        except EngineError:
            if not stray:
                raise
            return stray
        finally:
            with self._lock:
                self._deadline = None
        return line

    def _next_answer(self, seconds: float) -> str:
        while self._deadline is not None and (remaining := self._deadline - time.monotonic()) > 0:
            line = self._take_line()
            if line is None:
                self._receive(min(remaining, 0.1))  # in slices, because `hurry` may bring the deadline forward
            elif line and not line.upper().startswith(_REMARKS):
                return line
        raise EngineError(f"the engine did not answer within {seconds:g} s")

    def _take_line(self) -> str | None:
        """The first line that was received, if it is whole; what is too long for one counts as one."""
        line, newline, rest = self._unread.partition(b"\n")
        if not newline and len(line) < _LONGEST_LINE:
            return None
        self._unread = rest
        return line.decode("utf-8", "replace").strip()

    def _receive(self, seconds: float) -> bool:
        """Waits for output and takes some of it; whether there was any."""
        if not self._waiter.poll(1000 * seconds):
            return False
        data = os.read(self._output, _CHUNK)
        if not data:
            raise EngineError("the engine has left")
        self._unread += data
        return True

    def hurry(self) -> None:
        """Asks for the answer that is due now, by a widely known extension of the protocol."""
        with self._lock, contextlib.suppress(EngineError, ValueError):
            if self._deadline is not None:
                self._deadline = min(self._deadline, time.monotonic() + _END_SECONDS)
                self.send(["YXSTOP"])

    def end(self) -> None:
        """Ends the process and everything it started, politely first."""
        with _holding(_descendants(self._popen.pid)) as started:
            with contextlib.suppress(EngineError, ValueError):
                self.send(["END"])
                self._wait_until_left()
            # The process is not waited for before the kill: until then its id, and so that of its group, cannot belong
            # to anybody else.
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._popen.pid, signal.SIGKILL)
            for process in started:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    signal.pidfd_send_signal(process, signal.SIGKILL)
        self._popen.wait()
        for pipe in (self._popen.stdin, self._popen.stdout):
            assert pipe is not None
            with contextlib.suppress(OSError):
                pipe.close()

    def _wait_until_left(self) -> None:
        """Waits for the end of the output, an EngineError, which is the sign that the engine has left."""
        deadline = time.monotonic() + _END_SECONDS
        while (remaining := deadline - time.monotonic()) > 0:
            self._receive(remaining)
            self._unread = b""


def _descendants(process: int) -> Iterator[int]:
    """The processes that a process started, those too that left its session; none where the system does not tell."""
    for file in glob.glob(f"/proc/{process}/task/*/children"):
        with contextlib.suppress(OSError):
            for child in map(int, Path(file).read_text().split()):
                yield child
                yield from _descendants(child)


@contextlib.contextmanager
def _holding(processes: Iterable[int]) -> Iterator[list[int]]:
    """Handles of processes: unlike an id, a handle never comes to mean another process."""
    handles = []
    for process in processes:
        with contextlib.suppress(OSError):
            handles.append(os.pidfd_open(process))
    try:
        yield handles
    finally:
        for handle in handles:
            os.close(handle)


KINDS = (Kind("engine", "Any program that speaks the Gomocup protocol.", EngineParameters, EnginePlayer),)
