"""Everything that shapes a training run, with meaning, unit and default. Presets are TOML files of the same names."""

from __future__ import annotations

import dataclasses
import os
import sys
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

from pydantic import TypeAdapter, ValidationError

from tengen import core, players
from tengen.board import MAX_SIDE, MIN_SIDE, RULES
from tengen.errors import SetupError
from tengen.games import GOMOKU, check_game
from tengen.nets.presets import PRESETS as NETWORKS
from tengen.nets.presets import ResidualConfig
from tengen.search import SearchParams
from tengen.train.yardsticks import DEFAULT_YARDSTICKS

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

#: A number, or points (progress from 0 to 1, number) between which it runs in a straight line.
Schedule: TypeAlias = float | tuple[tuple[float, float], ...]

#: What self-play's searches have other than those of players: many small trees, and no time for long proofs.
SEARCH: MappingProxyType[str, Any] = MappingProxyType(
    {"memory": 32 << 20, "vcf_nodes_root": 1000, "vct_nodes_root": 0, "vct_nodes_answer": 0, "prior_temperature": 1.0}
)

GENERATORS = ("newest", "best")
#: Threads that play: of Gomoku, or of another game.
Pool: TypeAlias = core.SelfPlayPool | core.OtherGamePool

PRESETS = Path(__file__).parent / "presets"


def at(schedule: Schedule, progress: float) -> float:
    """The value of a schedule at a point of the run, from 0 (start) to 1 (end)."""
    if isinstance(schedule, int | float):
        return float(schedule)
    before = schedule[0]
    for point in schedule:
        if point[0] > progress:
            width = point[0] - before[0]
            return before[1] + (point[1] - before[1]) * ((progress - before[0]) / width if width > 0 else 1.0)
        before = point
    return before[1]


@dataclass(frozen=True, kw_only=True)
class GameKind:
    """One kind of game that a run plays; `weight` is how often in relation to the others."""

    rule: core.Rule
    width: int
    height: int
    n_in_row: int = 5
    weight: float = 1.0


@dataclass(frozen=True, kw_only=True)
class SelfPlayParams:
    """How games are made.

    Attributes:
        game: "gomoku", or another game (`tengen.games`): then rules, sizes and n_in_row mean nothing, the opening is
            random moves, and there is no p-opposition.
        rules: Rules that are played, in equal shares.
        sizes: Board sizes that are played, in equal shares; one for residual networks.
        n_in_row: Length of the winning row.
        full_playouts: Playouts of the moves that are searched fully and recorded.
        fast_playouts: Playouts of the other moves.
        full_share: Share of moves that are searched fully (playout cap randomisation, Wu 2019).
        count_kept: Whether playouts kept from the last search count, so that the numbers are the size of the tree
            behind a move; otherwise all of them are new. Gumbel search always makes new ones.
        gumbel_moves: Gumbel AlphaZero (Danihelka et al. 2022): moves among which the playouts of a full search are
            shared out by sequential halving; 0 for PUCT with noise.
        gumbel_value_scale: How much a value weighs against the network's first impression in what is learned then.
        root_noise: Share of Dirichlet noise in the root's priors of full searches.
        root_noise_total_alpha: Sum of the noise's alpha over all moves.
        early_temperature: Of the choice by visits in the first moves after the opening.
        late_temperature: Of the choice afterwards.
        early_moves: How many moves are early.
        opening_stones: Random stones before a game, at most.
        opening_loose: Share of openings whose stones lie loosely all over the board, up to four points apart, as
            those of matches do; in the others they are close to each other and mostly central.
        opening_balance: An opening is accepted when a quick search values it at most this far from even.
        opening_tries: After so many the most even opening seen is taken.
        adjudicated_share: Share of games that end as soon as the search has proven the result.
        longest_game: A game that fills this share of the board is broken off: what follows teaches nothing.
        least_visits: Moves with fewer visits than this share of the most visited one are left out of the target: they
            are there because of the noise.
        opposition_threshold: p-opposition (S0): below this value the mover believes that it is losing ...
        opposition_probability: ... and with this probability plays the point that would be the opponent's best.
        opposition_adaptive: Both numbers follow the recent games instead (see `tengen.train.opposition`).
        opposition_most: The largest probability that `opposition_adaptive` chooses, when one colour wins every game.
        opposition_games: How many games are recent.
        generator: Which network plays: "newest", or "best", the last one that passed the gate.
        threads: Of self-play, each with a game of its own; 0 takes all cores. Residual networks want many: they are
            evaluated in batches of half as many positions.
        random_symmetry: Show a residual network each position in a random symmetry (S3).
    """

    game: str = GOMOKU
    rules: tuple[str, ...] = ("freestyle",)
    sizes: tuple[int, ...] = (15,)
    n_in_row: int = 5
    full_playouts: Schedule = 400
    fast_playouts: Schedule = 80
    full_share: float = 0.3
    count_kept: bool = False
    gumbel_moves: int = 0
    gumbel_value_scale: float = 0.1
    root_noise: float = 0.25
    root_noise_total_alpha: float = 10.0
    early_temperature: float = 0.8
    late_temperature: float = 0.2
    early_moves: int = 8
    opening_stones: int = 7
    opening_loose: float = 0.5
    opening_balance: float = 0.2
    opening_tries: int = 12
    adjudicated_share: float = 0.9
    longest_game: float = 0.35
    least_visits: float = 0.0
    opposition_threshold: float = -0.5
    opposition_probability: float = 0.0
    opposition_adaptive: bool = False
    opposition_most: float = 0.5
    opposition_games: int = 500
    generator: str = "newest"
    threads: int = 0
    random_symmetry: bool = False

    def __post_init__(self) -> None:
        check_game(self.game)
        for rule in self.rules:
            if rule not in RULES:
                raise SetupError(f'there is no rule "{rule}"; choose from {", ".join(RULES)}')
        for size in self.sizes:
            if not MIN_SIDE <= size <= MAX_SIDE:
                raise SetupError(f"a board size is from {MIN_SIDE} to {MAX_SIDE}, not {size}")
        if self.generator not in GENERATORS:
            raise SetupError(f'the generator is {" or ".join(GENERATORS)}, not "{self.generator}"')

    @property
    def concurrency(self) -> int:
        """How many games are played at a time."""
        return self.threads or os.cpu_count() or 1

    def pool_type(self) -> Any:
        """What plays the game: a kind of `Pool`."""
        return core.SelfPlayPool if self.game == GOMOKU else core.OtherGamePool

    def rule_names(self) -> list[str]:
        """What a network's file says about its rules: those of Gomoku, or the other game."""
        return list(self.rules) if self.game == GOMOKU else [self.game]

    def kinds(self) -> list[GameKind]:
        """The games of the run: every rule on every size."""
        return [
            GameKind(rule=core.Rule[rule], width=size, height=size, n_in_row=self.n_in_row)
            for rule in self.rules
            for size in self.sizes
        ]


@dataclass(frozen=True, kw_only=True)
class LearnParams:
    """How the network learns from the games.

    Attributes:
        network: "line", or a residual network: the name of one of `tengen.nets.presets`, made for the run's board.
        radius: Of the line network's windows.
        channels: Of the line network.
        hidden: Units of the layers of its window MLP.
        filters: Of the residual network's convolutions; 0 for those of its preset.
        blocks: Of the residual network; -1 for those of its preset.
        value_hidden: Units of the residual network's value head; 0 for those of its preset.
        device: Where residual networks learn and play: "auto" (CUDA if there is any), "cpu", "cuda".
        batch: Positions in a step.
        reuse: How often a position is learned from, on average.
        optimizer: "muon" moves the line network's matrices by orthogonalised momentum (Jordan et al. 2024), which
            learns as much from two thirds of the samples; "adam" does not. All else is always moved by Adam.
        learning_rate: Of both: the size of a step of every weight.
        beta2: Of Adam.
        l2: Weight decay.
        gradient_clip: Largest norm of the gradient.
        value_weight: Weight of the value's loss against the policy's.
        result_share: Share of the game's result in the value's target; the rest is the search's value.
        average_rate: Of the moving average of the weights, which plays; for each step.
        buffer: Most positions kept.
        buffer_share: Share of all positions so far that is kept ...
        buffer_least: ... but never fewer than this.
        start_positions: Learning begins when so many positions are there.
    """

    network: str = "line"
    radius: int = 5
    channels: int = 64
    hidden: int = 128
    filters: int = 0
    blocks: int = -1
    value_hidden: int = 0
    device: str = "auto"
    batch: int = 512
    reuse: float = 8.0
    optimizer: str = "muon"
    learning_rate: Schedule = ((0.0, 2e-3), (0.6, 2e-3), (1.0, 6e-5))
    beta2: float = 0.99
    l2: float = 1e-6
    gradient_clip: float = 5.0
    value_weight: float = 1.0
    result_share: float = 0.7
    average_rate: Schedule = ((0.0, 0.03), (0.1, 0.01))
    buffer: int = 1_000_000
    buffer_share: float = 0.6
    buffer_least: int = 40_000
    start_positions: int = 2_000

    def __post_init__(self) -> None:
        if self.network != "line" and self.network not in NETWORKS:
            raise SetupError(f'there is no network "{self.network}"; choose one of line, {", ".join(NETWORKS)}')
        if self.optimizer not in ("muon", "adam"):
            raise SetupError(f'there is no optimizer "{self.optimizer}"; choose muon or adam')


@dataclass(frozen=True, kw_only=True)
class EvaluationParams:
    """How the strength of the network is followed: games against the best one so far, and against fixed yardsticks.

    Attributes:
        minutes: Between two evaluations; 0 for none.
        games: Newest against best, of each colour.
        playouts: Of the networks in these games and in those against yardsticks, a move.
        gate: Share of the points from which on the newest becomes the best, and is kept.
        yardsticks: Specs of fixed opponents.
        yardstick_minutes: Between two evaluations against them, at least.
        yardstick_games: Against each, of each colour.
        share: Of the run's computing time that evaluation may take; games wait when it has taken more.
    """

    minutes: float = 3.0
    games: int = 10
    playouts: int = 100
    gate: float = 0.55
    yardsticks: tuple[str, ...] = DEFAULT_YARDSTICKS
    yardstick_minutes: float = 6.0
    yardstick_games: int = 2
    share: float = 0.05

    def __post_init__(self) -> None:
        for spec in self.yardsticks:
            players.check(spec)
        for name in ("games", "playouts", "yardstick_games"):
            if getattr(self, name) < 1:
                raise SetupError(f"{name} of the evaluation must be at least 1, not {getattr(self, name)}")
        for name in ("gate", "share"):
            if not 0 < getattr(self, name) <= 1:
                raise SetupError(f"{name} of the evaluation lies between 0 and 1, not {getattr(self, name)}")


@dataclass(frozen=True, kw_only=True)
class RunParams:
    """A whole run.

    Attributes:
        preset: Where the parameters are from, for people.
        minutes: Length of the run in minutes of wall clock, pauses between resumed parts not counted.
        start: A network file, or the folder of a run, with whose network this one begins; "" for random weights.
        seed: Of everything random.
        publish_seconds: How often self-play gets the newest network.
        checkpoint_seconds: How often the run is saved.
        log_seconds: How often a line is logged.
        probe_positions: Recent positions on which the old and the new network are compared with each publication.
        tensorboard: Write the log as TensorBoard's event files too, if that package is installed.
        keep_games: Keep all games on disk; otherwise those that no buffer of this run can need are deleted.
        selfplay: How games are made.
        learn: How the network learns.
        search: How self-play searches.
        opponent: Spec of a player, such as engine:COMMAND, against which some of the games are played; "" for none.
        opponent_share: Share of those games in all games, at most.
        evaluation: How strength is measured.
    """

    preset: str = ""
    minutes: float = 60.0
    start: str = ""
    seed: int = 1
    publish_seconds: float = 20.0
    checkpoint_seconds: float = 45.0
    log_seconds: float = 10.0
    probe_positions: int = 128
    tensorboard: bool = True
    keep_games: bool = True
    selfplay: SelfPlayParams = field(default_factory=SelfPlayParams)
    learn: LearnParams = field(default_factory=LearnParams)
    search: SearchParams = field(default_factory=lambda: SearchParams(**SEARCH))
    opponent: str = ""
    opponent_share: float = 0.1
    evaluation: EvaluationParams = field(default_factory=EvaluationParams)

    def __post_init__(self) -> None:
        for name in ("minutes", "publish_seconds", "checkpoint_seconds", "log_seconds"):
            if getattr(self, name) <= 0:
                raise SetupError(f"{name} must be above 0, not {getattr(self, name)}")
        if self.learn.network == "line":
            if self.selfplay.game != GOMOKU:
                raise SetupError(f"the line network plays Gomoku; choose a residual network for {self.selfplay.game}")
        else:
            self.residual_config()
        if self.selfplay.game != GOMOKU:
            self._check_other_game()

    def _check_other_game(self) -> None:
        game = self.selfplay.game
        if self.probe_positions > 0 or self.opponent:
            raise SetupError(f"probe and opponent of a run know Gomoku alone: set probe_positions to 0 for {game}")
        for spec in self.evaluation.yardsticks if self.evaluation.minutes > 0 else ():
            if not players.create(spec).plays_other_games:
                raise SetupError(f"the yardstick {spec} does not play {game}; mcts:playouts=N does")

    def residual_config(self) -> ResidualConfig:
        """The shape of the residual network that `learn` asks for, for the game and board of `selfplay`."""
        learn, selfplay = self.learn, self.selfplay
        config = NETWORKS[learn.network]
        if selfplay.game != GOMOKU:
            game = core.make_game(selfplay.game)
            config = dataclasses.replace(config, encoding=selfplay.game, width=game.width, height=game.height)
        elif len(selfplay.sizes) != 1:
            raise SetupError("a residual network is made for one size of board: give one in sizes")
        else:
            config = dataclasses.replace(config, width=selfplay.sizes[0], height=selfplay.sizes[0])
        return dataclasses.replace(
            config,
            stem=(learn.filters,) if learn.filters else config.stem,
            blocks=config.blocks if learn.blocks < 0 else learn.blocks,
            value_hidden=learn.value_hidden or config.value_hidden,
        )


_PARTS = MappingProxyType(
    {"selfplay": SelfPlayParams, "learn": LearnParams, "search": SearchParams, "evaluation": EvaluationParams}
)


def preset_names() -> list[str]:
    """The presets that ship with Tengen."""
    return sorted(path.stem for path in PRESETS.glob("*.toml"))


def load_preset(name: str) -> RunParams:
    """A shipped preset by name, or any TOML file by path."""
    path = PRESETS / f"{name}.toml"
    if not path.exists():
        path = Path(name)
        if path.suffix != ".toml" or not path.exists():
            raise SetupError(f'there is no preset "{name}"; choose one of {", ".join(preset_names())} or a .toml file')
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:  # of the file, its encoding, or its syntax
        raise SetupError(f"{path} is not a TOML file: {error}") from None
    return from_dict({**values, "preset": path.stem})


def from_dict(values: dict[str, Any]) -> RunParams:
    """Parameters from nested dicts, as they stand in a preset or a run's folder."""
    parts = {key: _build(part, values.get(key, {})) for key, part in _PARTS.items()}
    params: RunParams = _build(RunParams, {**values, **parts})
    return params


def to_dict(params: RunParams) -> dict[str, Any]:
    """The parameters as plain values."""
    return dataclasses.asdict(params)


def _build(kind: type[Any], values: dict[str, Any]) -> Any:
    known = {item.name for item in dataclasses.fields(kind)}
    if not isinstance(values, dict):
        raise SetupError(f"{kind.__name__} must be a table of its fields, not {values!r}")
    for key in values:
        if key not in known:
            raise SetupError(f'{kind.__name__} has no field "{key}"; it has {", ".join(sorted(known))}')
    defaults = SEARCH if kind is SearchParams else {}
    try:
        return TypeAdapter(kind).validate_python({**defaults, **values})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        if isinstance(cause := first.get("ctx", {}).get("error"), SetupError):
            raise cause from None
        raise SetupError(f"{'.'.join(map(str, first['loc']))} of {kind.__name__}: {first['msg']}") from None
