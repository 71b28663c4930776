"""The folder of a training run: parameters, log, games, checkpoints and the networks it made.

runs/NAME/params.json       what the run was started with
log.jsonl         one JSON object a line
evaluation.jsonl  games of evaluation and what came of them (see `journal`)
games/*.bin       shards of game records, oldest first
recorded.bin      games of people and other programs, from which it learns too
games/*.jsonl     which of a shard's games other machines played (see `origins`)
id                a name that no other run has
nodes.json        the machines that play, if there are others than this one
under_way.bin     games that had begun at the last checkpoint
checkpoints/      the two latest
networks/         the newest network, and by number those that passed the gate
events/           the log for TensorBoard
lock              held by the process that trains
"""

from __future__ import annotations

import json
import os
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any, TypeVar

from numpy.typing import NDArray

from tengen.disk import append_whole, remove_leftovers
from tengen.errors import ModelFileError, SetupError
from tengen.file_lock import FolderLock
from tengen.nets import files
from tengen.nets.files import ModelInfo
from tengen.train.json_lines import append_line, read_lines
from tengen.train.origins import file_beside, write_origins
from tengen.train.pools import Games, NodeState

LOG = "log.jsonl"
PARAMS = "params.json"
UNDER_WAY = "under_way.bin"
RECORDED = "recorded.bin"
ID = "id"
NODES = "nodes.json"
#: A shard is closed when it has so many bytes.
SHARD_BYTES = 8 << 20
#: Of the file of a checkpoint; a network has that of its kind.
_ARCHITECTURE = "checkpoint"

Taken = TypeVar("Taken")


class RunFolder:
    """One run on disk, to be read; nothing is made or changed."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def has_begun(self) -> bool:
        """Whether a run has ever been here."""
        return (self.path / PARAMS).exists() or bool(self.checkpoints()) or bool(self.shards())

    def load_params(self) -> dict[str, Any] | None:
        """What the run was started with, or None if nothing says so."""
        path = self.path / PARAMS
        try:
            values = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except OSError as error:
            raise SetupError(f"cannot read {path}: {error.strerror}") from None
        except (ValueError, RecursionError):
            values = None
        if not isinstance(values, dict):
            raise SetupError(f"{path} is damaged; delete it to go on with the parameters of the preset")
        return values

    def read_log(self) -> list[dict[str, Any]]:
        """All lines; one that was cut off by a crash is skipped."""
        return list(read_lines(self.path / LOG))

    def shards(self) -> list[tuple[int, Path]]:
        """The shards with their numbers, oldest first."""
        return _numbered(self.path / "games", "*.bin")

    def load_games_under_way(self) -> bytes:
        """The games that had begun; none if there is no such file."""
        try:
            return (self.path / UNDER_WAY).read_bytes()
        except OSError:
            return b""

    def load_recorded_games(self) -> bytes | None:
        """The games of others that were put there; None if there is no such file."""
        try:
            return (self.path / RECORDED).read_bytes()
        except OSError:
            return None

    def checkpoints(self) -> list[Path]:
        """The checkpoints, oldest first."""
        return [path for _, path in _numbered(self.path / "checkpoints", "*.safetensors")]

    def counters_of(self, path: Path) -> dict[str, Any]:
        """The counters of a checkpoint; none of one that is damaged."""
        try:
            return _counters(path, files.read_info(path))
        except ModelFileError:
            return {}

    def take_checkpoint(
        self,
        take: Callable[[dict[str, NDArray[Any]], dict[str, Any]], Taken],
        complain: Callable[[str], None],
    ) -> Taken | None:
        """What `take` makes of the latest sound checkpoint; None if there is none.

        Args:
            take: Called with arrays and counters; it raises an error where they are not what it needs.
            complain: Called with a sentence for each damaged one that is passed over.
        """
        for path in reversed(self.checkpoints()):
            try:
                arrays, info = files.load(path)
                return take(arrays, _counters(path, info))
            except ModelFileError as error:
                complain(f"{error}; going on from the checkpoint before")
            except (KeyError, RuntimeError, TypeError, ValueError):  # whatever torch says about shapes
                complain(f"{path} is not a checkpoint of such a run; going on from the checkpoint before")
        return None


class OpenRun(RunFolder):
    """A run that this process alone may change; a context manager.

    Entering it takes the lock, and leaving it undoes even that unless the run has begun (`begin`): a start that fails
    changes nothing. Everything is written so that a power cut at any moment loses at most what came last.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._lock = FolderLock(path, "lock")
        self._is_begun = False
        self._shard: IO[bytes] | None = None
        self._shard_number = 0
        self.id = self._stored_id() or secrets.token_hex(8)

    def _stored_id(self) -> str:
        try:
            return (self.path / ID).read_text(encoding="utf-8").strip()
        except (OSError, ValueError):
            return ""

    def __enter__(self) -> OpenRun:
        try:
            is_ours = self._lock.take()
        except OSError as error:
            raise SetupError(f"cannot train in {self.path}: {error.strerror}; choose another --run") from None
        if not is_ours:
            raise SetupError(f"{self.path} is being trained already; choose another --run")
        return self

    def __exit__(self, *error: object) -> None:
        if self._shard is not None:
            self._shard.close()
        self._lock.release(undo=not self._is_begun)

    def begin(self, params: Mapping[str, Any]) -> None:
        """Makes it a run with these parameters, or goes on with the one that is there."""
        files.write_atomically(self.path / PARAMS, json.dumps(params, indent=2).encode())
        files.write_atomically(self.path / ID, f"{self.id}\n".encode())
        self._is_begun = True
        remove_leftovers(self.path)
        for name in ("games", "checkpoints", "networks"):
            (self.path / name).mkdir(exist_ok=True)
        self._shard_number = max((number for number, _ in self.shards()), default=0)

    def log(self, entry: Mapping[str, Any]) -> None:
        """Appends a line."""
        append_line(self.path / LOG, entry)

    def save_nodes(self, nodes: Sequence[NodeState]) -> None:
        """Writes what is known about the machines that play, instead of what was."""
        if nodes:
            files.write_atomically(self.path / NODES, json.dumps([asdict(node) for node in nodes]).encode())
        else:
            (self.path / NODES).unlink(missing_ok=True)

    # -- games

    def append_games(self, batch: Sequence[Games]) -> int:
        """Appends games to the current shard; returns its number.

        If any of them may come again, which their origin says, all are on the disk when this returns.
        """
        if self._shard is None:
            # Never append to a shard of an earlier part of the run: its end may be damaged.
            self._shard_number += 1
            self._shard = open(self._current_shard, "ab", buffering=0)  # noqa: SIM115
        must_last = write_origins(self._current_shard, self._shard.seek(0, os.SEEK_END), batch)
        append_whole(self._current_shard, self._shard, b"".join(games.data for games in batch))
        if must_last:
            os.fsync(self._shard.fileno())
        number = self._shard_number
        if self._shard.tell() >= SHARD_BYTES:
            self.close_shard()
        return number

    @property
    def _current_shard(self) -> Path:
        return self.path / "games" / f"{self._shard_number:06d}.bin"

    def close_shard(self) -> None:
        """Makes sure that the games so far are on disk, and starts another shard with the next ones."""
        if self._shard is not None:
            os.fsync(self._shard.fileno())
            self._shard.close()
            self._shard = None

    def delete_shards(self, before: int) -> None:
        """Deletes the shards with smaller numbers."""
        for number, path in self.shards():
            if number < before:
                path.unlink()
                file_beside(path).unlink(missing_ok=True)

    def save_games_under_way(self, data: bytes) -> None:
        """Writes the games that have begun, instead of those that had."""
        files.write_atomically(self.path / UNDER_WAY, data)

    def save_recorded_games(self, data: bytes) -> None:
        """Writes the games of others, if there are any and they are not there yet."""
        if data and self.load_recorded_games() is None:
            files.write_atomically(self.path / RECORDED, data)

    # -- checkpoints

    def save_checkpoint(self, state: Mapping[str, NDArray[Any]], counters: Mapping[str, Any]) -> None:
        """Writes a checkpoint beside the last one, then removes older ones."""
        info = ModelInfo(
            architecture=_ARCHITECTURE,
            config={"counters": dict(counters)},
            rules=[],
            sizes=[],
            run=self.path.name,
            games=int(counters.get("games", 0)),
            license="MIT",
            created=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        )
        number = max((int(path.stem) for path in self.checkpoints()), default=0) + 1
        files.save(self.path / "checkpoints" / f"{number:06d}.safetensors", dict(state), info)
        for old in self.checkpoints()[:-2]:
            old.unlink()


def _numbered(folder: Path, pattern: str) -> list[tuple[int, Path]]:
    """The files that have a number for a name, in its order; whatever else lies there is not ours."""
    return sorted((int(path.stem), path) for path in folder.glob(pattern) if path.stem.isdecimal())


def _counters(path: Path, info: ModelInfo) -> dict[str, Any]:
    counters = info.config.get("counters")
    if info.architecture != _ARCHITECTURE or not isinstance(counters, dict):
        raise ModelFileError(f"{path} is a network, not a checkpoint")
    return counters
