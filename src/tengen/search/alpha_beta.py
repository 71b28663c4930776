"""The classical opponent: alpha-beta search with an evaluation by hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field

from tengen import core
from tengen.board import MAX_SIDE, Board, Move
from tengen.errors import GameOverError, SetupError
from tengen.parameters import MOST, Parameters, Seed, Spec

MAX_DEPTH: int = core.ALPHA_BETA_MAX_DEPTH
_MAX_MOVES = MAX_SIDE * MAX_SIDE


class AlphaBetaParams(Parameters):
    """Everything that shapes an alpha-beta search; the first limit that is reached ends it."""

    depth: Annotated[
        int | None, Field(ge=1, le=MAX_DEPTH), Spec(shown="6, or as deep as time or nodes allow if they are given")
    ] = None
    """Plies to look ahead. Single answers to a threat are not counted."""
    time: Annotated[float | None, Field(gt=0, le=MOST)] = None
    """Seconds a move."""
    nodes: Annotated[int | None, Field(ge=1, le=2**62)] = None
    """Positions looked at for a move."""
    width: Annotated[int, Field(ge=0, le=_MAX_MOVES), Spec(also="k")] = 20
    """Best-looking moves tried in a quiet position; 0 for all. Answers to threats are never left out."""
    vct: Annotated[int, Field(ge=0, le=_MAX_MOVES)] = 0
    """Plies of wins by continuous threats to look for, at the root and at every leaf; 0 for none. Depth 6 with 8 plies
    is "6+8 VCT"."""
    hash: Annotated[int, Field(ge=1, le=65_536)] = 64
    """Megabytes of remembered positions."""
    evaluation: Literal["shapes", "rows", "s2"] = "shapes"
    """What a position is judged by: "shapes" counts what either side would make at the empty points; "rows", or "s2",
    counts rows of stones by the table of the course project (docs/origins.md), with its openings, and knows five in a
    row alone."""
    threats: bool = True
    """Whether fives and open fours, and what answers them, are seen without search. The course project's does not."""
    use_pruning: Annotated[bool, Spec(hidden=True)] = True
    """False searches the whole tree. For tests: the value is the same."""
    use_hash: Annotated[bool, Spec(hidden=True)] = True
    """False searches transpositions again. For tests: the value is the same."""
    seed: Annotated[Seed, Spec(hidden=True)] = 0
    """Varies the choice between moves that look equal; 0 prefers the centre."""


def _core_params(params: AlphaBetaParams) -> core.AlphaBetaParams:
    is_limited = params.time is not None or params.nodes is not None
    filled = core.AlphaBetaParams()
    filled.depth = params.depth or (MAX_DEPTH if is_limited else 6)
    filled.seconds = params.time or 0
    filled.nodes = params.nodes or 0
    filled.width = params.width
    filled.vct_plies = params.vct
    filled.hash_megabytes = params.hash
    filled.evaluation = core.AlphaBetaEvaluation["shapes" if params.evaluation == "shapes" else "rows"]
    filled.use_threats = params.threats
    filled.use_pruning = params.use_pruning
    filled.use_hash = params.use_hash
    filled.seed = params.seed
    return filled


@dataclass(frozen=True)
class AlphaBetaResult:
    """What a search found.

    Attributes:
        move: The move to play.
        score: For the side to move; beyond +-999,000 a forced win or loss. In 1/256 of the log-odds of winning with
            the evaluation by shapes, in S2's points with the one by rows.
        value: The expected result for the side to move, from -1 (loss) to 1 (win).
        win_in: Plies until the end if it is forced: positive for a win, negative for a loss, else None.
        depth: The last depth that was searched completely; 0 if the move needed no search.
        nodes: Positions looked at.
        line: The expected moves; the first is `move`.
    """

    move: Move
    score: int
    value: float
    win_in: int | None
    depth: int
    nodes: int
    line: tuple[Move, ...]


class AlphaBeta:
    """An alpha-beta player. Equal positions and parameters give equal answers unless time or a stop cuts them short.

    >>> AlphaBeta(depth=2).search(Board()).move
    Move(x=7, y=7)
    """

    def __init__(self, params: AlphaBetaParams | None = None, **keywords: Any) -> None:
        """A player.

        Args:
            params: The parameters, or None for the defaults.
            **keywords: Fields of `AlphaBetaParams`, instead of `params`.
        """
        if params is not None and keywords:
            raise SetupError("give either params or its fields, not both")
        self.params = AlphaBetaParams(**keywords) if params is None else params
        try:
            self._core = core.AlphaBeta(_core_params(self.params))
        except MemoryError:
            raise SetupError(f"there is no memory for {self.params.hash} MB of positions; give less hash") from None

    def search(self, board: Board, stop: core.StopFlag | None = None) -> AlphaBetaResult:
        """Finds a move for the side to move.

        Other Python threads run meanwhile, but one object serves one search at a time. Ctrl-C ends the search.

        Args:
            board: The position; it is not changed.
            stop: `stop.set()` in another thread ends the search at once with the best move so far; set from the
                start, it gives the move that looks best without any search.

        Raises:
            GameOverError: The game is over, or no move is legal.
            SetupError: The evaluation by rows is for five in a row, and the board's rows are longer or shorter.
        """
        if (outcome := board.outcome()) is not None:
            raise GameOverError(f"there is nothing to search: the game is over, {outcome}")
        rows = self.params.evaluation == "rows"
        if rows and board.n_in_row != 5:
            raise SetupError(f"evaluation=rows knows five in a row alone, not {board.n_in_row}; use evaluation=shapes")
        found = self._core.search(board._core, stop or core.StopFlag())
        if found.move < 0:
            raise GameOverError("there is nothing to search: black has only forbidden points left")
        win_in = None
        if abs(found.score) > core.ALPHA_BETA_WIN_BOUND:
            plies = core.ALPHA_BETA_WIN - abs(found.score)
            win_in = plies if found.score > 0 else -plies
        return AlphaBetaResult(
            move=board._move(found.move),
            score=found.score,
            value=(core.RowEvaluation if rows else core.Expert).squash(found.score),
            win_in=win_in,
            depth=found.depth,
            nodes=found.nodes,
            line=tuple(board._move(cell) for cell in found.line),
        )
