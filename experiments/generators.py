"""S4's claim: on tic-tac-toe, data made by the newest network lead to perfect play three times as fast as by the best.

Both learners are the same but for who plays: the newest network gets its weights after every round of games; the best
one only when the newest has won a match against it (S0's gate: 0.55 of the points of 20 games).
"""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

import cyclopts
import numpy as np
from section import Section, finished, new_figure

from tengen import core
from tengen.arena import GameSetup, Match, random_openings
from tengen.nets.loading import batched
from tengen.nets.residual import ResidualNet, TorchEvaluator
from tengen.players.tree_search import TreeSearchParameters, TreeSearchPlayer
from tengen.train.params import LearnParams, RunParams, SelfPlayParams, SelfPlaySearchParams
from tengen.train.residual_learner import ResidualLearner

GAME = "tictactoe"
PLAYOUTS = 20
ROUND = 100  # games between two looks at the network
GATE, GATE_GAMES = 0.55, 20
FEW_MISTAKES = 0.05
PERFECT = "perfect play"
CLAIM = 3.0  # S4: half an hour by the best network, ten minutes by the newest
GOALS = (f"{FEW_MISTAKES:.0%} mistakes", PERFECT)
SEARCH = SelfPlaySearchParams(memory=4 << 20, threats=False, prior_temperature=1.35)
PARAMS = RunParams(
    probe_positions=0,
    selfplay=SelfPlayParams(
        game=GAME,
        full_playouts=PLAYOUTS,
        full_share=1.0,
        root_noise_total_alpha=9.0,
        early_temperature=1.0,
        late_temperature=0.5,
        opening_stones=3,
        adjudicated_share=0.0,
        longest_game=1.0,
        least_visits=0.0,
        threads=32,
    ),
    learn=LearnParams(
        network="small",
        filters=32,
        blocks=1,
        value_hidden=32,
        batch=128,
        learning_rate=2e-3,
        l2=1e-4,
        result_share=1.0,
        average_rate=0.1,
        device="cpu",
    ),
    search=SEARCH,
    evaluation=replace(RunParams().evaluation, minutes=0),
)

Stones: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]
"""A position: the points of the first player and those of the second."""


class PerfectPlay:
    """Every position of the game with its value, and how much a network's first choices give away."""

    def __init__(self) -> None:
        self._values: dict[Stones, int] = {}
        self._planes: list[Any] = []
        self._index: dict[Stones, int] = {}  # of the positions in which there is something to choose
        self._solve(core.make_game(GAME))

    def _solve(self, game: Any) -> int:
        """The value for the side to move: 1, 0 or -1."""
        stones = _stones(game.moves)
        if stones not in self._values:
            if game.result != core.Result.open:
                self._values[stones] = 0 if game.result == core.Result.draw else -1
                return self._values[stones]
            planes = np.empty((game.plane_count, game.height, game.width), np.float32)
            game.encode(planes)
            self._index[stones] = len(self._planes)
            self._planes.append(planes)
            best = -1
            for move in game.legal_moves:
                game.play(move)
                best = max(best, -self._solve(game))
                game.undo()
            self._values[stones] = best
        return self._values[stones]

    def __len__(self) -> int:
        return len(self._planes)

    def errors(self, net: ResidualNet) -> tuple[float, bool]:
        """The share of all positions in which the network's first choice is a mistake, and whether it never loses.

        There is no search: the choice is the likeliest legal move. "Never loses" is tried against every line of play.
        """
        logits = TorchEvaluator(net, "cpu")(np.stack(self._planes))[0]
        choices: dict[Stones, int] = {}
        mistakes = 0
        for (own, other), index in self._index.items():
            free = [move for move in range(logits.shape[1]) if move not in own and move not in other]
            choice = max(free, key=lambda move, row=logits[index]: row[move])  # type: ignore[misc]
            choices[own, other] = choice
            mistakes += -self._values[_after((own, other), choice)] < self._values[own, other]
        never_loses = all(self._holds(core.make_game(GAME), color, choices) for color in (0, 1))
        return mistakes / len(self._index), never_loses

    def _holds(self, game: Any, color: int, choices: dict[Stones, int]) -> bool:
        if game.result != core.Result.open:
            lost = core.Result.second_wins if color == 0 else core.Result.first_wins
            return bool(game.result != lost)
        own = game.ply % 2 == color
        for move in [choices[_stones(game.moves)]] if own else game.legal_moves:
            game.play(move)
            holds = self._holds(game, color, choices)
            game.undo()
            if not holds:
                return False
        return True


def _stones(moves: Sequence[int]) -> Stones:
    return tuple(sorted(moves[0::2])), tuple(sorted(moves[1::2]))


def _after(stones: Stones, move: int) -> Stones:
    first, second = stones
    if len(first) == len(second):
        return tuple(sorted((*first, move))), second
    return first, tuple(sorted((*second, move)))


class Player:
    """A network that plays with a search; its weights can be replaced at any time."""

    def __init__(self, net: ResidualNet, seed: int) -> None:
        self.torch = TorchEvaluator(copy.deepcopy(net), "cpu")
        half = PARAMS.selfplay.threads // 2
        self.evaluator = batched(self.torch, net.config, random_symmetry=False, seed=seed, max_batch=half)

    def take(self, net: ResidualNet) -> None:
        """Plays with a copy of these weights from now on."""
        self.torch.net = copy.deepcopy(net).eval()


@dataclass
class Run:
    """What came of one learner.

    Attributes:
        games: Games of self-play, at each look.
        errors: Share of positions with a wrong first choice, at each look.
        seconds: CPU time of playing, learning and judging up to each look; looking is not counted.
        perfect: The look from which on it never lost; None if that never came.
        replaced: How often the network that plays was replaced.
    """

    games: list[int] = field(default_factory=list)
    errors: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    perfect: int | None = None
    replaced: int = 0

    def reached(self, goal: str) -> int | None:
        """The look at which a goal was reached."""
        if goal == PERFECT:
            return self.perfect
        return next((look for look, errors in enumerate(self.errors) if errors <= FEW_MISTAKES), None)


def passes_gate(newest: ResidualNet, best: ResidualNet, seed: int) -> bool:
    """Whether the newest network wins enough against the best one."""
    sides = {"newest": Player(newest, seed), "best": Player(best, seed)}
    parameters = TreeSearchParameters(**{**vars(SEARCH), "playouts": PLAYOUTS})
    setup = GameSetup(game=GAME)
    match = Match(
        list(sides),
        games=GATE_GAMES,
        openings=random_openings(GATE_GAMES // 2, setup, seed),
        setup=setup,
        seed=seed,
        concurrency=GATE_GAMES,
        create=lambda name: TreeSearchPlayer(parameters, name, None, lambda *_: sides[name].evaluator, True),
    )
    return finished(match.run()).pair().score >= GATE


def learn(generator: str, seed: int, most_games: int, steady: int, perfect: PerfectPlay) -> Run:
    """Learns until the network has never lost at `steady` looks in a row, or the games are used up."""
    params = replace(PARAMS, seed=seed)
    learner = ResidualLearner(params)
    player = Player(learner.average, seed)
    selfplay = params.selfplay
    pool = core.SelfPlayPool(player.evaluator, selfplay, selfplay.kinds(), params.search, selfplay.threads, seed)
    buffer = core.SampleBuffer(20_000)
    run = Run()
    games, credit, held, looking, started = 0, 0.0, 0, 0.0, time.process_time()
    try:
        while games < most_games and held < steady:
            data = pool.take_games(0.1)
            records = core.read_games(data)
            buffer.add(data)
            games += len(records)
            credit += sum(len(record.samples) for record in records) * params.learn.reuse
            while credit >= params.learn.batch and buffer.positions >= 256:
                learner.step(learner.draw(buffer, params.learn.batch, seed * 7919 + learner.steps), 0.0)
                credit -= params.learn.batch
            if games < ROUND * (len(run.games) + 1):
                continue
            pool.set_paused(True)
            if generator == "newest" or passes_gate(learner.average, player.torch.net, seed + games):
                player.take(learner.average)
                run.replaced += 1
            looked = time.process_time()
            run.seconds.append(looked - started - looking)
            errors, never_loses = perfect.errors(copy.deepcopy(learner.average).eval())
            run.games.append(games)
            run.errors.append(errors)
            held = held + 1 if never_loses else 0
            looking += time.process_time() - looked
            pool.set_paused(False)
    finally:
        pool.stop()
    if held >= steady:
        run.perfect = len(run.games) - steady
    return run


def draw(runs: dict[str, list[Run]]) -> Any:
    """Mistakes over games and over time."""
    figure, (by_games, by_time) = new_figure(2)
    for number, (name, own) in enumerate(runs.items()):
        for run in own:
            label = name if run is own[0] else None
            by_games.plot(run.games, run.errors, color=f"C{number}", alpha=0.7, label=label)
            by_time.plot(run.seconds, run.errors, color=f"C{number}", alpha=0.7)
    by_games.set_xlabel("games of self-play")
    by_time.set_xlabel("CPU seconds")
    by_games.set_ylabel("share of positions with a mistake")
    by_games.legend()
    return figure


def ratio(runs: dict[str, list[Run]], goal: str) -> str:
    """How much longer the best generator took to a goal, over the seeds with which both learners got there."""
    by_games, by_time = [], []
    for newest, best in zip(runs["newest"], runs["best"], strict=True):
        early, late = newest.reached(goal), best.reached(goal)
        if early is not None and late is not None:
            by_games.append(best.games[late] / newest.games[early])
            by_time.append(best.seconds[late] / newest.seconds[early])
    missed = len(runs["newest"]) - len(by_time)
    if len(by_time) < 2:
        return f"{goal}: too few pairs of learners got there to compare them."
    mean, low, high = mean_ratio(by_time)
    games, fewest, most = mean_ratio(by_games)
    verdict = "within" if low <= CLAIM <= high else "outside"
    left_out = f" Left out: {missed}, with which one of the two did not get there." if missed else ""
    return (
        f"{goal}: {mean:.2f} times the CPU time ({low:.2f} to {high:.2f}), {games:.2f} times the games "
        f"({fewest:.2f} to {most:.2f}), over {len(by_time)} seeds; {CLAIM:g} times the time is {verdict} that "
        f"interval.{left_out}"
    )


def mean_ratio(ratios: Sequence[float]) -> tuple[float, float, float]:
    """The geometric mean, in which twice and half cancel out, and its 95 % interval."""
    logarithms = np.log(ratios)
    mean, error = float(np.mean(logarithms)), float(np.std(logarithms, ddof=1)) / math.sqrt(len(ratios))
    width = student(len(ratios) - 1) * error
    return math.exp(mean), math.exp(mean - width), math.exp(mean + width)


def student(freedom: int) -> float:
    """The 97.5 % quantile of Student's t: the first terms of its expansion around the normal one."""
    z = 1.96
    return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)


def describe(name: str, seed: int, run: Run) -> tuple[str, ...]:
    """A row of the table."""
    cells = [name, str(seed)]
    for goal in GOALS:
        look = run.reached(goal)
        cells += ["-", "-"] if look is None else [f"{run.games[look]:,}", f"{run.seconds[look]:.1f}"]
    return *cells, f"{run.games[-1]:,}", f"{run.seconds[-1]:.1f}", str(run.replaced), f"{run.errors[-1]:.1%}"


def main(*, short: bool = False, seeds: int = 20, games: int = 10_000, to: Path | None = None) -> None:
    """Compare the generators.

    Args:
        short: One seed and a few games, to see that it works.
        seeds: Learners of each kind.
        games: Games of self-play for each learner, at most.
        to: Also put the section into this document, such as docs/experiments.md.
    """
    seeds, games, steady = (1, ROUND, 1) if short else (seeds, games, 3)
    perfect = PerfectPlay()
    runs: dict[str, list[Run]] = {"newest": [], "best": []}
    section = Section("generators", "Newest against best generator on tic-tac-toe (the course paper)", to)
    rows = []
    for seed in range(1, seeds + 1):
        for name, own in runs.items():
            own.append(learn(name, seed, games, steady, perfect))
            rows.append(describe(name, seed, own[-1]))
            print(" ".join(rows[-1]), flush=True)
    section.text(
        f"The same learner twice: a residual network (one block of 32), {PLAYOUTS} playouts a move, up to "
        f"{PARAMS.selfplay.opening_stones} random moves before a game, no knowledge of wins but the search's, each "
        f"position learned from {PARAMS.learn.reuse:g} times. After every {ROUND} games the generator takes the newest "
        f"weights, at once or only if they score {GATE} in {GATE_GAMES} games against its own. Then the newest "
        f"network's first choices, without search, are looked at in all {len(perfect):,} positions. Goals: at most "
        f"{FEW_MISTAKES:.0%} of these are mistakes; and {PERFECT}, that is, first choices that never lose whatever the "
        f"opponent does, at {steady} looks in a row, the first of which counts. A learner has at most {games:,} games. "
        "Times are CPU seconds of playing, learning and the gate."
    )
    heads = [f"{unit} until {goal}" for goal in GOALS for unit in ("games", "CPU s")]
    heads = ["generator", "seed", *heads, "games in all", "CPU s in all", "replaced", "mistakes at the end"]
    section.table(heads, rows)
    section.text(
        "What the best generator needed compared with the newest, geometric means over the seeds with their 95 % "
        f"intervals; the course paper says about {CLAIM:g} times the time to perfect play:"
    )
    for goal in GOALS:
        section.text(f"- {ratio(runs, goal)}")
    section.picture(draw(runs), "Mistakes over games and over time")
    section.write()


if __name__ == "__main__":
    cyclopts.run(main)
