"""The web board's server in a process of its own, and sound messages to begin with."""

from __future__ import annotations

import contextlib
import json
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator

from soak.part import Outcome

_COMMAND = [sys.executable, "-c", "from tengen.cli import main; main()", "play", "--no-browser", "--threads", "2"]
PATIENCE = 120.0
GAME = {"moves": ["h8", "i9", "g9", "i7"], "rule": "renju"}
_TREE = "(;GM[4]SZ[15];B[hh];W[ii](;B[gg]C[one])(;B[jj]))"
MESSAGES = [
    json.dumps(message).encode()
    for message in (
        {"type": "state", "id": 1, "game": GAME},
        {"type": "threats", "id": 2, "game": GAME},
        {"type": "think", "id": 3, "level": 1, "game": GAME},
        {"type": "think", "id": 3, "level": 4, "purpose": "hint", "game": {"moves": []}},
        {"type": "analyse", "id": 4, "game": GAME, "playouts": 50},
        {"type": "review", "id": 5, "game": {"moves": ["h8", "i9"]}, "playouts": 5},
        {"type": "solve", "id": 6, "game": GAME},
        {"type": "import", "id": 7, "text": _TREE},
        {"type": "export", "id": 8, "game": GAME, "format": "sgf"},
        {"type": "stop", "id": 4, "discard": True},
        {"type": "watch", "id": 9, "run": "hour"},
        {"type": "opening", "id": 10, "procedure": "swap2", "size": 15, "computer": "none", "answers": []},
    )
]


#: From where a log begins to speak of an error to its next line that does not.
_FAULT = re.compile(r"^[^\n]*(Traceback|[Ee]rror).*?(?=^WARNING:|^INFO:|\Z)", re.MULTILINE | re.DOTALL)


class Server:
    """A server in a process of its own, which must leave in good order without a word on its error stream."""

    def __init__(self) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  # until `close`
        self.process = subprocess.Popen(
            [*_COMMAND, "--port", str(self.port)], stdout=subprocess.DEVNULL, stderr=self._errors
        )
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port)):
                return
            time.sleep(0.05)
        raise TimeoutError("the server does not start")

    def close(self, outcome: Outcome) -> None:
        if self.process.poll() is not None:
            outcome.fail(f"the server has left with code {self.process.returncode}")
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            outcome.fail("the server does not leave")
            self.process.kill()
        self._errors.seek(0)
        complaints = self._errors.read().decode("utf-8", "replace")
        if fault := _FAULT.search(complaints):
            outcome.fail(f"on the error stream: {fault.group()[-400:]}")


@contextlib.contextmanager
def running(outcome: Outcome) -> Iterator[Server]:
    server = Server()
    try:
        yield server
    finally:
        server.close(outcome)
