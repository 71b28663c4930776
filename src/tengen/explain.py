"""A tree search that says what it does, step by step: for people who want to see how one works.

It is the search of S3's chapter (docs/origins.md), plain and slow, with the chapter's numbers at every node: visits N,
sum of values W, mean Q, prior probability P, and the bonus U = c P sqrt(N of the parent) / (1 + N). What plays is
`tengen.search.Mcts`. The steps are data; `tengen explain` and the web board draw them.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from tengen.board import Board, Color, Move
from tengen.errors import GameOverError, SetupError

#: Probabilities of the legal moves, and the expected result for the side to move, from -1 to 1.
Evaluator: TypeAlias = Callable[[Board], tuple[Mapping[Move, float], float]]
EvaluatorName: TypeAlias = Literal["rollouts", "even", "chapter"]
Kind: TypeAlias = Literal["select", "expand", "evaluate", "back up", "play"]
Result: TypeAlias = Literal["black", "white", "draw"]
#: Points on each side: larger boards have more moves than anybody can follow.
MAX_SIDE = 6


@dataclass(frozen=True)
class Child:
    """A move at a node, with its numbers before the step.

    Attributes:
        move: Like "b2".
        visits: N.
        total: W, for the side that plays the move.
        mean: Q = W / N, or 0.
        prior: P.
        bonus: U.
    """

    move: str
    visits: int
    total: float
    mean: float
    prior: float
    bonus: float

    @property
    def score(self) -> float:
        """Q + U, the largest of which is selected."""
        return self.mean + self.bonus


@dataclass(frozen=True)
class Update:
    """What backing up changes at a node.

    Attributes:
        path: The moves from the root to the node; none for the root itself.
        added: What joins W; the root has no W.
        visits: N afterwards.
        total: W afterwards.
        mean: Q afterwards.
    """

    path: tuple[str, ...]
    added: float
    visits: int
    total: float
    mean: float


@dataclass(frozen=True)
class Step:
    """One step of a search.

    Attributes:
        playout: Counted from 1.
        kind: "select" a move at a node, "expand" a leaf, "evaluate" it, "back up" its value; at the end "play".
        moves: All moves of the position that the step looks at, those before the search included.
        path: Those of them that the search made.
        to_move: "black" or "white".
        text: What happens, as a sentence.
        children: The moves to choose from, or that join the tree.
        chosen: The selected move, or the one to play.
        value: Of the position for the side to move; only of "evaluate".
        result: Who has won, or "draw", where an "evaluate" finds that the game is over.
        updates: From the leaf to the root; only of "back up".
    """

    playout: int
    kind: Kind
    moves: tuple[str, ...]
    path: tuple[str, ...]
    to_move: str
    text: str
    children: tuple[Child, ...] = ()
    chosen: str | None = None
    value: float | None = None
    result: Result | None = None
    updates: tuple[Update, ...] = ()


@dataclass
class _Node:
    """A position, with its numbers as the side sees them that moved there."""

    move: Move | None = None
    prior: float = 1.0
    visits: int = 0
    total: float = 0.0
    children: list[_Node] = field(default_factory=list)

    @property
    def mean(self) -> float:
        return self.total / self.visits if self.visits else 0.0


class ExplainedSearch:
    """A search that gives its steps one by one. Key method: `steps`."""

    def __init__(self, board: Board, evaluator: Evaluator, c_puct: float = 5.0) -> None:
        """A search.

        Args:
            board: Where it begins; it is not changed.
            evaluator: Judges the leaves.
            c_puct: Weight of the bonus; 5 in the chapter.
        """
        if (outcome := board.outcome()) is not None:
            raise GameOverError(f"there is nothing to search: the game is over, {outcome}")
        if not c_puct >= 0 or math.isinf(c_puct):
            raise SetupError(f"c_puct must be a number of at least 0, not {c_puct}")
        self._board = board.copy()
        self._begun = board.ply
        self._evaluator = evaluator
        self._c_puct = c_puct
        self._root = _Node()
        self._playout = 0

    def steps(self, playouts: int) -> Iterator[Step]:
        """Makes playouts and tells their steps, and at the end the move to play."""
        if playouts < 1:
            raise SetupError(f"a search needs at least 1 playout, not {playouts}")
        for _ in range(playouts):
            yield from self._make_playout()
        yield self._play()

    def _make_playout(self) -> Iterator[Step]:
        self._playout += 1
        path = [self._root]
        if not self._root.children:
            yield self._step("select", "nothing is known yet: the position itself is the leaf")
        while path[-1].children:
            step, child = self._select(path[-1])
            yield step
            path.append(child)
            self._board.push(self._name(child))
        value, judging = self._judge(path[-1])
        yield from judging
        while self._board.ply > self._begun:
            self._board.pop()
        yield self._back_up(path, value)

    def _select(self, node: _Node) -> tuple[Step, _Node]:
        children = self._views(node)
        best = max(range(len(children)), key=lambda i: children[i].score)  # the first of equals
        name, score = children[best].move, children[best].score
        text = f"{self._board.turn} goes to {name}: Q + U = {score:.2f} is the largest of {len(children)}"
        return self._step("select", text, children=children, chosen=name), node.children[best]

    def _judge(self, leaf: _Node) -> tuple[float, list[Step]]:
        """The value of a leaf for the side to move, and the steps in which it is found."""
        board = self._board
        outcome = board.outcome()
        if outcome is not None:
            value = 0.0 if outcome.winner is None else 1.0 if outcome.winner == board.turn else -1.0
            text = f"the game is over, {outcome}: {value:+.0f} for {board.turn}, whose turn it would be"
            result: Result = "draw" if outcome.winner is None else "black" if outcome.winner is Color.BLACK else "white"
            return value, [replace(self._step("evaluate", text, value=value), result=result)]
        priors, value = self._evaluator(board)
        leaf.children = [_Node(move, prior) for move, prior in priors.items()]
        expand = f"{board.turn}'s {len(leaf.children)} moves join the tree, with the evaluator's probabilities P"
        evaluate = f"the evaluator values the position at {value:+.2f} for {board.turn}, whose turn it is"
        return value, [
            self._step("expand", expand, children=self._views(leaf)),
            self._step("evaluate", evaluate, value=value),
        ]

    def _back_up(self, path: list[_Node], value: float) -> Step:
        """Adds the value along the path. What is good for the side to move is bad for the one that moved there."""
        names = tuple(self._name(node) for node in path[1:])
        updates = []
        for depth in range(len(path) - 1, -1, -1):
            value = -value
            node = path[depth]
            node.visits += 1
            if depth:
                node.total += value
            updates.append(Update(names[:depth], value if depth else 0.0, node.visits, node.total, node.mean))
        text = "the value goes back up the path, its sign changing with the side; every node has one more visit"
        return self._step("back up", text, updates=tuple(updates), path=names)

    def _play(self) -> Step:
        children = self._views(self._root)
        if not any(child.visits for child in children):
            best = max(children, key=lambda child: child.prior)
            return self._step("play", f"no move has been visited: {best.move} is the likeliest", children, best.move)
        best = max(children, key=lambda child: child.visits)
        total = sum(child.visits for child in children)
        text = f"{self._board.turn} plays {best.move}, with {best.visits} of {total} visits"
        return self._step("play", text, children, best.move)

    def _views(self, node: _Node) -> tuple[Child, ...]:
        factor = self._c_puct * math.sqrt(node.visits)
        return tuple(
            Child(self._name(c), c.visits, c.total, c.mean, c.prior, factor * c.prior / (1 + c.visits))
            for c in node.children
        )

    def _name(self, node: _Node) -> str:
        assert node.move is not None
        return self._board.text(node.move)

    def _step(
        self,
        kind: Kind,
        text: str,
        children: tuple[Child, ...] = (),
        chosen: str | None = None,
        value: float | None = None,
        updates: tuple[Update, ...] = (),
        path: tuple[str, ...] | None = None,
    ) -> Step:
        board = self._board
        moves = tuple(board.text(move) for move in board.moves)
        made = moves[self._begun :] if path is None else path
        moves = moves[: self._begun] + made
        to_move = str(board.turn if len(moves) % 2 == board.ply % 2 else board.turn.other)
        return Step(self._playout, kind, moves, made, to_move, text, children, chosen, value, updates=updates)


# -- evaluators


def even(board: Board) -> tuple[Mapping[Move, float], float]:
    """Every move as likely as the others, every position even: only the ends of games count."""
    moves = board.legal_moves
    return dict.fromkeys(moves, 1 / len(moves)), 0.0


def rollouts(seed: int) -> Evaluator:
    """Judges by a game of random moves, as the first Monte-Carlo searches did."""
    chance = random.Random(seed)

    def judge(board: Board) -> tuple[Mapping[Move, float], float]:
        copy = board.copy()
        while (outcome := copy.outcome()) is None:
            copy.push(chance.choice(copy.legal_moves))
        value = 0.0 if outcome.winner is None else 1.0 if outcome.winner == board.turn else -1.0
        return even(board)[0], value

    return judge


#: The position of the chapter's example (figure 15.6): black 5, white 4, black 1, where the points of the 3x3 board are
#: numbered by rows from the top left. White is to move.
CHAPTER_MOVES = ("b2", "a2", "a3")


def chapter(board: Board) -> tuple[Mapping[Move, float], float]:
    """Answers so that the first three playouts are the chapter's (figures 15.7 to 15.13).

    The figures say that white goes to 2 first and black answers at 9, and that the position between them is worth -0.1
    for black. How likely the moves were is not printed: here those two are three times as likely as any other.
    """
    played = tuple(board.text(move) for move in board.moves)
    liked = {CHAPTER_MOVES: "b3", (*CHAPTER_MOVES, "b3"): "c1"}.get(played)
    weights = {move: 3.0 if board.text(move) == liked else 1.0 for move in board.legal_moves}
    value = -0.1 if played == (*CHAPTER_MOVES, "b3") else 0.0
    return {move: weight / sum(weights.values()) for move, weight in weights.items()}, value


def explained_search(
    moves: Sequence[str], size: int, n_in_row: int, evaluator: EvaluatorName, c_puct: float, seed: int
) -> ExplainedSearch:
    """A search on a board that is small enough to follow.

    Args:
        moves: Before the search.
        size: Points on each side, up to `MAX_SIDE`.
        n_in_row: Length of the winning row.
        evaluator: Judges the leaves: "rollouts", "even" or "chapter".
        c_puct: Weight of the bonus.
        seed: Of the random games.
    """
    if size > MAX_SIDE:
        raise SetupError(f"a search that is explained has a board of at most {MAX_SIDE}x{MAX_SIDE}, not {size}x{size}")
    board = Board.from_moves(moves, size=size, n_in_row=n_in_row)
    judges: dict[EvaluatorName, Evaluator] = {"rollouts": rollouts(seed), "even": even, "chapter": chapter}
    return ExplainedSearch(board, judges[evaluator], c_puct)
