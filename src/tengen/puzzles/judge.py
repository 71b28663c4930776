"""What the solvers say about a puzzle: which moves win, which save, and how a wrong one is answered."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from tengen import threats
from tengen.board import Board, Color, Move, Shape
from tengen.puzzles.puzzle import Puzzle
from tengen.search import Mcts, SearchParams
from tengen.thinking.evaluators import best_evaluator

#: Fours in a row by which a defence may begin.
DELAYS = 2


@dataclass(frozen=True)
class Effort:
    """How hard the solvers look.

    Attributes:
        vcf_nodes: Positions for each question about fours.
        vct_nodes: Positions for each question about fours and threes, with the network as a guide.
        unguided_nodes: Positions for the same question without it; 0 for none. Where a network looks first decides what
            is found within a limit, so that another network may find another solution: two views miss less than one.
        quiet: Moves without a threat that are looked at too: those that come to mind first.
    """

    vcf_nodes: int = 20_000
    vct_nodes: int = 10_000
    unguided_nodes: int = 0
    quiet: int = 8

    @property
    def log2_remembered(self) -> int:
        """Positions that the solvers remember between the questions about one puzzle: as many as one looks at."""
        return self.vcf_nodes.bit_length()


#: For the last word on a puzzle, 25 times the positions: what holds now should hold with other networks, too.
PATIENT = Effort(vcf_nodes=500_000, vct_nodes=250_000, unguided_nodes=250_000, quiet=60)


class Judge:
    """The solvers with one effort, for one puzzle: what they find out about a move, they know at the next one.

    Key methods: `confirms`, `win`, `refutation`, `only_win`, `only_defence`.
    """

    def __init__(self, effort: Effort | None = None) -> None:
        self._effort = effort or Effort()
        self._memory, self._unguided_memory = (threats.Memory(self._effort.log2_remembered) for _ in range(2))

    def confirms(self, puzzle: Puzzle) -> bool:
        """Whether a puzzle has one solution, the one that it says."""
        board = puzzle.board()
        line = self.only_win(board) if puzzle.goal == "win" else self.only_defence(board)
        return bool(line) and board.text(line[0]) == puzzle.line[0]

    def win(self, board: Board) -> tuple[Move, ...]:
        """The line of a forced win of the side to move; empty if the solvers find none."""
        if board.is_over:
            return ()
        effort, guide = self._effort, best_evaluator(board)
        looks = (
            ("vcf", effort.vcf_nodes, None, self._memory),
            ("vct", effort.vct_nodes, guide, self._memory),
            ("vct", effort.unguided_nodes, None, self._unguided_memory),
        )
        for kind, nodes, seen_by, memory in looks:
            if nodes:
                found = threats.solve(board, kind, max_nodes=nodes, guide=seen_by, memory=memory)
                if found.wins:
                    return tuple(found.line)
                if kind == "vct" and found.status == "none":
                    break  # everything was seen
        return ()

    # -- attack

    def only_win(self, board: Board) -> tuple[Move, ...]:
        """The line of a forced win that begins with the only move that wins; empty if there is none, or another."""
        line = self.win(board)
        if not line or fives(board, board.turn.other):
            return ()  # where a five has to be stopped there is nothing to choose
        others = [move for move in self._attempts(board) if move != line[0]]
        return line if all(self.refutation(after(board, move), line[0]) is not None for move in others) else ()

    def refutation(self, board: Board, vital: Move | None = None) -> Move | None:
        """The reply after which whoever has just moved has no forced win; None if the solvers know none.

        Args:
            board: The position after the attacker's move.
            vital: A point that is worth a try.
        """
        if board.is_over:
            return None
        for reply in self._replies(board, vital):
            if board.is_legal(reply):
                answered = after(board, reply)
                if answered.is_over or not self.win(answered):
                    return reply
        return None

    def best_reply(self, board: Board) -> Move | None:
        """The reply that holds out longest where none saves; None where the game is over."""
        lines = {reply: self.win(after(board, reply)) for reply in self._replies(board) if board.is_legal(reply)}
        return max(lines, key=lambda reply: len(lines[reply]), default=None)

    def _replies(self, board: Board, vital: Move | None = None) -> list[Move]:
        """What may stop an attack, once each: the end of a five, a win of one's own, what takes a win by fours."""
        own = fives(board, board.turn)
        if own:
            return own[:1]
        ends = fives(board, board.turn.other)
        if ends:
            return ends[:1]  # whoever has two fives wins after any of them
        counter = threats.solve(board, "vcf", max_nodes=self._effort.vcf_nodes, memory=self._memory)
        found = [*counter.line[:1], *([vital] if vital else []), *self._defences(board)]
        if len(found) < 2:
            found += impressions(board)[: self._effort.quiet]
        return list(dict.fromkeys(found))

    def _attempts(self, board: Board) -> list[Move]:
        """The moves that make a threat, and those that come to mind first.

        The strongest threats come first: where two moves win, a four that could as well be left out is often the other.
        """
        strength = {move: max(shapes) for move, shapes in board.shapes(board.turn).items() if board.is_legal(move)}
        attacks = [move for move in strength if strength[move] >= Shape.OPEN_THREE]
        attacks.sort(key=lambda move: -strength[move])
        return list(dict.fromkeys([*attacks, *impressions(board)[: self._effort.quiet]]))

    # -- defence

    def only_defence(self, board: Board, wanted: Callable[[Move], bool] = lambda _: True) -> tuple[Move, ...]:
        """The only move that saves the side to move from a win by fours; empty if there is none, or another.

        Every other move is proved to lose.

        Args:
            board: The position.
            wanted: Says of a move whether it will do as the only one; where another saves, there is no need to go on.
        """
        if fives(board, board.turn.other) or fives(board, board.turn):
            return ()
        candidates = self._defences(board)
        if not candidates or self.win(board):
            return ()
        saving: list[Move] = []
        first = {move: place for place, move in enumerate(impressions(board))}
        every = dict.fromkeys([*candidates, *_fours(board)])
        for move in sorted(every, key=lambda move: first.get(move, len(first))):
            if board.is_legal(move) and self._holds(after(board, move), DELAYS):
                saving.append(move)
                if len(saving) > 1 or not wanted(move):
                    return ()
        return tuple(saving)

    def _defences(self, board: Board) -> list[Move]:
        """What may stop a win by fours; nothing where none is threatened."""
        return threats.defences(board, self._effort.vcf_nodes, self._memory) or []

    def saves(self, board: Board) -> bool:
        """Whether whoever has just moved is safe from a forced win."""
        return self._holds(board, DELAYS)

    def _holds(self, board: Board, delays: int) -> bool:
        """Whether whoever has just moved is safe: the enemy has no forced win, or there is a defence after a four."""
        if board.is_over:
            return True
        ends = fives(board, board.turn.other)
        if not ends or fives(board, board.turn):
            return not self.win(board)
        blocked = after(board, ends[0]) if board.is_legal(ends[0]) else None
        if blocked is None or len(ends) > 1:
            return True  # a four that wins
        if blocked.is_over:
            return False
        own = fives(blocked, blocked.turn.other)
        moves: Iterable[Move] = own[:1] if own else [*self._defences(blocked), *_fours(blocked)]
        if not own and not moves:
            return True  # the threat is gone
        return delays > 0 and any(
            blocked.is_legal(move) and self._holds(after(blocked, move), delays - 1) for move in dict.fromkeys(moves)
        )


def after(board: Board, move: Move) -> Board:
    """The position after a move."""
    result = board.copy()
    result.push(move)
    return result


def fives(board: Board, color: Color) -> list[Move]:
    """The points where a colour makes five."""
    return board.makes(color, Shape.FIVE)


def _fours(board: Board) -> list[Move]:
    found = dict.fromkeys(move for shape in (Shape.FOUR, Shape.OPEN_FOUR) for move in board.makes(board.turn, shape))
    return [move for move in found if board.is_legal(move)]


def first_impression(board: Board) -> dict[Move, float]:
    """What the network thinks of the moves before any search, the likeliest first."""
    glance = Mcts(best_evaluator(board), SearchParams(threats=False, vcf_nodes_root=0, memory=1 << 20))
    found = glance.search(board, playouts=1, best=board.width * board.height).candidates
    return {entry.move: entry.prior for entry in sorted(found, key=lambda entry: -entry.prior)}


def impressions(board: Board) -> list[Move]:
    """The moves in the order of the first impression."""
    return list(first_impression(board))
