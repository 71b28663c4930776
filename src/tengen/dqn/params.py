"""Everything that shapes a run of Q-learning, with meaning, unit and default."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field

from tengen.board import MAX_SIDE
from tengen.errors import SetupError
from tengen.parameters import Count, Number, Parameters, Share, Side

Illegal: TypeAlias = Literal["mask", "punish"]
Network: TypeAlias = Literal["s2", "duelling", "lines"]


class DqnParams(Parameters):
    """A run of Q-learning."""

    size: Side = 15
    """Points on each side of the board."""
    rule: Literal["freestyle", "standard", "caro"] = "freestyle"
    """The rule of the game."""
    n_in_row: Annotated[int, Field(ge=3, le=MAX_SIDE)] = 5
    """Length of the winning row."""
    games: Count = 0
    """The run ends after so many games; 0 for no limit."""
    minutes: Annotated[float, Field(ge=0, le=10_000_000)] = 10.0
    """The run ends after so many minutes; 0 for no limit."""
    reward: Literal["plain", "shaped", "s2-plain", "s2-shaped"] = "shaped"
    """What a move earns: "plain" knows wins, draws and illegal moves; "shaped" adds the logarithm of a score of rows
    to them. "s2-plain" and "s2-shaped" are the two rewards of the course project with its numbers
    (docs/origins.md)."""
    blocking: Annotated[float, Field(ge=0, le=1000)] = 0.9
    """Weight of the enemy's rows in the shaped reward (the course project's 0.9)."""
    shaping: Annotated[float, Field(ge=0, le=1000)] = 0.5
    """Weight of the shaped reward, in wins for making a five."""
    reward_unit: Annotated[float, Field(ge=0.001, le=1_000_000_000)] = 1.0
    """Rewards are learned in this unit. The course project's numbers reach into the millions, which a network that
    starts near 0 does not reach in steps of the learning rate."""
    illegal: Illegal = "mask"
    """How occupied points are avoided: "mask" never plays there; "punish" lets the network learn that from its
    reward."""
    network: Network = "lines"
    """What learns: "s2" is the course project's, "duelling" convolutional, "lines" looks lines up in a table."""
    filters: Annotated[int, Field(ge=1, le=1024)] = 16
    """Filters of the convolutions, or numbers that describe a line."""
    layers: Annotated[int, Field(ge=0, le=100)] = 3
    """Convolutions after the first; for "duelling"."""
    double: bool = True
    """The network that learns picks the next move, the target network values it (van Hasselt 2016)."""
    symmetries: bool = True
    """Learn from each position in a random symmetry."""
    loss: Literal["huber", "squared"] = "huber"
    """What is learned from a mistake: "squared" is the course project's; "huber" lets no single move pull too hard,
    and cuts large gradients."""
    boards: Annotated[int, Field(ge=1, le=65_536)] = 64
    """Games played at the same time."""
    steps: Annotated[int, Field(ge=1, le=MAX_SIDE**2)] = 1
    """Plies until the target network takes over: 1 values the enemy's answer, 2 the own next move (the course
    project's)."""
    discount: Share = 0.9
    """What the next ply counts against this one."""
    epsilon: Share = 1.0
    """Share of random moves at the start ..."""
    epsilon_end: Share = 0.05
    """... and at the end of the schedule ..."""
    epsilon_moves: Count = 40_000
    """... which is so many moves long."""
    opening_stones: Annotated[int, Field(ge=0, le=30)] = 4
    """Random stones before a game, at most."""
    memory: Annotated[int, Field(ge=1, le=10_000_000)] = 200_000
    """Moves that are remembered."""
    start: Count = 2_000
    """Learning begins when so many moves are remembered."""
    batch: Annotated[int, Field(ge=1, le=65_536)] = 128
    """Moves in a step of learning."""
    reuse: Annotated[float, Field(gt=0, le=1000)] = 2.0
    """How often a move is learned from, on average."""
    learning_rate: Annotated[float, Field(gt=0, le=1)] = 1e-3
    """Learning rate of Adam at the start; it falls in a straight line to a tenth at the end of a limited run."""
    target_steps: Number = 100
    """Steps of learning after which the target network is renewed."""
    checkpoint_seconds: Annotated[float, Field(gt=0, le=10_000_000)] = 60.0
    """How often the run is saved."""
    log_seconds: Annotated[float, Field(gt=0, le=10_000_000)] = 10.0
    """How often a line is logged."""
    seed: Count = 1
    """Random seed for everything."""

    def __post_init__(self) -> None:
        if self.n_in_row > self.size:
            raise SetupError(f"n_in_row is from 3 to the board's size, not {self.n_in_row}")
        if self.start > self.memory:
            raise SetupError(f"learning begins at {self.start} moves, which a memory of {self.memory} never holds")
        if self.reward.startswith("s2-") and self.steps != 2:
            raise SetupError(f"s2's rewards are for the way to the own next move: steps must be 2, not {self.steps}")

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


#: Fields that a run which goes on may change.
LIMITS = ("games", "minutes")


@dataclass
class DqnCounters:
    """What has happened so far in a run."""

    seconds: float = 0.0
    games: int = 0
    moves: int = 0
    steps: int = 0
    parts: int = 0
