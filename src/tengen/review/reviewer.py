"""Looking through a game move by move: the one reviewer, for the command line and for the page."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from functools import partial

from tengen import core
from tengen.board import Board, Color, Move
from tengen.errors import GameOverError, SetupError
from tengen.records import Game, RecordError
from tengen.search import Mcts, SearchParams
from tengen.thinking.book import known_at
from tengen.thinking.evaluators import best_evaluator
from tengen.thinking.pool import SLICE_SECONDS
from tengen.thinking.thought import Budget, Thinking
from tengen.threats import solve

#: The loss of win rate from which a move is called so, worst first.
CLASSES = (("blunder", 0.20), ("mistake", 0.10), ("inaccuracy", 0.05))

PLAYOUTS = 2_000
"""For each position, where nobody says otherwise."""
VCF_NODES = 50_000
VCT_NODES = 20_000
MEMORY = 256 << 20
NEAR = 15
"""Moves of the winner within which a proven win is a verdict. A longer one is theory: whoever leaves it has made no
mistake that people could see, so there a search says what a position is worth."""


@dataclass(frozen=True)
class MoveReview:
    """One move, judged.

    Attributes:
        number: Number of the move, from 1.
        color: Who moved.
        move: What was played.
        win_rate: The mover's before the move, with the best move; 0 to 1.
        win_rate_after: The mover's after the move.
        best: What the search would have played.
        line: The best move and the expected continuation.
        mistake: "blunder", "mistake", "inaccuracy" or "".
        missed: "vcf" or "vct" where the mover had such a win and let it go, otherwise "".
        win: The line of the win that was missed.
        theory: Whether it is proven who wins after the move, however long that takes.
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
    theory: bool = False

    @property
    def loss(self) -> float:
        """Win rate that the move gave away, 0 to 1."""
        return max(0.0, self.win_rate - self.win_rate_after)

    @property
    def black_win_rate(self) -> float:
        """Black's win rate after the move."""
        return self.win_rate_after if self.color == Color.BLACK else 1 - self.win_rate_after


@dataclass(frozen=True)
class Verdict:
    """A position, judged.

    Attributes:
        ply: Stones on the board.
        turn: Who is to move.
        win_rate: For the side to move, 0 to 1.
        line: The best move and the expected continuation; nothing where the game is over.
        forced: "vcf" or "vct" where the side to move has such a win, otherwise "".
        theory: Whether it is proven who wins, however long that takes.
        move: The move that led here; None for the first position.
    """

    ply: int
    turn: Color
    win_rate: float
    line: tuple[Move, ...] = ()
    forced: str = ""
    theory: bool = False
    move: MoveReview | None = None

    @property
    def black_win_rate(self) -> float:
        """Black's win rate."""
        return self.win_rate if self.turn == Color.BLACK else 1 - self.win_rate


def loss_class(loss: float) -> str:
    """What a loss of win rate is called: from 5 points an inaccuracy, from 10 a mistake, from 20 a blunder."""
    return next((name for name, limit in CLASSES if loss >= limit), "")


class Reviewer:
    """Judges games with a tree search and the solvers of forced wins. Key method: `verdicts`.

    Attributes:
        memory: Bytes of its tree.
    """

    def __init__(self, evaluator: core.Evaluator, playouts: int = PLAYOUTS, params: SearchParams | None = None) -> None:
        """A reviewer.

        Args:
            evaluator: What judges positions.
            playouts: For each position.
            params: How to search.
        """
        if playouts < 1:
            raise SetupError(f"a review needs at least 1 playout a move, not {playouts}")
        self.memory = 0
        self._budget = Budget(playouts=playouts)
        self._search = Mcts(evaluator, params or SearchParams(memory=MEMORY))
        self._evaluator = evaluator

    def stop(self) -> None:
        """Ends the search under way: the next verdict comes soon, and is worth little."""
        self._search.stop()

    def review(self, game: Game, rule: str = "") -> Iterator[MoveReview]:
        """Judges the moves of the main line, one after the other.

        Args:
            game: The game.
            rule: If not what the record says; freestyle if it says nothing.

        Raises:
            RecordError: The record goes on after the end of the game.
        """
        for verdict in self.verdicts(final_position(game, rule)):
            if verdict is not None and verdict.move is not None:
                yield verdict.move

    def verdicts(self, board: Board, first: int = 0) -> Iterator[Verdict | None]:
        """Judges the positions of a game, the empty board first; None is a pause, for those who work in slices.

        A forced win counts as missed if the move that was played instead is at least an inaccuracy.

        Args:
            board: The last position, with the moves that led to it.
            first: Stones on the board in the first position that is judged: the one before the last move judges that.
        """
        before: Verdict | None = None
        for position in _positions(board)[first:]:
            now = yield from self._look(position)
            if before is not None:
                now = replace(now, move=_judge_move(position.moves[-1], before, now))
            yield now
            before = now

    def _look(self, board: Board) -> Generator[None, None, Verdict]:
        verdict = partial(Verdict, board.ply, board.turn)
        if (outcome := board.outcome()) is not None:
            return verdict(0.5 if outcome.winner is None else float(outcome.winner == board.turn))
        known = known_at(board)
        verdict = partial(verdict, theory=known is not None)
        near = known if known is not None and known.within <= NEAR else None
        if near is not None and near.move is not None:
            return verdict(1.0, (near.move,))
        for kind, nodes in (("vcf", VCF_NODES), ("vct", VCT_NODES)):
            solution = solve(board, kind, max_nodes=nodes, guide=self._evaluator)
            if solution.wins:
                return verdict(1.0, tuple(solution.line), kind)
            yield
        thinking = Thinking(board, self._search, self._budget)
        while thinking.ended is None:
            self.memory = thinking.step(SLICE_SECONDS).memory
            yield
        if thinking.ended == "only-move":
            # What the only move is worth shows behind it, to the solvers too.
            behind = yield from self._look(_after(board, thinking.move))
            return verdict(1 - behind.win_rate, (thinking.move, *behind.line))
        found = thinking.analysis
        if near is not None:
            return verdict(0.0, found.candidates[0].line)
        rate = {"win": 1.0, "loss": 0.0, "draw": 0.5}.get(found.proof or "", found.win_rate)
        return verdict(rate, found.candidates[0].line)


def _judge_move(move: Move, before: Verdict, after: Verdict) -> MoveReview:
    rate = 1 - after.win_rate
    best = before.line[0]
    # A move that the search would have played is no mistake, whatever the next position looks like.
    mistake = "" if move == best else loss_class(before.win_rate - rate)
    missed = before.forced if mistake else ""
    return MoveReview(
        number=after.ply,
        color=before.turn,
        move=move,
        win_rate=before.win_rate,
        win_rate_after=rate,
        best=best,
        line=before.line,
        mistake=mistake,
        missed=missed,
        win=before.line if missed else (),
        theory=after.theory,
    )


def reviewer_for(board: Board, playouts: int = PLAYOUTS) -> Reviewer:
    """A reviewer with the best evaluator for games like the one on `board`."""
    return Reviewer(best_evaluator(board), playouts)


def final_position(game: Game, rule: str = "") -> Board:
    """The last position of a game's main line.

    Args:
        game: The game.
        rule: If not what the record says; freestyle if it says nothing.

    Raises:
        RecordError: The record goes on after the end of the game.
    """
    board = Board(width=game.width, height=game.height, rule=rule or game.rule or "freestyle", on_forbidden="loses")
    for number, move in enumerate(game.moves, 1):
        try:
            board.push(move)
        except GameOverError as error:
            raise RecordError(f"move {number} of the record comes after the end: {error}") from None
    return board


def _after(board: Board, move: Move) -> Board:
    after = board.copy()
    after.push(move)
    return after


def _positions(board: Board) -> list[Board]:
    """The positions of a game, the empty board first."""
    positions = [board.copy()]
    while positions[-1].ply:
        earlier = positions[-1].copy()
        earlier.pop()
        positions.append(earlier)
    return positions[::-1]
