"""The log as TensorBoard's event files, where that package is installed."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from pathlib import Path
from typing import Any

#: Where a number of the log stands in TensorBoard's page; all others are under "other".
_SECTIONS = {
    "loss": ("policy_loss", "value_loss", "policy_entropy"),
    "learning": ("kl", "variance_before", "variance_after", "learning_rate", "samples_per_second", "samples"),
    "games": ("moves_per_game", "black_wins", "draws", "unfinished", "opposition_probability", "opposition_threshold"),
    "speed": ("games_per_second", "playouts_per_second", "evaluation_share"),
    "strength": ("elo", "elo_margin95"),
}
_TAGS = {name: f"{section}/{name}" for section, names in _SECTIONS.items() for name in names}


class EventFiles:
    """Writes each line of the log; does nothing where TensorBoard is not installed."""

    def __init__(self, folder: Path) -> None:
        """Prepares the folder's event files, which `tensorboard --logdir` shows.

        Args:
            folder: Of the event files.
        """
        self._writer: Any = None
        if importlib.util.find_spec("tensorboard") is not None:
            from torch.utils.tensorboard import SummaryWriter  # takes seconds

            self._writer = SummaryWriter(str(folder))

    def write(self, entry: Mapping[str, Any]) -> None:
        """Writes the numbers of a line, over seconds of training."""
        if self._writer is None:
            return
        seconds = round(60 * entry["minutes"])
        for name, value in entry.items():
            if name != "minutes" and isinstance(value, int | float):
                self._writer.add_scalar(_TAGS.get(name, f"other/{name}"), value, seconds)

    def close(self) -> None:
        """Makes sure that everything is on disk."""
        if self._writer is not None:
            self._writer.close()
            self._writer = None
