"""The classical opponent: alpha-beta search with an evaluation by hand."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

from tengen import core
from tengen.board import Board, Move
from tengen.errors import GameOverError, SetupError

MAX_DEPTH: int = core.ALPHA_BETA_MAX_DEPTH
MAX_HASH_MEGABYTES = 65536
EVALUATIONS = ("shapes", "rows")


@dataclass(frozen=True)
class AlphaBetaParams:
    """Everything that shapes an alpha-beta search; the first limit that is reached ends it.

    Attributes:
        depth: Plies to search, 1 to 64. Single answers to a threat are not counted. Without it, 6, or if there is a
            limit on time or nodes, as deep as that allows.
        seconds: Time for a move.
        nodes: Positions to look at for a move.
        width: The k best moves that are searched in quiet positions; 0 means all candidates. Answers to threats are
            never left out.
        hash_megabytes: Size of the transposition table, from 1.
        vct_plies: Length of the wins by continuous threats that are looked for at the root and at every leaf; 0 for
            none. Depth 6 with 8 plies is "6+8 VCT".
        evaluation: "shapes" counts what either side would make at the empty points; "rows" counts rows of stones by
            the table of S2 (docs/origins.md), with the openings of that document, and knows five in a row alone.
        use_threats: Fives and open fours, and what answers them, are seen without search. False leaves them to the
            search and the evaluation, as S2 does.
        use_pruning: False searches the whole tree. For tests: the value is the same.
        use_hash: False searches transpositions again. For tests: the value is the same.
        seed: Varies the choice between moves that look equal; 0 prefers the centre.
    """

    depth: int | None = None
    seconds: float | None = None
    nodes: int | None = None
    width: int = 20
    hash_megabytes: int = 16
    vct_plies: int = 0
    evaluation: str = "shapes"
    use_threats: bool = True
    use_pruning: bool = True
    use_hash: bool = True
    seed: int = 0

    def __post_init__(self) -> None:
        if self.evaluation not in EVALUATIONS:
            raise SetupError(f'evaluation must be one of {", ".join(EVALUATIONS)}, not "{self.evaluation}"')
        _check_whole("depth", self.depth, 1, MAX_DEPTH)
        _check_whole("nodes", self.nodes, 1, 2**62)
        _check_whole("width", self.width, 0, 22 * 22)
        _check_whole("hash_megabytes", self.hash_megabytes, 1, MAX_HASH_MEGABYTES)
        _check_whole("vct_plies", self.vct_plies, 0, 22 * 22)
        _check_whole("seed", self.seed, 0, 2**64 - 1)
        if self.seconds is not None and not (self.seconds > 0 and math.isfinite(self.seconds)):
            raise SetupError(f"seconds must be a number above 0, not {self.seconds}")


def _check_whole(name: str, value: int | None, least: int, most: int) -> None:
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise SetupError(f"{name} must be a whole number from {least} to {most}, not {value}")


def _core_params(params: AlphaBetaParams) -> core.AlphaBetaParams:
    filled = core.AlphaBetaParams()
    for field in fields(params):
        if (value := getattr(params, field.name)) is not None and field.name != "evaluation":
            setattr(filled, field.name, value)
    filled.evaluation = core.AlphaBetaEvaluation[params.evaluation]
    if params.depth is None:
        filled.depth = 6 if params.seconds is None and params.nodes is None else MAX_DEPTH
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

    def __init__(self, params: AlphaBetaParams | None = None, **keywords: object) -> None:
        """A player.

        Args:
            params: The parameters, or None for the defaults.
            **keywords: Fields of `AlphaBetaParams`, instead of `params`.
        """
        if params is not None and keywords:
            raise SetupError("give either params or its fields, not both")
        self.params = AlphaBetaParams(**keywords) if params is None else params  # type: ignore[arg-type]
        self._core = core.AlphaBeta(_core_params(self.params))

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
