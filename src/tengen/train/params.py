"""Everything that shapes a training run, with meaning, unit and default. Presets are TOML files of the same names."""

from __future__ import annotations

import dataclasses
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias, TypeVar

from pydantic import AfterValidator, Field

from tengen import core, players
from tengen.board import MAX_SIDE, RuleName
from tengen.errors import SetupError
from tengen.games import GOMOKU, check_game
from tengen.nets.files import FIRST_HIDDEN
from tengen.nets.planes import ENCODINGS
from tengen.nets.presets import PRESETS as NETWORKS
from tengen.nets.presets import ResidualConfig
from tengen.parameters import Count, Number, Parameters, Phrase, Sequence, Share, Side, Table
from tengen.search.params import NoiseAlpha, NoiseAt, SearchParams
from tengen.train.yardsticks import DEFAULT_YARDSTICKS

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PRESETS = Path(__file__).parent / "presets"


def _in_order(schedule: Any) -> Any:
    if isinstance(schedule, tuple) and list(schedule) != sorted(schedule, key=lambda point: point[0]):
        raise SetupError(f"the points of a schedule come in the order of their progress, not as {list(schedule)}")
    return schedule


Value = TypeVar("Value")

#: A number, or points (progress from 0 to 1, number) between which it runs in a straight line.
Schedule: TypeAlias = Annotated[
    Value | Annotated[tuple[Annotated[tuple[Share, Value], Sequence], ...], Field(min_length=1), Sequence],
    AfterValidator(_in_order),
]
_POINTS = "or a list of points [progress from 0 to 1, number]"
#: Of a move.
MOST_PLAYOUTS = 1_000_000
Playouts: TypeAlias = Annotated[
    Schedule[Annotated[int | float, Field(ge=1, le=MOST_PLAYOUTS)]],
    Phrase(f"a number from 1 to {MOST_PLAYOUTS:,}, {_POINTS}"),
]
Rate: TypeAlias = Annotated[Schedule[Share], Phrase(f"a number from 0 to 1, {_POINTS}")]

_LENGTHS = Phrase("points (moves a game, learning rate from 0 to 1)")
_STEPS = Phrase("points (steps, learning rate from 0 to 1)")

Temperature: TypeAlias = Annotated[float, Field(ge=0, le=100)]
Minutes: TypeAlias = Annotated[float, Field(gt=0, le=10_000_000)]
Seconds: TypeAlias = Annotated[float, Field(gt=0, le=10_000_000)]


def at(schedule: float | tuple[tuple[float, float], ...], progress: float) -> float:
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


#: Games in which a learning rate by the length of games does not look at it: random play fills the board.
FIRST_GAMES = 100


def rate_at(rates: tuple[tuple[int, float], ...], count: int) -> float:
    """The learning rate that goes with so many moves a game, or steps."""
    return next((rate for most, rate in rates if count <= most), rates[-1][1])


@dataclass(frozen=True, kw_only=True)
class GameKind:
    """One kind of game that a run plays: Gomoku by a rule on a board, or another game."""

    width: int
    height: int
    rule: core.Rule = core.Rule.freestyle
    n_in_row: int = 5
    game: str = GOMOKU


class SelfPlayParams(Parameters):
    """How games are made."""

    game: Annotated[str, AfterValidator(check_game)] = GOMOKU
    """What is played, "gomoku" or another game (`tengen.games`): then rules, sizes and n_in_row mean nothing, the
    opening is random moves, and there is no p-opposition."""
    rules: Annotated[tuple[RuleName, ...], Field(min_length=1), Sequence] = ("freestyle",)
    """Rules that are played, in equal shares; one that is named twice has two of them."""
    sizes: Annotated[tuple[Side, ...], Field(min_length=1), Sequence] = (15,)
    """Board sizes that are played, in equal shares as well; one for residual networks."""
    n_in_row: Annotated[int, Field(ge=3, le=MAX_SIDE)] = 5
    """Length of the winning row."""
    full_playouts: Playouts = 400
    """Playouts of the moves that are searched fully and recorded."""
    fast_playouts: Playouts = 80
    """Playouts of the other moves."""
    playouts_growth: Annotated[float, Field(ge=1, le=100)] = 1.0
    """Both are multiplied by up to this factor while positions come faster than the network can learn from them, and
    by less again when they come slower (see `tengen.train.growth`); 1 for no growth."""
    full_share: Share = 0.3
    """Share of moves that are searched fully (playout cap randomisation, Wu 2019)."""
    count_kept: bool = False
    """Whether playouts kept from the last search count, so that the numbers are the size of the tree behind a move;
    otherwise all of them are new. Gumbel search always makes new ones."""
    gumbel_moves: Annotated[int, Field(ge=0, le=MAX_SIDE**2)] = 0
    """Gumbel AlphaZero (Danihelka et al. 2022): moves among which the playouts of a full search are shared out by
    sequential halving; 0 for PUCT with noise."""
    gumbel_value_scale: Annotated[float, Field(ge=0, le=1000)] = 0.1
    """How much a value weighs against the network's first impression in what is learned then."""
    root_noise: Share = 0.25
    """Share of Dirichlet noise in the root's priors of full searches."""
    root_noise_total_alpha: NoiseAlpha = 10.0
    """Sum of the noise's alpha over all moves."""
    noise_at: NoiseAt = "root"
    """Where the noise is: at the "root", anew for every search, or in all "expansions", once for each (S3)."""
    early_temperature: Temperature = 0.8
    """Of the choice by visits in the first moves after the opening."""
    late_temperature: Temperature = 0.2
    """Of the choice afterwards."""
    early_moves: Annotated[int, Field(ge=0, le=MAX_SIDE**2)] = 8
    """How many moves are early."""
    opening_stones: Annotated[int, Field(ge=0, le=30)] = 7
    """Random stones before a game, at most; at least one."""
    opening_empty: Share = 0.05
    """Share of games that begin with an empty board instead, as people's games do; it is far from even. Where
    opening_stones is 0, all do."""
    opening_loose: Share = 0.5
    """Share of openings whose stones lie loosely all over the board, up to four points apart, as those of matches do;
    in the others they are close to each other and mostly central."""
    opening_balance: Share = 0.2
    """An opening is accepted when a quick search values it at most this far from even."""
    opening_tries: Annotated[int, Field(ge=1, le=1000)] = 12
    """After so many the most even opening seen is taken."""
    adjudicated_share: Share = 0.9
    """Share of games that end as soon as the search has proven the result."""
    longest_game: Annotated[float, Field(ge=0.1, le=1)] = 0.35
    """A game that fills this share of the board is broken off: what follows teaches nothing."""
    least_visits: Share = 0.0
    """Moves with fewer visits than this share of the most visited one are left out of the target: they are there
    because of the noise."""
    surprise_share: Share = 0.0
    """Share of a position's weight that goes by how much the search differs from what the network expected, against
    the usual difference (Wu 2019); positions are recorded as often as they weigh, some not at all."""
    round_games: Count = 0
    """Games in a round, after which the network learns (`learn.round_batches`) before others begin, which it plays with
    what it learned; 0 for a stream without rounds. As many games as there are threads may be ahead of it."""
    opposition_threshold: Annotated[float, Field(ge=-1, le=1)] = -0.5
    """p-opposition (S0): where the network, without a search, gives the position less than this value, the mover
    believes that it is losing ..."""
    opposition_probability: Share = 0.0
    """... and with this probability plays the point that would be the opponent's best."""
    opposition_adaptive: bool = False
    """Both numbers follow the recent games instead (see `tengen.train.opposition`)."""
    opposition_most: Share = 0.5
    """The largest probability that `opposition_adaptive` chooses, when one colour wins every game."""
    opposition_games: Annotated[int, Field(ge=1, le=1_000_000)] = 500
    """How many games are recent."""
    generator: Literal["newest", "best"] = "newest"
    """Which network plays: "newest", or "best", the last one that passed the gate."""
    threads: Annotated[int, Field(ge=0, le=1024)] = 0
    """Of self-play, each with a game of its own; 0 takes all cores. Residual networks want many: they are evaluated in
    batches of half as many positions."""
    random_symmetry: bool = False
    """Show a residual network each position in a random symmetry (S3)."""

    @property
    def concurrency(self) -> int:
        """How many games are played at a time."""
        return self.threads or os.cpu_count() or 1

    def rule_names(self) -> list[str]:
        """What a network's file says about its rules: those of Gomoku, or the other game."""
        return list(dict.fromkeys(self.rules)) if self.game == GOMOKU else [self.game]

    def board_sizes(self) -> list[int]:
        """What a network's file says about the sizes of its boards; nothing for other games."""
        return list(dict.fromkeys(self.sizes)) if self.game == GOMOKU else []

    def kinds(self) -> list[GameKind]:
        """The games of the run: every rule of Gomoku on every size, or another game."""
        if self.game != GOMOKU:
            start = core.make_game(self.game)
            return [GameKind(width=start.width, height=start.height, game=self.game)]
        return [
            GameKind(rule=core.Rule[rule], width=size, height=size, n_in_row=self.n_in_row)
            for rule in self.rules
            for size in self.sizes
        ]


def _check_encoding(name: str) -> str:
    if name and name not in ENCODINGS:
        raise SetupError(f'there is no encoding "{name}"; choose one of {", ".join(ENCODINGS)}')
    return name


def _check_network(name: str) -> str:
    if name != "line" and name not in NETWORKS:
        raise SetupError(f'there is no network "{name}"; choose one of line, {", ".join(NETWORKS)}')
    return name


class LearnParams(Parameters):
    """How the network learns from the games."""

    network: Annotated[str, AfterValidator(_check_network)] = "line"
    """What learns: "line", or a residual network by its name in `tengen.nets.presets`, made for the run's board."""
    encoding: Annotated[str, AfterValidator(_check_encoding)] = ""
    """The planes that a residual network sees, by their name in `tengen.nets.planes`; "" for those of its preset."""
    radius: Literal[4, 5] = 5
    """Of the line network's windows."""
    channels: Literal[32, 64, 128] = 64
    """Of the line network."""
    hidden: Literal[64, 128, 256] = 128
    """Units of the layers of its window MLP."""
    filters: Annotated[int, Field(ge=0, le=1024)] = 0
    """Of the residual network's convolutions; 0 for those of its preset."""
    blocks: Annotated[int, Field(ge=-1, le=100)] = -1
    """Of the residual network; -1 for those of its preset."""
    value_hidden: Annotated[int, Field(ge=0, le=65_536)] = 0
    """Units of the residual network's value head; 0 for those of its preset."""
    device: Annotated[str, Field(pattern=r"^(auto|cpu|cuda(:[0-9])?)$"), Phrase("auto, cpu, cuda or cuda:N")] = "auto"
    """Where residual networks learn and play: "auto" (CUDA if there is any), "cpu", "cuda"."""
    batch: Annotated[int, Field(ge=1, le=65_536)] = 512
    """Positions in a step."""
    reuse: Annotated[float, Field(gt=0, le=1000)] = 8.0
    """How often a position is learned from, on average; without rounds."""
    batch_steps: Annotated[int, Field(ge=1, le=1000)] = 1
    """Steps that are taken on a batch, one after the other."""
    round_batches: Annotated[int, Field(ge=1, le=1_000_000)] = 15
    """Batches that are learned from after each round of games (`selfplay.round_games`)."""
    optimizer: Literal["muon", "adam", "sgd"] = "muon"
    """How it learns: "muon" moves the line network's matrices by orthogonalised momentum (Jordan et al. 2024), which
    learns as much from two thirds of the samples, and all else by Adam; "adam" moves everything by Adam, "sgd" by
    plain steps with momentum 0.9."""
    learning_rate: Rate = ((0.0, 2e-3), (0.6, 2e-3), (1.0, 6e-5))
    """Of Adam and Muon the size of a step of every weight, of SGD the factor of the gradient."""
    rate_by_length: Annotated[tuple[Annotated[tuple[Count, Share], Sequence], ...], Sequence, _LENGTHS] = ()
    """S0's schedule, instead of `learning_rate`: points (moves a game, rate), each of which holds up to its number of
    moves, the last one for all longer games. What counts is the mean of the latest ten games, and 0 in the first
    hundred."""
    rate_by_steps: Annotated[tuple[Annotated[tuple[Count, Share], Sequence], ...], Sequence, _STEPS] = ()
    """The same by the steps that were taken so far (S1)."""
    beta2: Annotated[float, Field(ge=0, le=0.99999)] = 0.99
    """Of Adam."""
    l2: Share = 1e-6
    """Weight decay."""
    gradient_clip: Annotated[float, Field(gt=0, le=1_000_000)] = 5.0
    """Largest norm of the gradient."""
    value_weight: Annotated[float, Field(ge=0, le=1000)] = 1.0
    """Weight of the value's loss against the policy's."""
    result_share: Share = 0.7
    """Share of the game's result in the value's target; the rest is the search's value."""
    average_rate: Rate = ((0.0, 0.03), (0.1, 0.01))
    """Of the moving average of the weights, which plays; for each step."""
    buffer: Number = 1_000_000
    """Most positions kept."""
    buffer_share: Share = 0.6
    """Share of all positions so far that is kept ..."""
    buffer_least: Number = 40_000
    """... but never fewer than this."""
    oldest_network: Count = 60
    """Games of other machines, if so many networks came after the one that played them, are recorded but not learned
    from; 0 for no limit."""
    start_positions: Number = 2_000
    """Learning begins when so many positions are there ..."""
    start_games: Count = 0
    """... and so many games."""

    def __post_init__(self) -> None:
        if self.start_positions > self.buffer:
            raise SetupError(
                f"learning begins at {self.start_positions} positions, which a buffer of {self.buffer} never holds"
            )
        if self.rate_by_length and self.rate_by_steps:
            raise SetupError("a learning rate follows either the length of games or the steps; leave one of them out")


class EvaluationParams(Parameters):
    """How the strength of the network is followed: games against the best one so far, and against fixed yardsticks."""

    minutes: Annotated[float, Field(ge=0, le=10_000_000)] = 3.0
    """Between two evaluations; 0 for none."""
    every_games: Count = 0
    """Games of self-play between two evaluations, instead of minutes; 0 goes by minutes."""
    games: Annotated[int, Field(ge=1, le=10_000)] = 10
    """Newest against best, of each colour."""
    playouts: Annotated[int, Field(ge=1, le=1_000_000)] = 100
    """Of the networks in these games and in those against yardsticks, a move."""
    gate: Annotated[float, Field(gt=0, le=1)] = 0.55
    """Share of the points above which the newest becomes the best, and is kept."""
    yardsticks: Annotated[tuple[Annotated[str, AfterValidator(players.check)], ...], Sequence] = DEFAULT_YARDSTICKS
    """Specs of fixed opponents."""
    yardstick_minutes: Annotated[float, Field(ge=0, le=10_000_000)] = 6.0
    """Between two evaluations against them, at least."""
    yardstick_games: Annotated[int, Field(ge=1, le=10_000)] = 2
    """Against each, of each colour."""
    share: Annotated[float, Field(gt=0, le=1)] = 0.05
    """Of the run's computing time that evaluation may take; games wait when it has taken more."""


class SelfPlaySearchParams(SearchParams):
    """How self-play searches: many small trees, and no time for long proofs."""

    memory = 32 << 20
    vcf_nodes_root = 1000
    vct_nodes_root = 0
    vct_nodes_answer = 0
    prior_temperature = 1.0
    lcb_deviations = 0.0
    threat_share = 0.0  # a network learns what its own priors lead to


def _check_opponent(spec: str) -> str:
    return players.check(spec) if spec else spec


class RunParams(Parameters):
    """A whole run."""

    preset: str = ""
    """Where the parameters are from, for people."""
    minutes: Minutes = 60.0
    """Length of the run in minutes of wall clock, pauses between resumed parts not counted."""
    start: str = ""
    """A network file, or the folder of a run, with whose network this one begins; "" for random weights."""
    seed: Count = 1
    """Of everything random."""
    publish_seconds: Seconds = 20.0
    """How often self-play gets the newest network."""
    checkpoint_seconds: Seconds = 45.0
    """How often the run is saved."""
    log_seconds: Seconds = 10.0
    """How often a line is logged."""
    probe_positions: Annotated[int, Field(ge=0, le=100_000)] = 128
    """Recent positions on which the old and the new network are compared with each publication."""
    tensorboard: bool = True
    """Write the log as TensorBoard's event files too, if that package is installed."""
    keep_games: bool = True
    """Keep all games on disk; otherwise those that no buffer of this run can need are deleted."""
    selfplay: Annotated[SelfPlayParams, Table] = SelfPlayParams()
    """How games are made."""
    learn: Annotated[LearnParams, Table] = LearnParams()
    """How the network learns."""
    search: Annotated[SelfPlaySearchParams, Table] = SelfPlaySearchParams()
    """How self-play searches."""
    opponent: Annotated[str, AfterValidator(_check_opponent)] = ""
    """Spec of a player, such as engine:COMMAND, against which some of the games are played; "" for none."""
    opponent_share: Share = 0.1
    """Share of those games in all games, at most."""
    games: str = ""
    """A folder with records of games, SGF or PSQ, from which a new run learns before it plays; "" for none."""
    games_passes: Annotated[float, Field(ge=0, le=1000)] = 8.0
    """How often each of their positions is learned from then, on average."""
    games_share: Annotated[float, Field(ge=0, lt=1)] = 0.0
    """Share of the later steps that learn from them, too, and not from self-play."""
    evaluation: Annotated[EvaluationParams, Table] = EvaluationParams()
    """How strength is measured."""

    def __post_init__(self) -> None:
        if self.selfplay.playouts_growth > 1 and self.selfplay.round_games:
            raise SetupError("a run that learns in rounds waits for its learner: leave playouts_growth out")
        if self.learn.network == "line":
            if self.selfplay.game != GOMOKU:
                raise SetupError(f"the line network plays Gomoku; choose a residual network for {self.selfplay.game}")
            if self.learn.encoding:
                raise SetupError("the line network sees no planes; leave learn.encoding out, or choose another network")
        else:
            self.residual_config()
        if self.games_share and not self.games:
            raise SetupError("games_share is a share of recorded games, and there are none: name their folder in games")
        if self.selfplay.game != GOMOKU:
            self._check_other_game()

    def _check_other_game(self) -> None:
        game = self.selfplay.game
        if self.probe_positions > 0 or self.opponent or self.games:
            raise SetupError(
                f"probe, opponent and recorded games of a run know Gomoku alone: set probe_positions to 0 for {game}"
            )
        for spec in self.evaluation.yardsticks if self.evaluation.minutes > 0 else ():
            if not players.create(spec).plays_other_games:
                raise SetupError(f"the yardstick {spec} does not play {game}; mcts:playouts=N does")

    def residual_config(self) -> ResidualConfig:
        """The shape of the residual network that `learn` asks for, for the game and board of `selfplay`."""
        learn, selfplay = self.learn, self.selfplay
        config = NETWORKS[learn.network]
        if selfplay.game != GOMOKU:
            if learn.encoding:
                raise SetupError(f"{selfplay.game} has planes of its own: leave learn.encoding out")
            game = core.make_game(selfplay.game)
            config = dataclasses.replace(config, encoding=selfplay.game, width=game.width, height=game.height)
        elif len(selfplay.sizes) != 1:
            raise SetupError("a residual network is made for one size of board: give one in sizes")
        else:
            config = dataclasses.replace(config, width=selfplay.sizes[0], height=selfplay.sizes[0])
        return dataclasses.replace(
            config,
            encoding=learn.encoding or config.encoding,
            stem=(learn.filters,) if learn.filters else config.stem,
            blocks=config.blocks if learn.blocks < 0 else learn.blocks,
            value_hidden=learn.value_hidden or config.value_hidden,
        )


#: What was done before a parameter came, where today's default is something else: so goes on a run that does not say.
BEFORE: Mapping[str, Mapping[str, Any]] = {
    "selfplay": {"longest_game": 1.0, "opening_loose": 0.0, "opening_empty": 0.5},
    "learn": {"hidden": FIRST_HIDDEN, "optimizer": "adam"},
    "evaluation": {"minutes": 0.0},
}
#: Parameters of the first runs that nothing ever read.
UNREAD = (
    *("evaluate_minutes", "gate_games", "gate_score", "gate_playouts"),
    *("yardsticks", "yardstick_games", "yardstick_playouts", "learn.architecture"),
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
    return RunParams(**{**values, "preset": path.stem})


def from_dict(values: Mapping[str, Any]) -> RunParams:
    """The parameters of a run as they stand in its folder, maybe written by an older version."""
    known = {name: value for name, value in values.items() if name not in UNREAD}
    for part, before in BEFORE.items():
        if isinstance(given := known.get(part, {}), Mapping):
            known[part] = {**before, **{n: value for n, value in given.items() if f"{part}.{n}" not in UNREAD}}
    return RunParams(**known)


def to_dict(params: RunParams) -> dict[str, Any]:
    """The parameters as plain values."""
    return dataclasses.asdict(params)
