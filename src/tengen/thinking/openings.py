"""What Tengen does in an opening procedure: it places stones evenly and takes the side that the search prefers.

Where one may take a colour or place more stones: with v the value for the side to move, staying is worth v and swapping
-v, so one of them is worth |v|. Placing more stones and letting the other side choose is worth -|w|, with w the value
after them: never more than the other two if the values are right. It is done only where |v| is less than what a search
is wrong by, and the stones that are placed leave the position more even than it is.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import TypeAlias

from tengen import procedures
from tengen.board import Board, Color, Move
from tengen.procedures import Procedure
from tengen.search import Analysis

Think: TypeAlias = Callable[[Board, float], Analysis]
"""What a search thinks of a position, given a share of the thought that the whole decision may take."""

#: A value below this is not told from an even position.
EVEN = 0.06
#: Random placements from which the most even one is taken.
TRIES = 24
#: How many moves a search has to list so that there are enough to offer.
MOST_OFFERED = 60

Points: TypeAlias = Sequence[Sequence[Move]]
"""Where each of some stones may be placed."""


def decide(procedure: Procedure, think: Think, chance: random.Random) -> procedures.Action:
    """What to do at the open step of a procedure.

    Args:
        procedure: The opening; a step must be open.
        think: The search.
        chance: Where the stones are tried.
    """
    step, board = procedure.step, procedure.board
    assert step is not None
    if isinstance(step, procedures.PlaceStep):
        if len(step.colors) == 1 and step.regions[0] is None:
            return procedures.Place((think(board, 1.0).candidates[0].move,))
        return procedures.Place(most_even(board, step.points, think, 1.0, chance)[0])
    if isinstance(step, procedures.SwapStep):
        # The person who is asked is the one to move: it swaps away from the worse side.
        return procedures.Swap(think(board, 1.0).value < 0)
    if isinstance(step, procedures.ChooseStep):
        return procedures.Choose(_choose(step, board, think, chance))
    if isinstance(step, procedures.AnnounceStep):
        return procedures.Announce(step.numbers[len(step.numbers) // 2])
    if isinstance(step, procedures.OfferStep):
        return procedures.Offer(_offer(step, board, think))
    assert isinstance(step, procedures.PickStep)
    share = 1 / len(step.points)
    return procedures.Pick(min(step.points, key=lambda move: _black_value(think(_after(board, move), share), board)))


def stones_to_add(board: Board, points: Points, value: float, think: Think, chance: random.Random) -> tuple[Move, ...]:
    """The stones to place where one may also take a colour; none if taking a colour is better.

    Args:
        board: The position.
        points: Where each stone may be placed.
        value: Of the position, for the side to move.
        think: The search.
        chance: Where the stones are tried.
    """
    if abs(value) >= EVEN:
        return ()
    stones, rest = most_even(board, points, think, 0.5, chance)
    return stones if rest < abs(value) else ()


def most_even(
    board: Board, points: Points, think: Think, share: float, chance: random.Random
) -> tuple[tuple[Move, ...], float]:
    """The placement whose value is nearest to zero, and the size of that value."""
    tries = sorted({_random_stones(board, points, chance) for _ in range(TRIES)})
    quiet = [stones for stones in tries if not _after(board, *stones).is_over]
    sizes = {stones: abs(think(_after(board, *stones), share / len(tries)).value) for stones in quiet}
    best = min(sizes, key=sizes.__getitem__)
    return best, sizes[best]


def free_points(board: Board, stones: int) -> Points:
    """All empty points for each of so many stones."""
    return [board.legal_moves] * stones


def _random_stones(board: Board, points: Points, chance: random.Random) -> tuple[Move, ...]:
    """Stones near the centre, or where they must be."""
    centre_x, centre_y = board.width // 2, board.height // 2
    reach = max(2, min(board.width, board.height) // 5 + 1)
    stones: list[Move] = []
    for allowed in points:
        near = [move for move in allowed if max(abs(move.x - centre_x), abs(move.y - centre_y)) <= reach]
        free = [move for move in near or allowed if move not in stones]
        stones.append(chance.choice(free or [move for move in allowed if move not in stones]))
    return tuple(stones)


def _choose(step: procedures.ChooseStep, board: Board, think: Think, chance: random.Random) -> str:
    value = think(board, 0.5 if "add" in step.options else 1.0).value
    if "add" in step.options and stones_to_add(board, free_points(board, 2), value, think, chance):
        return "add"
    if "black" in step.options:
        return "black" if (value > 0) == (board.turn == Color.BLACK) else "white"
    return step.options[0]


def _offer(step: procedures.OfferStep, board: Board, think: Think) -> tuple[Move, ...]:
    """The best fifth moves, at most one of each group."""
    offered: list[Move] = []
    groups = list(step.groups)
    ranked = [candidate.move for candidate in think(board, 1.0).candidates]
    for move in [*ranked, *step.points]:
        group = next((group for group in groups if move in group), None)
        if group is not None and len(offered) < step.count:
            offered.append(move)
            groups.remove(group)
    return tuple(offered)


def _black_value(analysis: Analysis, before: Board) -> float:
    """Black's value of the position after a move of `before`'s side to move."""
    return analysis.value if before.turn == Color.WHITE else -analysis.value


def _after(board: Board, *moves: Move) -> Board:
    after = board.copy()
    for move in moves:
        after.push(move)
    return after
