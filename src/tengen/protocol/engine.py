"""The protocol as a state machine: lines in, lines out, no input or output of its own."""

from __future__ import annotations

import re
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from tengen import __version__
from tengen.board import MAX_SIDE, Board, Move
from tengen.errors import InputError, TengenError
from tengen.parameters import MAX_THREADS
from tengen.protocol.clock import budget
from tengen.protocol.position import Position
from tengen.protocol.settings import Settings

ABOUT = f'name="Tengen", version="{__version__}", author="The Tengen founders", country="International"'
MIN_SIDE = 5
MAX_BACKLOG = 10_000
MAX_HASH_BITS = 30  # what YXSHOWINFO reports: hash_size up to 2^30 KB

_NUMBERS = re.compile(r"\s*,\s*|\s+")
_NUMBER = re.compile(r"-?\d{1,9}")
_OWN, _OPPONENT, _BLOCKED = 1, 2, 3
_SWAP2_STONES = (0, 3, 5)


@dataclass(frozen=True)
class Question:
    """Something that needs time.

    Attributes:
        kind: "prepare" for a new game on `board`, "move", or "swap2" where `board` has 0, 3 or 5 stones.
        board: The position.
        settings: As they were when the question came.
        deadline: When the search should end, on the engine's clock.
        best: How many moves to tell about, 0 for none.
        game: Changes whenever nothing of the searches before may be used.
    """

    kind: str
    board: Board
    settings: Settings
    deadline: float
    best: int
    game: int


@dataclass(frozen=True)
class Answer:
    """What came out of a question.

    Attributes:
        moves: The moves to play; none means to swap, or that a preparation is done.
        messages: What to tell people about it.
        error: Why there is no answer, if there is none.
    """

    moves: tuple[Move, ...] = ()
    messages: tuple[str, ...] = ()
    error: str = ""


@dataclass
class _Waiting:
    """A line that came while the engine was thinking."""

    line: str
    arrived: float
    hurry: bool = False  # YXSTOP came after it


class Engine:
    """One side of the protocol. Key methods: `receive` and `answer`.

    `receive` takes a line and returns the lines to send at once. When it leaves a `question`, whoever runs the engine
    thinks about it and gives the result to `answer`, which returns lines too. Meanwhile lines are received as always:
    INFO, ABOUT, YXSHOWINFO, YXSTOP and END act at once, all others wait for their turn; INFO waits too while a command
    that came before it does.

    >>> engine = Engine()
    >>> engine.receive("ABOUT") == [ABOUT], engine.receive("TURN 7,7")
    (True, ['ERROR there is no board: send START first'])
    >>> engine.receive("START 15"), engine.question.kind, engine.answer(Answer())
    ([], 'prepare', ['OK'])
    >>> engine.receive("TURN 7,7"), engine.question.kind, engine.answer(Answer((Move(8, 8),)))
    ([], 'move', ['8,8'])

    Attributes:
        settings: What INFO said.
        question: What to think about, or None.
        hurry: Whether the question should be answered now, with what is known.
        ponder: The position to think about in the opponent's time, or None.
        closed: Whether END has come.
        now: The clock.
        outdated: Whether INFO has changed something since the last `preparation`.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        """An engine without a board.

        Args:
            now: The clock, in seconds.
        """
        self.settings = Settings()
        self.question: Question | None = None
        self.hurry = False
        self.ponder: Board | None = None
        self.closed = False
        self.outdated = False
        self.now = now
        self._position: Position | None = None
        self._block: _Block | None = None  # of stones, from BOARD to DONE
        self._backlog: deque[_Waiting] = deque()
        self._game = 0
        self._arrived = 0.0  # when the command that is being obeyed came
        self._spent = 0.0  # seconds of thinking in this game
        self._commands: dict[str, Callable[[str], list[str]]] = {
            "START": self._start,
            "RECTSTART": self._rect_start,
            "RESTART": self._restart,
            "BEGIN": self._begin,
            "TURN": self._turn,
            "PLAY": self._play,
            "TAKEBACK": self._take_back,
            **{name: partial(self._open_block, name) for name in ("BOARD", "YXBOARD", "SWAP2BOARD")},
            "YXNBEST": self._n_best,
            "YXSHOWFORBID": self._show_forbidden,
            "YXHASHCLEAR": self._clear_hash,
        }
        self._at_once: dict[str, Callable[[str], list[str]]] = {
            "INFO": self._info,
            "ABOUT": lambda rest: [ABOUT],
            "YXSHOWINFO": lambda rest: [
                f"MESSAGE INFO MAX_THREAD_NUM {MAX_THREADS}",
                f"MESSAGE INFO MAX_HASH_SIZE {MAX_HASH_BITS}",
            ],
            "YXSTOP": self._stop,
            "END": self._end,
        }

    def receive(self, line: str, arrived: float | None = None) -> list[str]:
        """Takes one line and returns what to send at once.

        Args:
            line: The line.
            arrived: When it came, on the engine's clock; now if not given. The time of a move runs from there.
        """
        arrived = self.now() if arrived is None else arrived
        command, rest = _split(line)
        if self.closed or not command:
            return []
        if command in self._at_once and not (command == "INFO" and self._backlog):
            return self._at_once[command](rest)
        self.ponder = None
        if self.question is None:
            return self._act(line, arrived)
        if len(self._backlog) >= MAX_BACKLOG:
            return ["ERROR too many commands while thinking"]
        self._backlog.append(_Waiting(line, arrived))
        if command in ("START", "RECTSTART", "RESTART"):
            self.hurry = True
        return []

    def answer(self, answer: Answer) -> list[str]:
        """Ends the question, and goes on with the lines that came meanwhile."""
        question, self.question, self.hurry = self.question, None, False
        assert question is not None, "there was no question"
        if self.closed:
            return []
        if question.kind != "prepare":
            self._spent += self.now() - self._arrived
        lines = [f"MESSAGE {text}" for text in answer.messages]
        lines += self._conclude(question, answer)
        while self._backlog and self.question is None:
            waiting = self._backlog.popleft()
            lines += self._act(waiting.line, waiting.arrived)
            self.hurry = waiting.hurry and self.question is not None
        if self._backlog:
            self.ponder = None
        return lines

    def preparation(self) -> Question:
        """What can be made ready before the next command, because the rule comes after START; it needs no answer."""
        self.outdated = False
        position = self._started()
        board = Board(width=position.width, height=position.height, rule=self.settings.rule)
        return self._question("prepare", board)

    def _conclude(self, question: Question, answer: Answer) -> list[str]:
        if answer.error:
            return [f"ERROR {answer.error}"]
        if question.kind == "prepare":
            return ["OK"]
        if question.kind == "swap2":
            return [" ".join(_point(move) for move in answer.moves) or "SWAP"]
        (move,) = answer.moves
        assert self._position is not None
        self._position.add(move, own=True)
        if self.settings.pondering and not self._backlog:
            after = question.board.copy()
            after.push(move)
            self.ponder = None if after.is_over else after
        return [_point(move)]

    def _act(self, line: str, arrived: float) -> list[str]:
        """Obeys a command that may need its turn."""
        self._arrived = arrived
        command, rest = _split(line)
        if command == "INFO":
            return self._info(rest)
        lines = []
        if self._block is not None:
            if command == "DONE":
                return self._close_block()
            if command not in self._commands:
                self._block.read(line)
                return []
            # A new command means that the manager has given the block up.
            lines = [f"ERROR {self._block.name} without DONE"] if self._block.name != "YXBOARD" else []
            self._block = None
        if command not in self._commands:
            return [*lines, f"UNKNOWN command {_printable(line)}"]
        try:
            return lines + self._commands[command](rest)
        except TengenError as error:
            return [*lines, f"ERROR {_printable(str(error), 200)}"]

    # -- commands that act at once

    def _info(self, rest: str) -> list[str]:
        key, _, value = rest.partition(" ")
        self.settings.update(key, value.strip())
        self.outdated = self._position is not None
        if key.lower() == "pondering" and not self.settings.pondering:
            self.ponder = None
        return []

    def _stop(self, rest: str) -> list[str]:
        self.ponder = None
        self.hurry = self.question is not None
        for waiting in self._backlog:
            waiting.hurry = True
        return []

    def _end(self, rest: str) -> list[str]:
        self.closed = self.hurry = True
        self.ponder = None
        self._backlog.clear()
        return []

    # -- commands that wait for their turn

    def _start(self, rest: str) -> list[str]:
        (side,) = _integers(rest, 1, "START needs the size of the board, like START 15")
        return self._new_game(side, side)

    def _rect_start(self, rest: str) -> list[str]:
        width, height = _integers(rest, 2, "RECTSTART needs width and height, like RECTSTART 20,15")
        return self._new_game(width, height)

    def _restart(self, rest: str) -> list[str]:
        position = self._started()
        return self._new_game(position.width, position.height)

    def _new_game(self, width: int, height: int) -> list[str]:
        if not (MIN_SIDE <= width <= MAX_SIDE and MIN_SIDE <= height <= MAX_SIDE):
            raise InputError(f"boards have {MIN_SIDE} to {MAX_SIDE} points on each side")
        self._position = Position(width, height)
        self._spent = 0.0
        self._game += 1
        self._ask("prepare", self._position.board(self.settings.rule))
        return []

    def _begin(self, rest: str) -> list[str]:
        return self._ask_for_move()

    def _turn(self, rest: str) -> list[str]:
        self._started().add(_move(rest, "TURN"), own=False)
        return self._ask_for_move()

    def _play(self, rest: str) -> list[str]:
        move = _move(rest, "PLAY")
        self._started().add(move, own=True)
        return [_point(move)]

    def _take_back(self, rest: str) -> list[str]:
        self._started().remove(_move(rest, "TAKEBACK"))
        return ["OK"]

    def _open_block(self, name: str, rest: str) -> list[str]:
        self._block = _Block(name)
        return []

    def _n_best(self, rest: str) -> list[str]:
        (count,) = _integers(rest, 1, "YXNBEST needs a number of moves, like YXNBEST 3")
        if not 1 <= count <= MAX_SIDE * MAX_SIDE:
            raise InputError("YXNBEST needs a number of moves, at least 1")
        self._started()
        return self._ask_for_move(count)

    def _show_forbidden(self, rest: str) -> list[str]:
        position = self._started()
        points = position.forbidden_points(self.settings.rule)
        return ["FORBID " + "".join(f"{move.x:02d}{move.y:02d}" for move in points) + "."]

    def _clear_hash(self, rest: str) -> list[str]:
        self._game += 1
        return []

    # -- blocks of stones

    def _close_block(self) -> list[str]:
        block, self._block = self._block, None
        assert block is not None
        try:
            if block.error:
                raise InputError(block.error)
            if block.name == "SWAP2BOARD":
                return self._ask_swap2(block)
            started = self._started()
            position = Position(started.width, started.height)
            for move, own in block.stones:
                position.add(move, own)
            position.guess_color()
            self._position = position
            return [] if block.name == "YXBOARD" else self._ask_for_move()
        except TengenError as error:
            return [f"ERROR {_printable(str(error), 200)}"]

    def _ask_swap2(self, block: _Block) -> list[str]:
        """The stones are black and white in turn, whatever their owners."""
        started = self._started()
        if len(block.stones) not in _SWAP2_STONES:
            raise InputError("SWAP2BOARD has 0, 3 or 5 stones")
        board = Board(width=started.width, height=started.height, rule=self.settings.rule)
        for move, _ in block.stones:
            board.push(move)
        self._ask("swap2", board)
        return []

    # -- questions

    def _started(self) -> Position:
        if self._position is None:
            raise InputError("there is no board: send START first")
        return self._position

    def _ask_for_move(self, best: int = 0) -> list[str]:
        position = self._started()
        position.guess_color(to_move=True)
        self._ask("move", position.board(self.settings.rule), best)
        return []

    def _ask(self, kind: str, board: Board, best: int = 0) -> None:
        self.question = self._question(kind, board, best)

    def _question(self, kind: str, board: Board, best: int = 0) -> Question:
        own_moves = self._started().own_moves
        return Question(
            kind=kind,
            board=board,
            settings=replace(self.settings),
            deadline=self._arrived + budget(self.settings, own_moves, self._spent),
            best=best,
            game=self._game,
        )


class _Block:
    """The lines from BOARD, YXBOARD or SWAP2BOARD to DONE."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.stones: list[tuple[Move, bool]] = []
        self.error = ""

    def read(self, line: str) -> None:
        """One stone; the first thing that is wrong is kept for the answer."""
        if self.error:
            return
        fields = [field for field in _NUMBERS.split(line) if field]
        owners = (_OWN, _OPPONENT, _BLOCKED)
        needed = (2, 3) if self.name == "SWAP2BOARD" else (3,)
        if len(fields) not in needed or not all(map(_NUMBER.fullmatch, fields)):
            self.error = f"{self.name} does not understand {_printable(line)}"
            return
        x, y, owner = (*map(int, fields), _OWN)[:3]
        if owner not in owners:
            self.error = f"{self.name} knows stones of kind 1 and 2, not {owner}"
        elif owner == _BLOCKED:
            self.error = "blocked points are not supported"
        elif len(self.stones) > MAX_SIDE * MAX_SIDE:
            self.error = f"{self.name} has more stones than any board"
        else:
            self.stones.append((Move(x, y), owner == _OWN))


def _split(line: str) -> tuple[str, str]:
    parts = line.split(None, 1)
    return (parts[0].upper() if parts else "", parts[1].strip() if len(parts) > 1 else "")


def _integers(text: str, count: int, complaint: str) -> list[int]:
    fields = [field for field in _NUMBERS.split(text) if field]
    if len(fields) != count or not all(map(_NUMBER.fullmatch, fields)):
        raise InputError(complaint)
    return [int(field) for field in fields]


def _move(text: str, command: str) -> Move:
    return Move(*_integers(text, 2, f"{command} needs a point, like {command} 7,7"))


def _point(move: Move) -> str:
    return f"{move.x},{move.y}"


def _printable(text: str, length: int = 40) -> str:
    """A part of a line that is safe to send back."""
    return "".join(char if char.isascii() and char.isprintable() else "?" for char in text[:length])
