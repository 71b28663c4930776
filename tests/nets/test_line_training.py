"""Training the line network: the fused pass against plain autograd, and learning itself."""

from __future__ import annotations

import copy

import numpy as np
import pytest
import torch
from line_positions import random_positions

from tengen import core
from tengen.nets.fused import fused_loss
from tengen.nets.line import LineConfig, LineNet, grown, losses, to_arrays, to_network
from tengen.nets.line_batch import BatchEncoder, LineBatch, Positions

CONFIGS = [LineConfig(4, 32, 64), LineConfig(4, 64), LineConfig(5, 64), LineConfig(5, 128, 64), LineConfig(4, 32, 256)]


def mixed_batch(radius: int, seed: int = 0, count: int = 4) -> LineBatch:
    """A small one: among a million activations some lie so close to a kink that rounding decides their gradient."""
    rng = np.random.default_rng(seed)
    sizes = ((15, 15), (7, 9), (20, 20))
    return BatchEncoder(radius).encode([random_positions(rng, *size, radius, count)[1] for size in sizes])


def disturbed_model(config: LineConfig) -> LineNet:
    """No weight is at a round value, so that no gradient is zero by accident."""
    torch.manual_seed(1)
    model = LineNet(config)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn_like(parameter), alpha=0.02)
    return model


@pytest.mark.parametrize("config", CONFIGS)
def test_fused_gradients_equal_autograd(config: LineConfig) -> None:
    model, batch = disturbed_model(config), mixed_batch(config.radius)
    for _ in range(3):
        fused_loss(model, batch)  # lets the normalisation settle
    loss, policy, value = fused_loss(model, batch, value_weight=0.7, update_moments=False)
    loss.backward()  # type: ignore[no-untyped-call]
    exact = copy.deepcopy(model).double()
    exact.zero_grad()
    exact_policy, exact_value = losses(exact(batch), batch)
    (exact_policy + 0.7 * exact_value).backward()  # type: ignore[no-untyped-call]
    assert policy == pytest.approx(exact_policy.item(), abs=1e-5)
    assert value == pytest.approx(exact_value.item(), abs=1e-5)
    for (name, parameter), wanted in zip(model.named_parameters(), exact.parameters(), strict=True):
        assert parameter.grad is not None
        assert wanted.grad is not None
        error = (parameter.grad - wanted.grad).abs().max().item()
        assert error < 1e-5, f"{name}: {error}"
        assert wanted.grad.abs().max() > 1e-6, f"{name} has no gradient"


def test_a_network_from_a_file_learns_on_as_it_was() -> None:
    config = LineConfig(4, 32, 64)
    trained, batch = disturbed_model(config), mixed_batch(4)
    for _ in range(3):
        fused_loss(trained, batch)
    loaded = LineNet(config)
    loaded.load_arrays(to_arrays(trained))
    _, policy, value = fused_loss(loaded, mixed_batch(4, seed=1))  # measures the normalisation
    expected = fused_loss(trained, mixed_batch(4, seed=1), update_moments=False)
    assert (policy, value) == pytest.approx(expected[1:], abs=1e-5)
    assert loaded.cell_moments.mean.abs().max() > 0.1, "it has a normalisation of its own"
    assert loaded.moments_seen == 2


def test_positions_without_a_policy_target_train_the_value_only() -> None:
    rng = np.random.default_rng(2)
    _, full = random_positions(rng, 9, 9, 5, 8)
    blank = Positions(9, 9, full.stones, full.conditions, np.zeros_like(full.policy), full.outcome)
    model, encoder = disturbed_model(LineConfig()), BatchEncoder(5)
    loss, policy, value = fused_loss(model, encoder.encode([blank]))
    loss.backward()  # type: ignore[no-untyped-call]
    assert policy == 0
    assert loss.item() == pytest.approx(value)
    assert model.output.grad is not None
    assert not model.output.grad.any()


def test_windows_and_their_reverses_are_one() -> None:
    rng = np.random.default_rng(3)
    _, positions = random_positions(rng, 15, 15, 5, 20)
    mirrored = positions.stones.reshape(-1, 15, 15)[:, :, ::-1].reshape(-1, 225)
    encoder = BatchEncoder(5)
    once = encoder.encode([positions])
    both = Positions(
        15,
        15,
        np.concatenate([positions.stones, mirrored]),
        np.tile(positions.conditions, 2),
        np.tile(positions.policy, (2, 1)),
        np.tile(positions.outcome, (2, 1)),
    )
    assert len(encoder.encode([both]).windows) == len(once.windows)
    forward, reverse = core.window_inputs(once.windows, 5)
    seen = {tuple(row) for row in forward}
    assert len(seen) == len(once.windows)
    for row, back in zip(forward, reverse, strict=True):
        assert tuple(row) == tuple(back) or tuple(back) not in seen


@pytest.mark.parametrize(("width", "height"), [(30, 30), (23, 1), (0, 0)])
def test_boards_that_nothing_can_hold_are_refused(width: int, height: int) -> None:
    stones = np.zeros((1, width * height), np.uint8)
    with pytest.raises(ValueError, match="1 to 22 points a side"):
        core.mark_candidates(stones, width, height)
    with pytest.raises(ValueError, match="1 to 22 points a side"):
        core.WindowEncoder(4).add(stones, width, height, np.zeros(1, np.uint8))


def test_candidates_are_those_of_the_board() -> None:
    rng = np.random.default_rng(4)
    for size in ((15, 15), (5, 5), (22, 22), (6, 11)):
        boards, positions = random_positions(rng, *size, 5, 10)
        marked = core.mark_candidates(positions.stones, *size)
        for board, mask in zip(boards, marked, strict=True):
            assert np.flatnonzero(mask).tolist() == board.candidates()


def test_weights_stay_in_the_integer_range() -> None:
    model, batch = disturbed_model(LineConfig()), mixed_batch(5)
    fused_loss(model, batch)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(30)
    with pytest.raises(ValueError, match="leave the range"):
        to_network(model)
    model.clip_weights()
    to_network(model)
    before = to_arrays(model)
    model.clip_weights()
    for name, array in to_arrays(model).items():
        np.testing.assert_allclose(array, before[name], rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("config", CONFIGS[1:3])
def test_learns_a_few_positions_by_heart(config: LineConfig) -> None:
    rng = np.random.default_rng(5)
    sizes = ((15, 15), (9, 9))
    batch = BatchEncoder(config.radius).encode([random_positions(rng, *size, config.radius, 6)[1] for size in sizes])
    entropy = [
        -sum(float((p * np.log(np.maximum(p, 1e-12))).sum()) for p in (getattr(g, name) for g in batch.groups))
        / batch.size
        for name in ("policy", "outcome")
    ]
    torch.manual_seed(0)
    model = LineNet(config)
    steps = 600
    optimizer = torch.optim.Adam(model.parameters(), 1e-2)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 1e-2, total_steps=steps)
    for _ in range(steps):
        optimizer.zero_grad()
        loss, policy, value = fused_loss(model, batch)
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        schedule.step()
        model.clip_weights()
    assert policy - entropy[0] < 0.05
    assert value - entropy[1] < 0.01


def test_a_grown_network_computes_the_same() -> None:
    small, large = disturbed_model(LineConfig(4, 32, 64)), LineNet(LineConfig(5, 32, 128))
    large.load_state_dict(grown(small.state_dict(), large))
    _, positions = random_positions(np.random.default_rng(3), 11, 9, 5, 20)
    outputs = (net(BatchEncoder(net.config.radius).encode([positions]))[0] for net in (small, large))
    for before, after in zip(*outputs, strict=True):
        torch.testing.assert_close(after, before, rtol=1e-4, atol=1e-4)


def test_a_rule_that_was_never_played_begins_as_those_that_were() -> None:
    played = disturbed_model(LineConfig(4, 32, 64))
    with torch.no_grad():
        played.window0[-4:] = 0
    large = LineNet(LineConfig(5, 32, 64))
    large.load_state_dict(grown(played.state_dict(), large))
    freestyle, *others = large.window0[-5:]
    assert (freestyle == played.window0[-5]).all()
    assert all((rule == freestyle).all() for rule in others)


@pytest.mark.parametrize("config", [LineConfig(4, 32, 128), LineConfig(5, 32, 64), LineConfig(5, 64, 128)])
def test_only_a_smaller_network_can_grow(config: LineConfig) -> None:
    with pytest.raises(ValueError, match="does not fit"):
        grown(LineNet(LineConfig(5, 32, 128)).state_dict(), LineNet(config))
