"""Everything that shapes a run of Q-learning, with meaning, unit and default."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from tengen.board import MAX_SIDE, MIN_SIDE
from tengen.errors import SetupError

RULES = ("freestyle", "standard", "caro")
CHOICES = {
    "rule": RULES,
    "reward": ("plain", "shaped", "s2-plain", "s2-shaped"),
    "illegal": ("mask", "punish"),
    "network": ("s2", "duelling", "lines"),
    "loss": ("huber", "squared"),
}


@dataclass(frozen=True, kw_only=True)
class DqnParams:
    """A run of Q-learning.

    Attributes:
        size: Points on each side of the board.
        rule: freestyle, standard or caro.
        n_in_row: Length of the winning row.
        games: The run ends after so many games; 0 for no limit.
        minutes: The run ends after so many minutes; 0 for no limit.
        reward: "plain" knows wins, draws and illegal moves; "shaped" adds the logarithm of S2's score of rows to
            them. "s2-plain" and "s2-shaped" are S2's two rewards with its own numbers (docs/origins.md).
        blocking: Weight of the enemy's rows in the shaped reward (S2's 0.9).
        shaping: Weight of the shaped reward, in wins for making a five.
        reward_unit: Rewards are learned in this unit. S2's numbers reach into the millions, which a network that starts
            near 0 does not reach in steps of the learning rate.
        illegal: "mask" never plays on occupied points; "punish" lets the network learn that from its reward.
        network: "s2" is S2's, "duelling" convolutional, "lines" one that looks lines up in a table.
        filters: Of the convolutions, or numbers that describe a line.
        layers: Convolutions after the first; for "duelling".
        double: The network that learns picks the next move, the target network values it (van Hasselt 2016).
        symmetries: Learn from each position in a random symmetry.
        loss: "squared" is S2's; "huber" lets no single move pull too hard, and cuts large gradients.
        boards: Games played at the same time.
        steps: Plies until the target network takes over: 1 values the enemy's answer, 2 the own next move (S2's).
        discount: What the next ply counts against this one.
        epsilon: Share of random moves at the start ...
        epsilon_end: ... and at the end of the schedule ...
        epsilon_moves: ... which is so many moves long.
        opening_stones: Random stones before a game, at most.
        memory: Moves that are remembered.
        start: Learning begins when so many moves are remembered.
        batch: Moves in a step of learning.
        reuse: How often a move is learned from, on average.
        learning_rate: Of Adam at the start; it falls in a straight line to a tenth at the end of a limited run.
        target_steps: Steps of learning after which the target network is renewed.
        checkpoint_seconds: How often the run is saved.
        log_seconds: How often a line is logged.
        seed: Of everything random.
    """

    size: int = 15
    rule: str = "freestyle"
    n_in_row: int = 5
    games: int = 0
    minutes: float = 10.0
    reward: str = "shaped"
    blocking: float = 0.9
    shaping: float = 0.5
    reward_unit: float = 1.0
    illegal: str = "mask"
    network: str = "lines"
    filters: int = 16
    layers: int = 3
    double: bool = True
    symmetries: bool = True
    loss: str = "huber"
    boards: int = 64
    steps: int = 1
    discount: float = 0.9
    epsilon: float = 1.0
    epsilon_end: float = 0.05
    epsilon_moves: int = 40_000
    opening_stones: int = 4
    memory: int = 200_000
    start: int = 2_000
    batch: int = 128
    reuse: float = 2.0
    learning_rate: float = 1e-3
    target_steps: int = 100
    checkpoint_seconds: float = 60.0
    log_seconds: float = 10.0
    seed: int = 1

    def __post_init__(self) -> None:
        for name, allowed in CHOICES.items():
            if getattr(self, name) not in allowed:
                raise SetupError(f'{name} must be one of {", ".join(allowed)}, not "{getattr(self, name)}"')
        if not MIN_SIDE <= self.size <= MAX_SIDE:
            raise SetupError(f"a board size is from {MIN_SIDE} to {MAX_SIDE}, not {self.size}")
        if not 3 <= self.n_in_row <= self.size:
            raise SetupError(f"n_in_row is from 3 to the board's size, not {self.n_in_row}")
        if self.reward.startswith("s2-") and self.steps != 2:
            raise SetupError(f"S2's rewards are for the way to the own next move: steps must be 2, not {self.steps}")
        for name in (
            "boards",
            "steps",
            "memory",
            "batch",
            "target_steps",
            "filters",
            "learning_rate",
            "reuse",
            "reward_unit",
        ):
            if getattr(self, name) <= 0:
                raise SetupError(f"{name} must be above 0, not {getattr(self, name)}")
        for name in ("games", "minutes", "shaping", "blocking", "opening_stones", "layers", "start", "epsilon_moves"):
            if getattr(self, name) < 0:
                raise SetupError(f"{name} must not be negative, not {getattr(self, name)}")
        for name in ("epsilon", "epsilon_end", "discount"):
            if not 0 <= getattr(self, name) <= 1:
                raise SetupError(f"{name} is a share from 0 to 1, not {getattr(self, name)}")

    def epsilon_after(self, moves: int) -> float:
        """The share of random moves when so many were made."""
        progress = min(1.0, moves / self.epsilon_moves) if self.epsilon_moves else 1.0
        return self.epsilon + (self.epsilon_end - self.epsilon) * progress


#: The largest of the fixed rewards of S2: its learner takes it for 1.
S2_UNITS: MappingProxyType[str, float] = MappingProxyType({"s2-plain": 1e4, "s2-shaped": 1e6})

#: S2's learner: its network, its reward, and Q-learning over the own next move without the later inventions.
S2: MappingProxyType[str, Any] = MappingProxyType(
    {
        "network": "s2",
        "filters": 16,
        "reward": "s2-shaped",
        "reward_unit": S2_UNITS["s2-shaped"],
        "illegal": "punish",
        "loss": "squared",
        "double": False,
        "symmetries": False,
        "steps": 2,
        "opening_stones": 0,
    }
)


def from_dict(values: dict[str, Any]) -> DqnParams:
    """Parameters as they stand in a run's folder."""
    known = {item.name for item in dataclasses.fields(DqnParams)}
    for key in values:
        if key not in known:
            raise SetupError(f'a run of Q-learning has no parameter "{key}"')
    return DqnParams(**values)


#: Fields that a run which goes on may change.
LIMITS = ("games", "minutes")


@dataclass
class Counters:
    """What has happened so far in a run."""

    seconds: float = 0.0
    games: int = 0
    moves: int = 0
    steps: int = 0
    parts: int = 0
