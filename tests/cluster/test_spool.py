"""Games on the disk of the machine that played them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tengen import core
from tengen.cluster.spool import PLACE, Spool, open_spools
from tengen.errors import SetupError
from tengen.train.pools import Games


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(PLACE, str(tmp_path / "spool"))
    return tmp_path / "spool"


def game(move: int) -> bytes:
    return core.write_game(core.Rule.freestyle, 5, 9, 9, 0, 1, [move, 80], [(0, 0.5, [(move, 3)])])


def moves(batch: list[Games]) -> list[int]:
    return [record.moves[0] for games in batch for record in core.read_games(games.data)]


def numbers(batch: list[Games]) -> list[int]:
    origins = [games.origin for games in batch if games.origin is not None]
    return [origin.first + place for origin in origins for place in range(origin.games)]


def fill(spool: Spool, count: int, network: int = 1) -> None:
    for _ in range(count):
        spool.append(game(spool.next), network)


def test_what_is_not_confirmed_is_given_again() -> None:
    (spool,) = open_spools("run")
    fill(spool, 3)
    assert numbers(spool.waiting(10**6)) == moves(spool.waiting(10**6)) == [0, 1, 2]
    spool.confirm(2)
    assert numbers(spool.waiting(10**6)) == moves(spool.waiting(10**6)) == [2]
    fill(spool, 1)
    spool.confirm(4)
    assert spool.waiting(10**6) == []
    assert spool.games == 0


def test_games_know_the_network_that_played_them() -> None:
    (spool,) = open_spools("run")
    fill(spool, 2, network=7)
    fill(spool, 1, network=8)
    assert [(games.origin.network, games.origin.games) for games in spool.waiting(10**6) if games.origin] == [
        (7, 2),
        (8, 1),
    ]
    assert numbers(spool.waiting(1)) == [0, 1], "at least one segment, however little is asked for"


def test_the_next_worker_takes_over_what_a_killed_one_left() -> None:
    (first,) = open_spools("run")
    fill(first, 2)
    (other,) = open_spools("run")
    assert other.name != first.name, "a spool has one holder"
    first._lock.release()  # as the end of the process does
    (again,) = open_spools("run")
    assert again.name == first.name
    fill(again, 1)
    assert numbers(again.waiting(10**6)) == moves(again.waiting(10**6)) == [0, 1, 2]
    assert [spool.name for spool in open_spools("another run")] != [again.name]


def test_a_game_that_was_cut_off_never_was_finished(place: Path) -> None:
    (spool,) = open_spools("run")
    fill(spool, 3)
    spool._lock.release()
    (segment,) = (place / "run" / spool.name).glob("*.bin")
    segment.write_bytes(segment.read_bytes()[:-1])
    (again,) = open_spools("run")
    assert numbers(again.waiting(10**6)) == [0, 1]
    fill(again, 1)
    assert numbers(again.waiting(10**6)) == moves(again.waiting(10**6)) == [0, 1, 2]


def test_numbers_that_are_taken_are_not_given_twice() -> None:
    (spool,) = open_spools("run")
    spool.confirm(5)  # a power cut lost what had arrived already
    fill(spool, 1)
    assert numbers(spool.waiting(10**6)) == [5]


def test_an_empty_spool_leaves_nothing_behind(place: Path) -> None:
    (spool,) = open_spools("run")
    fill(spool, 1)
    spool.confirm(1)
    spool.close()
    assert list(place.iterdir()) == []


def test_a_disk_that_cannot_be_written_is_one_sentence(place: Path) -> None:
    place.parent.mkdir(exist_ok=True)
    place.write_text("a file")
    with pytest.raises(SetupError, match=f"set {PLACE} to another folder"):
        open_spools("run")
