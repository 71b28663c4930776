"""Opening procedures over messages: the state is in the records that the page keeps, the server remembers nothing."""

from __future__ import annotations

import random
from typing import Any

from tengen import procedures
from tengen.board import Board, Color, Move
from tengen.errors import InputError
from tengen.procedures import Procedure
from tengen.procedures.actions import ACTIONS
from tengen.search import Analysis, Mcts, SearchParams
from tengen.thinking.evaluators import best_evaluator
from tengen.web import limits, messages, positions
from tengen.web.jobs import Job, Send

_PLAYOUTS = 400
_TRIES = 24
"""Random placements from which the computer takes the most even one."""


class OpeningJob(Job):
    """Carries out a person's action and then the computer's, until the person is asked again."""

    def __init__(self, request: messages.OpeningRequest, send: Send) -> None:
        super().__init__(request.id, send)
        self._computer = request.computer
        self._procedure = _resume(request)
        if request.action is not None:
            self._procedure.apply(_action(request.action))

    def _slice(self) -> bool:
        procedure = self._procedure
        if procedure.step is not None and procedure.step.person == self._computer:
            procedure.apply(decide(procedure))
            return True
        self.send(
            messages.OpeningAnswer(
                id=self.id,
                records=procedure.to_dicts(),
                moves=positions.texts(procedure.board, procedure.board.moves),
                black=procedure.black,
                step=_step(procedure),
                state=positions.state_of(procedure.board),
            )
        )
        return False


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


# -- the computer's part


def decide(procedure: Procedure) -> procedures.Action:
    """What the computer does at the open step: it places evenly and takes the side that the search prefers."""
    step, board = procedure.step, procedure.board
    assert step is not None
    if isinstance(step, procedures.PlaceStep):
        return procedures.Place(_place(step, board))
    if isinstance(step, procedures.SwapStep):
        # The person who is asked is the one to move: it swaps away from the worse side.
        return procedures.Swap(_think(board).value < 0)
    if isinstance(step, procedures.ChooseStep):
        return procedures.Choose(_choose(step, procedure))
    if isinstance(step, procedures.AnnounceStep):
        return procedures.Announce(step.numbers[len(step.numbers) // 2])
    if isinstance(step, procedures.OfferStep):
        return procedures.Offer(_offer(step, board))
    assert isinstance(step, procedures.PickStep)
    return procedures.Pick(min(step.points, key=lambda move: _black_value(_after(board, (move,)))))


def _think(board: Board, best: int = 1) -> Analysis:
    search = Mcts(best_evaluator(board), SearchParams(memory=16 << 20, vcf_nodes_root=2_000))
    return search.search(board, _PLAYOUTS, best=best)


def _black_value(board: Board) -> float:
    value = _think(board).value
    return value if board.turn == Color.BLACK else -value


def _after(board: Board, moves: tuple[Move, ...]) -> Board:
    board = board.copy()
    for move in moves:
        board.push(move)
    return board


def _place(step: procedures.PlaceStep, board: Board) -> tuple[Move, ...]:
    if len(step.colors) == 1 and step.regions[0] is None:
        return (_think(board).candidates[0].move,)
    tries = {_random_stones(step, board) for _ in range(_TRIES)}
    return min(sorted(tries), key=lambda moves: abs(_black_value(_after(board, moves))))


def _random_stones(step: procedures.PlaceStep, board: Board) -> tuple[Move, ...]:
    """Stones near the centre, or where the region says."""
    centre, reach = board.width // 2, max(2, board.width // 5)
    stones: list[Move] = []
    for points in step.points:
        near = [move for move in points if max(abs(move.x - centre), abs(move.y - centre)) <= reach]
        free = [move for move in near or points if move not in stones]
        stones.append(random.choice(free or [move for move in points if move not in stones]))
    return tuple(stones)


def _choose(step: procedures.ChooseStep, procedure: Procedure) -> str:
    value = _black_value(procedure.board)
    if "add" in step.options and abs(value) < 0.1:
        return "add"
    if "black" in step.options:
        return "black" if value > 0 else "white"
    return step.options[0]


def _offer(step: procedures.OfferStep, board: Board) -> tuple[Move, ...]:
    """The best fifth moves, at most one of each group."""
    offered: list[Move] = []
    groups = list(step.groups)
    ranked = [candidate.move for candidate in _think(board, best=60).candidates]
    for move in [*ranked, *step.points]:
        group = next((group for group in groups if move in group), None)
        if group is not None and len(offered) < step.count:
            offered.append(move)
            groups.remove(group)
    return tuple(offered)
