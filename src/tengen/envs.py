"""Gomoku as a PettingZoo environment, for other people's learning algorithms. Needs: pip install 'tengen[rl]'."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from tengen.board import Board, Color, Move

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
except ModuleNotFoundError:
    raise ImportError("the environments need PettingZoo: pip install 'tengen[rl]'") from None

AGENTS = ("black", "white")


class GomokuEnv(AECEnv):  # type: ignore[misc]  # PettingZoo is not there for the type check
    """Two agents, "black" and "white", who place stones in turn.

    An action is the number of a point, row by row from the top left. An observation is a dict of ``observation``, int8
    [height, width, 3]: own stones, the opponent's, and 1 everywhere for black; and of ``action_mask``, int8 [height *
    width]: 1 where the agent may play now. Rewards are 1 and -1 at the end, 0 for a draw. An illegal action loses.

    >>> env = GomokuEnv(size=9)
    >>> env.reset(seed=1)
    >>> env.agent_selection
    'black'
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"], "name": "gomoku_v0", "is_parallelizable": False}

    def __init__(
        self, size: int = 15, rule: str = "freestyle", n_in_row: int = 5, render_mode: str | None = None
    ) -> None:
        """An environment; `reset` starts a game.

        Args:
            size: Points on each side.
            rule: "freestyle", "standard", "renju" or "caro".
            n_in_row: Length of the winning row.
            render_mode: "ansi" makes `render` return the board as text.
        """
        super().__init__()
        self._settings: dict[str, Any] = {"size": size, "rule": rule, "n_in_row": n_in_row}
        self._board = Board(**self._settings)
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        cells = size * size
        self.action_spaces = {agent: spaces.Discrete(cells) for agent in AGENTS}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0, 1, (size, size, 3), np.int8),
                    "action_mask": spaces.Box(0, 1, (cells,), np.int8),
                }
            )
            for agent in AGENTS
        }

    def observation_space(self, agent: str) -> Any:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts a game; there is no chance in it, so the seed changes nothing."""
        self._board = Board(**self._settings)
        self.agents = list(AGENTS)
        self.agent_selection = AGENTS[0]
        self.rewards = dict.fromkeys(AGENTS, 0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}

    def observe(self, agent: str) -> dict[str, npt.NDArray[np.int8]]:
        """What an agent sees; only the one who is to move may play anywhere."""
        board, color = self._board, Color(AGENTS.index(agent))
        planes = np.zeros((board.height, board.width, 3), np.int8)
        for move in board.moves:
            planes[move.y, move.x, 0 if board.piece_at(move) == color else 1] = 1
        planes[:, :, 2] = color == Color.BLACK
        mask = np.zeros(board.width * board.height, np.int8)
        if agent == self.agent_selection:
            mask[[move.y * board.width + move.x for move in board.legal_moves]] = 1
        return {"observation": planes, "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Places a stone of the agent whose turn it is."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        color = Color(AGENTS.index(agent))
        move = None if action is None else Move(int(action) % self._board.width, int(action) // self._board.width)
        if move is None or not self._board.is_legal(move):
            self._end(color.other)
        else:
            self._board.push(move)
            if (outcome := self._board.outcome()) is not None:
                self._end(outcome.winner)
        self.agent_selection = AGENTS[color.other]
        self._accumulate_rewards()

    def _end(self, winner: Color | None) -> None:
        self.terminations = dict.fromkeys(AGENTS, True)
        if winner is not None:
            self.rewards = {agent: 1 if Color(place) == winner else -1 for place, agent in enumerate(AGENTS)}

    def render(self) -> str | None:
        """The board as text, in the render mode "ansi"."""
        return str(self._board) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing to give back."""
