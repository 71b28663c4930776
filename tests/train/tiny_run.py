"""A training run that takes seconds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tengen.train.loop import Trainer
from tengen.train.params import EvaluationParams, LearnParams, RunParams, SelfPlayParams

TINY = RunParams(
    minutes=0.12,
    log_seconds=1.0,
    publish_seconds=2.0,
    checkpoint_seconds=2.0,
    probe_positions=16,
    selfplay=SelfPlayParams(sizes=(7, 9), full_playouts=30, fast_playouts=8, threads=1),
    learn=LearnParams(radius=4, channels=32, batch=64, start_positions=100, reuse=4.0),
    evaluation=EvaluationParams(
        minutes=0.03, games=2, playouts=8, yardsticks=("random",), yardstick_minutes=0.0, yardstick_games=1, share=0.5
    ),
)


def run(folder: Path, params: RunParams = TINY) -> tuple[Trainer, list[dict[str, Any]]]:
    """Runs to the end; returns the trainer and what it reported."""
    entries: list[dict[str, Any]] = []
    trainer = Trainer(folder, params, entries.append)
    trainer.run()
    return trainer, entries
