"""A training run that ends as soon as it has done what a test wants to see, however fast the machine is."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from tengen.train.loop import Trainer
from tengen.train.params import EvaluationParams, LearnParams, RunParams, SelfPlayParams
from tengen.train.run_folder import OpenRun

Entries: TypeAlias = Sequence[dict[str, Any]]

TINY = RunParams(
    minutes=2.0,
    log_seconds=0.3,
    publish_seconds=0.5,
    checkpoint_seconds=0.6,
    probe_positions=16,
    tensorboard=False,
    selfplay=SelfPlayParams(sizes=(7, 9), full_playouts=30, fast_playouts=8, threads=1),
    learn=LearnParams(radius=4, channels=32, batch=64, start_positions=100, reuse=4.0),
    evaluation=EvaluationParams(
        minutes=0.01, games=1, playouts=8, yardsticks=("random",), yardstick_minutes=0.0, yardstick_games=1, share=1.0
    ),
)


def everything_happened(entries: Entries) -> bool:
    """It learned, published and evaluated."""
    return all(any(name in entry for entry in entries) for name in ("policy_loss", "kl", "elo"))


@contextlib.contextmanager
def opened(
    folder: Path,
    params: RunParams = TINY,
    report: Callable[[dict[str, Any]], None] = lambda entry: None,
    minutes: float | None = None,
) -> Iterator[Trainer]:
    """A run that is there, or a new one."""
    with OpenRun(folder) as run:
        yield Trainer(run, params, report, minutes)


def look(
    folder: Path,
    params: RunParams = TINY,
    report: Callable[[dict[str, Any]], None] = lambda entry: None,
    minutes: float | None = None,
) -> Trainer:
    """A run as it would be taken up; its folder is closed again."""
    with opened(folder, params, report, minutes) as trainer:
        return trainer


def run(
    folder: Path, params: RunParams = TINY, until: Callable[[Entries], bool] = everything_happened
) -> tuple[Trainer, list[dict[str, Any]]]:
    """Runs until the entries of the log satisfy `until`; returns the trainer and what it reported."""
    entries: list[dict[str, Any]] = []

    def report(entry: dict[str, Any]) -> None:
        entries.append(entry)
        if until(entries):
            trainer.stop()

    with opened(folder, params, report) as trainer:
        trainer.run()
    assert until(entries), "the time was up before it happened"
    return trainer, entries
