"""Opening procedures over messages: the state is in the records that the page keeps, the server remembers nothing."""

from __future__ import annotations

import random
from typing import Any

from tengen import procedures
from tengen.board import Board
from tengen.errors import InputError
from tengen.procedures import Procedure
from tengen.procedures.actions import ACTIONS
from tengen.search import Analysis, Mcts, SearchParams
from tengen.thinking import openings
from tengen.thinking.evaluators import best_evaluator
from tengen.thinking.pool import Job
from tengen.thinking.thought import Budget, Thinking
from tengen.web import limits, messages, positions
from tengen.web.jobs import Answers

PLAYOUTS = 10_000
"""Of the thought that one decision takes."""


def opening(request: messages.OpeningRequest, job: Job) -> Answers:
    """Carries out a person's action and then the computer's, until the person is asked again."""
    procedure = _resume(request)
    if request.action is not None:
        procedure.apply(_action(request.action))
    chance = random.Random()
    while procedure.step is not None and procedure.step.person == request.computer:
        procedure.apply(openings.decide(procedure, _think, chance))
        yield None
    return messages.OpeningAnswer(
        id=request.id,
        records=procedure.to_dicts(),
        moves=positions.texts(procedure.board, procedure.board.moves),
        black=procedure.black,
        step=_step(procedure),
        state=positions.state_of(procedure.board),
    )


def _think(board: Board, share: float) -> Analysis:
    search = Mcts(best_evaluator(board), SearchParams(memory=32 << 20, vcf_nodes_root=2_000))
    playouts = max(1, round(PLAYOUTS * share))
    return Thinking(board, search, Budget(playouts=playouts), best=openings.MOST_OFFERED).run()


def _resume(request: messages.OpeningRequest) -> Procedure:
    if not request.records:
        return procedures.start(request.procedure, Board(size=request.size, rule=request.rule))
    procedure = Procedure.from_dicts(request.records)
    board = procedure.board
    if not (board.width == board.height and limits.MIN_SIZE <= board.width <= limits.MAX_SIZE):
        raise InputError("the board of this opening is not one of the web board")
    return procedure


def _action(record: dict[str, Any]) -> procedures.Action:
    values = dict(record)
    try:
        return ACTIONS[values.pop("action")](**values)
    except (KeyError, TypeError):
        raise InputError(f"{record!r} is not an action of an opening") from None


def _step(procedure: Procedure) -> messages.OpeningStep | None:
    step = procedure.step
    if step is None:
        return None
    board = procedure.board
    fields: dict[str, Any] = {"expects": step.expects.__name__.lower(), "person": step.person}
    if isinstance(step, procedures.PlaceStep):
        fields["colors"] = [positions.color_name(color) for color in step.colors]
        fields["points"] = [positions.texts(board, points) for points in step.points]
    elif isinstance(step, procedures.OfferStep):
        fields["points"] = [positions.texts(board, group) for group in step.groups]
        fields["count"] = step.count
    elif isinstance(step, procedures.PickStep):
        fields["points"] = [positions.texts(board, step.points)]
    elif isinstance(step, procedures.ChooseStep):
        fields["options"] = list(step.options)
    elif isinstance(step, procedures.AnnounceStep):
        fields["numbers"] = list(step.numbers)
    return messages.OpeningStep.model_validate(fields)
