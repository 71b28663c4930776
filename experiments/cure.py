"""S0's claim that p-opposition breaks "attack only, never defend": runs that fall into it, with and without the cure.

The setting is one in which self-play collapses: few playouts, a small buffer, and a search that learns nothing for
certain. Everything is counted in games, not in minutes, so that a busy machine gives the same curves.
"""

from __future__ import annotations

import multiprocessing
import statistics
import tempfile
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cyclopts
from section import Section, new_figure
from selfplay import PLAIN

from tengen.train.loop import Trainer
from tengen.train.params import EvaluationParams, LearnParams, RunParams, SelfPlayParams, SelfPlaySearchParams
from tengen.train.run_folder import OpenRun

SIZE = 9
PLAYOUTS = 30
BUFFER = 1000
ROUND = 20
#: Moves of the shortest game: black makes five, white does nothing about it.
SHORTEST = 9
#: Games that one point of the curves stands for.
POINT = 200

WAYS: dict[str, dict[str, Any]] = {
    "without": {},
    "with": {"opposition_adaptive": True, "opposition_games": 200},
}


@dataclass(frozen=True)
class Point:
    """What some games of a run were like: games so far, moves a game, and shares of them."""

    games: int
    moves: float
    black: float
    opposed: float


def params(changes: dict[str, Any], seed: int) -> RunParams:
    """A run from the empty board, in rounds as S0 has them."""
    return RunParams(
        minutes=10_000,
        seed=seed,
        log_seconds=10_000,
        checkpoint_seconds=10_000,
        probe_positions=0,
        tensorboard=False,
        selfplay=SelfPlayParams(
            sizes=(SIZE,),
            full_playouts=PLAYOUTS,
            fast_playouts=PLAYOUTS,
            full_share=1.0,
            early_temperature=1.0,
            late_temperature=0.0,
            early_moves=4,
            opening_stones=0,
            opening_tries=1,
            adjudicated_share=0.0,
            longest_game=1.0,
            threads=1,
            round_games=ROUND,
            **changes,
        ),
        learn=LearnParams(
            radius=4,
            channels=32,
            hidden=64,
            batch=256,
            round_batches=10,
            learning_rate=2e-3,
            result_share=1.0,
            average_rate=0.05,
            buffer=BUFFER,
            buffer_share=1.0,
            buffer_least=BUFFER,
            start_positions=256,
        ),
        search=SelfPlaySearchParams(**PLAIN, proofs=False, c_puct=1.5, fpu_reduction_root=0.25),
        evaluation=EvaluationParams(minutes=0.0),
    )


def train(changes: dict[str, Any], seed: int, games: int) -> list[Point]:
    """A run of so many games."""
    rounds: list[dict[str, Any]] = []

    def watch(entry: dict[str, Any]) -> None:
        rounds.append(entry)
        if entry["games"] >= games:
            trainer.stop()

    with tempfile.TemporaryDirectory() as folder, OpenRun(Path(folder) / "run") as run:
        trainer = Trainer(run, params(changes, seed), watch)
        trainer.run()
    size = max(1, POINT // ROUND)
    return [point(rounds[first : first + size]) for first in range(0, len(rounds), size)]


def point(rounds: Sequence[dict[str, Any]]) -> Point:
    """The mean of some rounds."""
    moves, black, opposed = (
        statistics.fmean(entry[name] for entry in rounds)
        for name in ("moves_per_game", "black_wins", "opposition_moves")
    )
    return Point(rounds[-1]["games"], moves, black, opposed)


def draw(runs: dict[str, list[list[Point]]]) -> Any:
    """Every run as a line."""
    figure, (length, colors) = new_figure(2)
    for number, (way, points) in enumerate(runs.items()):
        for index, run in enumerate(points):
            games = [point.games for point in run]
            label = f"{way} p-opposition" if index == 0 else None
            length.plot(games, [point.moves for point in run], color=f"C{number}", label=label)
            colors.plot(games, [point.black for point in run], color=f"C{number}", label=label)
    length.axhline(SHORTEST, color="grey", linewidth=0.8, linestyle=":")
    for axis, title in ((length, "moves a game"), (colors, "share of games won by black")):
        axis.set_title(title, fontsize=10)
        axis.set_xlabel("games of self-play")
    length.legend(fontsize="x-small")
    return figure


def rows(runs: dict[str, list[list[Point]]]) -> list[tuple[str, ...]]:
    """Of each run: how short its games became, and what its last fifth was like."""
    found: list[tuple[str, ...]] = []
    for way, points in runs.items():
        for seed, run in enumerate(points, 1):
            last = run[-max(1, len(run) // 5) :]
            shortest = min(run, key=lambda point: point.moves)
            means = [statistics.fmean(getattr(point, name) for point in last) for name in ("moves", "black", "opposed")]
            shape = (f"{shortest.moves:.1f} (at {shortest.games:,})", f"{means[0]:.1f}", f"{means[1]:.0%}")
            found.append((way, str(seed), *shape, f"{means[2]:.2f}"))
    return found


def train_all(games: int, seeds: int, jobs: int) -> dict[str, list[list[Point]]]:
    """The runs by their way, in the order of their seeds."""
    tasks = [(way, seed) for seed in range(1, seeds + 1) for way in WAYS]
    runs: dict[str, list[list[Point]]] = {way: [] for way in WAYS}
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        every = pool.map if jobs > 1 else map
        changes, numbers = [WAYS[way] for way, _ in tasks], [seed for _, seed in tasks]
        for (way, seed), run in zip(tasks, every(train, changes, numbers, [games] * len(tasks)), strict=True):
            print(f"{way}, seed {seed}: {run[-1]}", flush=True)
            runs[way].append(run)
    return runs


def main(*, short: bool = False, games: int = 2000, seeds: int = 3, jobs: int = 1, to: Path | None = None) -> None:
    """Train with and without p-opposition.

    Args:
        short: A few games each, to see that it works.
        games: Games of self-play of each run.
        seeds: Runs of each kind.
        jobs: Runs at a time, each on a core.
        to: Also put the section into this document, such as docs/experiments.md.
    """
    games, seeds = (2 * ROUND, 1) if short else (games, seeds)
    runs = train_all(games, seeds, jobs)
    section = Section("cure", "Does p-opposition cure attack without defence? (the thesis)", to)
    section.text(
        f"Runs of {games:,} games on {SIZE}x{SIZE} freestyle from the empty board, with and without adaptive "
        f"p-opposition, {seeds} of each: a line network (radius 4, 32 channels), {PLAYOUTS} playouts a move, a buffer "
        f"of {BUFFER:,} positions, rounds of {ROUND} games and 10 batches of 256, temperature 1 for 4 moves and 0 "
        "after. As in the thesis the search knows no threats, has no solver and makes no proofs (`proofs=false`). The "
        "last three columns are of the last fifth of each run; the shortest game possible has nine moves."
    )
    heads = ("p-opposition", "seed", f"shortest mean of {POINT} games", "moves a game", "black won")
    section.table((*heads, "opposed moves a game"), rows(runs))
    section.picture(draw(runs), "Moves a game and black's share, with and without p-opposition")
    section.write()


if __name__ == "__main__":
    cyclopts.run(main)
