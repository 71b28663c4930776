"""Games of other machines: recorded once, whatever comes twice and wherever a crash cuts the files."""

from __future__ import annotations

from pathlib import Path

import pytest
from killing import games_on_disk
from tiny_run import TINY, look

from tengen import core
from tengen.train.params import to_dict
from tengen.train.pools import Games, Origin
from tengen.train.resume import RunCounters
from tengen.train.run_folder import OpenRun


def game(move: int) -> bytes:
    return core.write_game(core.Rule.freestyle, 5, 9, 9, 0, 1, [move, 80], [(0, 0.5, [(move, 3)])])


def from_worker(worker: str, first: int, last: int) -> Games:
    """The games of a worker with these numbers."""
    games = range(first, last + 1)
    return Games(b"".join(map(game, games)), Origin(worker, first, len(games), network=1))


def record(folder: Path, *batch: Games) -> None:
    with OpenRun(folder) as run:
        run.begin(to_dict(TINY))
        run.append_games(batch)


@pytest.mark.parametrize(
    ("first", "last", "left"), [(0, 2, []), (0, 5, [3, 4, 5]), (3, 4, [3, 4]), (2, 2, []), (5, 6, [5, 6])]
)
def test_what_comes_again_is_dropped(first: int, last: int, left: list[int]) -> None:
    counters = RunCounters(taken={"a": 3})
    fresh = counters.without_taken([from_worker("a", first, last)])
    assert [record.moves[0] for games in fresh for record in core.read_games(games.data)] == left
    assert [games.origin for games in fresh] == ([Origin("a", left[0], len(left), network=1)] if left else [])


def test_a_batch_may_have_games_twice() -> None:
    fresh = RunCounters().without_taken([from_worker("a", 0, 3), from_worker("a", 0, 1), from_worker("a", 2, 5)])
    assert [games.origin for games in fresh] == [Origin("a", 0, 4, network=1), Origin("a", 4, 2, network=1)]


def test_workers_are_told_apart() -> None:
    counters = RunCounters(taken={"a": 3})
    games = from_worker("b", 0, 2)
    assert counters.without_taken([games, Games(game(1))]) == [games, Games(game(1))]


def test_a_killed_run_knows_what_it_has(tmp_path: Path) -> None:
    record(tmp_path / "run", from_worker("a", 0, 3), Games(game(7)), from_worker("b", 5, 6), from_worker("a", 4, 4))
    record(tmp_path / "run", from_worker("a", 5, 5))
    assert look(tmp_path / "run").counters.taken == {"a": 6, "b": 7}
    assert look(tmp_path / "run").counters.games == 9


def test_the_shard_was_cut_off_anywhere(tmp_path: Path) -> None:
    run = tmp_path / "run"
    record(run, from_worker("a", 0, 2), Games(game(9)), from_worker("b", 0, 1), from_worker("a", 3, 3))
    shard = run / "games" / "000001.bin"
    data = shard.read_bytes()
    numbers = [("a", 1), ("a", 2), ("a", 3), ("", 0), ("b", 1), ("b", 2), ("a", 4)]
    for size in range(len(data) + 1):
        shard.write_bytes(data[:size])
        sound = games_on_disk(run)[0]
        assert look(run).counters.taken == {worker: number for worker, number in numbers[:sound] if worker}


def test_the_lines_were_cut_off_before_their_games(tmp_path: Path) -> None:
    run = tmp_path / "run"
    record(run, from_worker("a", 0, 2))
    (run / "games" / "000001.bin").write_bytes(b"")
    assert look(run).counters.taken == {}
    with open(run / "games" / "000001.jsonl", "ab") as file:
        file.write(b'{"worker": "b", "fir')
    assert look(run).counters.taken == {}


def test_old_shards_go_with_their_lines(tmp_path: Path) -> None:
    record(tmp_path, from_worker("a", 0, 2))
    with OpenRun(tmp_path) as run:
        run.begin(to_dict(TINY))
        run.delete_shards(before=2)
    assert not list((tmp_path / "games").iterdir())


def test_a_run_keeps_its_name(tmp_path: Path) -> None:
    record(tmp_path, from_worker("a", 0, 0))
    assert OpenRun(tmp_path).id == OpenRun(tmp_path).id != OpenRun(tmp_path / "other").id
