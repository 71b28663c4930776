"""Residual networks in the training loop: the documents' presets in miniature, planes from the buffer, other games."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")

import torch
from tiny_run import look, opened

from tengen import Board, SetupError, core, players
from tengen.games import GameBoard
from tengen.nets.loading import load_evaluator
from tengen.nets.planes import encode, plane_spec, transform_policy
from tengen.search import Mcts, SearchParams
from tengen.train.json_lines import read_lines
from tengen.train.loop import Trainer
from tengen.train.params import EvaluationParams, LearnParams, RunParams, SelfPlayParams, load_preset, rate_at
from tengen.train.recent_games import RecentGames
from tengen.train.residual_learner import ResidualLearner


def tiny(preset: str) -> RunParams:
    """A preset with a network and searches that a test can afford."""
    params = load_preset(preset)
    return replace(
        params,
        minutes=5,
        log_seconds=0.2,
        publish_seconds=1.0,
        selfplay=replace(params.selfplay, full_playouts=6, fast_playouts=4, full_share=1.0, threads=4),
        learn=replace(
            params.learn,
            filters=8,
            blocks=1,
            value_hidden=8,
            batch=32,
            batch_steps=1,
            round_batches=10,
            start_positions=32,
            start_games=0,
            learning_rate=3e-3,
            rate_by_steps=(),
        ),
    )


def run_until(folder: Path, params: RunParams, enough: Callable[[Trainer], bool]) -> Trainer:
    """Trains until something is reached rather than for a time: slow machines learn as much."""

    def report(entry: dict[str, Any]) -> None:
        if enough(trainer):
            trainer.stop()

    with opened(folder, params, report) as trainer:
        trainer.run()
    assert enough(trainer)
    return trainer


@pytest.mark.parametrize("preset", ["s0", "s1", "tictactoe", "connect4", "othello6"])
def test_the_loss_falls_on_a_fixed_set(tmp_path: Path, preset: str) -> None:
    params = tiny(preset)
    trainer = run_until(tmp_path / "run", params, lambda trainer: trainer.learner.steps >= 1)
    # A learner of its own: how the run's one gets on with games that it has just learned from is a matter of luck.
    learner = ResidualLearner(params)
    fixed = learner.draw(trainer.recent.buffer, 64, seed=7)
    losses = [learner.step(fixed, progress=0.5).total for _ in range(40)]
    assert max(losses[-5:]) < losses[0] - 0.1


def test_a_run_goes_on_where_it_was(tmp_path: Path) -> None:
    params = tiny("tictactoe")
    first = run_until(tmp_path / "run", params, lambda trainer: trainer.learner.steps >= 3)
    again = look(tmp_path / "run", params)
    assert again.counters == first.counters
    state = again.learner.state()
    for name, array in first.learner.state().items():
        assert (state[name] == array).all(), name
    assert again.recent.buffer.positions == first.recent.buffer.positions


def test_the_network_of_a_run_plays(tmp_path: Path) -> None:
    trainer = run_until(tmp_path / "run", tiny("connect4"), lambda trainer: trainer.learner.steps >= 1)
    model = trainer.folder.path / "networks" / "newest.safetensors"
    with players.create(f"net:model={model},playouts=8") as player:
        board = GameBoard("connect4")
        assert player.choose(board) in board.legal_moves
    with pytest.raises(SetupError, match="boards of 7x6, not 15x15"), players.create(f"net:model={model}") as player:
        player.choose(Board())


@pytest.mark.parametrize("game", ["connect4", "othello6"])
def test_another_game_is_evaluated_while_it_is_learned(tmp_path: Path, game: str) -> None:
    params = tiny(game)
    evaluation = EvaluationParams(
        minutes=0.01, games=1, playouts=4, yardsticks=("random",), yardstick_minutes=0.0, yardstick_games=1, share=1.0
    )
    params = replace(params, evaluation=evaluation)

    def is_met(trainer: Trainer) -> bool:
        tally = trainer.evaluation.journal.yardsticks_met("001").get("random")
        return tally is not None and tally.games == 2

    trainer = run_until(tmp_path / "run", params, is_met)
    assert "001" in trainer.evaluation.journal.ratings()
    games = [line for line in read_lines(trainer.folder.path / "evaluation.jsonl") if line["kind"] == "game"]
    board = GameBoard.from_moves(game, games[0]["moves"])
    assert games[0]["game"] == game
    assert board.outcome() is not None


def games_of(game: str, **changes: Any) -> bytes:
    params = SelfPlayParams(game=game, full_playouts=20, fast_playouts=20, full_share=1.0, **changes)
    search = SearchParams(memory=4 << 20)
    evaluator = core.UniformEvaluator()
    pool = core.SelfPlayPool(evaluator, params, params.kinds(), search, threads=1, seed=5)
    games = b""
    while len(core.read_games(games)) < 4:
        games += pool.take_games(0.1)
    pool.stop()
    return games


def test_planes_show_the_games_in_all_symmetries() -> None:
    games = games_of("gomoku", sizes=(7,), longest_game=1.0)
    expected: dict[bytes, list[np.ndarray]] = {}
    for game in core.read_games(games):
        for ply, _, visits in game.samples:
            board = Board(size=7)
            for cell in game.moves[:ply]:
                board.push(board._move(cell))
            policy = np.zeros(49, np.float32)
            for move, weight in visits:
                policy[move] = weight
            policy /= max(1, policy.sum())
            for symmetry in range(8):
                key = encode(board, "s0", symmetry).tobytes()
                expected.setdefault(key, []).append(transform_policy(policy, symmetry, 7, 7))
    buffer = core.SampleBuffer(10_000)
    buffer.add(games)
    batch = buffer.sample_planes(100, 1.0, plane_spec("s0"), 3)
    assert batch["planes"].shape == (100, 13, 7, 7)
    for planes, policy in zip(batch["planes"], batch["policy"], strict=True):
        assert any(np.allclose(policy, known, atol=1e-6) for known in expected[planes.tobytes()])
    assert len({planes.tobytes() for planes in batch["planes"]}) > 30, "positions and symmetries vary"
    assert np.isin(batch["value"], (-1, 0, 1)).all()


@pytest.mark.parametrize("game", ["tictactoe", "connect4", "othello6"])
def test_records_of_other_games(game: str) -> None:
    games = games_of(game, opening_stones=2)
    for record in core.read_games(games):
        assert record.game == game
        board = core.make_game(game)
        for move in record.moves:
            assert move in board.legal_moves
            board.play(move)
        for ply, _, _ in record.samples:
            assert record.opening_plies <= ply <= len(record.moves)
        if board.result != core.Result.open:
            results = {core.Result.first_wins: 1, core.Result.second_wins: -1, core.Result.draw: 0}
            assert record.result == results[board.result]
    buffer = core.SampleBuffer(1000)
    assert buffer.add(games) == len(games)
    batch = buffer.sample_planes(50, 0.5, core.PlaneSpec(), 1)
    start = core.make_game(game)
    assert batch["planes"].shape == (50, start.plane_count, start.height, start.width)
    assert batch["policy"].shape == (50, start.move_count)
    damaged = bytearray(games)
    damaged[len(damaged) // 2] ^= 8
    assert len(core.read_games(bytes(damaged))) < len(core.read_games(games))


def test_an_error_of_the_network_ends_the_run(tmp_path: Path) -> None:
    with opened(tmp_path / "run", tiny("tictactoe")) as trainer:
        learner = trainer.learner
        assert isinstance(learner, ResidualLearner)
        learner._player.net.value = torch.nn.Identity()
        learner._copy_of_average = lambda: learner._player.net  # type: ignore[method-assign]
        with pytest.raises(RuntimeError):
            trainer.run()


def test_wrong_networks_are_one_sentence() -> None:
    with pytest.raises(SetupError, match='no encoding "s9"'):
        LearnParams(encoding="s9")
    with pytest.raises(SetupError, match="sees no planes"):
        RunParams(learn=LearnParams(encoding="s0"))
    with pytest.raises(SetupError, match="planes of its own"):
        replace(load_preset("tictactoe"), learn=replace(load_preset("tictactoe").learn, encoding="s0"))
    with pytest.raises(SetupError, match='no network "s9"'):
        LearnParams(network="s9")
    with pytest.raises(SetupError, match="the line network plays Gomoku"):
        RunParams(selfplay=SelfPlayParams(game="connect4"))
    with pytest.raises(SetupError, match="one size of board"):
        RunParams(selfplay=SelfPlayParams(sizes=(9, 11)), learn=LearnParams(network="s1"))
    with pytest.raises(SetupError, match="there is no game"):
        SelfPlayParams(game="go")
    params = load_preset("connect4")
    with pytest.raises(SetupError, match="alphabeta:depth=2 does not play connect4"):
        replace(params, evaluation=EvaluationParams(yardsticks=("alphabeta:depth=2",)))


@pytest.mark.slow
def test_tic_tac_toe_becomes_perfect(tmp_path: Path) -> None:
    """Against every line of any opponent, with either colour, at 25 playouts and without a look ahead for wins."""
    with opened(tmp_path / "run", load_preset("tictactoe")) as trainer:
        trainer.run()
    evaluator = load_evaluator(trainer.save_network("final"))
    params = SearchParams(memory=4 << 20, threats=False)
    replies: dict[str, Any] = {}

    def worst(board: GameBoard, mine: int) -> int:
        """The worst result for the network: 1, 0 or -1."""
        if (outcome := board.outcome()) is not None:
            return 0 if outcome.winner is None else 1 if outcome.winner == mine else -1
        if board.turn != mine:
            return min(worst(after(board, move), mine) for move in board.legal_moves)
        key = str(board)
        if key not in replies:
            search = Mcts(evaluator, params)
            search.search(board, playouts=25)
            replies[key] = search.best_move()
        return worst(after(board, replies[key]), mine)

    assert worst(GameBoard("tictactoe"), 0) == 0
    assert worst(GameBoard("tictactoe"), 1) == 0


def after(board: GameBoard, move: Any) -> GameBoard:
    copy = board.copy()
    copy.push(move)
    return copy


def test_the_state_of_a_network_of_another_shape_is_refused() -> None:
    """Such as a run that was begun before S1's convolutions had a bias."""
    learner = ResidualLearner(tiny("s1"))
    state = {name: array for name, array in learner.state().items() if not name.endswith("stem.0.0.bias")}
    with pytest.raises(SetupError, match="another shape than its parameters ask for now: start a new run"):
        learner.load_state(state)


def test_what_learning_changed_is_logged_for_residual_networks(tmp_path: Path) -> None:
    """The network is changed where it is, so the old one has to be asked before."""
    params = replace(tiny("s2"), probe_positions=8, publish_seconds=0.1)
    run = tmp_path / "run"
    run_until(run, params, lambda trainer: trainer._change is not None and trainer._change.kl > 0)


def test_sgd_has_momentum_and_goes_on(tmp_path: Path) -> None:
    learner = ResidualLearner(replace(tiny("agz"), selfplay=replace(tiny("agz").selfplay, sizes=(7,))))
    (optimizer,) = learner._optimizers
    assert isinstance(optimizer, torch.optim.SGD)
    assert (optimizer.defaults["momentum"], optimizer.defaults["weight_decay"]) == (0.9, 2e-4)


#: S3's table 15.1 by columns: c_puct, playouts, blocks, batch, optimiser, noise for each point, its weight, moves.
TABLE_15_1 = {
    "s3": (5, 400, 19, 512, "adam", 0.3, 0.25, 12),
    "agz": (5, 1600, 19, 2048, "sgd", 0.03, 0.25, 30),
    "az": (5, 800, 19, 4096, "sgd", 0.03, 0.25, 30),
}


@pytest.mark.parametrize("name", TABLE_15_1)
def test_the_presets_are_the_columns_of_table_15_1(name: str) -> None:
    params = load_preset(name)
    selfplay, learn = params.selfplay, params.learn
    noise = round(selfplay.root_noise_total_alpha / selfplay.sizes[0] ** 2, 6)
    optimizer = "sgd" if learn.optimizer == "sgd" else "adam"  # residual networks have no matrices for muon
    found = (params.search.c_puct, selfplay.full_playouts, params.residual_config().blocks, learn.batch, optimizer)
    assert (*found, noise, selfplay.root_noise, selfplay.early_moves) == TABLE_15_1[name]
    assert selfplay.generator == ("newest" if name == "az" else "best")


def test_s0s_learning_rate_follows_the_length_of_games() -> None:
    """Table 5.1, and figure 5.2 with its mean of 20.3 moves beside 0.01."""
    rates = load_preset("s0").learn.rate_by_length
    assert [rate_at(rates, moves) for moves in (0, 20, 21, 60, 61, 300)] == [0.01, 0.01, 0.001, 0.001, 0.0001, 0.0001]
    recent = RecentGames(load_preset("s0"))
    recent._lengths.extend((13, 18, 15, 16, 18, 19, 21, 23, 29, 31))  # the ten games of figure 5.2
    assert recent.mean_length == pytest.approx(20.3)
    assert rate_at(rates, math.floor(recent.mean_length)) == 0.01


def test_a_rate_by_length_is_used_and_logged(tmp_path: Path) -> None:
    params = tiny("s0")
    params = replace(params, learn=replace(params.learn, rate_by_length=((20, 0.01), (60, 0.001), (225, 0.0001))))
    trainer = run_until(tmp_path / "run", params, lambda trainer: trainer.learner.steps >= 2)
    assert trainer.counters.games < 100
    assert trainer.learner.rate == 0.01


@pytest.mark.parametrize(("encoding", "planes"), [("s0", 13), ("s0-three", 3), ("s0-by-color", 13)])
def test_s0s_other_inputs_are_an_option_of_a_run(encoding: str, planes: int) -> None:
    """Section 4.1."""
    params = tiny("s0")
    learner = ResidualLearner(replace(params, learn=replace(params.learn, encoding=encoding)))
    assert learner.config["encoding"] == encoding
    buffer = core.SampleBuffer(10)
    buffer.add(core.write_game(core.Rule.freestyle, 5, 15, 15, 0, 1, [0, 1], [(0, 0.0, [(0, 1)]), (1, 0.0, [(1, 1)])]))
    batch = learner.draw(buffer, 2, seed=1)
    assert batch["planes"].shape == (2, planes, 15, 15)
    assert math.isfinite(learner.step(batch, 0.0).total)
