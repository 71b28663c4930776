"""Slow and obvious judges of forced wins: no tables, no cache, no shapes, nothing of the solver's."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from tengen.board import Board, Color, Move

DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


class Position:
    """Stones in a dictionary, with the few questions that a judge asks."""

    def __init__(self, board: Board) -> None:
        self.width, self.height = board.width, board.height
        self.rule, self.n = board.rule, board.n_in_row
        self.turn = board.turn
        self.stones = {
            Move(x, y): color
            for y in range(self.height)
            for x in range(self.width)
            if (color := board.piece_at((x, y))) is not None
        }
        self._board = board.copy()  # only for black's forbidden points

    @property
    def board(self) -> Board:
        """The same position as a board."""
        return self._board

    def play(self, move: Move) -> None:
        self.stones[move] = self.turn
        self._board._core.place(self._board._cell(move), self.turn)
        self.turn = self.turn.other

    def undo(self, move: Move) -> None:
        self.turn = self.stones.pop(move)
        self._board._core.undo()

    def empties(self) -> list[Move]:
        points = (Move(x, y) for y in range(self.height) for x in range(self.width))
        return [point for point in points if point not in self.stones]

    def legal(self) -> list[Move]:
        forbidden = set(self._board.forbidden_points()) if self.turn == Color.BLACK else set()
        return [point for point in self.empties() if point not in forbidden]

    def makes_five(self, move: Move, color: Color) -> bool:
        """Would a stone of `color` at this empty point complete a winning row?"""
        return any(self._row_wins(move, color, dx, dy) for dx, dy in DIRECTIONS)

    def _row_wins(self, move: Move, color: Color, dx: int, dy: int) -> bool:
        length, ends_held = 1, 0
        for side in (1, -1):
            x, y = move.x + side * dx, move.y + side * dy
            while self.stones.get(Move(x, y)) == color:
                length, x, y = length + 1, x + side * dx, y + side * dy
            ends_held += self.stones.get(Move(x, y)) == color.other
        if self.rule == "freestyle" or (self.rule == "renju" and color == Color.WHITE):
            return length >= self.n
        if self.rule == "caro":
            return length > self.n or (length == self.n and ends_held < 2)
        return length == self.n

    def fives(self, color: Color) -> list[Move]:
        """Where `color` makes five; such a point has a neighbour of that colour."""
        near = {
            Move(stone.x + side * dx, stone.y + side * dy)
            for stone, stone_color in self.stones.items()
            if stone_color == color
            for dx, dy in DIRECTIONS
            for side in (1, -1)
        }
        return sorted(point for point in near if self._is_empty(point) and self.makes_five(point, color))

    def _is_empty(self, point: Move) -> bool:
        return 0 <= point.x < self.width and 0 <= point.y < self.height and point not in self.stones

    def stops(self) -> list[Move]:
        """The legal moves of the side to move after which the enemy has no five: every move is tried."""
        enemy = self.turn.other
        fives = self.fives(enemy)
        stopping = []
        for move in self.legal():
            self.stones[move] = self.turn
            if not any(five != move and self.makes_five(five, enemy) for five in fives):
                stopping.append(move)
            del self.stones[move]
        return stopping


Continue: TypeAlias = Callable[["Position"], Sequence[Move]]


def refute_vcf(position: Position, line: Sequence[Move], go_on: Continue | None = None) -> str | None:
    """Why a line of fours does not win, or None if it does, whatever the defender plays.

    In caro a four can have several replies; `go_on` gives the line (empty: none) against those not in `line`.
    """
    attack, *rest = line
    attacker = position.turn
    if attack not in position.legal():
        return f"{attack} cannot be played"
    if position.makes_five(attack, attacker):
        return None if not rest else "moves after the five"
    position.play(attack)
    try:
        if position.fives(attacker.other):
            return f"the defender makes five after {attack}"
        if not position.fives(attacker):
            return f"{attack} is not a four"
        stops = position.stops()
        if not stops:
            return None
        if not rest:
            return "the line ends while the four can be stopped"
        if rest[0] not in stops:
            return f"{rest[0]} stops nothing"
        for reply in stops:
            position.play(reply)
            answer = rest[1:] if reply == rest[0] else go_on(position) if go_on else ()
            problem = refute_vcf(position, answer, go_on) if answer else f"{reply} saves"
            position.undo(reply)
            if problem:
                return problem
        return None
    finally:
        position.undo(attack)


class TooHardError(Exception):
    """The brute force would take too long."""


def has_vcf(position: Position, budget: list[int] | None = None) -> bool:
    """Does the side to move win by fours? Tries every move; `budget` holds the number of positions it may visit."""
    if budget is not None:
        budget[0] -= 1
        if budget[0] < 0:
            raise TooHardError
    attacker = position.turn
    if position.fives(attacker):
        return True
    return any(_four_wins(position, attack, budget) for attack in list(_four_points(position)))


def _four_points(position: Position) -> Iterator[Move]:
    """Legal moves that leave the mover with a five to play."""
    attacker = position.turn
    for attack in position.legal():
        position.stones[attack] = attacker
        four = bool(position.fives(attacker))
        del position.stones[attack]
        if four:
            yield attack


def _four_wins(position: Position, attack: Move, budget: list[int] | None) -> bool:
    attacker = position.turn
    position.play(attack)
    won = not position.fives(attacker.other)
    if won:
        for reply in position.stops():
            position.play(reply)
            won = has_vcf(position, budget)
            position.undo(reply)
            if not won:
                break
    position.undo(attack)
    return won


def random_position(generator: random.Random, rule: str, size: int, stones: int) -> Board:
    """A crowded position that nobody has won: random moves in the middle that block the enemy's fives."""
    low, high = (0, size) if size <= 9 else (size // 2 - 4, size // 2 + 5)
    while True:
        board = Board(size=size, rule=rule)
        position = Position(board)
        while board.ply < stones and not board.is_over:
            choices = [move for move in position.fives(board.turn.other) if board.is_legal(move)]
            while not choices:
                move = Move(generator.randrange(low, high), generator.randrange(low, high))
                choices = [move] if board.is_legal(move) else []
            position.play(board.push(generator.choice(choices)))
        if not board.is_over:
            return board
