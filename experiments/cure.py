"""S0's claim that p-opposition breaks "attack only, never defend": runs that have fallen into it, with and without it.

Few runs fall into it, so the first step looks for them: short runs without p-opposition, of as many seeds as wanted.
From the very state of each run that has collapsed, two go on: one as before, one with p-opposition. Everything is
counted in games, not in minutes, so that a busy machine gives the same curves.
"""

from __future__ import annotations

import multiprocessing
import shutil
import statistics
import tempfile
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import cyclopts
from section import Section, new_figure
from selfplay import PLAIN

from tengen.train.loop import Trainer
from tengen.train.params import EvaluationParams, LearnParams, RunParams, SelfPlayParams, SelfPlaySearchParams
from tengen.train.run_folder import PARAMS, OpenRun

SIZE = 9
PLAYOUTS = 8
EARLY_MOVES = 2
NOISE = 0.1
BUFFER = 4000
ROUND = 20
#: Games that one point of the curves stands for.
POINT = 200
#: A run whose games are as short as this has collapsed: nine moves is the shortest game, two more are a block in vain.
COLLAPSED = 12.5

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


def params(seed: int) -> RunParams:
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
            early_moves=EARLY_MOVES,
            root_noise=NOISE,
            opening_stones=0,
            opening_tries=1,
            adjudicated_share=0.0,
            longest_game=1.0,
            threads=1,
            round_games=ROUND,
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


def train(folder: Path, params: RunParams, games: int) -> list[Point]:
    """Goes on with a run, or begins it, up to so many games."""
    rounds: list[dict[str, Any]] = []

    def watch(entry: dict[str, Any]) -> None:
        if "moves_per_game" in entry:  # neither a message nor the end of a round that an earlier part has played
            rounds.append(entry)
            if entry["games"] >= games:
                trainer.stop()

    with OpenRun(folder) as run:
        trainer = Trainer(run, params, watch)
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


@dataclass(frozen=True)
class Collapse:
    """A run up to its collapse, and what became of it in each way."""

    seed: int
    before: list[Point]
    after: dict[str, list[Point]]


def look(seed: int, *, before: int, games: int, least: float) -> Collapse | None:
    """A run without p-opposition and, if it has collapsed, both ways to go on."""
    with tempfile.TemporaryDirectory() as place:
        begun = Path(place) / "begun"
        points = train(begun, params(seed), before)
        if points[-1].moves >= least:
            return None
        after = {}
        for way, changes in WAYS.items():
            folder = shutil.copytree(begun, Path(place) / way)
            (folder / PARAMS).unlink()  # it goes on with other parameters
            there = params(seed)
            there = replace(there, selfplay=replace(there.selfplay, **changes))
            after[way] = train(folder, there, before + games)
    return Collapse(seed, points, after)


def look_for_all(seeds: Sequence[int], jobs: int, **limits: Any) -> list[Collapse]:
    """The runs that have collapsed, in the order of their seeds."""
    found = []
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        every = pool.map if jobs > 1 else map
        for seed, collapse in zip(seeds, every(partial(look, **limits), seeds), strict=True):
            ends = {way: round(points[-1].moves, 1) for way, points in collapse.after.items()} if collapse else "none"
            print(f"seed {seed}: {ends}", flush=True)
            found += [collapse] if collapse else []
    return found


def draw(collapses: Sequence[Collapse]) -> Any:
    """Every run as a line, which divides at its collapse."""
    figure, (length, colors) = new_figure(2)
    for index, collapse in enumerate(collapses):
        lines = {"before": (collapse.before, "grey")}
        for number, (way, after) in enumerate(collapse.after.items()):
            lines[f"{way} p-opposition"] = ([collapse.before[-1], *after], f"C{number}")
        for label, (points, color) in lines.items():
            games = [point.games for point in points]
            length.plot(games, [point.moves for point in points], color=color, label=None if index else label)
            colors.plot(games, [point.black for point in points], color=color)
    for axis, title in ((length, "moves a game"), (colors, "share of games won by black")):
        axis.set_title(title, fontsize=10)
        axis.set_xlabel("games of self-play")
    length.legend(fontsize="x-small")
    return figure


def rows(collapses: Sequence[Collapse]) -> list[tuple[str, ...]]:
    """Of each run: the collapse, and for each way when it was over and what the last games were like."""
    found: list[tuple[str, ...]] = []
    for collapse in collapses:
        for way, points in collapse.after.items():
            free = next((f"{p.games:,}" for p in points if p.moves >= COLLAPSED), "never")
            last = points[-1]
            shape = (f"{last.moves:.1f}", f"{last.black:.0%}", f"{last.opposed:.2f}")
            found.append((str(collapse.seed), f"{collapse.before[-1].moves:.1f}", way, free, *shape))
    return found


def main(
    *,
    short: bool = False,
    first: int = 1,
    seeds: int = 60,
    before: int = 600,
    games: int = 1400,
    jobs: int = 1,
    to: Path | None = None,
) -> None:
    """Look for runs that collapse, and go on with and without p-opposition.

    Args:
        short: A few games, to see that it works.
        first: The first seed.
        seeds: How many seeds are tried.
        before: Games after which it is seen whether a run has collapsed.
        games: Games after that.
        jobs: Runs at a time, each on a core.
        to: Also put the section into this document, such as docs/experiments.md.
    """
    least = COLLAPSED
    if short:
        seeds, before, games, least = 1, ROUND, ROUND, SIZE * SIZE + 1.0
    collapses = look_for_all(range(first, first + seeds), jobs, before=before, games=games, least=least)
    section = Section("cure", "Does p-opposition cure attack without defence? (the thesis)", to)
    section.text(
        f"Runs on {SIZE}x{SIZE} freestyle from the empty board, without p-opposition: a line network (radius 4, 32 "
        f"channels), {PLAYOUTS} playouts a move, a buffer of {BUFFER:,} positions, rounds of {ROUND} games and 10 "
        f"batches of 256, temperature 1 for {EARLY_MOVES} moves and 0 after, {NOISE:.0%} of noise. As in the thesis "
        "the search knows no threats, has no solver and makes no proofs (`proofs=false`). A run has collapsed if a "
        f"game has under {COLLAPSED} moves, on average of {POINT} games; nine is the shortest. After {before:,} games "
        f"{len(collapses)} of {seeds} runs had, and from there each went on in two ways for {games:,} games."
    )
    heads = ("seed", "moves a game", "then, p-opposition", "out of it at", "moves at the end", "black won")
    section.table((*heads, "opposed moves a game"), rows(collapses))
    section.picture(draw(collapses), "Moves a game and black's share, before and after the collapse")
    section.write()


if __name__ == "__main__":
    cyclopts.run(main)
