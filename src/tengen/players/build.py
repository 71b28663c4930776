"""Players of another build of Tengen: what a patch is compared with.

The other build, such as a checkout of an earlier commit, plays in a process of its own with its own Python and its own
compiled core. The process lives as long as the player does: a new game starts none.
"""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path
from typing import Annotated, Any

from tengen.board import Board, Move
from tengen.errors import SetupError
from tengen.parameters import Parameters, Spec
from tengen.players import build_worker
from tengen.players.player import Player, Thoughts
from tengen.players.program import EngineError, Program
from tengen.players.spec import Kind

_LOOK_SECONDS = 1.0  # between two looks whether the process is still there


class BuildParameters(Parameters):
    """Keys of `build`; the player is what follows them."""

    player: Annotated[str, Spec(verbatim=True)]
    """The spec of a player, as that build knows it."""
    path: str
    """A checkout of Tengen that was built with make, or a Python that has Tengen installed."""


class BuildPlayer(Player):
    """A player of another build in a process of its own."""

    def __init__(self, parameters: BuildParameters, name: str, seed: int | None = None) -> None:
        """Looks for the build; its process is started by the first question.

        Args:
            parameters: Which build, and which player of it.
            name: The spec.
            seed: None for a different game every time.
        """
        super().__init__(name)
        self._arguments = [str(_python_of(parameters.path)), "-I", build_worker.__file__, parameters.player]
        self._seed = seed
        self._program: Program | None = None
        self._writing = threading.Lock()

    def prepare(self, board: Board) -> None:
        """Starts the process, and lets it load what it needs."""
        self._ask({"task": "prepare", "board": _description(board)})

    def new_game(self, seed: int | None = None) -> None:
        """Begins another game in the same process."""
        self._seed = seed
        if self._program is not None:
            self._ask({"seed": seed})

    def _think(self, board: Board) -> Move:
        found = self._ask({"task": "choose", "board": _description(board)})
        try:
            move = board.parse_move(found["move"])
            self.thoughts = Thoughts(
                value=found["value"], pv=(move,), playouts=found["playouts"], cpu_seconds=found["cpu_seconds"]
            )
        except KeyError:
            raise EngineError("the other build answered without a move") from None
        return move

    def _ask(self, question: dict[str, Any]) -> dict[str, Any]:
        try:
            return self._put(self._program or self._start(), question)
        except BaseException:
            self.close()  # whatever went wrong, this process is not to be trusted with another question
            raise

    def _start(self) -> Program:
        self._program = program = Program(self._arguments, farewell=["leave"])
        try:
            self._put(program, {"seed": self._seed})
        except EngineError:
            raise SetupError(f'player "{self.name}": {self._arguments[0]} does not run Tengen') from None
        return program

    def _put(self, program: Program, question: dict[str, Any]) -> dict[str, Any]:
        with self._writing:
            program.send([json.dumps(question)])
        while (line := program.next_line(_LOOK_SECONDS)) is None:
            pass
        try:
            answer: dict[str, Any] = json.loads(line)
        except json.JSONDecodeError:
            raise EngineError(f'the other build answered "{line[:80]}"') from None
        if "error" in answer:
            kind = SetupError if answer["setup"] else EngineError
            raise kind(f'player "{self.name}": {answer["error"]}')
        return answer

    def stop(self) -> None:
        """Makes the other build answer soon."""
        if (program := self._program) is not None:
            with self._writing:
                program.send(["stop"])

    def close(self) -> None:
        """Ends the process."""
        program, self._program = self._program, None
        if program is not None:
            program.end()


def _description(board: Board) -> dict[str, Any]:
    """The board as keywords of `Board.from_moves`."""
    return {
        "moves": " ".join(board.text(move) for move in board.moves),
        "width": board.width,
        "height": board.height,
        "rule": board.rule,
        "n_in_row": board.n_in_row,
    }


def _python_of(path: str) -> Path:
    """The Python of a build. Not resolved: a virtual environment is known by the name that its Python is called by."""
    place = Path(path).expanduser().absolute()
    python = place / ".venv" / "bin" / "python" if place.is_dir() else place
    if not (python.is_file() and os.access(python, os.X_OK)):
        raise SetupError(f'there is no build of Tengen in "{path}"; run make there, or name a Python that has it')
    return python


def _core_of(parameters: Any, rule: str, size: int) -> Path | None:
    """The compiled core: games of another one are not those of the same match."""
    environment = _python_of(parameters.path).parent.parent
    return next(iter(sorted(environment.glob("lib/python*/site-packages/tengen/_core*.so"))), None)


KINDS = (
    Kind(
        "build",
        "A player of another build of Tengen, such as a checkout of an earlier commit.",
        BuildParameters,
        BuildPlayer,
        _core_of,
        wraps=True,
    ),
)
