"""Looking through a game move by move."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tengen import core
from tengen.board import Board, Color, Move
from tengen.errors import GameOverError, SetupError
from tengen.records import Game, RecordError
from tengen.search import Mcts, SearchParams
from tengen.threats import solve

#: The loss of win rate from which a move is called so, worst first.
CLASSES = (("blunder", 0.20), ("mistake", 0.10), ("inaccuracy", 0.05))

VCF_NODES = 50_000
VCT_NODES = 20_000


@dataclass(frozen=True)
class MoveReview:
    """One move, judged.

    Attributes:
        number: Of the move, from 1.
        color: Who moved.
        move: What was played.
        win_rate: The mover's before the move, with the best move; 0 to 1.
        win_rate_after: The mover's after the move.
        best: What the search would have played.
        line: The best move and the expected continuation.
        mistake: "blunder", "mistake", "inaccuracy" or "".
        missed: "vcf" or "vct" where the mover had such a win and let it go, otherwise "".
        win: The line of the win that was missed.
    """

    number: int
    color: Color
    move: Move
    win_rate: float
    win_rate_after: float
    best: Move
    line: tuple[Move, ...]
    mistake: str
    missed: str
    win: tuple[Move, ...]

    @property
    def loss(self) -> float:
        """Win rate that the move gave away, 0 to 1."""
        return max(0.0, self.win_rate - self.win_rate_after)

    @property
    def black_win_rate(self) -> float:
        """Black's win rate after the move."""
        return self.win_rate_after if self.color == Color.BLACK else 1 - self.win_rate_after


@dataclass(frozen=True)
class _Look:
    """A position, for the side to move."""

    win_rate: float
    line: tuple[Move, ...] = ()
    forced: str = ""  # the kind of the forced win, if there is one


def loss_class(loss: float) -> str:
    """What a loss of win rate is called: from 5 points an inaccuracy, from 10 a mistake, from 20 a blunder."""
    return next((name for name, limit in CLASSES if loss >= limit), "")


class Reviewer:
    """Judges games with a tree search and the solvers of forced wins. Key method: `review`."""

    def __init__(self, evaluator: core.Evaluator, playouts: int, params: SearchParams | None = None) -> None:
        """A reviewer.

        Args:
            evaluator: What judges positions.
            playouts: For each position.
            params: How to search.
        """
        if playouts < 1:
            raise SetupError(f"an analysis needs at least 1 playout a move, not {playouts}")
        self._playouts = playouts
        self._search = Mcts(evaluator, params)
        self._evaluator = evaluator

    def review(self, game: Game, rule: str = "") -> Iterator[MoveReview]:
        """Judges the moves of the main line, one after the other.

        A forced win counts as missed if the move that was played instead is at least an inaccuracy.

        Args:
            game: The game.
            rule: If not what the record says; freestyle if it says nothing.

        Raises:
            RecordError: The record goes on after the end of the game.
        """
        boards = _positions(game, rule or game.rule or "freestyle")
        looks: dict[int, _Look] = {}

        def look(ply: int) -> _Look:
            if ply not in looks:
                looks[ply] = self._look(boards[ply])
            return looks[ply]

        for ply, move in enumerate(game.moves):
            before, after = look(ply), look(ply + 1)
            rate = 1 - after.win_rate
            # A move that the search would have played is no mistake, whatever the next position looks like.
            mistake = "" if move == before.line[0] else loss_class(before.win_rate - rate)
            missed = before.forced if mistake else ""
            yield MoveReview(
                number=ply + 1,
                color=boards[ply].turn,
                move=move,
                win_rate=before.win_rate,
                win_rate_after=rate,
                best=before.line[0],
                line=before.line,
                mistake=mistake,
                missed=missed,
                win=before.line if missed else (),
            )

    def _look(self, board: Board) -> _Look:
        if (outcome := board.outcome()) is not None:
            return _Look(0.5 if outcome.winner is None else float(outcome.winner == board.turn))
        for kind, nodes in (("vcf", VCF_NODES), ("vct", VCT_NODES)):
            solution = solve(board, kind, max_nodes=nodes, guide=self._evaluator)
            if solution.wins:
                return _Look(1.0, tuple(solution.line), kind)
        analysis = self._search.search(board, playouts=self._playouts)
        move = self._search.best_move()
        if analysis.proof is None and analysis.playouts < self._playouts and len(analysis.candidates) == 1:
            # The search ends where only one move is possible. What that is worth shows behind it, to the solvers too.
            behind = self._look(_after(board, move))
            return _Look(1 - behind.win_rate, (move, *behind.line))
        line = next((candidate.line for candidate in analysis.candidates if candidate.move == move), (move,))
        rate = {"win": 1.0, "loss": 0.0, "draw": 0.5}.get(analysis.proof or "", analysis.win_rate)
        return _Look(rate, line)


def _after(board: Board, move: Move) -> Board:
    after = board.copy()
    after.push(move)
    return after


def _positions(game: Game, rule: str) -> list[Board]:
    """The positions of a game, the empty board first."""
    board = Board(width=game.width, height=game.height, rule=rule, on_forbidden="loses")
    boards = [board.copy()]
    for number, move in enumerate(game.moves, 1):
        try:
            board.push(move)
        except GameOverError as error:
            raise RecordError(f"move {number} of the record comes after the end: {error}") from None
        boards.append(board.copy())
    return boards
