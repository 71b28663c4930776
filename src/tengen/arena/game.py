"""One game between two players."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tengen.arena.adjudication import Adjudication, Judge
from tengen.board import Board, Color, Move, row_text
from tengen.errors import InputError, SetupError, TengenError
from tengen.games import GOMOKU, AnyBoard, GameBoard
from tengen.players import Player, Thoughts

MOVE_LIMIT = "move limit"
ADJUDICATED = "adjudication"
ILLEGAL_MOVE = "illegal move"
ERROR = "error"

#: Reasons that are a player's fault rather than a result of play.
FORFEITS = (ILLEGAL_MOVE, ERROR)


@dataclass(frozen=True)
class GameSetup:
    """The board and rule that games are played with.

    Attributes:
        size: Points on each side.
        rule: "freestyle", "standard", "renju" or "caro".
        n_in_row: Length of the winning row.
        move_limit: Stones after which a game is a draw; None plays until the board is full.
        game: "gomoku", or another game (`tengen.games`): then size, rule and n_in_row mean nothing.
    """

    size: int = 15
    rule: str = "freestyle"
    n_in_row: int = 5
    move_limit: int | None = None
    game: str = GOMOKU

    def __post_init__(self) -> None:
        self.any_board()
        if self.move_limit is not None and self.move_limit < 1:
            raise SetupError(f"the move limit must be at least 1, not {self.move_limit}")

    def board(self, moves: Sequence[Move] | str = ()) -> Board:
        """A board of Gomoku after some moves; a forbidden move of black's is refused."""
        return Board.from_moves(moves, size=self.size, rule=self.rule, n_in_row=self.n_in_row)

    def any_board(self, moves: Sequence[Move] | str = ()) -> AnyBoard:
        """A board of the game after some moves."""
        return self.board(moves) if self.game == GOMOKU else GameBoard.from_moves(self.game, moves)

    def __str__(self) -> str:
        return f"{self.rule} {self.size}x{self.size}" if self.game == GOMOKU else self.game


@dataclass(frozen=True)
class GameResult:
    """A finished game.

    Attributes:
        black: Name of the player with the black stones.
        white: Name of the other one.
        setup: Board and rule.
        moves: All moves in order, those of the opening first.
        opening_length: How many of them nobody chose.
        seconds: Thinking time of each chosen move; a forfeited game has one more, that of the move that failed.
        winner: The winner's colour, or None for a draw.
        reason: "five", "forbidden" or "draw" as in `Outcome`; "move limit", which is a draw too; "adjudication", where
            both players agreed; or the loser's fault, "illegal move" or "error".
        detail: What exactly the loser did wrong, for people.
        playouts: Of black's and white's tree searches of which the CPU time is known, all moves together.
        cpu_seconds: That CPU time.
    """

    black: str
    white: str
    setup: GameSetup
    moves: tuple[Move, ...]
    opening_length: int
    seconds: tuple[float, ...]
    winner: Color | None
    reason: str
    detail: str = ""
    playouts: tuple[int, int] = (0, 0)
    cpu_seconds: tuple[float, float] = (0.0, 0.0)

    @property
    def result(self) -> str:
        """Who won: "black", "white" or "draw"."""
        return "draw" if self.winner is None else str(self.winner)

    @property
    def reason_text(self) -> str:
        """The reason for people: "five" is a full row, of whatever length wins."""
        return row_text(self.setup.n_in_row) if self.reason == "five" else self.reason

    def as_dict(self) -> Mapping[str, Any]:
        """The game for a JSON file."""
        setup = self.setup
        if setup.game == GOMOKU:
            kind: dict[str, Any] = {"size": setup.size, "rule": setup.rule, "n_in_row": setup.n_in_row}
        else:
            kind = {"game": setup.game}
        board = setup.any_board()
        return {
            "black": self.black,
            "white": self.white,
            **kind,
            "result": self.result,
            "reason": self.reason,
            "detail": self.detail,
            "opening_length": self.opening_length,
            "moves": " ".join(board.text(move) for move in self.moves),
            "seconds": list(self.seconds),
            "playouts": list(self.playouts),
            "cpu_seconds": list(self.cpu_seconds),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any], setup: GameSetup) -> GameResult:
        """The game that `as_dict` described.

        Raises:
            InputError: A move is not one.
            KeyError, TypeError, ValueError: A value is missing or not what it should be.
        """
        winner = {"black": Color.BLACK, "white": Color.WHITE, "draw": None}[values["result"]]
        black_playouts, white_playouts = values.get("playouts", (0, 0))  # folders of version 0.1 do not tell
        black_seconds, white_seconds = values.get("cpu_seconds", (0, 0))
        return cls(
            black=str(values["black"]),
            white=str(values["white"]),
            setup=setup,
            moves=tuple(setup.any_board(values["moves"]).moves),
            opening_length=int(values["opening_length"]),
            seconds=tuple(float(seconds) for seconds in values["seconds"]),
            winner=winner,
            reason=str(values["reason"]),
            detail=str(values["detail"]),
            playouts=(int(black_playouts), int(white_playouts)),
            cpu_seconds=(float(black_seconds), float(white_seconds)),
        )


def play_game(
    black: Player,
    white: Player,
    setup: GameSetup | None = None,
    opening: Sequence[Move] = (),
    *,
    seeds: tuple[int | None, int | None] = (None, None),
    adjudication: Adjudication | None = None,
    cancelled: threading.Event | None = None,
) -> GameResult | None:
    """Plays one game; a player that fails or makes an illegal move loses it.

    Args:
        black: The player with the black stones.
        white: The other one.
        setup: Board and rule; freestyle on 15x15 if not given.
        opening: Moves that are on the board at the start.
        seeds: For the chance of black and of white.
        adjudication: Ends a game that both players agree about; played to the end if not given.
        cancelled: Ends the game early when set, also from another thread.

    Returns:
        The game, or None if it was cancelled.
    """
    game = _Game(black, white, setup or GameSetup(), opening, adjudication or Adjudication())
    cancelled = cancelled or threading.Event()
    try:
        game.prepare(seeds)
        while not game.is_over:
            game.move()
            if cancelled.is_set():
                return None
    except _ForfeitError as fault:
        return None if cancelled.is_set() else game.result(fault.loser.other, *fault.args)
    return game.result(*game.verdict())


class _ForfeitError(Exception):
    """A player lost by its own fault; the arguments are the reason and the detail of a `GameResult`."""

    def __init__(self, loser: Color, reason: str, error: Exception) -> None:
        sentence = str(error) if isinstance(error, TengenError) else f"{type(error).__name__}: {error}"
        super().__init__(reason, sentence)
        self.loser = loser


class _Game:
    """A game under way. Key method: `move`."""

    def __init__(
        self, black: Player, white: Player, setup: GameSetup, opening: Sequence[Move], adjudication: Adjudication
    ) -> None:
        self._players = {Color.BLACK: black, Color.WHITE: white}
        self._setup = setup
        self._opening_length = len(opening)
        self._board = setup.any_board(opening)
        self._judge = Judge(adjudication)
        self._agreed = False
        self._seconds: list[float] = []
        self._playouts = [0, 0]
        self._cpu_seconds = [0.0, 0.0]

    def prepare(self, seeds: tuple[int | None, int | None]) -> None:
        """Gets both players ready for the first move."""
        for color, player in self._players.items():
            with _forfeit_on(Exception, color, ERROR):
                player.check_plays(self._board)
                player.new_game(seeds[color])
                player.prepare(self._board.copy())

    def move(self) -> None:
        """Lets the player to move choose, and plays it."""
        color = self._board.turn
        player = self._players[color]
        start = time.perf_counter()
        try:
            # A failure is the player's loss, whatever it is, and must not end a match. It gets a copy: whatever it does
            # to that, the game goes on from the true position.
            with _forfeit_on(Exception, color, ERROR):
                move = player.choose(self._board.copy())
        finally:
            self._seconds.append(round(time.perf_counter() - start, 6))
        with _forfeit_on(InputError, color, ILLEGAL_MOVE):
            self._board.push(move)
        thoughts = player.thoughts or Thoughts()
        if thoughts.cpu_seconds:
            self._playouts[color] += thoughts.playouts
            self._cpu_seconds[color] += thoughts.cpu_seconds
        self._agreed = self._judge.hear(color, thoughts.value)

    @property
    def is_over(self) -> bool:
        """Whether the board, both players or the move limit end the game."""
        limit = self._setup.move_limit
        return self._board.is_over or self._agreed or (limit is not None and self._board.ply >= limit)

    def verdict(self) -> tuple[Color | None, str]:
        """The winner of a game that is over, and the reason."""
        if (outcome := self._board.outcome()) is not None:
            return outcome.winner, outcome.reason
        return (self._judge.winner, ADJUDICATED) if self._agreed else (None, MOVE_LIMIT)

    def result(self, winner: Color | None, reason: str, detail: str = "") -> GameResult:
        """The game so far, ended like this."""
        return GameResult(
            black=self._players[Color.BLACK].name,
            white=self._players[Color.WHITE].name,
            setup=self._setup,
            moves=tuple(self._board.moves),
            opening_length=self._opening_length,
            seconds=tuple(self._seconds),
            winner=winner,
            reason=reason,
            detail=detail,
            playouts=(self._playouts[Color.BLACK], self._playouts[Color.WHITE]),
            cpu_seconds=(round(self._cpu_seconds[Color.BLACK], 6), round(self._cpu_seconds[Color.WHITE], 6)),
        )


@contextlib.contextmanager
def _forfeit_on(kind: type[Exception], loser: Color, reason: str) -> Iterator[None]:
    try:
        yield
    except kind as error:
        raise _ForfeitError(loser, reason, error) from None
