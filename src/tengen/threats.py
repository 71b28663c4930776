"""Wins by force: continuous fours (VCF) and continuous threats, fours and threes (VCT)."""

from __future__ import annotations

import functools
import time
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from tengen import core
from tengen.board import Board, Move
from tengen.errors import InputError, SetupError

Kind: TypeAlias = Literal["vcf", "vct", "auto"]
KINDS: tuple[Kind, ...] = get_args(Kind)

StopFlag = core.StopFlag


@dataclass(frozen=True)
class Solution:
    """What a solver found.

    Attributes:
        status: "win", "none" (there is no such win) or "unknown" (a limit ended the search).
        line: The moves of both sides up to the five. It ends earlier where black has no legal answer in renju.
        kind: The solver that found the win or looked last, "vcf" or "vct".
        nodes: Positions looked at.
        seconds: Time taken.
    """

    status: str
    line: list[Move]
    kind: str
    nodes: int
    seconds: float

    @property
    def wins(self) -> bool:
        """Whether the side to move wins by force."""
        return self.status == "win"


class Memory:
    """What the solvers remember of positions, for several questions about one game; belongs to one thread.

    What was found for one question may help another to an answer that it would not reach within its own limits.
    """

    def __init__(self, log2_entries: int = 18) -> None:
        """Remembers nothing yet.

        Args:
            log2_entries: Positions that it holds, as a power of two.
        """
        self._log2_entries = log2_entries

    @functools.cached_property
    def vcf(self) -> core.Vcf:
        """The solver for fours."""
        return core.Vcf(self._log2_entries)

    @functools.cached_property
    def vct(self) -> core.Vct:
        """The solver for fours and threes."""
        return core.Vct(self._log2_entries)

    def clear(self) -> None:
        """Forgets everything: what is asked next finds the same as with a new memory."""
        for solver in (self.__dict__.get("vcf"), self.__dict__.get("vct")):
            if solver is not None:
                solver.clear()


def solve(
    board: Board,
    kind: str = "vcf",
    max_nodes: int = 1_000_000,
    max_seconds: float | None = None,
    max_depth: int | None = None,
    stop: StopFlag | None = None,
    guide: core.Evaluator | None = None,
    memory: Memory | None = None,
) -> Solution:
    """Looks for a forced win of the side to move. Whatever is called a win is one, under every rule.

    >>> board = Board.from_moves("h8 a1 i8 a3 j8 a5")
    >>> [board.text(move) for move in solve(board).line]
    ['g8', 'f8', 'k8']

    Args:
        board: The position; it is not changed.
        kind: "vcf" for fours only, "vct" for fours and threes, "auto" for the first that finds a win.
        max_nodes: Positions to look at, at most.
        max_seconds: Time to take, at most.
        max_depth: Length of the line in plies, at most; for "vct" up to the point where fours alone win.
        stop: Set it from another thread to end the search.
        guide: A line network (`tengen.nets.loading.load_evaluator`) that says where to look first: hard wins by "vct"
            are then found in about a tenth of the nodes. Other evaluators change nothing.
        memory: Of earlier questions; this one stands alone if not given.

    Raises:
        InputError: The game is over, a limit is not positive, or there is no such kind.
        SetupError: The guide does not play on such a board.
    """
    _check(board, kind, {"max_nodes": max_nodes, "max_seconds": max_seconds, "max_depth": max_depth})
    memory = memory or Memory()
    start = time.perf_counter()
    nodes = 0
    for name in ("vcf", "vct") if kind == "auto" else (kind,):
        left = None if max_seconds is None else max(1e-3, max_seconds - (time.perf_counter() - start))
        limits = (max_nodes, left or 0.0, max_depth or 0, stop)
        if name == "vcf":
            found = memory.vcf.solve(board._core.copy(), *limits)
        else:
            try:
                found = memory.vct.solve(board._core, *limits, guide)
            except ValueError as error:  # a network that does not play on this board
                raise SetupError(str(error)) from None
        nodes += found.nodes
        if found.status == core.ThreatStatus.win:
            break
    line = [board._move(cell) for cell in found.line]
    return Solution(found.status.name, line, name, nodes, time.perf_counter() - start)


def defences(board: Board, max_nodes: int = 1_000_000, memory: Memory | None = None) -> list[Move] | None:
    """The points that may stop the win by fours that the enemy threatens, or None if none was found.

    Every move that saves the side to move is among them, or makes a five or a four of its own.

    Args:
        board: The position; it is not changed.
        max_nodes: Positions to look at, at most.
        memory: Of earlier questions; this one stands alone if not given.

    Raises:
        InputError: The game is over or the limit is not positive.
    """
    _check(board, "vcf", {"max_nodes": max_nodes})
    cells = (memory or Memory()).vcf.defences(board._core.copy(), max_nodes)
    return [board._move(cell) for cell in cells] if cells else None


def _check(board: Board, kind: str, limits: dict[str, float | None]) -> None:
    if kind not in KINDS:
        raise SetupError(f'there is no solver "{kind}"; choose one of {", ".join(KINDS)}')
    for name, limit in limits.items():
        if limit is not None and not limit > 0:
            raise SetupError(f"{name} must be more than 0, not {limit}")
    if (outcome := board.outcome()) is not None:
        raise InputError(f"there is nothing to solve: the game is over, {outcome}")
    if not board._core.has_windows:
        raise SetupError(f"threats are not known for {board.n_in_row} in a row with the rule {board.rule}")
