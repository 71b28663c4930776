"""What answers each request that takes time: iterators of messages, which a pool works on in slices."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import TypeAlias

from tengen import threats
from tengen.board import Board
from tengen.review import Verdict, reviewer_for
from tengen.search import Analysis, Mcts, SearchParams
from tengen.thinking.evaluators import best_evaluator
from tengen.thinking.levels import STRONGEST, find_level
from tengen.thinking.pool import Job
from tengen.thinking.thought import Budget, Thinking, as_dict, with_winning_line
from tengen.web import limits, messages, positions
from tengen.web.equal import analyse_equally
from tengen.web.networks import Networks
from tengen.web.refusals import error_answer

CROWDED = "the searches of all pages need too much memory; try again in a moment"

Answers: TypeAlias = Iterator[messages.Message | None]


def with_errors(request: messages.Request, answers: Answers) -> Answers:
    """The messages that answer a request; whatever goes wrong becomes a message too."""
    try:
        yield from answers
    except Exception as error:
        yield error_answer(error, request.id)


def think(request: messages.ThinkRequest, job: Job, networks: Networks) -> Answers:
    """A move of a level, or a hint."""
    hint = request.purpose == "hint"
    level = replace(STRONGEST, seconds=limits.HINT_SECONDS) if hint else find_level(request.level)
    board = positions.board_of(request.game)
    evaluator = networks.evaluator(request.network, board) if request.network else None
    turn = level.turn(board, random.getrandbits(53) if request.seed is None else request.seed, evaluator)
    for found in job.steps(turn.thinking):
        if found and turn.thinking.ended is None:
            share = round(turn.thinking.share, 3)
            yield messages.Progress(id=request.id, share=share, thought=thought_of(board, found))
        else:
            yield None
    move = turn.move()
    after = board.copy()
    after.push(move)
    yield messages.MoveAnswer(
        id=request.id,
        purpose=request.purpose,
        move=board.text(move),
        thought=thought_of(board, turn.thinking.analysis),
        state=positions.state_of(after),
    )


def list_networks(request: messages.NetworksRequest, job: Job, networks: Networks) -> Answers:
    """The networks that can be played against: files, so not for the thread that serves all pages."""
    yield messages.NetworksAnswer(id=request.id, networks=networks.known())


def analyse(request: messages.AnalyseRequest, job: Job, threads: int) -> Answers:
    """Analysis of one position until it is stopped, solved or full."""
    board = positions.board_of(request.game)
    if request.equal:
        for moment in analyse_equally(board, request.best, job):
            if moment is None:
                yield None
            else:
                yield _analysis_answer(request.id, board, moment.analysis, moment.heat, moment.ended)
        return
    params = SearchParams(memory=limits.ANALYSIS_MEMORY, threads=threads, seed=random.getrandbits(53))
    endless = request.playouts == limits.MAX_ANALYSIS_PLAYOUTS
    budget = Budget(playouts=0 if endless else request.playouts)
    thinking = Thinking(board, Mcts(best_evaluator(board), params), budget, best=request.best, only_move_ends=False)
    heat: dict[str, float] | None = None
    for found in job.steps(thinking):
        if found and found.seconds > limits.MAX_ANALYSIS_SECONDS:
            thinking.stop()  # a page that was left open
        if found is None:
            yield None
            continue
        heat = heat or thinking.priors(limits.MAX_PRIORS)
        yield _analysis_answer(request.id, board, found, heat, job.end_of(thinking))


def _analysis_answer(
    request_id: int, board: Board, found: Analysis, heat: dict[str, float], ended: str | None
) -> messages.AnalysisAnswer:
    thought = thought_of(board, found)
    return messages.AnalysisAnswer.model_validate(
        {"id": request_id, "thought": thought, "heat": heat, "done": ended is not None, "ended": ended}
    )


def review(request: messages.ReviewRequest, job: Job) -> Answers:
    """The verdict on every position of a game, one after the other."""
    board = positions.board_of(request.game)
    reviewer = reviewer_for(board, request.playouts)
    job.attend(reviewer)
    for verdict in reviewer.verdicts(board, min(request.first, board.ply)):
        if job.crowded:
            yield messages.ErrorAnswer(id=request.id, code="busy", message=CROWDED)
        if job.stopped:
            return
        yield None if verdict is None else _review_answer(request.id, board, verdict)


def _review_answer(request_id: int, board: Board, verdict: Verdict) -> messages.ReviewAnswer:
    move = verdict.move
    return messages.ReviewAnswer.model_validate(
        {
            "id": request_id,
            "ply": verdict.ply,
            "total": board.ply + 1,
            "done": verdict.ply == board.ply,
            "win_rate": round(verdict.black_win_rate, 4),
            "line": positions.texts(board, verdict.line),
            "forced": verdict.forced or None,
            "shape": positions.shape_made(board, verdict.ply),
            "loss": round(move.loss, 4) if move else 0.0,
            "mistake": (move.mistake if move else "") or None,
            "missed": (move.missed if move else "") or None,
            "better": positions.texts(board, move.line) if move and move.mistake else [],
        }
    )


class _Solver:
    """A solver at work, as a job sees it."""

    memory = 0

    def __init__(self) -> None:
        self.flag = threats.StopFlag()

    def stop(self) -> None:
        self.flag.set()


def solve(request: messages.SolveRequest, job: Job) -> Answers:
    """A forced win, looked for in one piece with a limit of time."""
    board = positions.board_of(request.game)
    solver = _Solver()
    job.attend(solver)
    found = threats.solve(
        board,
        request.kind,
        max_nodes=limits.SOLVE_NODES,
        max_seconds=limits.SOLVE_SECONDS,
        stop=solver.flag,
        guide=best_evaluator(board),
    )
    yield messages.SolutionAnswer.model_validate(
        {
            "id": request.id,
            "status": found.status,
            "kind": found.kind,
            "line": positions.texts(board, found.line),
            "nodes": found.nodes,
            "seconds": round(found.seconds, 3),
        }
    )


def thought_of(board: Board, analysis: Analysis) -> messages.Thought:
    """What a search knows, as a message."""
    return messages.Thought.model_validate(as_dict(board, with_winning_line(board, analysis)))
