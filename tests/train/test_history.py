"""Runs as those see them who only look: `tengen runs`, `tengen plot` and the page that watches."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tengen import core
from tengen.train import json_lines
from tengen.train.history import History, find_runs
from tengen.train.journal import Journal, JudgedNetwork
from tengen.train.json_lines import LineReader, append_line


def test_only_what_was_added_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[bytes] = []
    objects = json_lines._objects

    def counting(data: bytes) -> Iterator[dict[str, Any]]:
        parsed.append(data)
        return objects(data)

    monkeypatch.setattr(json_lines, "_objects", counting)
    for minute in range(1000):
        append_line(tmp_path / "log.jsonl", {"minutes": minute, "games": 9 * minute})
    history = History(tmp_path)
    size = (tmp_path / "log.jsonl").stat().st_size
    assert sum(map(len, parsed)) == size
    parsed.clear()
    history.update()
    assert sum(map(len, parsed)) == 0
    append_line(tmp_path / "log.jsonl", {"minutes": 1000, "games": 9009})
    history.update()
    assert sum(map(len, parsed)) == (tmp_path / "log.jsonl").stat().st_size - size
    assert history.last("games") == 9009
    assert len(history.curve("games")[0]) == 1001


def test_ratings_are_computed_again_only_after_another_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = Journal(tmp_path)
    journal.add_network(JudgedNetwork("000", 0.0, 0, None, None, True))
    history = History(tmp_path)
    first = history.strength()
    history.update()
    assert history.strength() is first
    journal.add_network(JudgedNetwork("001", 1.0, 0, "000", 1.0, True))
    journal.add_game("001", "000", 1.0)
    history.update()
    assert [point.network for point in history.strength()[0]] == ["000", "001"]


def test_a_line_that_is_being_written_is_read_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    path.write_bytes(b'{"a": 1}\n{"b"')
    reader = LineReader(path)
    assert reader.read() == ([{"a": 1}], False)
    assert reader.read() == ([], False)
    with path.open("ab") as file:
        file.write(b': 2}\n{"c": 3}\n')
    assert reader.read() == ([{"b": 2}, {"c": 3}], False)


def test_a_run_that_begins_again_in_the_same_place_is_another(tmp_path: Path) -> None:
    append_line(tmp_path / "log.jsonl", {"minutes": 5, "games": 50})
    append_line(tmp_path / "log.jsonl", {"minutes": 6, "games": 60})
    history = History(tmp_path)
    (tmp_path / "log.jsonl").unlink()
    append_line(tmp_path / "log.jsonl", {"minutes": 1, "games": 7})
    history.update()
    assert history.curve("games") == ([1], [7])
    (tmp_path / "log.jsonl").unlink()
    history.update()
    assert history.last("games") is None


@pytest.mark.parametrize("damage", ["null", '"text"', "[]", "1e999", "NaN", "1" + "0" * 400, '{"minutes": 3}', "true"])
def test_values_that_are_no_numbers_say_nothing(tmp_path: Path, damage: str) -> None:
    lines = ['{"minutes": 1, "games": 4}', f'{{"minutes": {damage}, "games": 5}}', f'{{"minutes": 2, "elo": {damage}}}']
    (tmp_path / "log.jsonl").write_text("\n".join([*lines, ""]))
    history = History(tmp_path)
    assert history.curve("minutes")[0][-1] == 2
    assert history.last("games") in (4, 5)
    assert history.rows(("minutes", "games"), 10)[0] == {"minutes": 1, "games": 4}


def test_rows_are_thinned_out_and_the_newest_is_there(tmp_path: Path) -> None:
    assert History(tmp_path).rows(("minutes",), 5) == []
    for minute in range(23):
        append_line(tmp_path / "log.jsonl", {"minutes": minute})
    rows = History(tmp_path).rows(("minutes", "nothing"), 5)
    assert len(rows) <= 6
    assert rows[0] == {"minutes": 0}
    assert rows[-1] == {"minutes": 22}


def test_new_games_are_read_from_where_the_last_ones_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def game(*moves: int) -> bytes:
        return core.write_game(core.Rule.freestyle, 5, 9, 9, 0, 2, moves, [(1, 0.5, [(20, 7)])])

    read: list[int] = []
    read_games = core.read_games

    def counting(data: bytes) -> list[Any]:
        read.append(len(data))
        return read_games(data)

    monkeypatch.setattr(core, "read_games", counting)
    (tmp_path / "games").mkdir()
    shard = tmp_path / "games" / "000001.bin"
    shard.write_bytes(game(1, 2) + game(3, 4))
    history = History(tmp_path)
    assert [played.moves for played in history.latest_games(5)] == [[1, 2], [3, 4]]
    with shard.open("ab") as file:
        file.write(game(5, 6) + game(7, 8)[:10])
    read.clear()
    assert [played.moves for played in history.latest_games(2)] == [[3, 4], [5, 6]]
    assert sum(read) == len(game(5, 6)) + 10
    (tmp_path / "games" / "000002.bin").write_bytes(game(8, 9))
    assert [played.moves for played in history.latest_games(2)] == [[5, 6], [8, 9]]


def test_looking_makes_nothing(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    History(tmp_path / "empty").strength()
    History(tmp_path / "nothing").latest_games(3)
    assert find_runs(tmp_path) == []
    assert [path.name for path in tmp_path.rglob("*")] == ["empty"]
