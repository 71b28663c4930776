"""Files and texts that people give to Tengen: read, or refused in a sentence, whatever has happened to them."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from soak.mutation import mutate
from soak.part import Limit, Outcome, Part
from tengen import players, records
from tengen.board import Board
from tengen.errors import TengenError
from tengen.nets import files
from tengen.nets.files import ModelInfo
from tengen.nets.line_random import random_arrays
from tengen.nets.loading import load_evaluator
from tengen.records import Game
from tengen.train.params import PRESETS, load_preset, preset_names

_SGF = (
    b"(;GM[4]FF[4]SZ[15]PB[a\\]b]PW[c]RE[B+5]C[CA[x\\]];B[hh];W[ii](;B[gg]C[one];W[ff])(;B[jj]LB[aa:1]))",
    "(;GM[4]CA[GB18030]SZ[15]PB[王]PW[李];B[hh];W[ig];B[jj])".encode("gb18030"),
    b"(;GM[4]SZ[19]AB[aa][bb]AW[cc][dd]PL[B];B[ee];W[tt])(;GM[4]SZ[9];B[ee])",
)
_SPECS = (
    b"tengen:playouts=1500",
    b"alphabeta:depth=6,vct=8,evaluation=rows",
    b"mcts:playouts=10000,sight=false,c_puct=1.5",
    b"level:5",
    b"weakest",
    b"engine:time=0.5,memory=100,true --option 'a b'",
    b"random",
)


def _games(kind: str) -> list[bytes]:
    """Sound games in a format."""
    chance = random.Random(1)
    games = []
    for moves in (0, 1, 5, 40):
        board = Board(size=15)
        for _ in range(moves):
            if not board.is_over:
                board.push(chance.choice(board.legal_moves))
        games.append(records.write(Game.of_moves(board.moves), kind))
    return games


def _try(read: Callable[[bytes], object], samples: Sequence[bytes], chance: random.Random, limit: Limit) -> Outcome:
    outcome = Outcome()
    refused = 0
    while limit.allows(outcome):
        data = mutate(chance, chance.choice(samples), samples)
        outcome.tried += 1
        try:
            read(data)
        except TengenError as error:
            refused += 1
            if not str(error):
                outcome.fail(f"{data!r}: refused without a reason")
        except Exception as error:
            outcome.fail(f"{data!r}: {type(error).__name__}: {error}")
    outcome.figures["refused"] = refused
    return outcome


def _records(kind: str, samples: Sequence[bytes], chance: random.Random, limit: Limit) -> Outcome:
    def read(data: bytes) -> None:
        game = records.parse(data, kind)
        text = records.write(game, kind)
        records.parse(text if isinstance(text, bytes) else text.encode(), kind)  # what we write we can read

    return _try(read, [*samples, *_games(kind)], chance, limit)


def _specs(chance: random.Random, limit: Limit) -> Outcome:
    return _try(lambda data: players.check(data.decode("utf-8", "replace")), _SPECS, chance, limit)


def _presets(chance: random.Random, limit: Limit) -> Outcome:
    samples = [(PRESETS / f"{name}.toml").read_bytes() for name in preset_names()]
    with tempfile.TemporaryDirectory(dir=_memory()) as scratch:
        file = Path(scratch) / "odd.toml"

        def read(data: bytes) -> None:
            file.write_bytes(data)
            load_preset(str(file))

        return _try(read, samples, chance, limit)


def _networks(chance: random.Random, limit: Limit) -> Outcome:
    with tempfile.TemporaryDirectory(dir=_memory()) as scratch:
        file = Path(scratch) / "odd.safetensors"
        config = {"radius": 4, "channels": 32, "hidden": 64}
        info = ModelInfo("line", config, ["freestyle"], [15], "soak", 1, "MIT", "2026-01-01T00:00:00")
        files.save(file, random_arrays(4, 32), info)
        sound = file.read_bytes()
        head = sound[: 8 + int.from_bytes(sound[:8], "little")]

        def read(data: bytes) -> None:
            # Mostly the head: a change of the numbers is found by the checksum. Under many names, because what was
            # loaded once is kept.
            odd = file.with_stem(f"odd{chance.randrange(100)}")
            odd.write_bytes(data + sound[len(head) :] if chance.random() < 0.9 else data)
            load_evaluator(odd)

        return _try(read, [head], chance, limit)


def _memory() -> str | None:
    """Where files are made that are gone in a moment."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None


_PROMISE = "{} is read, or refused in one sentence; what Tengen writes it can read"
PARTS = (
    Part("sgf", _PROMISE.format("Any SGF file"), "files", 1_000_000, partial(_records, "sgf", _SGF)),
    Part("psq", _PROMISE.format("Any PSQ file"), "files", 1_000_000, partial(_records, "psq", ())),
    Part("pos", _PROMISE.format("Any pos text"), "texts", 1_000_000, partial(_records, "pos", ())),
    Part("specs", "Any player's spec is understood, or refused in one sentence", "specs", 1_000_000, _specs),
    Part("presets", "Any preset is understood, or refused in one sentence", "presets", 1_000_000, _presets),
    Part("networks", "Any network file is loaded, or refused in one sentence", "files", 1_000_000, _networks),
)
