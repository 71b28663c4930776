"""The folder of a training run: parameters, log, games, checkpoints and the networks it made.

runs/NAME/params.json       what the run was started with
log.jsonl         one JSON object a line
evaluation.jsonl  games of evaluation and what came of them (see `journal`)
games/*.bin       shards of game records, oldest first
under_way.bin     games that had begun at the last checkpoint
checkpoints/      the two latest
networks/         the newest network, and by number those that passed the gate
events/           the log for TensorBoard
lock              held by the process that trains
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any

from numpy.typing import NDArray

from tengen.errors import ModelFileError, SetupError
from tengen.nets import files
from tengen.nets.files import ModelInfo
from tengen.train.json_lines import append_line, read_lines

LOG = "log.jsonl"
UNDER_WAY = "under_way.bin"
#: A shard is closed when it has so many bytes.
SHARD_BYTES = 8 << 20


class RunFolder:
    """One run on disk. Everything is written so that a power cut at any moment loses at most what came last."""

    def __init__(self, path: Path) -> None:
        self.path = path
        for name in ("games", "checkpoints", "networks"):
            (path / name).mkdir(parents=True, exist_ok=True)
        self._shard: IO[bytes] | None = None
        self._last_shard = max((number for number, _ in self.shards()), default=0)

    @contextlib.contextmanager
    def lock(self) -> Iterator[None]:
        """Keeps other processes from writing to the run; the lock goes with the process, however it ends."""
        with open(self.path / "lock", "ab") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise SetupError(f"{self.path} is being trained already; choose another --run") from None
            for leftover in self.path.glob("*/.*.tmp"):  # of a write that a crash cut off
                leftover.unlink()
            yield

    # -- parameters

    def load_params(self) -> dict[str, Any] | None:
        """What the run was started with, or None for a new run."""
        try:
            return dict(json.loads((self.path / "params.json").read_text(encoding="utf-8")))
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise SetupError(f"cannot read {self.path / 'params.json'}: {error}") from None

    def save_params(self, params: Mapping[str, Any]) -> None:
        """Writes the parameters."""
        files.write_atomically(self.path / "params.json", json.dumps(params, indent=2).encode())

    # -- log

    def log(self, entry: Mapping[str, Any]) -> None:
        """Appends a line."""
        append_line(self.path / LOG, entry)

    def read_log(self) -> list[dict[str, Any]]:
        """All lines; one that was cut off by a crash is skipped."""
        return list(read_lines(self.path / LOG))

    # -- games

    def append_games(self, data: bytes) -> int:
        """Appends game records to the current shard; returns its number."""
        if self._shard is None:
            # Never append to a shard of an earlier part of the run: its end may be damaged.
            self._last_shard += 1
            self._shard = open(self.path / "games" / f"{self._last_shard:06d}.bin", "ab")  # noqa: SIM115
        self._shard.write(data)
        self._shard.flush()
        if self._shard.tell() >= SHARD_BYTES:
            self.close_shard()
        return self._last_shard

    def close_shard(self) -> None:
        """Makes sure that the games so far are on disk, and starts another shard with the next ones."""
        if self._shard is not None:
            os.fsync(self._shard.fileno())
            self._shard.close()
            self._shard = None

    def shards(self) -> list[tuple[int, Path]]:
        """The shards with their numbers, oldest first."""
        return sorted((_number(path), path) for path in (self.path / "games").glob("*.bin"))

    def delete_shards(self, before: int) -> None:
        """Deletes the shards with smaller numbers."""
        for number, path in self.shards():
            if number < before:
                path.unlink()

    def save_games_under_way(self, data: bytes) -> None:
        """Writes the games that have begun, instead of those that had."""
        files.write_atomically(self.path / UNDER_WAY, data)

    def load_games_under_way(self) -> bytes:
        """The games that had begun; none if there is no such file."""
        try:
            return (self.path / UNDER_WAY).read_bytes()
        except OSError:
            return b""

    # -- checkpoints

    def save_checkpoint(self, state: Mapping[str, NDArray[Any]], counters: Mapping[str, Any]) -> None:
        """Writes a checkpoint beside the last one, then removes older ones."""
        info = ModelInfo(
            architecture="checkpoint",
            config={"counters": dict(counters)},
            rules=[],
            sizes=[],
            run=self.path.name,
            games=int(counters.get("games", 0)),
            license="MIT",
            created=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        )
        number = max((_number(path) for path in self.checkpoints()), default=0) + 1
        files.save(self.path / "checkpoints" / f"{number:06d}.safetensors", dict(state), info)
        for old in self.checkpoints()[:-2]:
            old.unlink()

    def checkpoints(self) -> list[Path]:
        """The checkpoints, oldest first."""
        return sorted((self.path / "checkpoints").glob("*.safetensors"), key=_number)

    def counters_of(self, path: Path) -> dict[str, Any]:
        """The counters of a checkpoint; none of one that is damaged."""
        try:
            return dict(files.read_info(path).config["counters"])
        except ModelFileError:
            return {}

    def load_checkpoint(self, complain: Callable[[str], None]) -> tuple[dict[str, NDArray[Any]], dict[str, Any]] | None:
        """The latest sound checkpoint: its arrays and its counters.

        Args:
            complain: Called with a sentence for each damaged one that is passed over.
        """
        for path in reversed(self.checkpoints()):
            try:
                arrays, info = files.load(path)
                return arrays, dict(info.config["counters"])
            except ModelFileError as error:
                complain(f"{error}; going on from the checkpoint before")
        return None


def _number(path: Path) -> int:
    match = re.fullmatch(r"(\d+)", path.stem)
    return int(match[1]) if match else 0
