"""Other people's programs as players, through the Gomocup (Piskvork) protocol.

An engine that crashes, hangs, is late or talks nonsense raises EngineError in `choose`, which loses a match's game; its
process is always ended. Every game gets a fresh process, so nothing carries over from the game before.
"""

from __future__ import annotations

import contextlib
import re
import shlex
import shutil
import threading
import time
from collections.abc import Iterable, Mapping
from typing import Annotated

from pydantic import Field

from tengen.board import Board, Move
from tengen.errors import SetupError
from tengen.parameters import Parameters, Spec
from tengen.players.player import Player
from tengen.players.program import EngineError, Program
from tengen.players.spec import Kind

_RULES: Mapping[str, int] = {"freestyle": 0, "standard": 1, "renju": 4, "caro": 8}  # INFO rule's bit mask
_UNLIMITED_MS = 2147483647
_START_SECONDS = 15.0  # to load networks and tables
_LATE_SECONDS = 0.5  # on top of its time: for pipes and a busy machine
_HURRY_SECONDS = 1.0  # for an answer that is wanted now
_REMARKS = ("MESSAGE", "DEBUG", "SUGGEST", "INFO")
_MOVE = re.compile(r"(\d{1,2})\s*,\s*(\d{1,2})")


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


class _Process(Program):
    """A running engine, and the answer that it owes."""

    def __init__(self, arguments: Iterable[str]) -> None:
        super().__init__(arguments, farewell=["END"])
        self._lock = threading.Lock()
        self._deadline: float | None = None  # of the answer that is due, if one is

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
            line = self.next_line(min(remaining, 0.1))  # in slices, because `hurry` may bring the deadline forward
            if line and not line.upper().startswith(_REMARKS):
                return line
        raise EngineError(f"the engine did not answer within {seconds:g} s")

    def hurry(self) -> None:
        """Asks for the answer that is due now, by a widely known extension of the protocol."""
        with self._lock, contextlib.suppress(EngineError, ValueError):
            if self._deadline is not None:
                self._deadline = min(self._deadline, time.monotonic() + _HURRY_SECONDS)
                self.send(["YXSTOP"])


KINDS = (Kind("engine", "Any program that speaks the Gomocup protocol.", EngineParameters, EnginePlayer),)
