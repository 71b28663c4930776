"""The rules of the other games against slow references, known counts, and their symmetries."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from slow_games import MisereGame, OthelloGame, RowGame, count_games

from tengen import core

REFERENCES: dict[str, RowGame | OthelloGame] = {
    "tictactoe": RowGame(3, 3, 3),
    "mnk:5x4x3": RowGame(5, 4, 3),
    "mnk:6x6x4": RowGame(6, 6, 4),
    "connect4": RowGame(7, 6, 4, gravity=True),
    "misere": MisereGame(4, 4, 3),
    "othello6": OthelloGame(6),
    "othello8": OthelloGame(8),
}
GAMES = sorted({*core.game_names(), *REFERENCES})
RESULTS = {
    None: core.Result.open,
    0: core.Result.draw,
    1: core.Result.first_wins,
    2: core.Result.second_wins,
}


@pytest.mark.parametrize("name", REFERENCES)
def test_random_games_follow_the_reference(name: str) -> None:
    reference = REFERENCES[name]
    rng = random.Random(name)
    passes = 0
    for _ in range(12):
        game = core.make_game(name)
        pieces, player = reference.start(), 1
        while True:
            points = {(x, y): game.piece_at(y * game.width + x) for y in range(game.height) for x in range(game.width)}
            assert {point: piece for point, piece in points.items() if piece} == pieces
            assert game.result == RESULTS[reference.winner(pieces, player)]
            moves = reference.moves(pieces, player)
            numbers = [game.width * game.height if move is None else move[1] * game.width + move[0] for move in moves]
            assert game.legal_moves == numbers
            if not moves:
                break
            pick = rng.randrange(len(moves))
            passes += moves[pick] is None
            pieces, player = reference.after(pieces, moves[pick], player), 3 - player
            game.play(numbers[pick])
        assert game.ply == len(game.moves)
        while game.ply:
            game.undo()
        assert game.legal_moves == core.make_game(name).legal_moves
    if name == "othello6":
        assert passes > 0, "the random games have passes to compare"


def perft(game: core.Game, depth: int) -> int:
    if depth == 0:
        return 1
    total = 0
    for move in game.legal_moves:
        game.play(move)
        total += perft(game, depth - 1)
        game.undo()
    return total


#: Well-known numbers of sequences of moves, by their length.
KNOWN = {
    "connect4": [1, 7, 49, 343, 2401, 16807],
    "othello8": [1, 4, 12, 56, 244, 1396, 8200],
    "tictactoe": [1, 9, 72, 504, 3024, 15120],
}


@pytest.mark.parametrize("name", KNOWN)
def test_counts_of_sequences(name: str) -> None:
    assert [perft(core.make_game(name), depth) for depth in range(len(KNOWN[name]))] == KNOWN[name]
    assert [count_games(REFERENCES[name], depth) for depth in range(4)] == KNOWN[name][:4]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "depth", "count"), [("connect4", 7, 823536), ("othello8", 8, 390216), ("tictactoe", 9, 127872)]
)
def test_deep_counts_of_sequences(name: str, depth: int, count: int) -> None:
    assert perft(core.make_game(name), depth) == count


def planes(game: core.Game, symmetry: int = 0) -> np.ndarray:
    out = np.full((game.plane_count, game.height, game.width), np.nan, np.float32)
    game.encode(out, symmetry)
    assert np.isfinite(out).all()
    return out


@pytest.mark.parametrize("name", GAMES)
def test_symmetries_are_symmetries_of_the_rules(name: str) -> None:
    """A game played in the mirror looks like the mirror image of the game, to players and to networks."""
    rng = random.Random(name)
    for symmetry in range(core.make_game(name).symmetries):
        game, mirrored = core.make_game(name), core.make_game(name)
        # Othello's start looks different in half of its mirrors: there the colours are swapped.
        if not np.array_equal(planes(game, symmetry), planes(mirrored)):
            assert name.startswith("othello")
            continue
        while game.legal_moves:
            assert sorted(game.transform(move, symmetry) for move in game.legal_moves) == mirrored.legal_moves
            assert np.array_equal(planes(game, symmetry), planes(mirrored))
            move = rng.choice(game.legal_moves)
            game.play(move)
            mirrored.play(game.transform(move, symmetry))
        assert game.result == mirrored.result


@pytest.mark.parametrize("name", GAMES)
def test_planes_show_the_movers_view(name: str) -> None:
    game = core.make_game(name)
    game.play(game.legal_moves[0])
    seen = planes(game)
    pieces = np.array([[game.piece_at(y * game.width + x) for x in range(game.width)] for y in range(game.height)])
    assert np.array_equal(seen[0], pieces == 2)
    assert np.array_equal(seen[1], pieces == 1)
    assert (seen[2] == 0).all()


def test_the_worked_example_of_the_documentation_is_the_file() -> None:
    root = Path(__file__).parents[2]
    text = (root / "docs" / "add-a-game.md").read_text(encoding="utf-8")
    assert (root / "cpp" / "games" / "misere.h").read_text(encoding="utf-8") in text


def test_a_clone_is_independent() -> None:
    game = core.make_game("connect4")
    copy = game.clone()
    game.play(38)
    assert copy.moves == []
    assert game.moves == [38]


@pytest.mark.parametrize("name", ["", "chess", "mnk:", "mnk:3x3", "mnk:0x3x3", "mnk:99x3x3", "mnk:3x3x3x"])
def test_unknown_games_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="there is no game"):
        core.make_game(name)
