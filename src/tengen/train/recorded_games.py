"""Games that others played, people or programs, as data of a run.

S4 learns from games of people and from prepared ones too. A record says which move was played and who won, so that is
what its positions teach: the move is the target of the policy, the result that of the value. The games become the same
bytes as those of self-play, are kept in the run's folder, and fill a buffer of their own. A run learns from it before
it plays, and later as often as `games_share` says.
"""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tengen import core, records
from tengen.board import Board, Color
from tengen.errors import IllegalMoveError, SetupError
from tengen.records import Game, RecordError
from tengen.train.params import RunParams, SelfPlayParams
from tengen.train.probe import first_choice_share
from tengen.train.recent_games import positions_of
from tengen.train.run_folder import RunFolder

_ENDINGS = (".sgf", ".psq")
#: Every so many-th game is not learned from: it shows how well the network foresees moves that it has never seen.
_HELD_OUT = 20
#: Positions of those games on which that is measured.
_MEASURED = 200
_RESULTS = {"black": 1, "white": -1, "draw": 0}


class RecordedGames:
    """The recorded games of one run. Without any it is empty, so that a run need not ask whether there are some.

    Attributes:
        buffer: Their positions.
        data: All of them as bytes, for the run's folder.
    """

    def __init__(self, data: bytes, params: RunParams) -> None:
        """Takes games that `read_folder` made.

        Args:
            data: The games as bytes.
            params: Of the run.
        """
        games = core.read_games(data)
        learned = [game for number, game in enumerate(games, 1) if number % _HELD_OUT]
        self.data = data
        self.buffer = core.SampleBuffer(max(1, positions_of(learned)))
        self.buffer.add(b"".join(game.data for game in learned))
        self._held_out = games[_HELD_OUT - 1 :: _HELD_OUT]
        self._params = params

    @property
    def samples_first(self) -> int:
        """How many positions the run learns from before it plays, repetitions counted: whole steps."""
        batch = self._params.learn.batch
        return math.ceil(self._params.games_passes * self.buffer.positions / batch) * batch

    def is_next(self, step: int) -> bool:
        """Whether a step of learning, by its number, is one for these games: so many of them, evenly spread."""
        share = self._params.games_share if self.buffer.positions else 0.0
        return math.floor(step * share) > math.floor((step - 1) * share)

    def figures(self, network: core.Evaluator) -> dict[str, float]:
        """For the run's log: the share of moves in games not learned from that are the network's first choice."""
        if not self._held_out:
            return {}
        return {"recorded_moves_foreseen": first_choice_share(network, self._held_out, _MEASURED)}


def recorded_games(run: RunFolder, params: RunParams, complain: Callable[[str], None]) -> RecordedGames:
    """The games of a run: those that its folder keeps, or for a new run those that its parameters name.

    Args:
        run: The run.
        params: Its parameters.
        complain: Called with one sentence if games had to be left out.
    """
    if not params.games:
        return RecordedGames(b"", params)
    kept = run.load_recorded_games()
    return RecordedGames(read_folder(Path(params.games), params.selfplay, complain) if kept is None else kept, params)


@dataclass
class _LeftOut:
    """Games that were not taken, by reason, and what was wrong with the first that could not be read."""

    reasons: Counter[str] = field(default_factory=Counter)
    example: str = ""

    def add(self, reason: str) -> None:
        self.reasons[reason] += 1

    def add_unreadable(self, path: Path, error: RecordError) -> None:
        self.example = self.example or f"; {path.name}: {error}"
        self.add("not readable")

    def __str__(self) -> str:
        return ", ".join(f"{count:,} {reason}" for reason, count in self.reasons.most_common()) + self.example


def read_folder(folder: Path, selfplay: SelfPlayParams, complain: Callable[[str], None]) -> bytes:
    """All games below a folder, in files *.sgf and *.psq, that a run with these kinds of games can learn from.

    Args:
        folder: The folder.
        selfplay: Says which boards and rules are played.
        complain: Called with one sentence if games had to be left out.

    Raises:
        SetupError: There are none.
    """
    if not folder.is_dir():
        raise SetupError(f'there is no folder "{folder}" with games')
    left_out = _LeftOut()
    games = [data for game in _load(folder, left_out) if (data := _convert(game, selfplay, left_out)) is not None]
    if not games:
        reasons = f": {left_out}" if left_out.reasons else ", in files *.sgf or *.psq"
        raise SetupError(f'"{folder}" has no game to learn from{reasons}')
    if left_out.reasons:
        every = len(games) + left_out.reasons.total()
        complain(f"{left_out.reasons.total():,} of {every:,} games in {folder} are left out: {left_out}")
    return b"".join(games)


def _load(folder: Path, left_out: _LeftOut) -> Iterator[Game]:
    """The games of all files, in the order of their names."""
    for path in sorted(path for path in folder.rglob("*") if path.suffix.lower() in _ENDINGS and path.is_file()):
        try:
            yield from records.load_all(path, refused=functools.partial(left_out.add_unreadable, path))
        except RecordError as error:
            left_out.add_unreadable(path, error)


def _convert(game: Game, selfplay: SelfPlayParams, left_out: _LeftOut) -> bytes | None:
    """A game as bytes, or None if it teaches nothing that the run can use."""
    if game.width != game.height or game.width not in selfplay.sizes:
        left_out.add("on another board")
        return None
    rule = game.rule or selfplay.rules[0]
    if rule not in selfplay.rules:
        left_out.add("by another rule")
        return None
    board = Board(size=game.width, rule=rule, n_in_row=selfplay.n_in_row, on_forbidden="loses")
    try:
        for move in game.moves:
            board.push(move)
    except IllegalMoveError:
        left_out.add("against the rules")
        return None
    outcome = board.outcome()
    if outcome is not None and outcome.reason == "forbidden":
        board.pop()  # black has lost by that move, which is none to learn
    result = _RESULTS.get(game.result) if outcome is None else _points(outcome.winner)
    if result is None or not board.ply:
        left_out.add("without a result")
        return None
    return _to_bytes(board, result)


def _points(winner: Color | None) -> int:
    return 0 if winner is None else 1 if winner is Color.BLACK else -1


def _to_bytes(board: Board, result: int) -> bytes:
    """Every position before a move is a sample."""
    cells = [board._cell(move) for move in board.moves]
    samples = [(ply, float(result if ply % 2 == 0 else -result), [(cell, 1)]) for ply, cell in enumerate(cells)]
    return core.write_game(core.Rule[board.rule], board.n_in_row, board.width, board.height, 0, result, cells, samples)
