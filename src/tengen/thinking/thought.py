"""One position, thought about within one budget."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from tengen import threats
from tengen.board import Board, Color, Move
from tengen.errors import SetupError
from tengen.games import AnyBoard
from tengen.search import Analysis, Mcts
from tengen.thinking.evaluators import best_evaluator

#: Limits of the solver that completes the line of a win that a search has proved.
LINE_NODES = 50_000
LINE_SECONDS = 0.3

#: With a limit of depth the search looks up so often.
_DEPTH_SLICE = 0.002


@dataclass(frozen=True, kw_only=True)
class Budget:
    """How much thought a position gets; 0 means no limit.

    Attributes:
        playouts: Of the tree search.
        seconds: By the clock, from the beginning on: a search that has to wait for its turn gets fewer playouts, not
            more time.
        depth: Moves of the expected line. A tree search completes no other depth.
    """

    playouts: int = 0
    seconds: float = 0.0
    depth: int = 0


class Thinking:
    """A search on its way through its budget. Key methods: `step` and `run`.

    The search is told its whole budget when it begins; steps only say where it may pause, and change nothing about the
    result. One thread steps; any thread may `stop`, and look at `search.analysis` meanwhile.

    Attributes:
        board: The position.
        search: The tree; it may be kept for the next position of the game.
        ended: Why it is over ("solved", "only-move", "playouts", "time", "depth", "memory", "stopped"), None before.
    """

    def __init__(
        self, board: AnyBoard, search: Mcts, budget: Budget, *, best: int = 5, only_move_ends: bool = True
    ) -> None:
        """Begins; nothing is computed yet.

        Args:
            board: The position; the game must not be over.
            search: A tree. What it knows about the position from earlier in the game is used.
            budget: When to end.
            best: How many moves an analysis lists.
            only_move_ends: Whether to end where only one move is possible: enough to play it, not to judge it.
        """
        self.board = board
        self.search = search
        self.ended: str | None = None
        self._budget = budget
        self._best = best
        self._analysis: Analysis | None = None
        search.begin(board, budget.playouts, budget.seconds, only_move_ends)

    @property
    def analysis(self) -> Analysis:
        """What is known after the last step; the first candidate is the move to play."""
        assert self._analysis is not None, "step first"
        return self._analysis

    @property
    def move(self) -> Move:
        """The move to play."""
        return self.analysis.candidates[0].move

    @property
    def memory(self) -> int:
        """Bytes of the tree after the last step."""
        return self._analysis.memory if self._analysis is not None else 0

    @property
    def share(self) -> float:
        """How much of the budget is used up, 0 to 1."""
        used = ((self.analysis.playouts, self._budget.playouts), (self.analysis.seconds, self._budget.seconds))
        return min(1.0, max(amount / limit if limit else 0.0 for amount, limit in used))

    def step(self, seconds: float = 0.0, patience: float = 0.0) -> Analysis:
        """Goes on for a while.

        Args:
            seconds: At most; 0 until the end.
            patience: So long after the budget's time, what is known is returned although a busy machine has not let the
                search come to its end.
        """
        if self.ended is None:
            found = self.search.step(seconds, self._best, patience)
            if not found.candidates:  # a busy machine: there was not even time to list the moves
                found = self.search.step(_DEPTH_SLICE, self._best)
            late = patience > 0 and 0 < self._budget.seconds <= found.seconds
            self.ended = found.ended or ("time" if late else self._deep_enough())
            self._analysis = found
        return self.analysis

    def run(
        self, patience: float = 0.0, pause: float = 0.0, tell: Callable[[Analysis], object] | None = None
    ) -> Analysis:
        """Goes on to the end.

        Args:
            patience: As for `step`.
            pause: How often to `tell`, in seconds.
            tell: Called with what is known so far.
        """
        slices = [length for length in (pause if tell else 0.0, _DEPTH_SLICE if self._budget.depth else 0.0) if length]
        told = 0.0
        while self.ended is None:
            found = self.step(min(slices, default=0.0), patience)
            if tell and self.ended is None and found.seconds - told >= pause:
                told = found.seconds
                tell(found)
        return self.analysis

    def stop(self) -> None:
        """Ends the search soon, whether it is at a step or between two; it still has a move."""
        self.search.stop()

    def priors(self, most: int) -> dict[str, float]:
        """What the evaluator thought of the best moves before the search, by their names."""
        known = self.search.analysis(best=self.board.width * self.board.height, line=0).candidates
        ranked = sorted(known, key=lambda candidate: -candidate.prior)[:most]
        return {self.board.text(candidate.move): round(candidate.prior, 4) for candidate in ranked}

    def _deep_enough(self) -> str | None:
        depth = self._budget.depth
        if not depth:
            return None
        line = self.search.analysis(1, depth).candidates[0].line
        return "depth" if len(line) >= depth else None


def analyse(board: Board, playouts: int = 1000, seconds: float = 0.0, best: int = 5) -> Analysis:
    """What Tengen thinks of a position, with the network that ships: its value and the best moves.

    >>> board = Board.from_moves("h8 a1 i8 a3 j8 a5")
    >>> analysis = analyse(board)
    >>> analysis.proof, " ".join(board.text(move) for move in analysis.candidates[0].line)
    ('win', 'g8 f8 k8')

    Args:
        board: The position; the game must not be over.
        playouts: How long to search, 0 for no limit.
        seconds: The same by the clock, 0 for no limit.
        best: How many moves to list.

    Raises:
        GameOverError: There is nothing to think about.
        SetupError: Neither limit was given.
    """
    if not (playouts > 0 or seconds > 0):
        raise SetupError("an analysis needs a limit: give it playouts or seconds above 0")
    thinking = Thinking(board, Mcts(best_evaluator(board)), Budget(playouts=playouts, seconds=seconds), best=best)
    return with_winning_line(board, thinking.run())


def with_winning_line(board: Board, analysis: Analysis) -> Analysis:
    """The same, with the whole line of a win: the search stops at its first move, people want to see the rest."""
    best = analysis.candidates[0]
    if analysis.proof != "win" or len(best.line) > 1:
        return analysis
    line = threats.solve(
        board, "auto", max_nodes=LINE_NODES, max_seconds=LINE_SECONDS, guide=best_evaluator(board)
    ).line
    if not line:
        return analysis
    first = replace(best, move=line[0], line=tuple(line), visits=best.visits if line[0] == best.move else 0)
    return replace(analysis, candidates=(first, *analysis.candidates[1:]))


def as_dict(board: Board, analysis: Analysis) -> dict[str, Any]:
    """What a search knows, for JSON: points as text, the position's win rate for black."""
    rate = analysis.win_rate if board.turn == Color.BLACK else 1 - analysis.win_rate
    return {
        "win_rate": round(rate, 4),
        "proof": analysis.proof,
        "playouts": analysis.playouts,
        "seconds": round(analysis.seconds, 3),
        "depth": analysis.depth,
        "candidates": [
            {
                "move": board.text(candidate.move),
                "visits": candidate.visits,
                "win_rate": round((1 + candidate.value) / 2, 4),
                "prior": round(candidate.prior, 4),
                "proof": candidate.proof,
                "line": [board.text(move) for move in candidate.line],
            }
            for candidate in analysis.candidates
        ],
    }
