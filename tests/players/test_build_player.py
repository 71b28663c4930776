"""Players of another build. The other build is this one: what counts is that it plays in a process of its own."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tengen import Board
from tengen.arena import GameSetup, play_game
from tengen.errors import SetupError
from tengen.players import create
from tengen.players.build import BuildPlayer

SETUP = GameSetup(size=9, rule="standard")


def build(spec: str) -> BuildPlayer:
    player = create(f'build:path="{sys.executable}",{spec}')
    assert isinstance(player, BuildPlayer)
    return player


@pytest.fixture(scope="module")
def searcher() -> Iterator[BuildPlayer]:
    with build("tengen:playouts=50") as player:
        yield player


def process_of(player: BuildPlayer) -> int:
    assert player._program is not None
    return player._program._popen.pid


def test_it_plays_what_the_player_itself_plays_and_one_process_serves_all_games(searcher: BuildPlayer) -> None:
    processes = set()
    for seed in (1, 2):
        games = [
            play_game(player, create("random"), SETUP, seeds=(seed, seed))
            for player in (searcher, create("tengen:playouts=50"))
        ]
        assert games[0] is not None
        assert games[1] is not None
        assert games[0].moves == games[1].moves
        assert games[0].playouts == games[1].playouts != (0, 0)
        assert games[0].cpu_seconds[0] > 0
        processes.add(process_of(searcher))
    assert len(processes) == 1


def test_a_stop_is_heard_while_it_thinks() -> None:
    with build("mcts:time=3600,memory=1073741824") as player:
        player.prepare(Board())
        asked = threading.Thread(target=player.choose, args=(Board(),))
        asked.start()
        deadline = time.monotonic() + 60
        while asked.is_alive() and time.monotonic() < deadline:
            player.stop()
            asked.join(0.1)
        assert not asked.is_alive()
        assert player.thoughts is not None


def test_what_is_wrong_is_said_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="there is no build of Tengen in"):
        create(f"build:path={tmp_path},random")
    program = tmp_path / "python"
    program.write_text("#!/bin/sh\nexit 0\n")
    program.chmod(0o755)
    with create(f"build:path={program},random") as player, pytest.raises(SetupError, match="does not run Tengen"):
        player.prepare(Board())
    with build("tengen:depth=3") as player, pytest.raises(SetupError, match='tengen has no key "depth"'):
        player.prepare(Board())
    assert player._program is None
