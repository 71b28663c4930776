"""Q-learning end to end on small boards, and its parts against slow, obvious references."""

from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

from tengen import Board, Move
from tengen.board import DIRECTIONS
from tengen.dqn import compare
from tengen.dqn.environment import DRAWN, GOES_ON, ILLEGAL, REWARDS, WON, Environment
from tengen.dqn.learner import QLearner
from tengen.dqn.loop import DqnTrainer
from tengen.dqn.measure import against_random, distances
from tengen.dqn.memory import Batch, Ply, ReplayMemory, Returns, S2Returns
from tengen.dqn.params import S2, DqnParams
from tengen.errors import ModelFileError, SetupError
from tengen.nets import files, q_network
from tengen.nets.files import ModelInfo
from tengen.nets.q_network import KINDS, QConfig
from tengen.players import create
from tengen.train.run_folder import OpenRun

TINY = DqnParams(
    size=6, n_in_row=4, games=60, minutes=0.0, filters=8, boards=8, start=100, batch=32, memory=2000, epsilon_moves=500
)


def run(folder: Path, params: DqnParams = TINY) -> tuple[DqnTrainer, list[dict[str, Any]]]:
    entries: list[dict[str, Any]] = []
    with OpenRun(folder) as opened:
        trainer = DqnTrainer(opened, params, entries.append)
        trainer.run()
    return trainer, entries


def play(environment: Environment, moves: list[int]) -> Any:
    return environment.play(np.array(moves, np.int32))


# -- the boards


def test_boards_are_the_rules_boards() -> None:
    params = DqnParams(size=7, reward="plain")
    environment = Environment(params, 3, seed=5)
    boards = [Board(size=7) for _ in range(3)]
    for _ in range(200):
        moves = environment.random_moves()
        for i, board in enumerate(boards):
            stones = environment.stones()[i]
            for y in range(7):
                for x in range(7):
                    piece = board.piece_at(Move(x, y))
                    assert stones[y, x] == (0 if piece is None else 1 if piece == board.turn else -1)
            board.push(board._move(int(moves[i])))
        step = environment.play(moves)
        for i, board in enumerate(boards):
            outcome = board.outcome()
            expected = GOES_ON if outcome is None else DRAWN if outcome.winner is None else WON
            assert step.status[i] == expected
            assert step.rewards[i] == (expected == WON)
            if outcome is not None:
                boards[i] = Board(size=7)
        environment.reset(step.ended, 0)
    assert environment.plies().tolist() == [board.ply for board in boards]


def slow_shape_score(board: Board, move: Move, blocking: float) -> float:
    score = 0.0
    for color, weight in ((board.turn, 1.0), (board.turn.other, blocking)):
        exponent = 0
        for dx, dy in DIRECTIONS:
            exponent += 1
            for sign in (-1, 1):
                x, y = move.x + sign * dx, move.y + sign * dy
                while 0 <= x < board.width and 0 <= y < board.height and board.piece_at(Move(x, y)) == color:
                    exponent += 1
                    x, y = x + sign * dx, y + sign * dy
        score += weight * 10**exponent
    return math.log10(score)


def test_the_shaped_reward_is_the_documents() -> None:
    params = DqnParams(size=9, shaping=0.8, blocking=0.9)
    environment = Environment(params, 1, seed=2)
    board = Board(size=9)
    while not board.is_over:
        move = board._move(int(environment.random_moves()[0]))
        score = slow_shape_score(board, move, 0.9)
        board.push(move)
        reward = play(environment, [move.y * 9 + move.x]).rewards[0]
        won = board.outcome() is not None and board.outcome().winner is not None  # type: ignore[union-attr]
        assert reward == pytest.approx(0.8 * (score - math.log10(1.9e4)) / 4 + won, abs=1e-4)


def test_an_illegal_move_changes_nothing() -> None:
    environment = Environment(TINY, 2, seed=1)
    play(environment, [3, 4])
    before = environment.stones()
    step = play(environment, [3, 99])
    assert step.status.tolist() == [ILLEGAL, ILLEGAL]
    assert step.rewards.tolist() == [-1, -1]
    assert (environment.stones() == before).all()


def test_openings_have_at_most_so_many_stones() -> None:
    environment = Environment(TINY, 50, seed=1)
    environment.reset(np.ones(50, np.bool_), 5)
    assert set(environment.plies()) == set(range(6))


# -- S2's learner against the numbers of the document


def test_s2s_network_has_90866_weights() -> None:
    net = q_network.make(QConfig("s2", 15, 16))
    shapes = {name: tuple(tensor.shape) for name, tensor in net.state_dict().items()}
    assert shapes == {
        "convolution.weight": (16, 1, 5, 5),  # W1 [5, 5, 1, 16]
        "convolution.bias": (16,),
        "values.weight": (225, 5 * 5 * 16 + 1),  # W2 [5 * 5 * 16 + 1, 225]
        "values.bias": (225,),
    }
    assert sum(weights.numel() for weights in net.parameters()) == 5 * 5 * 16 + 16 + 401 * 225 + 225 == 90_866


def test_s2s_network_sees_colours_and_the_turn() -> None:
    net = q_network.make(QConfig("s2", 15, 16))
    with torch.no_grad():
        net.values.weight[:, :-1] = 0  # the turn alone
        net.values.bias.zero_()
        net.values.weight[:, -1] = 3
        stones = torch.zeros(2, 15, 15)
        assert net(stones, torch.tensor([1.0, 0.0])).unique(dim=1).flatten().tolist() == [3, -3]
    net = q_network.make(QConfig("s2", 15, 16))
    stones = torch.zeros(2, 15, 15)
    stones[0, 7, 7], stones[1, 7, 7] = 1, -1  # black's stone, seen by black and by white
    with torch.no_grad():
        difference = net(stones, torch.tensor([1.0, 0.0])).diff(dim=0).flatten()
    assert torch.allclose(difference, -2 * net.values.weight[:, -1], atol=1e-5)


def s2(reward: str) -> Environment:
    return Environment(DqnParams(**{**S2, "reward": reward}), 1, seed=1)


def cell(name: str) -> int:
    move = Move.parse(name, 15)
    return move.y * 15 + move.x


@pytest.mark.parametrize(
    ("reward", "illegal", "regular", "joining", "win"),
    [("s2-plain", -10_000, 0, 0, 100), ("s2-shaped", -1_000_000, 1.9e4, 10**5 + 0.9 * 10**4, 1_000_000)],
)
def test_s2s_rewards(reward: str, illegal: float, regular: float, joining: float, win: float) -> None:
    environment = s2(reward)
    assert play(environment, [cell("h8")]).rewards[0] == pytest.approx(regular)
    assert play(environment, [cell("h8")]).rewards[0] == illegal
    play(environment, [cell("a1")])
    assert play(environment, [cell("i8")]).rewards[0] == pytest.approx(joining)  # one stone joined
    for name in ("c1", "j8", "e1", "k8", "g1"):
        play(environment, [cell(name)])
    assert play(environment, [cell("l8")]).rewards[0] == win


def test_s2s_rewards_of_a_draw() -> None:
    environment = Environment(DqnParams(**{**S2, "size": 3, "n_in_row": 3, "reward": "s2-plain"}), 1, seed=1)
    steps = [play(environment, [point]) for point in (4, 0, 2, 6, 3, 5, 1, 7, 8)]
    assert steps[-1].rewards[0] == 50
    assert REWARDS["s2-shaped"].draw == 100_000


def test_s2s_returns_are_from_own_move_to_own_move() -> None:
    returns = S2Returns(REWARDS["s2-plain"], 0.5)
    assert returns.push(*ply(0, [7.0, 7.0, 7.0, 7.0], [False, False, False, True])) is None
    batch = returns.push(*ply(1, [4.0] * 4, [False, True, True, False], [GOES_ON, WON, DRAWN, GOES_ON]))
    assert batch is not None
    assert batch.moves.tolist() == [0] * 4
    assert batch.returns.tolist() == [7, -100, 50, 7]  # the answer's reward does not count, but a loss does
    assert batch.factors.tolist() == [0.5, 0, 0, 0]
    assert (batch.next_stones == 2).all()


def test_s2s_loss_is_half_the_squared_error() -> None:
    params = DqnParams(**{**vars(TINY), **S2, "learning_rate": 1e-9})
    learner = QLearner(params)
    rng = np.random.default_rng(3)
    stones, following = rng.integers(-1, 2, (2, 5, 6, 6)).astype(np.int8)
    ones = np.ones(5, np.uint8)
    rewards = np.array([19_000, -1e6, 1e6, 1.09e5, -1e6], np.float32)
    batch = Batch(stones, ones, np.arange(5, dtype=np.int32), rewards, following, ones, np.full(5, 0.9, "f"))
    values = q_network.values(learner.net, stones, ones)[np.arange(5), np.arange(5)]
    best = q_network.values(learner.net, following, ones).max(axis=1)  # over all points, occupied or not
    expected = ((values - (rewards / 1e6 + 0.9 * best)) ** 2).mean() / 2
    assert learner.step(batch, 0.0, rng) == pytest.approx(expected, rel=1e-4)


# -- the memory


def ply(number: int, rewards: list[float], ended: list[bool], status: list[int] | None = None) -> tuple[Any, ...]:
    """A ply of every game, and the stones and turns after it."""
    count = len(rewards)
    stones = np.full((count, 3, 3), number, np.int8)
    black = np.full(count, number % 2 == 0, np.uint8)
    following = np.full((count, 3, 3), number + 1, np.int8)
    moves = np.full(count, number, np.int32)
    statuses = np.array(status or [WON if end else GOES_ON for end in ended], np.uint8)
    return Ply(stones, black, moves, np.array(rewards, np.float32), np.array(ended), statuses), following, 1 - black


def test_returns_over_two_plies_count_the_enemys_rewards_against_the_mover() -> None:
    returns = Returns(2, 0.5)
    assert returns.push(*ply(0, [1.0, 1.0, 1.0], [False, False, True])) is None
    batch = returns.push(*ply(1, [4.0, 4.0, 4.0], [False, True, False]))
    assert batch is not None
    assert batch.moves.tolist() == [0, 0, 0]
    assert batch.returns.tolist() == [1 - 0.5 * 4, 1 - 0.5 * 4, 1]  # nothing after an end counts
    assert batch.factors.tolist() == [0.25, 0, 0]
    assert (batch.next_stones == 2).all()
    assert batch.black.tolist() == [1, 1, 1]


def test_the_memory_forgets_the_oldest() -> None:
    memory = ReplayMemory(4, 3)
    for number in range(6):
        made, following, next_black = ply(number, [float(number)], [False])
        memory.add(Batch(made.stones, made.black, made.moves, made.rewards, following, next_black, made.rewards))
    assert len(memory) == 4
    assert set(memory.sample(200, np.random.default_rng(1)).moves) == {2, 3, 4, 5}


# -- learning


@pytest.mark.parametrize("network", KINDS)
@pytest.mark.parametrize("double", [True, False])
def test_the_target_is_the_reward_less_what_the_enemy_gets(network: Any, double: bool) -> None:
    params = replace(TINY, network=network, double=double, symmetries=False, learning_rate=1e-9)
    learner = QLearner(params)
    rng = np.random.default_rng(3)
    stones, following = rng.integers(-1, 2, (2, 5, 6, 6)).astype(np.int8)
    ones = np.ones(5, np.uint8)
    batch = Batch(
        stones, ones, np.arange(5, dtype=np.int32), rng.random(5, np.float32), following, ones, np.full(5, -0.9, "f")
    )
    values = q_network.values(learner.net, stones, ones)[np.arange(5), np.arange(5)]
    best = np.where(following.reshape(5, -1) == 0, q_network.values(learner.net, following, ones), -np.inf).max(axis=1)
    error = np.abs(values - (batch.returns - 0.9 * best))
    expected = np.where(error < 1, error**2 / 2, error - 0.5).mean()
    assert learner.step(batch, 0.0, rng) == pytest.approx(expected, rel=1e-4)


def test_a_symmetry_moves_stones_and_moves_together() -> None:
    learner = QLearner(TINY)
    stones = np.zeros((6, 6, 6), np.int8)
    moves = np.array([0, 5, 7, 20, 31, 35], np.int32)
    stones.reshape(6, -1)[np.arange(6), moves] = 1
    batch = Batch(stones, np.ones(6, np.uint8), moves, np.zeros(6, "f"), stones, np.ones(6, np.uint8), np.zeros(6, "f"))
    seen = set()
    for seed in range(40):
        planes, points, _ = learner._in_random_symmetry(batch, np.random.default_rng(seed))
        assert (planes.flatten(1)[torch.arange(6), points] == 1).all()
        seen.add(tuple(points.tolist()))
    assert len(seen) == 8


@pytest.mark.parametrize("network", KINDS)
def test_every_network_learns_which_move_was_rewarded(network: Any) -> None:
    learner = QLearner(replace(TINY, network=network, symmetries=False, learning_rate=3e-3))
    rng = np.random.default_rng(1)
    stones = np.zeros((32, 6, 6), np.int8)
    stones[:, 2, 1:4] = 1
    moves = rng.integers(0, 36, 32).astype(np.int32)
    moves[:4] = 2 * 6 + 4  # makes four in a row
    ones = np.ones(32, np.uint8)
    batch = Batch(stones, ones, moves, (moves == 16).astype("f"), stones, ones, np.zeros(32, "f"))
    first = learner.step(batch, 0.0, rng)
    losses = [learner.step(batch, 0.0, rng) for _ in range(150)]
    assert losses[-1] < first / 5
    assert q_network.values(learner.net, stones[:1], ones[:1])[0, 16] > 0.7


def test_lines_are_the_same_in_every_symmetry() -> None:
    net = q_network.make(QConfig("lines", 7, 8))
    stones = torch.randint(-1, 2, (4, 7, 7)).float()
    values = net(stones, torch.ones(4)).unflatten(1, (7, 7))
    for turn in range(4):
        for flip in (False, True):
            seen = torch.rot90(stones.flip(1) if flip else stones, turn, (1, 2)).contiguous()
            expected = torch.rot90(values.flip(1) if flip else values, turn, (1, 2))
            assert torch.allclose(net(seen, torch.ones(4)).unflatten(1, (7, 7)), expected, atol=1e-5)


# -- runs


def test_a_run_learns_and_leaves_a_network_that_plays(tmp_path: Path) -> None:
    trainer, entries = run(tmp_path / "run")
    assert trainer.counters.games >= 60
    assert trainer.counters.steps > 0
    assert trainer.folder.read_log() == entries
    board = Board.from_moves("c3", size=6, n_in_row=4)
    player = create(f"dqn:model={tmp_path / 'run' / 'networks' / 'newest.safetensors'}")
    assert board.is_legal(player.choose(board))
    assert player.thoughts is not None


@pytest.mark.parametrize("illegal", ["mask", "punish"])
@pytest.mark.parametrize("reward", ["s2-plain", "s2-shaped", "plain", "shaped"])
def test_the_documents_learner_runs_with_both_rewards(tmp_path: Path, reward: str, illegal: str) -> None:
    params = DqnParams(**{**vars(TINY), **S2, "reward": reward, "illegal": illegal})
    trainer, entries = run(tmp_path / "run", params)
    assert trainer.counters.steps > 0
    punished = sum(entry["illegal"] for entry in entries)
    assert (punished > 0) == (illegal == "punish")


def test_a_run_goes_on_where_it_was(tmp_path: Path) -> None:
    first, _ = run(tmp_path / "run")
    with OpenRun(tmp_path / "run") as opened:
        again = DqnTrainer(opened, replace(TINY, games=90, filters=99), lambda entry: None)
        assert again.counters == first.counters
        assert again.params == replace(TINY, games=90)
        for name, array in first.learner.state().items():
            assert (again.learner.state()[name] == array).all(), name
        again.run()
    assert again.counters.games >= 90
    assert again.learner.steps > first.learner.steps


def test_the_same_seed_learns_the_same(tmp_path: Path) -> None:
    states = [run(tmp_path / name)[0].learner.state() for name in ("a", "b")]
    assert all((states[0][name] == states[1][name]).all() for name in states[0])


def test_ctrl_c_saves_and_stops(tmp_path: Path) -> None:
    options = ["--size", "6", "--boards", "4", "--minutes", "9", "--start", "50", "--log-seconds", "0.2"]
    command = ["dqn", "train", "--runs", str(tmp_path), "--run", "x", *options]
    process = subprocess.Popen(
        [sys.executable, "-c", "from tengen.cli import main; main()", *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 60
    while not (tmp_path / "x" / "log.jsonl").exists() and time.monotonic() < deadline:
        time.sleep(0.1)
    os.kill(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "the same command goes on" in out
    assert "Traceback" not in err
    assert (tmp_path / "x" / "networks" / "newest.safetensors").exists()


@pytest.mark.parametrize("ours", [True, False])
def test_a_comparison_of_rewards(tmp_path: Path, ours: bool) -> None:
    params = replace(TINY, **({} if ours else S2))
    results = compare.compare(tmp_path, params, [20, 40], 10, lambda result: None)
    names = ["plain", "plain", "shaped", "shaped"] if ours else ["s2-plain", "s2-plain", "s2-shaped", "s2-shaped"]
    assert [result.name for result in results] == ["random", *names]
    assert compare.table(results).count("\n") == 6
    assert compare.compare(tmp_path, params, [20, 40], 10, lambda result: None) == [
        compare.Result.from_dict(result.as_dict(), 10) for result in results
    ]
    assert json.dumps([result.as_dict() for result in results])


def test_figures_of_games_against_random() -> None:
    def first_free_row(stones: Any, black: Any) -> Any:
        return (stones.reshape(len(stones), -1) == 0).argmax(axis=1).astype(np.int32)

    measured = against_random(first_free_row, replace(TINY, size=8), 40, seed=1)
    assert measured.won > 0.8
    assert 1 <= measured.nearest < 1.5 < measured.distance < 4
    assert 7 <= measured.length <= 64


def test_distances_of_stones() -> None:
    stones = np.zeros((5, 5))
    stones[0, 0] = stones[0, 1] = stones[4, 4] = 1
    assert distances(stones) == pytest.approx(((1 + 4 + 4) / 3, (1 + 1 + 4) / 3))


def test_old_files_load_or_are_refused_in_a_sentence(tmp_path: Path) -> None:
    config = QConfig("lines", 6, 4)
    info = {"rules": [], "sizes": [], "run": "", "games": 0, "license": "MIT", "created": ""}
    arrays = q_network.to_arrays(q_network.make(config))
    old = {"size": 6, "filters": 4, "layers": 3, "hidden": 256}
    for kind in ("lines", "document"):
        described = ModelInfo(architecture="q-network", config={"kind": kind, **old}, **info)  # type: ignore[arg-type]
        files.save(tmp_path / f"{kind}.safetensors", arrays, described)
    net, loaded, _ = q_network.load(tmp_path / "lines.safetensors")
    assert loaded == config
    assert q_network.to_arrays(net).keys() == arrays.keys()
    with pytest.raises(ModelFileError, match=r'there is no Q-network "document"; choose one of s2, duelling, lines$'):
        q_network.load(tmp_path / "document.safetensors")


# -- what people can do wrong


@pytest.mark.parametrize(
    "wrong", [{"reward": "none"}, {"size": 2}, {"rule": "renju"}, {"epsilon": 2.0}, {"boards": 0}, {"n_in_row": 20}]
)
def test_wrong_parameters_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(SetupError, match=next(iter(wrong)) if "size" not in wrong else "size"):
        DqnParams(**wrong)


def test_a_run_of_something_else_is_refused() -> None:
    with pytest.raises(SetupError, match="selfplay"):
        DqnParams(**{"selfplay": {}})  # type: ignore[arg-type]


def test_a_run_needs_a_limit(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="limit"), OpenRun(tmp_path / "x") as opened:
        DqnTrainer(opened, replace(TINY, games=0), lambda entry: None)
    assert not (tmp_path / "x").exists()


def test_models_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="no model file"):
        create("dqn:model=nowhere.safetensors")
    shipped = Path(q_network.__file__).parent / "shipped" / "freestyle.safetensors"
    with pytest.raises(ModelFileError, match="not one for Q-learning"):
        create(f"dqn:model={shipped}").choose(Board())
    info = {"rules": [], "sizes": [], "run": "", "games": 0, "license": "MIT", "created": ""}
    config = QConfig("s2", 6, 4)
    q_network.save(tmp_path / "small.safetensors", q_network.make(config), config, info)
    with pytest.raises(SetupError, match="6x6"):
        create(f"dqn:model={tmp_path / 'small.safetensors'}").choose(Board())
