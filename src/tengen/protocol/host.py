"""The engine on the standard streams.

One thread reads and lets the engine act on every line as it comes; the main thread thinks. So END, YXSTOP and INFO are
heard while a search runs. Both share the engine under one lock, which is never held during a search.
"""

from __future__ import annotations

import contextlib
import gc
import os
import threading
from collections.abc import Iterable

from tengen.board import Board
from tengen.protocol.engine import Engine, Question
from tengen.protocol.lines import LineSplitter
from tengen.protocol.thinker import Thinker
from tengen.thinking.levels import find_level

_CHUNK = 1 << 16
#: After END the process leaves within a second, whatever the main thread is doing: it has this time to end its search,
#: and then this time to end itself.
_LEAVE_SECONDS = 0.4
#: The exit code that a shell expects after Ctrl-C.
_INTERRUPTED = 130


class _Task:
    """One stretch of thinking."""

    def __init__(self) -> None:
        self.stop = threading.Event()
        self.done = threading.Event()


class Host:
    """Connects an engine, a thinker and two file descriptors. Key method: `run`."""

    def __init__(self, engine: Engine, thinker: Thinker, source: int, target: int) -> None:
        """A host that has not begun.

        Args:
            engine: The protocol.
            thinker: Who answers its questions.
            source: File descriptor to read from.
            target: File descriptor to write to.
        """
        self._engine = engine
        self._thinker = thinker
        self._source = source
        self._target = target
        self._changed = threading.Condition()
        self._ended = False  # nothing more to read
        self._gone = threading.Event()
        self._task: _Task | None = None  # the last one

    def run(self) -> bool:
        """Serves until END, or until the input has ended and everything is answered.

        Returns:
            Whether the reading thread has ended too; it has not if the manager left without closing the input.
        """
        reader = threading.Thread(target=self._read, daemon=True)
        reader.start()
        with contextlib.suppress(BrokenPipeError):  # the manager has left
            while self._step():
                pass
        self._gone.set()
        reader.join(_LEAVE_SECONDS)
        return not reader.is_alive()

    def _step(self) -> bool:
        """Thinks about one question or position; False when there is nothing more to do."""
        engine = self._engine
        with self._changed:
            self._changed.wait_for(self._has_work)
            question, ponder = engine.question, engine.ponder
            if engine.closed or (question is None and self._ended):
                return False
            preparation = engine.preparation() if question is None and engine.outdated else None
            self._task = task = _Task()
            if engine.hurry:
                task.stop.set()
        try:
            if question is not None:
                self._answer(question, task)
            elif preparation is not None:
                self._thinker.anticipate(preparation)
            elif ponder is not None:
                self._ponder(ponder, task)
        finally:
            task.done.set()
        return True

    def _answer(self, question: Question, task: _Task) -> None:
        answer = self._thinker.think(question, task.stop, self._tell)
        task.done.set()
        with self._changed:
            self._write(self._engine.answer(answer))
            idle = self._engine.question is None and self._engine.ponder is None
        if idle and question.kind == "move" and not answer.error:
            after = question.board.copy()
            after.push(answer.moves[0])
            if not after.is_over:
                self._thinker.settle(after)

    def _ponder(self, board: Board, task: _Task) -> None:
        self._thinker.ponder(board, task.stop)
        with self._changed:
            if self._engine.ponder is board:
                self._engine.ponder = None  # solved, or out of memory: there is nothing more to find

    def _has_work(self) -> bool:
        engine = self._engine
        wanted = engine.question is not None or engine.ponder is not None or engine.outdated
        return wanted or engine.closed or self._ended

    def _tell(self, text: str) -> None:
        """Sends what the search has found so far; called from a thread of the thinker."""
        with self._changed, contextlib.suppress(BrokenPipeError):
            if not self._engine.closed:
                self._write([f"MESSAGE {text}"])

    # -- the reading thread

    def _read(self) -> None:
        splitter = LineSplitter()
        with contextlib.suppress(OSError):
            while data := os.read(self._source, _CHUNK):
                arrived = self._engine.now()
                for line in splitter.feed(data):
                    self._receive(line, arrived)
                if self._engine.closed:
                    break
        for line in splitter.flush():
            self._receive(line, self._engine.now())
        with self._changed:
            self._ended = True
            task = self._task if self._engine.question is None else None
            self._changed.notify()
        if self._engine.closed:
            if not self._gone.wait(_LEAVE_SECONDS):
                os._exit(0)
        elif task is not None:
            self._halt(task)  # it may ponder

    def _receive(self, line: str, arrived: float) -> None:
        engine = self._engine
        with self._changed:
            pondered = engine.ponder is not None
            try:
                self._write(engine.receive(line, arrived))
            except BrokenPipeError:
                engine.receive("END")
            halt = engine.hurry or (pondered and engine.ponder is None)
            task = self._task if halt else None
            if self._has_work():
                self._changed.notify()
        if task is not None:
            self._halt(task, _LEAVE_SECONDS if engine.closed else None)

    def _halt(self, task: _Task, patience: float | None = None) -> None:
        """Ends a task soon, and waits until it has ended. The lock makes sure that no other search is hit."""
        task.stop.set()
        with self._changed:
            if self._task is task:
                self._thinker.interrupt()
        task.done.wait(patience)

    def _write(self, lines: Iterable[str]) -> None:
        data = "".join(f"{line}\n" for line in lines).encode("ascii", "replace")
        while data:
            data = data[os.write(self._target, data) :]


def run(level: int | None = None, seed: int | None = None) -> None:
    """Serves the standard streams.

    Args:
        level: Plays at this level of the web board; None plays as well as the manager's limits allow.
        seed: Of the level's chance; None plays differently every time.
    """
    thinker = Thinker(level=None if level is None else find_level(level), seed=seed)
    # The protocol has the real streams to itself: whatever else is printed must not look like an answer.
    source, target = os.dup(0), os.dup(1)
    os.dup2(2, 1)
    gc.freeze()  # what is there now stays: looking through it for garbage would take time from a move
    try:
        ended = Host(Engine(), thinker, source, target).run()
    except KeyboardInterrupt:
        os._exit(_INTERRUPTED)
    gc.unfreeze()
    if not ended:
        os._exit(0)  # a thread that reads cannot be ended
