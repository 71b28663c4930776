"""Sizes of the line network: what they learn from the same games, how fast they are, and who wins at equal time."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

import cyclopts
from section import Section, finished

from tengen import core
from tengen.arena import GameSetup, Match
from tengen.arena.balanced import match_openings
from tengen.errors import SetupError
from tengen.nets import files
from tengen.nets.files import ModelInfo
from tengen.nets.fused import fused_loss
from tengen.search import Mcts, SearchParams
from tengen.thinking.evaluators import default_evaluator
from tengen.train.learner import LineLearner
from tengen.train.params import LearnParams, SelfPlayParams, SelfPlaySearchParams

Size: TypeAlias = tuple[Literal[4, 5], Literal[32, 64, 128]]
#: Radius and channels; everybody meets the first.
SIZES: tuple[Size, ...] = ((5, 64), (4, 64), (4, 32), (4, 128))
BATCH = 512
HELD_OUT = 0.05
#: How long playouts are counted, and where.
SECONDS = 2.0
MOVES = "h8 i9 g9 i7 i8 g8"


@dataclass(frozen=True)
class Learned:
    """What came of one size: its file, held-out losses, samples learned from in a second, playouts in a second."""

    name: str
    path: Path
    policy: float
    value: float
    samples: float
    playouts: float


def shards(run: Path | None, games: int) -> Iterator[bytes]:
    """The games of a training run, file by file; or new ones by the shipped network."""
    if run is not None:
        paths = sorted((run / "games").glob("*.bin"))
        if not paths:
            raise SetupError(f"{run} has no games; name the folder of a training run")
        yield from (path.read_bytes() for path in paths)
        return
    selfplay = SelfPlayParams(full_playouts=40, fast_playouts=10, threads=2)
    pool = core.SelfPlayPool(
        default_evaluator("freestyle", 15), selfplay, selfplay.kinds(), SelfPlaySearchParams(), selfplay.concurrency, 1
    )
    played = 0
    while played < games:
        data = pool.take_games(1.0)
        played += len(core.read_games(data))
        yield data
    pool.stop()


def split(data: Iterator[bytes]) -> tuple[core.SampleBuffer, core.SampleBuffer]:
    """Positions to learn from, and those of other games that are held out."""
    learned, held_out = core.SampleBuffer(10_000_000), core.SampleBuffer(10_000_000)
    for shard in data:
        (held_out if held_out.positions < HELD_OUT * learned.positions else learned).add(shard)
    return learned, held_out


def learn(size: Size, steps: int, data: core.SampleBuffer, test: core.SampleBuffer, folder: Path) -> Learned:
    """Learns from the same positions in the same order as every other size."""
    radius, channels = size
    schedule = ((0.0, 4e-3), (0.4, 4e-3), (1.0, 1e-4))
    params = LearnParams(radius=radius, channels=channels, batch=BATCH, learning_rate=schedule, average_rate=0.01)
    learner = LineLearner(params, seed=1)
    started = time.process_time()
    for step in range(steps):
        learner.step(learner.draw(data, BATCH, step), step / steps)
    samples = steps * BATCH / (time.process_time() - started)
    batch = learner.encode(learner.draw(test, min(4000, 2 * test.positions), seed=1))
    _, policy, value = fused_loss(learner.average, batch, update_moments=False)
    name = f"R={radius} C={channels}"
    path = folder / f"r{radius}c{channels}.safetensors"
    info = ModelInfo(
        "line", learner.config, ["freestyle"], [15], "experiments/networks.py", data.games, "MIT", "", name
    )
    files.save(path, learner.arrays(), info)
    return Learned(name, path, policy, value, samples, playouts_per_second(learner.evaluator()))


def playouts_per_second(evaluator: core.Evaluator) -> float:
    """Playouts a second of the search as it plays, in a middle game."""
    search = Mcts(evaluator, SearchParams())
    board = GameSetup().board(MOVES)
    search.search(board, playouts=1)
    started = time.process_time()  # of all threads: other programs do not matter
    analysis = search.search(board, seconds=SECONDS)
    return analysis.playouts / (time.process_time() - started)


def play(networks: list[Learned], games: int, seconds: float, concurrency: int) -> list[Any]:
    """The first against each other one, at equal time; results from the first one's view."""
    setup = GameSetup()
    specs = [f"net:model={network.path},time={seconds:g}" for network in networks]
    results = []
    for other in specs[1:]:
        openings = match_openings(games // 2, setup, seed=1)
        match = Match([specs[0], other], games=games, openings=openings, setup=setup, seed=1, concurrency=concurrency)
        results.append(finished(match.run()).pair())
        print(other, results[-1].total, flush=True)
    return results


def main(
    *,
    short: bool = False,
    run: Path | None = None,
    steps: int = 4000,
    games: int = 100,
    seconds: float = 0.05,
    concurrency: int = 1,
    to: Path | None = None,
) -> None:
    """Compare sizes of the line network.

    Args:
        short: A few games and steps, to see that it works.
        run: Folder of a training run whose games are learned from; a few new ones if there is none.
        steps: Steps of learning for each size.
        games: Games of each match; even.
        seconds: A move.
        concurrency: Games at a time.
        to: Also put the section into this document, such as docs/network.md.
    """
    steps, games, seconds = (3, 2, 0.002) if short else (steps, games, seconds)
    data, test = split(shards(run, 40))
    with tempfile.TemporaryDirectory() as folder:
        networks = [learn(size, steps, data, test, Path(folder)) for size in SIZES]
        results = play(networks, games, seconds, concurrency)
    section = Section("networks", "Sizes compared", to)
    section.text(
        f"The same {data.positions:,} positions of {data.games:,} games of self-play, the same {steps:,} batches of "
        f"{BATCH}, in the same order, from random weights; losses (cross-entropy in nats) on positions of "
        f"{test.games:,} other games. Samples are learned from per second of one core; playouts are per second of one "
        f"thread, fours and all, in a middle game. The matches give both sides {seconds:g} s a move."
    )
    rows = []
    for network, result in zip(networks, [None, *results], strict=True):
        figures = [
            f"{network.policy:.3f}",
            f"{network.value:.3f}",
            f"{network.samples:,.0f}",
            f"{network.playouts:,.0f}",
        ]
        match = [str(result.total), str(result.elo)] if result else ["", ""]
        rows.append((network.name, *figures, *match))
    heads = ("network", "policy", "value", "samples/s", "playouts/s", f"{networks[0].name} against it", "Elo of that")
    section.table(heads, rows)
    section.write()


if __name__ == "__main__":
    cyclopts.run(main)
