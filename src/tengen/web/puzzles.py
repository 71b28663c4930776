"""Puzzles over messages: one that suits a person, and a verdict on each move; the server remembers nothing."""

from __future__ import annotations

import random

from tengen.errors import InputError
from tengen.puzzles import Puzzle, shipped
from tengen.puzzles.solving import Attempt
from tengen.thinking.pool import Job
from tengen.web import messages, positions

_NEARBY = 12
"""Puzzles of about the right strength, of which one is drawn."""


def puzzle(request: messages.PuzzleRequest, job: Job) -> messages.PuzzleAnswer:
    """A puzzle that is about as strong as the person, and not among those that they have seen."""
    every = shipped(request.rule)
    if not every:
        raise InputError(f"there are no puzzles for the rule {request.rule}")
    seen = set(request.seen)
    fresh = [entry for name, entry in every.items() if name not in seen] or list(every.values())
    near = sorted(fresh, key=lambda entry: abs(entry.rating - request.rating))[:_NEARBY]
    chosen = random.choice(near)
    game = messages.Game.model_validate({"size": chosen.board().width, "rule": chosen.rule, "moves": chosen.moves})
    return messages.PuzzleAnswer(
        id=request.id,
        name=chosen.name,
        game=game,
        goal=chosen.goal,
        rating=chosen.rating,
        length=chosen.length,
        total=len(every),
        left=len(fresh),
    )


def attempt(request: messages.AttemptRequest, job: Job) -> messages.AttemptAnswer:
    """A verdict on the last move, or the next move for whoever asks for it."""
    start = positions.board_of(request.game)
    known = shipped(request.game.rule).get(request.name) if request.name else None
    if request.name and known is None:
        raise InputError(f'there is no puzzle "{request.name}"')
    trying = Attempt.at(known) if isinstance(known, Puzzle) else Attempt(start, request.goal)
    played = [start.parse_move(move) for move in request.played]
    if request.hint:
        move = trying.next_move(played)
        line = [start.text(move)] if move is not None else []
        return messages.AttemptAnswer(id=request.id, verdict="hint", line=line)
    if not played:
        raise InputError("an attempt needs a move")
    found = trying.judge(played)
    return messages.AttemptAnswer(id=request.id, verdict=found.verdict, line=positions.texts(start, found.line))
