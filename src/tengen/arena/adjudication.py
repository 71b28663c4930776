"""Ending a game early where both players agree about it. Off unless asked for: a table is honest without it."""

from __future__ import annotations

from dataclasses import dataclass

from tengen.board import Color
from tengen.errors import SetupError


@dataclass(frozen=True)
class Adjudication:
    """When a game is ended before its end. Values are those of the players' own searches, from -1 to 1.

    Attributes:
        win_value: A game is won when one player's value is at least this and the other's at most minus this ...
        win_moves: ... for so many moves of each in a row; 0 for never.
        draw_value: A game is drawn when both players' values are at most this far from 0 ...
        draw_moves: ... for so many moves of each in a row; 0 for never.
    """

    win_value: float = 0.95
    win_moves: int = 0
    draw_value: float = 0.02
    draw_moves: int = 0

    def __post_init__(self) -> None:
        for name in ("win", "draw"):
            value, moves = getattr(self, f"{name}_value"), getattr(self, f"{name}_moves")
            if not 0 <= value <= 1:
                raise SetupError(f"adjudication needs a value from 0 to 1, not {value:g}")
            if moves < 0:
                raise SetupError(f"adjudication needs a number of moves of at least 1, not {moves}")

    def __str__(self) -> str:
        parts = []
        if self.win_moves:
            parts.append(f"win when both agree on {self.win_value:g} for {self.win_moves} moves each")
        if self.draw_moves:
            parts.append(f"draw when both agree on {self.draw_value:g} for {self.draw_moves} moves each")
        return "; ".join(parts) or "none"


class Judge:
    """Watches one game. Key method: `hear`. A player without an opinion keeps the game going."""

    def __init__(self, rules: Adjudication) -> None:
        self._rules = rules
        self._winning = {Color.BLACK: 0, Color.WHITE: 0}
        self._losing = {Color.BLACK: 0, Color.WHITE: 0}
        self._even = {Color.BLACK: 0, Color.WHITE: 0}

    def hear(self, color: Color, value: float | None) -> bool:
        """Notes what a player thinks of its game; whether there is a verdict."""
        for counts, agrees in (
            (self._winning, value is not None and value >= self._rules.win_value),
            (self._losing, value is not None and value <= -self._rules.win_value),
            (self._even, value is not None and abs(value) <= self._rules.draw_value),
        ):
            counts[color] = counts[color] + 1 if agrees else 0
        return self._is_drawn or self.winner is not None

    @property
    def winner(self) -> Color | None:
        """Who has won, or None if nobody has."""
        if self._rules.win_moves:
            for color in Color:
                if min(self._winning[color], self._losing[color.other]) >= self._rules.win_moves:
                    return color
        return None

    @property
    def _is_drawn(self) -> bool:
        return bool(self._rules.draw_moves) and min(self._even.values()) >= self._rules.draw_moves
