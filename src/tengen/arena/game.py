"""One game between two players."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tengen.arena.adjudication import Adjudication, Judge
from tengen.board import Board, Color, Move
from tengen.errors import InputError, SetupError, TengenError
from tengen.games import GOMOKU, AnyBoard, GameBoard
from tengen.players import Player

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
class GameRecord:
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

    @property
    def result(self) -> str:
        """Who won: "black", "white" or "draw"."""
        return "draw" if self.winner is None else str(self.winner)

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
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any], setup: GameSetup) -> GameRecord:
        """The game that `as_dict` described.

        Raises:
            InputError: A move is not one.
            KeyError, TypeError, ValueError: A value is missing or not what it should be.
        """
        winner = {"black": Color.BLACK, "white": Color.WHITE, "draw": None}[values["result"]]
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
) -> GameRecord | None:
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
    setup = setup or GameSetup()
    board = setup.any_board(opening)
    players = {Color.BLACK: black, Color.WHITE: white}
    seconds: list[float] = []
    judge = Judge(adjudication or Adjudication())

    def record(winner: Color | None, reason: str, detail: str = "") -> GameRecord:
        return GameRecord(
            black=black.name,
            white=white.name,
            setup=setup,
            moves=tuple(board.moves),
            opening_length=len(opening),
            seconds=tuple(seconds),
            winner=winner,
            reason=reason,
            detail=detail,
        )

    for color, player in players.items():
        try:
            player.check_plays(board)
            player.new_game(seeds[color])
            player.prepare(board.copy())
        except Exception as error:
            return record(color.other, ERROR, _sentence(error))
    while (outcome := board.outcome()) is None:
        if setup.move_limit is not None and board.ply >= setup.move_limit:
            return record(None, MOVE_LIMIT)
        player = players[board.turn]
        start = time.perf_counter()
        try:
            # A copy: whatever a player does to it, the game goes on from the true position.
            move = player.choose(board.copy())
        except Exception as error:  # a player's failure is its loss, whatever it is, and must not end a match
            seconds.append(round(time.perf_counter() - start, 6))
            if cancelled is not None and cancelled.is_set():
                return None
            return record(board.turn.other, ERROR, _sentence(error))
        seconds.append(round(time.perf_counter() - start, 6))
        if cancelled is not None and cancelled.is_set():
            return None
        try:
            board.push(move)
        except InputError as error:
            return record(board.turn.other, ILLEGAL_MOVE, str(error))
        if judge.hear(board.turn.other, player.thoughts.value if player.thoughts else None) and not board.is_over:
            return record(judge.winner, ADJUDICATED)
    return record(outcome.winner, outcome.reason)


def _sentence(error: Exception) -> str:
    return str(error) if isinstance(error, TengenError) else f"{type(error).__name__}: {error}"
