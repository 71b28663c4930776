"""What the winner plays in a game that follows the theory, to the five."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tengen import core
from tengen.board import Board, Move
from tengen.theory.symmetry import Key, images, oriented, stones_of
from tengen.theory.theory import Known, Theory

#: The solver gets more nodes than a certificate says: what it remembered when the proof was found helped it then.
SLACK = 4
#: How many positions' answers are remembered.
_REMEMBERED = 200


@dataclass(frozen=True)
class Answer:
    """What the winner plays.

    Attributes:
        move: The move.
        within: Moves of the winner up to the five, this one among them, if the loser resists as long as it can.
        threat: What the winner plays next if the loser passes: its moves and the replies to them, up to the five.
            Nothing where it threatens nothing yet.
    """

    move: Move
    within: int
    threat: tuple[Move, ...]


@dataclass(frozen=True)
class Reply:
    """A reply of the loser.

    Attributes:
        move: The reply.
        within: Moves of the winner up to the five after it, at most; None where nothing is proven.
        by_threats: Whether threats alone win from there on.
    """

    move: Move
    within: int | None
    by_threats: bool


@dataclass(frozen=True)
class _Tree:
    """A tree of threats: moves of its nodes, the nodes after their replies (-1: after all others), lengths."""

    nodes: Sequence[tuple[int, Sequence[tuple[int, int]]]]
    lengths: Sequence[int]

    @property
    def root(self) -> int:
        return len(self.nodes) - 1

    @property
    def length(self) -> int:
        return self.lengths[self.root]

    def next(self, node: int, reply: int) -> int | None:
        """The node after a reply."""
        replies = dict(self.nodes[node][1])
        return replies.get(reply, replies.get(-1))

    def line(self, node: int) -> list[int]:
        """The winner's moves and the replies that hold out longest."""
        cells = [self.nodes[node][0]]
        while replies := [(self.lengths[to], reply, to) for reply, to in self.nodes[node][1] if reply >= 0]:
            _, reply, node = max(replies)
            cells += [reply, self.nodes[node][0]]
        return cells


@dataclass(frozen=True)
class _ByThreats:
    """What threats answer after a move of the winner, in one orientation of the board whichever the game has.

    Attributes:
        threat: What the winner does if the loser passes; without nodes if it threatens nothing.
        trees: The tree for each reply that no certificate has a position for.
    """

    threat: _Tree
    trees: Mapping[int, _Tree]


class Answers:
    """Follows games through a theory. Key method: `at`.

    Where a certificate says nothing more the solver is asked, from the same position and in the same way each time, and
    a referee verifies what it shows; from there on the tree is followed, so that nothing depends on finding it again.
    """

    def __init__(self, theory: Theory, evaluator: core.Evaluator) -> None:
        self._theory = theory
        self._evaluator = evaluator
        self._remembered: dict[Key, _ByThreats] = {}
        self._lock = threading.Lock()

    def at(self, board: Board) -> Answer | None:
        """What the side to move plays, if the game followed the theory up to here and that side is the winner."""
        if board.is_over:
            return None
        known = self._theory.at(board)
        if known is None:
            return self._in_a_tree(board)
        if known.move is None:
            return None
        after = _after(board, known.move)
        found, image = self._by_threats(after, known)
        line = found.threat.line(found.threat.root) if found.threat.nodes else []
        return Answer(known.move, known.within, _moves(after, image, line))

    def replies(self, board: Board) -> list[Reply]:
        """The loser is to move: every reply, with what is proven after it."""
        known = self._theory.at(board)
        answered: Mapping[int, _Tree] = {}
        image: Sequence[int] = ()
        if known is not None and known.move is None:
            found, image = self._by_threats(board, known)
            answered = found.trees
        in_theory = self._theory.replies(board)
        replies = []
        for move in board.legal_moves:
            cell = _cell(board, move)
            if cell in in_theory:
                replies.append(Reply(move, in_theory[cell].within, False))
            elif answered:
                tree = answered.get(image[cell])
                replies.append(Reply(move, None if tree is None else tree.length, tree is not None))
            else:
                after = _after(board, move)
                answer = None if after.is_over else self._in_a_tree(after)
                replies.append(Reply(move, None if answer is None else answer.within, answer is not None))
        return replies

    def _in_a_tree(self, board: Board) -> Answer | None:
        """What the tree of threats says in which the game is, if it is in one."""
        earlier = board.copy()
        while earlier.ply > 1:
            earlier.pop()
            earlier.pop()
            known = self._theory.at(earlier)
            if known is not None and known.move is not None:
                return self._descend(board, earlier, known)
        return None

    def _descend(self, board: Board, start: Board, known: Known) -> Answer | None:
        """Follows the game from a position of the theory: the winner's move, the reply that leaves it, then a tree."""
        first, *moves = board.moves[start.ply :]
        if first != known.move:
            return None
        found, image = self._by_threats(_after(start, first), known)
        reply, *cells = (image[_cell(board, move)] for move in moves)
        tree = found.trees.get(reply)
        if tree is None:
            return None
        node: int | None = tree.root
        for move, reply in zip(cells[::2], cells[1::2], strict=True):
            if node is None or tree.nodes[node][0] != move:
                return None
            node = tree.next(node, reply)
        if node is None:  # the loser did not stop a five
            five = next((move for move in board.legal_moves if _after(board, move).is_over), None)
            return None if five is None else Answer(five, 1, ())
        (answer,) = _moves(board, image, [tree.nodes[node][0]])
        others = tree.next(node, -1)
        return Answer(answer, tree.lengths[node], _moves(board, image, [] if others is None else tree.line(others)))

    def _by_threats(self, board: Board, known: Known) -> tuple[_ByThreats, Sequence[int]]:
        """What threats answer after the winner's move, and where the cells of the board are in it."""
        place, symmetry = oriented(stones_of(board.moves, board.width), board.width)
        with self._lock:
            found = self._remembered.get(place)
        if found is None:
            found = self._ask(place, board, known)
            with self._lock:
                if len(self._remembered) >= _REMEMBERED:
                    self._remembered.pop(next(iter(self._remembered)))
                self._remembered[place] = found
        return found, images(board.width)[symmetry]

    def _ask(self, place: Key, like: Board, known: Known) -> _ByThreats:
        stones = [[cell // 2 for cell in place if cell % 2 == color] for color in (0, 1)]
        moves = [_move(like, stones[ply % 2][ply // 2]) for ply in range(len(place))]
        board = Board.from_moves(moves, size=like.width, rule=like.rule)
        in_theory = self._theory.replies(board)
        replies = [cell for move in board.legal_moves if (cell := _cell(board, move)) not in in_theory]
        found = core.threat_answers(board._core, replies, self._evaluator, SLACK * known.nodes)
        trees = [(_Tree(nodes, lengths), answered) for nodes, lengths, answered in found]
        return _ByThreats(trees[0][0], {reply: tree for tree, answered in trees for reply in answered})


def _after(board: Board, move: Move) -> Board:
    after = board.copy()
    after.push(move)
    return after


def _cell(board: Board, move: Move) -> int:
    return move.y * board.width + move.x


def _move(board: Board, cell: int) -> Move:
    return Move(cell % board.width, cell // board.width)


def _moves(board: Board, image: Sequence[int], cells: Sequence[int]) -> tuple[Move, ...]:
    """Cells of the one orientation as moves of the game's."""
    return tuple(_move(board, image.index(cell)) for cell in cells)
