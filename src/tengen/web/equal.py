"""Analysis that searches the best moves equally: a tree behind each, and about as many playouts in every one."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

from tengen.board import Board
from tengen.search import Analysis, Candidate, Mcts, SearchParams
from tengen.thinking.evaluators import best_evaluator
from tengen.thinking.pool import UPDATE_SECONDS, Job
from tengen.thinking.thought import Budget, Thinking
from tengen.web import limits

FIRST_PLAYOUTS = 2_000
"""Of the search that chooses the moves."""
_OPPOSITE = {"win": "loss", "loss": "win"}


@dataclass(frozen=True)
class Found:
    """What is known at one moment, and why it is over, if it is."""

    analysis: Analysis
    heat: dict[str, float]
    ended: str | None


@dataclass
class _Branch:
    """A move and the search behind it."""

    chosen: Candidate
    thinking: Thinking

    @property
    def playouts(self) -> int:
        return self.thinking.search.analysis(1, 0).playouts

    def candidate(self) -> Candidate:
        """The move as the search behind it sees it."""
        found = self.thinking.analysis
        proof = _OPPOSITE.get(found.proof or "", found.proof)
        line = (self.chosen.move, *found.candidates[0].line)
        return replace(self.chosen, visits=found.playouts, value=-found.value, proof=proof, line=line)


class _Branches:
    """The searches behind all moves, as a job sees what it is busy with."""

    def __init__(self, branches: list[_Branch]) -> None:
        self.all = branches

    @property
    def memory(self) -> int:
        return sum(branch.thinking.memory for branch in self.all)

    def stop(self) -> None:
        for branch in self.all:
            branch.thinking.stop()

    def together(self, first: Analysis) -> Analysis:
        """One analysis of the position, the moves in the order of their win rates."""
        candidates = sorted((branch.candidate() for branch in self.all), key=lambda entry: -entry.value)
        found = [branch.thinking.analysis for branch in self.all]
        return replace(
            first,
            value=candidates[0].value,
            playouts=sum(entry.playouts for entry in found),
            seconds=max(entry.seconds for entry in found),
            depth=1 + max(entry.depth for entry in found),
            candidates=tuple(candidates),
        )


def analyse_equally(board: Board, best: int, job: Job) -> Iterator[Found | None]:
    """Searches until it is stopped; None is a pause.

    Args:
        board: The position.
        best: Number of moves.
        job: That does it.
    """
    chosen = _thinking(board, Budget(playouts=FIRST_PLAYOUTS), best, limits.ANALYSIS_MEMORY)
    for _ in job.steps(chosen):
        yield None
    first, heat = chosen.analysis, chosen.priors(limits.MAX_PRIORS)
    if first.proof or job.stopped or len(first.candidates) < 2:
        yield Found(first, heat, job.end_of(chosen))
        return
    group = _Branches([_branch(board, move, len(first.candidates)) for move in first.candidates])
    job.attend(group)
    for branch in group.all:
        branch.thinking.step(UPDATE_SECONDS / len(group.all))
        yield None
    while any(branch.thinking.ended is None for branch in group.all):
        going_on = [branch for branch in group.all if branch.thinking.ended is None]
        min(going_on, key=lambda branch: branch.playouts).thinking.step(UPDATE_SECONDS)
        found = group.together(first)
        if found.seconds > limits.MAX_ANALYSIS_SECONDS:
            group.stop()  # a page that was left open
        yield Found(found, heat, None)
    yield Found(group.together(first), heat, "memory" if job.crowded else "stopped" if job.stopped else "solved")


def _thinking(board: Board, budget: Budget, best: int, memory: int) -> Thinking:
    params = SearchParams(memory=memory, seed=random.getrandbits(53))
    return Thinking(board, Mcts(best_evaluator(board), params), budget, best=best, only_move_ends=False)


def _branch(board: Board, chosen: Candidate, count: int) -> _Branch:
    after = board.copy()
    after.push(chosen.move)  # the game goes on: a move that ends it is a proof
    return _Branch(chosen, _thinking(after, Budget(), 1, limits.ANALYSIS_MEMORY // count))
