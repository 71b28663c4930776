"""The PettingZoo environment: its own test, and what it says about a game."""

from __future__ import annotations

import sys

import numpy as np
import pytest

pytest.importorskip("pettingzoo")

from pettingzoo.test import api_test, seed_test

from tengen import Board
from tengen.envs import GomokuEnv


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("settings", [{"size": 5}, {"size": 3, "n_in_row": 3}, {"size": 7, "rule": "renju"}])
def test_the_api(settings: dict[str, object]) -> None:
    api_test(GomokuEnv(**settings), num_cycles=200)  # type: ignore[arg-type]


def test_seeds() -> None:
    seed_test(lambda: GomokuEnv(size=5), num_cycles=50)


def test_a_won_game() -> None:
    env = GomokuEnv(size=9, render_mode="ansi")
    env.reset()
    for action in (0, 9, 1, 10, 2, 11, 3, 12, 4):
        assert not any(env.terminations.values())
        env.step(action)
    assert env.rewards == {"black": 1, "white": -1}
    assert all(env.terminations.values())
    assert env.render() == str(Board.from_moves("a9 a8 b9 b8 c9 c8 d9 d8 e9", size=9))


def test_an_observation_is_the_agents_view() -> None:
    env = GomokuEnv(size=5)
    env.reset()
    env.step(0)
    black, white = env.observe("black"), env.observe("white")
    assert black["observation"][0, 0].tolist() == [1, 0, 1]
    assert white["observation"][0, 0].tolist() == [0, 1, 0]
    assert black["action_mask"].sum() == 0, "it is not black's turn"
    assert np.flatnonzero(white["action_mask"] == 0).tolist() == [0]
    assert env.observation_space("white").contains(white)


def test_an_illegal_action_loses() -> None:
    env = GomokuEnv(size=5)
    env.reset()
    env.step(7)
    env.step(7)
    assert env.rewards == {"black": 1, "white": -1}


def test_without_pettingzoo_it_is_an_import_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    monkeypatch.delitem(sys.modules, "tengen.envs")
    with pytest.raises(ImportError, match="the environments need PettingZoo: pip install"):
        import tengen.envs  # noqa: F401
