"""How long to think about a move."""

from __future__ import annotations

from tengen.protocol.settings import Settings

#: What is never thought away: for pipes, and for threads that have to wait for a busy processor.
MARGIN_MS = 45.0
MARGIN_SHARE = 0.1
#: With timeout_turn 0 the answer is wanted as fast as possible: what still gives a sensible move.
FASTEST_MS = 40.0
#: A game is taken to last this many own moves, and at least so many more from wherever it stands.
EXPECTED_MOVES = 35
MOVES_TO_GO = 12


def budget(settings: Settings, own_moves: int, spent: float = 0.0) -> float:
    """Seconds from the arrival of the question to the end of the search.

    With one limit T for the move and L left for the game, in milliseconds::

        usable(t) = t - max(45, t / 10)                     but never less than t / 5
        budget    = min(usable(T), usable(L / max(35 - own moves, 12)))

    Without a limit for the game the second part is left out. T = 0 counts as 40 ms of thinking. Where the manager has
    not sent time_left, the engine counts for itself what is left of timeout_match.

    Args:
        settings: What the manager said.
        own_moves: Stones of the engine's on the board.
        spent: Seconds that the engine has thought in this game.
    """
    limit = _usable(settings.timeout_turn) if settings.timeout_turn > 0 else FASTEST_MS
    left = settings.time_left
    if left is None and settings.timeout_match > 0:
        left = round(settings.timeout_match - 1000 * spent)
    if left is not None:
        limit = min(limit, _usable(max(0, left) / max(EXPECTED_MOVES - own_moves, MOVES_TO_GO)))
    return max(1.0, limit) / 1000


def _usable(milliseconds: float) -> float:
    return max(milliseconds - max(MARGIN_MS, MARGIN_SHARE * milliseconds), milliseconds / 5)
