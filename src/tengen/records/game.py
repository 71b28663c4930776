"""A game as a tree of moves, with what is known about it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from tengen.board import Board, Color, Move
from tengen.errors import IllegalMoveError, InputError, SetupError

MAX_BYTES = 4 << 20
MAX_NODES = 100_000


class RecordError(InputError):
    """A record of a game that cannot be read or written."""

    def __init__(self, message: str) -> None:
        # Parts of a damaged file may be quoted: the message stays one line of text all the same.
        super().__init__("".join(char if char.isprintable() else "?" for char in message))


@dataclass(eq=False)
class Node:
    """A move and what follows it.

    Attributes:
        move: The move; None at the root, and where a record only remarks something.
        comment: For people.
        children: What was played or could have been played next, the main line first.
        properties: Other SGF properties, raw as in the file, kept for writing.
    """

    move: Move | None = None
    comment: str = ""
    children: list[Node] = field(default_factory=list, repr=False)
    properties: dict[str, list[str]] = field(default_factory=dict)

    def add(self, move: Move | None, comment: str = "") -> Node:
        """Adds a variation, or the main line if it is the first."""
        node = Node(move, comment)
        self.children.append(node)
        return node

    def __eq__(self, other: object) -> bool:
        # Without recursion: games are deeper than Python likes to go.
        if not isinstance(other, Node):
            return NotImplemented
        pairs = [(self, other)]
        while pairs:
            one, two = pairs.pop()
            if (one.move, one.comment, one.properties) != (two.move, two.comment, two.properties):
                return False
            if len(one.children) != len(two.children):
                return False
            pairs.extend(zip(one.children, two.children, strict=True))
        return True

    __hash__ = None  # type: ignore[assignment]  # nodes change


@dataclass
class Game:
    """A record. Key methods: `moves` and `board`.

    >>> game = Game.of_moves([Move(7, 7), Move(8, 8)], black="a", white="b")
    >>> game.moves
    [Move(x=7, y=7), Move(x=8, y=8)]

    Attributes:
        width: Columns.
        height: Rows.
        rule: The rule's name, or "" where the record does not say.
        black: Black's name, "" if unknown.
        white: White's name.
        result: "black", "white", "draw", or "" if unknown.
        root: The position before the first move. Black moves first, then the sides take turns.
    """

    width: int = 15
    height: int = 15
    rule: str = ""
    black: str = ""
    white: str = ""
    result: str = ""
    root: Node = field(default_factory=Node)

    @classmethod
    def of_moves(cls, moves: Iterable[Move], **keywords: object) -> Game:
        """A game without variations.

        Args:
            moves: In order, black first.
            **keywords: As for `Game`.
        """
        game = cls(**keywords)  # type: ignore[arg-type]
        node = game.root
        for move in moves:
            node = node.add(move)
        return game

    def main_line(self) -> Iterator[Node]:
        """The nodes of the game as it was played, the root first."""
        node = self.root
        yield node
        while node.children:
            node = node.children[0]
            yield node

    @property
    def moves(self) -> list[Move]:
        """The moves of the main line."""
        return [node.move for node in self.main_line() if node.move is not None]

    def board(self, rule: str | None = None) -> Board:
        """The position at the end of the main line.

        Args:
            rule: If not what the record says.
        """
        return Board.from_moves(
            self.moves,
            width=self.width,
            height=self.height,
            rule=rule or self.rule or "freestyle",
            on_forbidden="loses",
        )

    def check(self) -> None:
        """Makes sure that every move of every variation is on the board and on an empty point.

        Raises:
            RecordError: One is not, or the board does not exist.
        """
        try:
            Board(width=self.width, height=self.height, rule=self.rule or "freestyle")
        except SetupError as error:
            raise RecordError(f"the record is of no use: {error}") from None
        stones: set[Move] = set()
        nodes = 0
        path: list[tuple[Node, bool]] = [(self.root, True)]
        while path:
            node, enter = path.pop()
            if not enter:
                assert node.move is not None
                stones.remove(node.move)
                continue
            nodes += 1
            if nodes > MAX_NODES:
                raise RecordError(f"the record has more than {MAX_NODES:,} moves with its variations")
            if node.move is not None:
                self._check_move(node.move, stones)
                stones.add(node.move)
                path.append((node, False))
            path.extend((child, True) for child in reversed(node.children))

    def _check_move(self, move: Move, stones: set[Move]) -> None:
        if not (0 <= move.x < self.width and 0 <= move.y < self.height):
            raise RecordError(f"move {len(stones) + 1} of the record is off the {self.width}x{self.height} board")
        if move in stones:
            raise RecordError(f"move {len(stones) + 1} of the record, {move.text(self.height)}, is on a stone")


def finish(game: Game) -> Game:
    """A record that was just read: checked, and with its result if the last move shows it."""
    game.check()
    if not game.result and game.rule:
        try:
            outcome = game.board().outcome()
        except IllegalMoveError as error:
            raise RecordError(f"the record goes on after the end: {error}") from None
        if outcome is not None:
            game.result = "draw" if outcome.winner is None else str(outcome.winner)
    return game


def color_at(stones: int) -> Color:
    """Whose move it is with so many stones on the board."""
    return Color(stones % 2)
