"""Games that end early because both players agree."""

from __future__ import annotations

import pytest

from tengen import Board, Color, Move
from tengen.arena import GameSetup, Match, play_game
from tengen.arena.adjudication import Adjudication, Judge
from tengen.errors import SetupError
from tengen.players import Player, Thoughts


class Opinionated(Player):
    """Plays the first legal point and thinks what it is told to."""

    def __init__(self, name: str, value: float | None) -> None:
        super().__init__(name)
        self._value = value

    def _think(self, board: Board) -> Move:
        self.thoughts = Thoughts(value=self._value)
        return board.legal_moves[0]


def play(black: float | None, white: float | None, rules: Adjudication | None) -> tuple[str, str, int]:
    game = play_game(Opinionated("a", black), Opinionated("b", white), GameSetup(size=9), adjudication=rules)
    assert game is not None
    return game.result, game.reason, len(game.moves)


WIN = Adjudication(win_value=0.9, win_moves=3)
DRAW = Adjudication(draw_value=0.1, draw_moves=2)


@pytest.mark.parametrize(
    ("black", "white", "rules", "expected"),
    [
        (0.95, -0.95, WIN, ("black", "adjudication", 6)),
        (-1.0, 1.0, WIN, ("white", "adjudication", 6)),
        (0.05, -0.1, DRAW, ("draw", "adjudication", 4)),
    ],
)
def test_both_agree(black: float, white: float, rules: Adjudication, expected: tuple[str, str, int]) -> None:
    assert play(black, white, rules) == expected


@pytest.mark.parametrize(
    ("black", "white", "rules"),
    [(0.95, -0.5, WIN), (0.95, 0.95, WIN), (1.0, None, WIN), (0.05, 0.2, DRAW), (1.0, -1.0, None), (0.0, 0.0, None)],
)
def test_otherwise_the_game_is_played_to_its_end(black: float, white: float | None, rules: Adjudication | None) -> None:
    assert play(black, white, rules)[1] != "adjudication"


def test_the_agreement_must_last() -> None:
    judge = Judge(WIN)
    values = [(0.95, -0.95), (0.95, -0.95), (0.5, -0.95), (0.95, -0.95), (0.95, -0.95)]
    assert not any(judge.hear(Color.BLACK, a) or judge.hear(Color.WHITE, b) for a, b in values)
    assert judge.hear(Color.BLACK, 0.95)
    assert judge.winner == Color.BLACK


def test_a_match_says_what_it_does() -> None:
    assert str(Adjudication()) == "none"
    assert "0.9 for 3 moves each" in str(WIN)
    setup = GameSetup(size=9)
    result = Match(["a", "b"], games=2, setup=setup, adjudication=WIN, create=lambda spec: Opinionated(spec, 1.0)).run()
    assert all(game.record.reason != "adjudication" for game in result.games)


def test_bad_values_are_refused() -> None:
    with pytest.raises(SetupError, match=r"from 0 to 1, not 1\.5"):
        Adjudication(win_value=1.5)
    with pytest.raises(SetupError, match="not -1"):
        Adjudication(draw_moves=-1)
