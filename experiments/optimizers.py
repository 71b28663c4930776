"""Adam against Muon: how much does a line network learn from the same positions of finished self-play?

python experiments/optimizers.py --run runs/hour
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import cyclopts
from section import Section

from tengen import core
from tengen.errors import SetupError
from tengen.nets.fused import fused_loss
from tengen.search import SearchParams
from tengen.train.learner import LineLearner
from tengen.train.params import LearnParams, SelfPlayParams

HELD_OUT = 6_000


@dataclass(frozen=True)
class Kind:
    """A way to learn."""

    optimizer: Literal["muon", "adam"]
    learning_rate: float
    average_rate: float = 0.03

    @property
    def name(self) -> str:
        """As the table calls it."""
        return f"{self.optimizer.capitalize()}, {self.learning_rate:g}"


KINDS = (
    Kind("adam", 2e-3),
    Kind("adam", 4e-3),
    Kind("adam", 8e-3),
    Kind("muon", 4e-3),
    Kind("muon", 8e-3),
    Kind("muon", 1.6e-2),
    Kind("muon", 8e-3, average_rate=0.01),
)


def tiny_games() -> list[bytes]:
    """Three files of games that nobody has learned from: enough to see that it works."""
    params = SelfPlayParams(sizes=(9,), full_playouts=20, full_share=1.0, gumbel_moves=4, opening_tries=1)
    search = SearchParams(memory=8 << 20)
    pool = core.SelfPlayPool(core.UniformEvaluator(), params, params.kinds(), search, 1, 1)
    files: list[bytes] = []
    while len(files) < 3:
        games = pool.take_games(0.2)
        if games:
            files.append(games)
    pool.stop()
    return files


def newest_games(run: Path, files: int) -> list[bytes]:
    """The last files of a run's games."""
    paths = sorted((run / "games").glob("*.bin"))[-files:]
    if len(paths) < 3:
        raise SetupError(f"{run} has too few games; give the folder of a longer run with --run")
    return [path.read_bytes() for path in paths]


def learn(kind: Kind, data: core.SampleBuffer, held_out: core.SampleBuffer, steps: int, batch: int) -> list[str]:
    """The losses of the network that plays, on positions that were held out, after each third of the steps."""
    learner = LineLearner(
        LearnParams(
            radius=4,
            batch=batch,
            optimizer=kind.optimizer,
            learning_rate=(
                (0.0, kind.learning_rate),
                (0.5, 0.75 * kind.learning_rate),
                (1.0, 0.02 * kind.learning_rate),
            ),
            average_rate=kind.average_rate,
            result_share=0.6,
        ),
        seed=1,
    )
    test = learner.encode(learner.draw(held_out, HELD_OUT, seed=1))
    losses = []
    for step in range(steps):
        learner.step(learner.draw(data, batch, seed=step), step / steps)
        if (step + 1) % (steps // 3) == 0:
            _, policy, value = fused_loss(learner.average, test, update_moments=False)
            losses.append(f"{policy:.3f} / {value:.3f}")
    print(kind, *losses, flush=True)
    return losses


def main(
    *,
    short: bool = False,
    run: Path = Path("runs/hour"),
    files: int = 90,
    steps: int = 1800,
    batch: int = 512,
    to: Path | None = None,
) -> None:
    """Learn from the games of a run in each way.

    Args:
        short: A few games of its own and a few steps, to see that it works.
        run: The run.
        files: How many of its latest files of games; one in twenty is held out.
        steps: Steps of learning in each way.
        batch: Positions in a step.
        to: Also put the section into this document, such as docs/experiments.md.
    """
    steps, batch = (3, 32) if short else (steps, batch)
    parts = tiny_games() if short else newest_games(run, files)
    data, held_out = core.SampleBuffer(10**8), core.SampleBuffer(10**8)
    for number, games in enumerate(parts):
        (held_out if number % 20 == len(parts) % 20 // 2 else data).add(games)
    rows = [(kind.name, f"{kind.average_rate:g}", *learn(kind, data, held_out, steps, batch)) for kind in KINDS]
    section = Section("optimizers", "Adam against Muon", to)
    section.text(
        f"A line network (radius 4, 64 channels, 128 hidden units) from random weights, {steps:,} steps of {batch} of "
        f"{data.positions:,} positions, the latest of a run; the learning rate falls to three quarters in the first "
        "half and to a fiftieth in the second. Cross-entropies of policy and value on positions of games that were "
        "held out, of the average of the weights, which is what plays; the average's rate is for each step."
    )
    heads = ("optimizer, learning rate", "rate of the average", "after a third", "two thirds", "all")
    section.table(heads, rows)
    section.write()


if __name__ == "__main__":
    cyclopts.run(main)
