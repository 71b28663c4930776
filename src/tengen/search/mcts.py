"""Monte-Carlo tree search on a board, of Gomoku or any other game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tengen import core
from tengen.board import Move
from tengen.errors import GameOverError, SetupError
from tengen.games import AnyBoard, GameBoard
from tengen.search.params import SearchParams


@dataclass(frozen=True)
class Candidate:
    """One move as a search sees it.

    Attributes:
        move: The move.
        visits: How often the search tried it.
        value: Mean result for the mover, in [-1, 1]; exact where there is a proof.
        prior: What the evaluator thought of it before the search, noise included.
        proof: "win", "loss" or "draw" for the mover when it is certain, otherwise None.
        line: The move and the expected continuation.
    """

    move: Move
    visits: int
    value: float
    prior: float
    proof: str | None
    line: tuple[Move, ...]


@dataclass(frozen=True)
class Analysis:
    """What a search knows at one moment.

    Attributes:
        value: For the side to move, in [-1, 1].
        proof: "win", "loss" or "draw" for the side to move when it is certain, otherwise None.
        playouts: Of the running or last search.
        visits: Of the position, with those kept from earlier searches.
        seconds: Since the search began.
        memory: Bytes of the tree.
        depth: Of the deepest playout.
        candidates: The best moves, best first.
    """

    value: float
    proof: str | None
    playouts: int
    visits: int
    seconds: float
    memory: int
    depth: int
    candidates: tuple[Candidate, ...]

    @property
    def win_rate(self) -> float:
        """The value as a probability from 0 to 1."""
        return (1 + self.value) / 2


class Mcts:
    """A search tree that follows a game.

    One thread at a time calls `search`; others may call `stop` and `analysis` meanwhile.

    >>> search = Mcts(core.UniformEvaluator())
    >>> from tengen import Board
    >>> board = Board.from_moves("h8 a1 h9 a2 h10 a3 h11 a4")
    >>> search.search(board, playouts=100).candidates[0].proof
    'win'
    """

    def __init__(self, evaluator: core.Evaluator | core.GameEvaluator, params: SearchParams | None = None) -> None:
        """A search with no tree yet.

        Args:
            evaluator: Values and priors of positions: a core.GameEvaluator for other games than Gomoku.
            params: How to search.
        """
        self.params = params or SearchParams()
        self._evaluator = evaluator
        self._core: Any = None  # core.Mcts or core.GameMcts
        self._board: AnyBoard | None = None

    def search(
        self,
        board: AnyBoard,
        playouts: int = 0,
        seconds: float = 0.0,
        best: int = 5,
        patience: float = 0.0,
        only_move_ends: bool = True,
    ) -> Analysis:
        """Thinks about a position until a limit is reached, it is solved, or `stop` is called.

        What is known from the last search is kept if `board` continues the same game.

        Args:
            board: The position; it must not be over.
            playouts: Limit, 0 for none.
            seconds: Limit, 0 for none.
            best: How many moves the analysis lists.
            patience: So long after `seconds` what is known is returned, although a busy machine has not let the search
                come to its end; the next call waits for that. 0 waits at once.
            only_move_ends: Whether the search ends where only one move is possible: enough for who plays it, but not to
                judge the position.
        """
        if playouts < 0 or seconds < 0 or patience < 0:
            raise SetupError("playouts, seconds and patience must not be negative")
        if playouts == 0 and seconds == 0:
            raise SetupError("a search needs a limit: playouts or seconds")
        self.set_position(board)
        assert self._core is not None
        ended = self._core.search(playouts, seconds, patience, only_move_ends)
        analysis = self.analysis(best)
        if ended or analysis.candidates:
            return analysis
        self._core.finish()  # there was not even time to list the moves
        return self.analysis(best)

    def set_position(self, board: AnyBoard) -> None:
        """Takes a position without thinking about it; keeps the tree if the game goes on."""
        if (outcome := board.outcome()) is not None:
            raise GameOverError(f"there is nothing to search: the game is over, {outcome}")
        if isinstance(board, GameBoard) != isinstance(self._evaluator, core.GameEvaluator):
            raise SetupError(f"this search judges positions of another kind of game than {_game_of(board)}")
        try:
            if self._core is None:
                kind: Any = core.GameMcts if isinstance(board, GameBoard) else core.Mcts
                self._core = kind(board._core, self._evaluator, self.params)
            elif not self._follow(board):
                self._core.set_root(board._core)
        except ValueError as error:  # a network that does not play on this board
            raise SetupError(str(error)) from None
        self._board = board.copy()

    def _follow(self, board: AnyBoard) -> bool:
        """Advances the tree along the moves played since, if `board` continues the last position."""
        assert self._core is not None
        old, new = self._board, board._core.moves
        if old is None or len(new) < old.ply or not old.is_same_game(board) or new[: old.ply] != old._core.moves:
            return False
        played = board.copy()
        for _ in new[old.ply :]:
            played.pop()
        return played == old and all(self._core.advance(cell) for cell in new[old.ply :])

    def stop(self) -> None:
        """Ends the running search soon; it still has a move."""
        if self._core is not None:
            self._core.stop()

    def analysis(self, best: int = 5, line: int = 20) -> Analysis:
        """What is known now, also while a search runs.

        Args:
            best: How many moves to list.
            line: How many moves of each continuation.
        """
        if self._core is None or self._board is None:
            raise SetupError("there is no analysis before the first search")
        report = self._core.report(best, line)
        move = self._board._move
        # A search for a loss counts losses as wins; what it reports is about the real game.
        sign, proof_name = (-1, _OPPOSITE) if self.params.misere else (1, _SAME)
        return Analysis(
            value=sign * report.value,
            proof=proof_name[report.proof],
            playouts=report.playouts,
            visits=report.visits,
            seconds=report.seconds,
            memory=report.memory,
            depth=report.depth,
            candidates=tuple(
                Candidate(
                    move=move(entry.move),
                    visits=entry.visits,
                    value=sign * entry.value,
                    prior=entry.prior,
                    proof=proof_name[entry.proof],
                    line=tuple(move(cell) for cell in entry.line),
                )
                for entry in report.moves
            ),
        )

    def best_move(self) -> Move:
        """The move to play after `search`."""
        if self._core is None or self._board is None:
            raise SetupError("there is no best move before the first search")
        return self._board._move(self._core.best_move())


_SAME = {core.Proof.none: None, core.Proof.win: "win", core.Proof.loss: "loss", core.Proof.draw: "draw"}
_OPPOSITE = {**_SAME, core.Proof.win: "loss", core.Proof.loss: "win"}


def _game_of(board: AnyBoard) -> str:
    return board.game if isinstance(board, GameBoard) else "Gomoku"
