"""The integer network in C++ against the model in PyTorch, and against itself."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from line_positions import RULES, new_board, random_board, random_positions

from tengen import Board, core
from tengen.nets.fused import fused_loss
from tengen.nets.line import LineConfig, LineNet, to_arrays, to_network
from tengen.nets.line_batch import BatchEncoder
from tengen.nets.line_random import random_network

SIZES = ((15, 15), (9, 9), (20, 20), (5, 5), (22, 22), (7, 12), (19, 19), (6, 6))


def trained_model(config: LineConfig, seed: int = 0) -> LineNet:
    """A model that has left its initial weights: some steps towards random targets on boards of several sizes."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    model, encoder = LineNet(config), BatchEncoder(config.radius)
    optimizer = torch.optim.Adam(model.parameters(), 3e-3)
    groups = [random_positions(rng, *size, config.radius, 12)[1] for size in SIZES]
    for _ in range(40):
        optimizer.zero_grad()
        fused_loss(model, encoder.encode(groups))[0].backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        model.clip_weights()
    return model


@pytest.fixture(scope="module")
def model() -> LineNet:
    return trained_model(LineConfig(5, 64))


CONFIGS = [LineConfig(4, 32, 64), LineConfig(4, 64), LineConfig(5, 64), LineConfig(5, 128, 256)]


@pytest.mark.parametrize("config", CONFIGS)
def test_integers_agree_with_floats(config: LineConfig) -> None:
    model = trained_model(config)
    encoder, evaluator = BatchEncoder(config.radius), core.LineEvaluator(to_network(model))
    rng = np.random.default_rng(1)
    spread = []
    for width, height in SIZES:
        boards, positions = random_positions(rng, width, height, config.radius, 32)
        with torch.no_grad():
            ((logits, outcomes),) = model(encoder.encode([positions]))
        for board, wanted, outcome in zip(boards, logits.numpy(), outcomes.softmax(1).numpy(), strict=True):
            moves = board.candidates()
            evaluation, found = evaluator.evaluate(board, moves)
            np.testing.assert_allclose(found, wanted[moves], atol=0.05)
            assert evaluation.value == pytest.approx(outcome[0] - outcome[2], abs=0.01)
            np.testing.assert_allclose([evaluation.win, evaluation.draw, evaluation.loss], outcome, atol=0.01)
            spread.append(np.std(found))
    assert np.mean(spread) > 0.2  # the network has something to say


@pytest.mark.parametrize(("width", "height"), [(15, 15), (7, 12), (22, 22)])
@pytest.mark.parametrize("rule", RULES)
def test_history_does_not_matter(model: LineNet, width: int, height: int, rule: str) -> None:
    network = to_network(model)
    used, rng = core.LineEvaluator(network), np.random.default_rng(2)
    board = new_board(width, height, rule, 5)
    for _ in range(60):
        for _ in range(int(rng.integers(0, 6))):
            if board.ply and rng.random() < 0.45:
                board.undo()
            elif board.candidates():
                board.play(int(rng.choice(board.candidates())))
        moves = board.candidates()
        fresh = core.LineEvaluator(network)
        (seen, logits), (wanted, wanted_logits) = used.evaluate(board, moves), fresh.evaluate(board, moves)
        assert (seen.value, seen.win, seen.draw, seen.loss) == (wanted.value, wanted.win, wanted.draw, wanted.loss)
        assert logits == wanted_logits


def test_boards_and_rules_may_alternate(model: LineNet) -> None:
    network = to_network(model)
    used, rng = core.LineEvaluator(network), np.random.default_rng(3)
    boards = [random_board(rng, *size, rule, 5) for size in SIZES for rule in RULES]
    for _ in range(3):
        rng.shuffle(boards)
        for board in boards:
            moves = board.candidates()
            seen, logits = used.evaluate(board, moves)
            wanted, wanted_logits = core.LineEvaluator(network).evaluate(board, moves)
            assert (seen.value, logits) == (wanted.value, wanted_logits)


@pytest.mark.parametrize("rule", RULES)
def test_symmetries_give_equal_numbers(model: LineNet, rule: str) -> None:
    evaluator, rng = core.LineEvaluator(to_network(model)), np.random.default_rng(4)
    for width, height in SIZES:
        board = random_board(rng, width, height, rule, 5)
        moves = board.candidates()
        wanted, wanted_logits = evaluator.evaluate(board, moves)
        for symmetry in range(1, 8):
            shape = (height, width) if symmetry >= 4 else (width, height)
            image = new_board(*shape, rule, 5)
            for cell, color in zip(board.moves, board.colors, strict=True):
                image.place(board.transform(cell, symmetry), color)
            seen, logits = evaluator.evaluate(image, [board.transform(cell, symmetry) for cell in moves])
            assert (seen.value, seen.win, seen.draw, seen.loss) == (wanted.value, wanted.win, wanted.draw, wanted.loss)
            assert logits == wanted_logits


def test_order_of_moves_does_not_matter(model: LineNet) -> None:
    evaluator, rng = core.LineEvaluator(to_network(model)), np.random.default_rng(5)
    board = random_board(rng, 15, 15, "freestyle", 5, 30)
    moves = board.candidates()
    wanted, wanted_logits = evaluator.evaluate(board, moves)
    order = rng.permutation(len(moves))
    seen, logits = evaluator.evaluate(board, [moves[i] for i in order])
    assert seen.value == wanted.value
    assert logits == [wanted_logits[i] for i in order]


def test_the_search_lists_forbidden_points_as_training_does() -> None:
    """The value looks at the cells that are listed: leaving black's forbidden points out would change it."""
    network = random_network(5, 64, seed=1)
    board = Board.from_moves("h8 h10 i8 g6 j9 h12 j10 l12", rule="renju")
    forbidden = board.forbidden_points()
    assert forbidden
    value, moves, priors = core.NetworkEvaluator(network).judge(board._core)
    listed = new_board(15, 15, "renju", 5)
    for cell, color in zip(board._core.moves, board._core.colors, strict=True):
        listed.place(cell, color)
    assert set(listed.candidates()) - set(moves) == {board._cell(point) for point in forbidden}
    assert value == core.LineEvaluator(network).evaluate(listed, listed.candidates())[0].value
    assert sum(priors) == pytest.approx(1)


def test_a_board_without_windows_is_refused_after_one_with_them() -> None:
    evaluator = core.LineEvaluator(random_network(5, 64, seed=1))
    evaluator.evaluate(core.Board(15, 15, core.Rule.standard, 5, 5), [112])
    with pytest.raises(ValueError, match="keeps windows"):
        evaluator.evaluate(core.Board(15, 15, core.Rule.standard, 6, 5), [112])


def test_no_moves_may_be_asked_for(model: LineNet) -> None:
    evaluation, logits = core.LineEvaluator(to_network(model)).evaluate(new_board(15, 15, "renju", 5), [])
    assert logits == []
    assert evaluation.win + evaluation.draw + evaluation.loss == pytest.approx(1)


def test_bad_arrays_are_refused(model: LineNet) -> None:
    arrays = to_arrays(model)
    with pytest.raises(ValueError, match="radius must be 4 or 5, not 3"):
        core.LineNetwork(3, 64, 128, arrays)
    with pytest.raises(ValueError, match="32, 64 or 128 channels, not 48"):
        core.LineNetwork(5, 48, 128, arrays)
    with pytest.raises(ValueError, match="64, 128 or 256 hidden units, not 48"):
        core.LineNetwork(5, 64, 48, arrays)
    with pytest.raises(ValueError, match=r"'window\.0\.weight' has 4864 numbers instead of 4096"):
        core.LineNetwork(4, 64, 128, arrays)
    with pytest.raises(ValueError, match="no array 'depthwise'"):
        core.LineNetwork(5, 64, 128, {name: array for name, array in arrays.items() if name != "depthwise"})
    with pytest.raises(ValueError, match="not finite"):
        core.LineNetwork(5, 64, 128, arrays | {"value.2.bias": np.array([0, np.nan, 0], np.float32)})
    with pytest.raises(ValueError, match="leave the range"):
        core.LineNetwork(5, 64, 128, arrays | {"depthwise": arrays["depthwise"] + 2})
    with pytest.raises(ValueError, match="leave the range"):
        core.LineNetwork(5, 64, 128, arrays | {"policy.cell.weight": arrays["policy.cell.weight"] + 2})


def test_boards_of_another_radius_are_refused(model: LineNet) -> None:
    evaluator = core.LineEvaluator(to_network(model))
    with pytest.raises(ValueError, match="windows of radius 5"):
        evaluator.evaluate(new_board(15, 15, "freestyle", 4), [112])


def test_every_build_computes_the_same() -> None:
    """Whatever the instruction set: these were computed with AVX-512, AVX2 and without either."""
    signatures = [core.bench_net(random_network(4, channels), 3, 1, seed=1).signature for channels in (32, 64, 128)]
    assert [f"{signature:016x}" for signature in signatures] == [
        "3dcb5d4019e52a96",
        "69fe388da7872dcf",
        "2579ce85c298d33f",
    ]
