"""The tactical positions of tactics.json, and what it means that their solution is the only one.

Each has one move that wins by force (by fours: "vcf", by fours and threes: "vct"), or one that saves ("save": after any
other move the enemy wins by fours). They were made by make_tactics.py.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from tengen import Board, Move, core

DATA = Path(__file__).with_name("tactics.json")
VCF_NODES = 50_000
#: To look for wins by threats, and to make sure that there is no second one.
VCT_NODES, VCT_NODES_TO_BE_SURE = 4_000, 60_000


@dataclass(frozen=True)
class Tactic:
    """A position (15x15) and its only good move."""

    rule: str
    kind: str
    turn: str
    solution: str
    moves: str

    @property
    def board(self) -> Board:
        return Board.from_moves(self.moves, rule=self.rule)

    def __str__(self) -> str:
        return f"{self.rule}-{self.kind}-{self.turn}-{self.solution}"


def load() -> list[Tactic]:
    return [Tactic(**fields) for fields in json.loads(DATA.read_text())]


def save(tactics: list[Tactic]) -> None:
    rows = ",\n".join(json.dumps(asdict(tactic)) for tactic in tactics)
    DATA.write_text(f"[\n{rows}\n]\n")


class Judge:
    """Decides by trying every legal move, and every reply to it, with one pair of solvers."""

    def __init__(self, vct_nodes: int = VCT_NODES) -> None:
        self._vct_nodes = vct_nodes
        self._vcf, self._vct = core.Vcf(16), core.Vct(16)
        self._last_refutation: Move | None = None

    def wins_by_fours(self, board: Board) -> bool:
        return self._vcf.solve(board._core, VCF_NODES, 0.0, 0, None).status == core.ThreatStatus.win

    def wins_by_threats(self, board: Board) -> bool:
        return self._vct.solve(board._core, self._vct_nodes, 0.0, 0, None).status == core.ThreatStatus.win

    def winning_moves(self, board: Board, kind: str) -> list[Move]:
        """The first two moves that win whatever the reply, as far as a solver can prove it."""
        wins = self.wins_by_fours if kind == "vcf" else self.wins_by_threats
        winning = (move for move in board.legal_moves if self._wins_against_all(board, move, wins))
        return list(itertools.islice(winning, 2))

    def _wins_against_all(self, board: Board, move: Move, wins: Callable[[Board], bool]) -> bool:
        board.push(move)
        try:
            # The reply that saved the defender last time saves it most of the time.
            replies = sorted(board.legal_moves, key=lambda reply: reply != self._last_refutation)
            return board.is_over or all(self._loses(board, reply, wins) for reply in replies)
        finally:
            board.pop()

    def _loses(self, board: Board, reply: Move, wins: Callable[[Board], bool]) -> bool:
        board.push(reply)
        lost = not board.is_over and wins(board)
        board.pop()
        if not lost:
            self._last_refutation = reply
        return lost

    def saving_moves(self, board: Board) -> list[Move]:
        """The moves after which the enemy has no win by fours."""
        return [move for move in board.legal_moves if self._saves(board, move)]

    def _saves(self, board: Board, move: Move) -> bool:
        board.push(move)
        saved = board.is_over or self._vcf.solve(board._core, VCF_NODES, 0.0, 0, None).status == core.ThreatStatus.none
        board.pop()
        return saved
