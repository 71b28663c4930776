"""What answers each request that takes time: generators of messages, which a pool works on in slices."""

from __future__ import annotations

import random
from collections.abc import Callable, Generator, Iterator
from typing import Any, TypeAlias

from tengen import threats
from tengen.board import Board
from tengen.review import Verdict, reviewer_for
from tengen.search import Analysis, Mcts, SearchParams
from tengen.thinking.evaluators import best_evaluator
from tengen.thinking.levels import STRONGEST, Turn, find_level
from tengen.thinking.pool import Job
from tengen.thinking.thought import Budget, Thinking, as_dict, with_winning_line
from tengen.web import limits, messages, positions
from tengen.web.equal import Found, analyse_equally
from tengen.web.networks import Networks
from tengen.web.refusals import error_answer

CROWDED = "the searches of all pages need too much memory; try again in a moment"

Answers: TypeAlias = Generator[messages.Message | None, None, messages.Message | None]
"""Messages on the way, with None for a pause, and the last one as what it returns."""
Kind: TypeAlias = Callable[[Any, Job], Answers | messages.Message]
"""What answers a kind of request: in slices, or in one piece."""


def answers(request: messages.Request, kind: Kind, job: Job) -> Answers:
    """The messages that answer a request; whatever goes wrong becomes the last of them."""
    try:
        found = kind(request, job)
        return found if isinstance(found, messages.Message) else (yield from found)
    except Exception as error:
        return error_answer(error, request.id)


def think(request: messages.ThinkRequest, job: Job, networks: Networks) -> Answers:
    """A move of a level, or a hint."""
    hint = request.purpose == "hint"
    level = STRONGEST.with_seconds(limits.HINT_SECONDS) if hint else find_level(request.level)
    board = positions.board_of(request.game)
    evaluator = networks.evaluator(request.network, board) if request.network else None
    seed = random.getrandbits(53) if request.seed is None else request.seed
    turn = Turn(level, board, seed, evaluator, book=evaluator is None)
    for found in job.steps(turn.thinking) if turn.known is None else ():
        if found and turn.thinking.ended is None:
            share = round(turn.thinking.share, 3)
            yield messages.Progress(id=request.id, share=share, thought=thought_of(board, found))
        else:
            yield None
    move = turn.move()
    after = board.copy()
    after.push(move)
    return messages.MoveAnswer(
        id=request.id,
        purpose=request.purpose,
        move=board.text(move),
        thought=thought_of(board, turn.analysis) if turn.known is None else _known_thought(board, turn.analysis),
        within=None if turn.known is None else turn.known.within,
        state=positions.state_of(after),
    )


def list_networks(request: messages.NetworksRequest, job: Job, networks: Networks) -> messages.NetworksAnswer:
    """The networks that can be played against: files, so not for the thread that serves all pages."""
    return messages.NetworksAnswer(id=request.id, networks=networks.known())


def analyse(request: messages.AnalyseRequest, job: Job, threads: int) -> Answers:
    """Analysis of one position until it is stopped, solved or full."""
    board = positions.board_of(request.game)
    moments = analyse_equally(board, request.best, job) if request.equal else _analyse(request, board, job, threads)
    for moment in moments:
        answer = None if moment is None else _analysis_answer(request.id, board, moment)
        if answer and answer.done:
            return answer
        yield answer
    return None


def _analyse(request: messages.AnalyseRequest, board: Board, job: Job, threads: int) -> Iterator[Found | None]:
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
        yield Found(found, heat, job.end_of(thinking))


def _analysis_answer(request_id: int, board: Board, found: Found) -> messages.AnalysisAnswer:
    thought, ended = thought_of(board, found.analysis), found.ended
    return messages.AnalysisAnswer.model_validate(
        {"id": request_id, "thought": thought, "heat": found.heat, "done": ended is not None, "ended": ended}
    )


def review(request: messages.ReviewRequest, job: Job) -> Answers:
    """The verdict on every position of a game, one after the other."""
    board = positions.board_of(request.game)
    reviewer = reviewer_for(board, request.playouts)
    job.attend(reviewer)
    for verdict in reviewer.verdicts(board, min(request.first, board.ply)):
        if job.crowded:
            return messages.ErrorAnswer(id=request.id, code="busy", message=CROWDED)
        if job.stopped:
            return None
        answer = None if verdict is None else review_answer(request.id, board, verdict)
        if answer and answer.done:
            return answer
        yield answer
    return None


def review_answer(request_id: int, board: Board, verdict: Verdict) -> messages.ReviewAnswer:
    """A verdict as a message."""
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
            "theory": verdict.theory,
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


def solve(request: messages.SolveRequest, job: Job) -> messages.SolutionAnswer:
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
    return messages.SolutionAnswer.model_validate(
        {
            "id": request.id,
            "status": found.status,
            "kind": found.kind,
            "line": positions.texts(board, found.line),
            "nodes": found.nodes,
            "seconds": round(found.seconds, 3),
        }
    )


def _known_thought(board: Board, analysis: Analysis) -> messages.Thought:
    """What the book knows: no solver need look for its line."""
    return messages.Thought.model_validate(as_dict(board, analysis))


def thought_of(board: Board, analysis: Analysis) -> messages.Thought:
    """What a search knows, as a message."""
    return messages.Thought.model_validate(as_dict(board, with_winning_line(board, analysis)))
