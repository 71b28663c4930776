"""The tree search, players and matches on other games."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

from tengen import Board, Move, SetupError, core, players
from tengen.arena import GameSetup, Match, play_game, random_openings, read_openings
from tengen.games import GameBoard
from tengen.search import Mcts, SearchParams


@pytest.mark.parametrize("threats", [True, False])
def test_tic_tac_toe_is_a_draw(threats: bool) -> None:
    search = Mcts(core.UniformEvaluator(), SearchParams(threats=threats, memory=64 << 20))
    analysis = search.search(GameBoard("tictactoe"), playouts=10_000)
    assert analysis.proof in (None, "draw")
    assert abs(analysis.value) < 0.1


def test_three_in_a_row_on_a_wider_board_is_a_win() -> None:
    search = Mcts(core.UniformEvaluator(), SearchParams(memory=64 << 20))
    analysis = search.search(GameBoard("mnk:4x4x3"), playouts=100_000)
    assert analysis.proof == "win"


@pytest.mark.parametrize("rollouts", [False, True])
def test_wins_and_threats_are_seen(rollouts: bool) -> None:
    evaluator = core.RolloutEvaluator(3) if rollouts else core.UniformEvaluator()
    search = Mcts(evaluator, SearchParams(memory=16 << 20))
    assert search.search(GameBoard.from_moves("connect4", "4 1 4 1 4 1"), playouts=10).proof == "win"
    assert search.best_move() == Move(3, 2)
    search.search(GameBoard.from_moves("connect4", "4 1 4 1 4"), playouts=400)
    assert search.best_move() == Move(3, 2), "the only move that does not lose at once"


def test_passes_are_searched() -> None:
    """A game of Othello that is played by a search to its end, passes and all."""
    search = Mcts(core.RolloutEvaluator(1), SearchParams(memory=16 << 20))
    board = GameBoard("othello6")
    while not board.is_over:
        search.search(board, playouts=20)
        board.push(search.best_move())
    assert board.ply >= 30


def test_a_network_sees_the_board_in_all_symmetries_alike() -> None:
    """A policy that likes one column finds it again behind every symmetry."""

    def leftmost(planes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        # Likes to play next to its own pieces: the same rule in the mirror.
        own = planes[:, 0]
        near = np.zeros_like(own)
        near[:, :, 1:] += own[:, :, :-1]
        near[:, :, :-1] += own[:, :, 1:]
        return 5 * near.reshape(len(planes), -1), np.zeros(len(planes), np.float32)

    queue = core.BatchQueue(leftmost, planes=3, height=6, width=7, moves=42, max_batch=4)
    board = GameBoard.from_moves("connect4", "2 5")
    for seed in range(4):
        search = Mcts(core.BatchedEvaluator(queue, core.PlaneSpec(), True, seed), SearchParams(memory=16 << 20))
        best = search.search(board, playouts=20, best=7).candidates
        priors = {candidate.move: candidate.prior for candidate in best}
        assert max(priors, key=lambda move: priors[move]) in (Move(0, 5), Move(2, 5))


def test_some_evaluators_judge_one_kind_of_game_alone() -> None:
    for evaluator in (core.ExpertEvaluator(), core.ReluctantEvaluator(1)):
        with pytest.raises(SetupError, match="Gomoku alone"):
            Mcts(evaluator).search(GameBoard("connect4"), playouts=1)
    with pytest.raises(SetupError, match="Gomoku alone can be negated"):
        Mcts(core.UniformEvaluator(), SearchParams(misere=True)).search(GameBoard("connect4"), playouts=1)
    queue = core.BatchQueue(lambda planes: (planes, planes), planes=3, height=3, width=3, moves=9, max_batch=1)
    network = core.BatchedEvaluator(queue, core.PlaneSpec(), False, 1)
    with pytest.raises(SetupError, match="made for boards of 3x3, not 7x6"):
        Mcts(network).search(GameBoard("connect4"), playouts=1)
    with pytest.raises(SetupError, match="made for another game"):
        Mcts(network).search(Board(3, n_in_row=3), playouts=1)


def test_one_search_takes_positions_of_any_game() -> None:
    search = Mcts(core.RolloutEvaluator(1), SearchParams(memory=16 << 20))
    for board in (GameBoard.from_moves("connect4", "4 1 4 1 4 1"), Board.from_moves("h8 a1 h9 a2 h10 a3 h11 a4")):
        assert search.search(board, playouts=10).proof == "win"


def test_gomoku_is_a_game_like_the_others() -> None:
    board, game = Board(width=5, height=4, n_in_row=3), GameBoard("mnk:5x4x3")
    numbers = Random(2)
    while not game.is_over:
        assert board._core.legal_moves == game._core.legal_moves
        assert board._core.result == game._core.result
        move = numbers.choice(game.legal_moves)
        assert [board.push(move), board.turn] == [game.push(move), game.turn]
        assert [board._core.piece_at(cell) for cell in range(20)] == [game._core.piece_at(cell) for cell in range(20)]
    assert board._core.result == game._core.result
    assert not board._core.legal_moves


@pytest.mark.parametrize("game", ["tictactoe", "connect4", "othello6"])
def test_a_match(game: str) -> None:
    setup = GameSetup(game=game)
    match = Match(
        ["mcts:playouts=60", "random"], games=4, setup=setup, openings=random_openings(2, setup, seed=1), seed=1
    )
    result = match.run()
    assert result.is_complete
    assert not result.pair().forfeits
    assert result.pair().total.points >= 2
    assert result.games[0].as_dict()["game"] == game


def test_a_game_is_the_same_for_the_same_seed() -> None:
    black, white = players.create("mcts:playouts=30"), players.create("mcts:playouts=30")
    games = [play_game(black, white, GameSetup(game="connect4"), seeds=(1, 2)) for _ in range(2)]
    assert games[0] is not None
    assert games[1] is not None
    assert games[0].moves == games[1].moves


@pytest.mark.parametrize("spec", ["alphabeta:depth=2", "tengen", "mcts-expert", "level:3"])
def test_players_of_gomoku_alone_say_so(spec: str) -> None:
    with pytest.raises(SetupError, match="plays Gomoku alone, not connect4"):
        players.create(spec).choose(GameBoard("connect4"))
    with pytest.raises(SetupError, match="plays Gomoku alone"):
        Match([spec, "random"], games=2, setup=GameSetup(game="connect4")).run()


def test_openings_of_other_games(tmp_path: Path) -> None:
    setup = GameSetup(game="connect4")
    openings = random_openings(10, setup, seed=3)
    assert len(set(openings)) == 10
    assert all(not setup.any_board(opening).is_over for opening in openings)
    assert openings == random_openings(10, setup, seed=3)
    file = tmp_path / "openings.txt"
    file.write_text("4 4 3\n# comment\n1 7\n")
    assert read_openings(file, setup) == [(Move(3, 5), Move(3, 4), Move(2, 5)), (Move(0, 5), Move(6, 5))]
    assert random_openings(500, GameSetup(game="tictactoe"))
