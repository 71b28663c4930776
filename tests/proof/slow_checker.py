"""A second checker of certificates, in plain Python on the reference rules.

Nothing here knows the core's board, its shapes or its referee. It takes positions of a certificate at random, and some
replies at random at each. Where no position of the certificate follows, the solver is asked how it wins; what it shows
is played through against some replies at random at each step, half of them among those that it names.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

from tengen import Board, Color, core
from tengen.theory import Certificate

sys.path.insert(0, str(Path(__file__).parent.parent / "game"))
from reference import Point, Position

#: Replies that are tried at each step of a tree, of those that are named and of the others.
NAMED, OTHERS = 2, 2

Tree = list[tuple[int, list[tuple[int, int]]]]


class SlowChecker:
    """Checks a random part of a certificate. `positions` and `replies` say how much was seen."""

    def __init__(self, certificate: Certificate, evaluator: core.Evaluator, generator: random.Random) -> None:
        self.certificate = certificate
        self.claim = certificate.claim
        self.winner = int(self.claim.winner)
        self.evaluator = evaluator
        self.generator = generator
        self.known = {
            self.canonical(self.stones(text)): self.point(self.claim.cell(move))
            for text, move in certificate.positions.items()
        }
        self.positions = 0
        self.replies = 0

    # -- positions

    def point(self, cell: int) -> Point:
        return cell % self.claim.size, cell // self.claim.size

    def stones(self, text: str) -> dict[Point, int]:
        black, white = self.claim.read_position(text)
        return {self.point(cell): color for color, cells in enumerate((black, white)) for cell in cells}

    def canonical(self, stones: dict[Point, int]) -> frozenset[tuple[Point, int]]:
        """The same for all eight orientations of a position: the first of them."""
        last = self.claim.size - 1
        orientations = []
        for mirrored in (False, True):
            turned = {((last - x, y) if mirrored else (x, y)): color for (x, y), color in stones.items()}
            for _ in range(4):
                turned = {(last - y, x): color for (x, y), color in turned.items()}
                orientations.append(sorted(turned.items()))
        return frozenset(min(orientations))

    def position(self, stones: dict[Point, int]) -> Position:
        position = Position(self.claim.size, self.claim.size, self.claim.rule)
        position.stones = dict(stones)
        return position

    # -- the certificate

    def faults(self, positions: int, replies: int) -> list[str]:
        """Checks so many positions, and so many replies at each."""
        texts = list(self.certificate.positions)
        self.generator.shuffle(texts)
        return [fault for text in texts[:positions] for fault in self.faults_at(text, replies)]

    def faults_at(self, text: str, count: int) -> list[str]:
        self.positions += 1
        stones = self.stones(text)
        move = self.point(self.claim.cell(self.certificate.positions[text]))
        if move in stones:
            return [f"{text}: the move is not on an empty point"]
        position = self.position({**stones, move: self.winner})
        if position.winning_rows(move):
            return []
        if self.fives(position, 1 - self.winner):
            return [f"{text}: the loser makes five"]
        threatened = self.fives(position, self.winner)
        if len(threatened) > 1:
            return []
        replies = self.sample(threatened or position.empty_points(), count)
        return [f"{text}: no answer to {reply}" for reply in replies if not self.is_answered(position, reply)]

    def is_answered(self, position: Position, reply: Point) -> bool:
        self.replies += 1
        with position.stone(reply, 1 - self.winner):
            if self.canonical(position.stones) in self.known:
                return True
            tree = self.solver_shows(position)
            return bool(tree) and self.wins(position, tree, len(tree) - 1)

    def solver_shows(self, position: Position) -> Tree:
        black, white = ([p for p, c in position.stones.items() if c == color] for color in (0, 1))
        board = Board.from_stones(black, white, turn=Color(self.winner), rule=self.claim.rule, size=self.claim.size)
        return core.threat_tree(board._core, self.evaluator, 4 * self.certificate.nodes)

    # -- a tree of threats

    def fives(self, position: Position, color: int) -> list[Point]:
        """The points where a colour makes five. Only lines with four of its stones can have one."""
        found = []
        near = {
            p
            for stone, c in position.stones.items()
            if c == color
            for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
            for p in position.line(stone, (dx, dy), 4)
        }
        for point in sorted(near):
            if position.is_empty(point):
                with position.stone(point, color):
                    if position.winning_rows(point):
                        found.append(point)
        return found

    def wins(self, position: Position, tree: Tree, node: int) -> bool:
        """Plays the winner's move of a node and every reply to it."""
        cell, replies = tree[node]
        move, answers = self.point(cell), {self.point(reply) if reply >= 0 else None: to for reply, to in replies}
        if not position.is_empty(move):
            return False
        with position.stone(move, self.winner):
            if position.winning_rows(move):
                return True
            if self.fives(position, 1 - self.winner):
                return False
            threatened = self.fives(position, self.winner)
            if len(threatened) > 1:
                return True
            replies_to_try = threatened or self.some(position, answers)
            return all(self.holds_against(position, tree, answers, reply) for reply in replies_to_try)

    def some(self, position: Position, answers: dict[Point | None, int]) -> list[Point]:
        named = [point for point in answers if point is not None]
        others = [point for point in position.empty_points() if point not in answers]
        return self.sample(named, NAMED) + self.sample(others, OTHERS)

    def sample(self, points: list[Point], count: int) -> list[Point]:
        return self.generator.sample(points, min(count, len(points)))

    def holds_against(self, position: Position, tree: Tree, answers: dict[Point | None, int], reply: Point) -> bool:
        self.replies += 1
        answer = answers.get(reply, answers.get(None))
        if answer is None:
            return False
        with position.stone(reply, 1 - self.winner):
            return self.wins(position, tree, answer)
