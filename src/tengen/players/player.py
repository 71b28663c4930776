"""What a player is: something that is asked for a move, again and again."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, TypeVar

from tengen.board import Move
from tengen.errors import GameOverError, SetupError
from tengen.games import GOMOKU, AnyBoard
from tengen.search import Analysis

P = TypeVar("P", bound="Player")


@dataclass(frozen=True)
class Thoughts:
    """What a player found in its last search.

    Attributes:
        value: Expected result for the player that moved, from -1 (loses) to 1 (wins); None if it has no opinion.
        pv: The principal variation: the moves it expects, its own first.
        visits: How often each first move was tried; empty for players that do not count.
        playouts: Playouts of a tree search, or 0.
        depth: Plies that were searched completely by a player that deepens step by step, or 0.
        nodes: Positions looked at, or 0.
        cpu_seconds: CPU time of a tree search, or 0 where it is not known.
    """

    value: float | None = None
    pv: tuple[Move, ...] = ()
    visits: Mapping[Move, int] = field(default_factory=dict)
    playouts: int = 0
    depth: int = 0
    nodes: int = 0
    cpu_seconds: float = 0.0

    @classmethod
    def of(cls, analysis: Analysis, move: Move) -> Thoughts:
        """What a tree search found that led to `move`."""
        return cls(
            value=analysis.value,
            pv=next((entry.line for entry in analysis.candidates if entry.move == move), (move,)),
            visits={entry.move: entry.visits for entry in analysis.candidates},
            playouts=analysis.playouts,
            cpu_seconds=analysis.cpu_seconds,
        )

    def text(self, board: AnyBoard) -> str:
        """One line for people, like "value +0.31, 1,000 playouts, expects h8 i9"."""
        parts = []
        if self.value is not None:
            parts.append(f"value {self.value:+.2f}")
        for count, unit in ((self.playouts, "playouts"), (self.depth, "plies deep"), (self.nodes, "nodes")):
            if count:
                parts.append(f"{count:,} {unit}")
        if self.pv:
            parts.append("expects " + " ".join(board.text(move) for move in self.pv))
        return ", ".join(parts)


class Player(ABC):
    """Something that chooses moves. Key method: `choose`; a new kind of player writes `_think`.

    One player plays one game at a time and belongs to one thread; only `stop` may be called from another. It may
    remember what it saw in the same game (a search tree), never anything from the game before.

    Attributes:
        name: Its spec, such as "mcts:playouts=1000".
        thoughts: What the last search found, or None.
        plays_other_games: Whether it can be asked about a `GameBoard` too.
    """

    plays_other_games = False

    def __init__(self, name: str) -> None:
        self.name = name
        self.thoughts: Thoughts | None = None

    def choose(self, board: AnyBoard) -> Move:
        """A legal move for the side to move; the board is not changed.

        Raises:
            GameOverError: There is nothing to choose.
            SetupError: It does not play this game.
        """
        self.check_plays(board)
        if (outcome := board.outcome()) is not None:
            raise GameOverError(f"{self.name} has no move to choose: the game is over, {outcome}")
        self.thoughts = None
        return self._think(board)

    def check_plays(self, board: AnyBoard) -> None:
        """SetupError if it does not play the game on `board`."""
        if board.game != GOMOKU and not self.plays_other_games:
            raise SetupError(f"{self.name} plays Gomoku alone, not {board.game}; random, mcts and net play other games")

    @abstractmethod
    def _think(self, board: Any) -> Move:
        """Chooses a move in a game that is not over and may set `thoughts`. Long work releases the GIL.

        Args:
            board: A `Board`; with `plays_other_games` also a `GameBoard`.
        """

    def prepare(self, board: Any) -> None:  # noqa: B027
        """Loads or starts what games like the one on `board` need, so that the first move is not slow.

        Optional: `choose` does it otherwise. An error says that this player cannot play such games.
        """

    def new_game(self, seed: int | None = None) -> None:  # noqa: B027  (most players have nothing to forget)
        """Forgets the last game; with a seed, the next one depends on nothing but that seed and the moves."""

    def stop(self) -> None:  # noqa: B027  (a player that answers at once cannot be hurried)
        """Makes a `choose` that runs in another thread return soon, with the best move so far."""

    def close(self) -> None:  # noqa: B027
        """Gives back memory, threads and processes; the player is not used again."""

    def __enter__(self: P) -> P:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
