"""Damaged folders of runs, through the commands that people use: one sentence or a sound continuation."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

import pytest

pytest.importorskip("torch")
pytest.importorskip("matplotlib")

import numpy as np
from commands import Commands, Said, contents, tengen, write_preset
from tiny_run import look, run

from tengen.nets import files
from tengen.web.messages import WatchRequest
from tengen.web.runs import Runs

__all__ = ["tengen"]

Damage: TypeAlias = Callable[[Path], object]
#: Minutes in which a run begins and saves.
MOMENT = 0.005


def text(name: str, content: str | bytes) -> Damage:
    data = content.encode() if isinstance(content, str) else content
    return lambda folder: (folder / name).write_bytes(data)


def added(name: str, content: str | bytes) -> Damage:
    def damage(folder: Path) -> None:
        with (folder / name).open("ab") as file:
            file.write(content.encode() if isinstance(content, str) else content)

    return damage


def newest(folder: Path, pattern: str) -> Path:
    return max(folder.glob(pattern))


def cut(pattern: str, share: float = 0.5) -> Damage:
    def damage(folder: Path) -> None:
        path = newest(folder, pattern)
        data = path.read_bytes()
        path.write_bytes(data[: int(len(data) * share)])

    return damage


def every(pattern: str, content: bytes) -> Damage:
    def damage(folder: Path) -> None:
        for path in folder.glob(pattern):
            path.write_bytes(content)

    return damage


def gone(pattern: str) -> Damage:
    def damage(folder: Path) -> None:
        for path in folder.glob(pattern):
            path.unlink()

    return damage


def flipped(pattern: str) -> Damage:
    def damage(folder: Path) -> None:
        path = newest(folder, pattern)
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 1
        path.write_bytes(bytes(data))

    return damage


def parameters_without(name: str) -> Damage:
    def damage(folder: Path) -> None:
        stored = json.loads((folder / "params.json").read_text())
        del stored["learn"][name]
        (folder / "params.json").write_text(json.dumps(stored))

    return damage


def network_for_checkpoint(folder: Path) -> None:
    shutil.copy(folder / "networks" / "newest.safetensors", newest(folder, "checkpoints/*.safetensors"))


def checkpoint_with(counters: object) -> Damage:
    def damage(folder: Path) -> None:
        path = newest(folder, "checkpoints/*.safetensors")
        arrays, info = files.load(path)
        files.save(path, arrays, replace(info, config={"counters": counters}))

    return damage


def checkpoint_of_another_shape(folder: Path) -> None:
    path = newest(folder, "checkpoints/*.safetensors")
    arrays, info = files.load(path)
    files.save(path, {name: np.zeros(3, np.float32) for name in arrays}, info)


GOES_ON = {
    "no parameters": gone("params.json"),
    "parameters of an older version": parameters_without("optimizer"),
    "a null among the parts of the log": added("log.jsonl", '{"minutes": null, "games": null}\n'),
    "text in the log": added("log.jsonl", '{"minutes": "long", "games": "many", "policy_loss": []}\n'),
    "not a number in the log": added("log.jsonl", '{"minutes": NaN, "games": Infinity}\n'),
    "another kind of line in the log": added("log.jsonl", "[1, 2]\nnull\n17\n"),
    "a deep line in the log": added("log.jsonl", "[" * 100_000 + "\n"),
    "bytes in the log": added("log.jsonl", b"\xff\x00\xfe\n"),
    "a cut-off log": cut("log.jsonl", 0.9),
    "an empty log": text("log.jsonl", ""),
    "an evaluation without keys": added(
        "evaluation.jsonl", '{"kind": "game"}\n{"kind": "network"}\n{"kind": "known"}\n'
    ),
    "nulls in an evaluation": added(
        "evaluation.jsonl",
        '{"kind": "network", "name": null, "minutes": null, "games": 1, "best": null, "score": 0, "kept": true}\n'
        '{"kind": "known", "ratings": {"random": null}}\n{"kind": "game", "network": "009", "opponent": null}\n',
    ),
    "text in an evaluation": added(
        "evaluation.jsonl", '{"kind": "game", "network": "x", "opponent": "000", "points": "one"}\n'
    ),
    "an evaluation twice": lambda folder: added("evaluation.jsonl", (folder / "evaluation.jsonl").read_bytes())(folder),
    "infinite ratings": added("evaluation.jsonl", '{"kind": "known", "ratings": {"random": Infinity}}\n'),
    "a cut-off evaluation": cut("evaluation.jsonl", 0.7),
    "bytes for an evaluation": text("evaluation.jsonl", b"\x00\xff" * 50),
    "no evaluation": gone("evaluation.jsonl"),
    "a cut-off checkpoint": cut("checkpoints/*.safetensors"),
    "a changed checkpoint": flipped("checkpoints/*.safetensors"),
    "an empty checkpoint": lambda folder: newest(folder, "checkpoints/*.safetensors").write_bytes(b""),
    "no sound checkpoint": every("checkpoints/*.safetensors", b"nothing"),
    "no checkpoint": gone("checkpoints/*.safetensors"),
    "a network for a checkpoint": network_for_checkpoint,
    "a network among the checkpoints": lambda folder: shutil.copy(
        folder / "networks" / "newest.safetensors", folder / "checkpoints" / "mine.safetensors"
    ),
    "a checkpoint without counters": checkpoint_with(None),
    "a checkpoint with text for counters": checkpoint_with({"games": "many", "seconds": None}),
    "a checkpoint of another shape": checkpoint_of_another_shape,
    "a cut-off shard": cut("games/*.bin"),
    "a changed shard": flipped("games/*.bin"),
    "an empty shard": text("games/000900.bin", b""),
    "bytes for a shard": text("games/000900.bin", b"\x00\xff\x80" * 500),
    "something else among the shards": text("games/notes.bin", b"not a game"),
    "no games": gone("games/*.bin"),
    "cut-off games under way": cut("under_way.bin"),
    "bytes for games under way": text("under_way.bin", b"\x01\xff" * 99),
    "no games under way": gone("under_way.bin"),
    "a cut-off best network": cut("networks/0*.safetensors"),
    "no networks": gone("networks/*.safetensors"),
    "leftovers of a write": text("checkpoints/.000009.safetensors.0123abcd.tmp", b"half"),
}
#: What cannot be gone on with, and words of the sentence that says so.
REFUSED = {
    "a list for parameters": (text("params.json", "[]"), "is damaged; delete it to go on"),
    "null for parameters": (text("params.json", "null"), "is damaged; delete it to go on"),
    "empty parameters": (text("params.json", ""), "is damaged; delete it to go on"),
    "cut-off parameters": (cut("params.json"), "is damaged; delete it to go on"),
    "deep parameters": (text("params.json", "[" * 100_000), "is damaged; delete it to go on"),
    "bytes for parameters": (text("params.json", b"\xff\xfe{}"), "is damaged; delete it to go on"),
    "null parts": (text("params.json", '{"selfplay": null}'), "params.json: "),
    "a list for a part": (text("params.json", '{"learn": []}'), "params.json: "),
    "text for a number": (text("params.json", '{"minutes": "long"}'), "params.json: "),
    "an unknown field": (text("params.json", '{"minuets": 5}'), "params.json: "),
}


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that has learned, evaluated and saved; not to be changed."""
    folder = tmp_path_factory.mktemp("sound") / "run"
    run(folder)
    return folder


@pytest.fixture
def runs(sound: Path, tmp_path: Path) -> Path:
    """A folder with a copy of it."""
    shutil.copytree(sound, tmp_path / "run")
    return tmp_path


def train(tengen: Commands, runs: Path, minutes: float) -> Said:
    preset = write_preset(runs / "run.toml")
    return tengen("train", "--preset", preset, "--runs", runs, "--minutes", minutes)


def look_at(tengen: Commands, runs: Path) -> None:
    """Everybody who only reads must come through every damage."""
    assert tengen("runs", "--runs", runs).code == 0
    answer = Runs(runs).watch(WatchRequest(type="watch", id=1, run="run"))
    assert answer.run == "run"
    assert all("minutes" in row for row in answer.curves)


@pytest.mark.filterwarnings("error::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.parametrize("name", GOES_ON)
def test_a_damaged_run_goes_on(name: str, tengen: Commands, runs: Path, sound: Path) -> None:
    GOES_ON[name](runs / "run")
    look_at(tengen, runs)
    if name.endswith(("log", "evaluation", "ratings")):
        assert tengen("plot", "run", "--runs", runs, "--to", runs / "curves.png").code == 0
    said = train(tengen, runs, minutes=look(sound).counters.seconds / 60 + MOMENT)
    assert (said.code, said.err) == (0, "")
    assert look(runs / "run").progress == 1
    look_at(tengen, runs)


@pytest.mark.parametrize("name", REFUSED)
def test_parameters_that_cannot_be_read_are_one_sentence(name: str, tengen: Commands, runs: Path) -> None:
    damage, words = REFUSED[name]
    damage(runs / "run")
    before = contents(runs)
    look_at(tengen, runs)
    assert contents(runs) == before
    said = train(tengen, runs, minutes=1)
    assert said.code == 2
    assert words in said.err
    assert "delete it to go on with the parameters of the preset" in said.err
    (runs / "run.toml").unlink()
    assert contents(runs) == before
