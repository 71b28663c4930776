"""Other programs that play: lines in, lines out, and a certain end."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence

import psutil

from tengen.errors import PlayerError, SetupError

_END_SECONDS = 1.0  # what the protocol of engines grants them to leave by themselves
_CHUNK = 4096  # bytes read at once
_LONGEST_LINE = 4096
_MOST_DROPPED = 1 << 20  # bytes of unasked output that are dropped before a question


class EngineError(PlayerError):
    """An engine failed."""


class Program:
    """A running program. Key methods: `send` and `next_line`.

    What it writes is read when an answer is due. In between the pipe holds it back, so a program can neither fill our
    memory nor keep us waiting by a child that holds its output open.
    """

    def __init__(self, arguments: Iterable[str], farewell: Sequence[str] = ()) -> None:
        """Starts it.

        Args:
            arguments: The program and its arguments.
            farewell: The lines that ask it to leave.
        """
        try:
            self._popen = subprocess.Popen(
                list(arguments),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                # Ctrl-C is for us, and whatever the program starts can be ended with it.
                start_new_session=True,
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),  # the same on Windows
            )
        except OSError as error:
            raise SetupError(f"the engine does not start: {error.strerror}") from None
        assert self._popen.stdout is not None
        self._farewell = farewell
        self._output = self._popen.stdout.fileno()
        self._unread = b""

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
        with contextlib.suppress(EngineError):  # that the program has left is for the next question to find out
            for _ in range(_MOST_DROPPED // _CHUNK):
                self._unread = b""
                if not self._receive(0):
                    break
        self._unread = b""

    def next_line(self, seconds: float) -> str | None:
        """The next line, or None if none has come in this time; what is too long for one counts as one."""
        if (line := self._take_line()) is None and self._receive(seconds):
            line = self._take_line()
        return line

    def _take_line(self) -> str | None:
        """The first line that was received, if it is whole."""
        line, newline, rest = self._unread.partition(b"\n")
        if not newline and len(line) < _LONGEST_LINE:
            return None
        self._unread = rest
        return line.decode("utf-8", "replace").strip()

    def _receive(self, seconds: float) -> bool:
        """Waits for output and takes some of it; whether there was any."""
        if not _has_output(self._output, seconds):
            return False
        data = os.read(self._output, _CHUNK)
        if not data:
            raise EngineError("the engine has left")
        self._unread += data
        return True

    def end(self) -> None:
        """Ends the process and everything it started, politely first."""
        family = _family(self._popen.pid)
        with contextlib.suppress(EngineError, ValueError):
            self.send(self._farewell)
            self._wait_until_left()
        _kill(family)  # before the process is waited for: until then its id cannot belong to anybody else
        self._popen.wait()
        for pipe in (self._popen.stdin, self._popen.stdout):
            assert pipe is not None
            with contextlib.suppress(OSError):
                pipe.close()

    def _wait_until_left(self) -> None:
        """Waits for the end of the output, an EngineError, which is the sign that the program has left."""
        deadline = time.monotonic() + _END_SECONDS
        while (remaining := deadline - time.monotonic()) > 0:
            self._receive(remaining)
            self._unread = b""


def _family(process: int) -> list[psutil.Process]:
    """A process and all that it has started so far, also what has left its session."""
    try:
        first = psutil.Process(process)
        return [first, *first.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []


def _kill(family: Sequence[psutil.Process]) -> None:
    """Ends processes, and those that their first one has started since, if they are of its group."""
    if family:
        _kill_group(family[0].pid)
    for process in family:
        with contextlib.suppress(psutil.Error):
            process.kill()


if sys.platform == "win32":  # nobody has tried this part
    import _winapi
    import msvcrt

    _LOOK_SECONDS = 0.001

    def _has_output(pipe: int, seconds: float) -> bool:
        """Waits for something to read, or for the end of the output."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                waiting = int(_winapi.PeekNamedPipe(msvcrt.get_osfhandle(pipe))[-2])
            except BrokenPipeError:
                return True
            if waiting or time.monotonic() >= deadline:
                return bool(waiting)
            time.sleep(_LOOK_SECONDS)

    def _kill_group(leader: int) -> None:
        """There are none that could be ended."""

else:
    import select
    import signal

    def _has_output(pipe: int, seconds: float) -> bool:
        """Waits for something to read, or for the end of the output."""
        waiter = select.poll()
        waiter.register(pipe, select.POLLIN)
        return bool(waiter.poll(1000 * seconds))

    def _kill_group(leader: int) -> None:
        """Ends all processes of a group."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(leader, signal.SIGKILL)
