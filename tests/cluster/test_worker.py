"""A worker without a cluster: it may be asked anything twice, and killed at any moment."""

from __future__ import annotations

from pathlib import Path

import pytest

from tengen import core
from tengen.cluster.spool import PLACE
from tengen.cluster.worker import News, Orders, Report, Worker
from tengen.nets import files
from tengen.search.params import SearchParams
from tengen.train.learner import LineLearner
from tengen.train.params import LearnParams, SelfPlayParams

PARAMS = SelfPlayParams(sizes=(7,), full_playouts=8, fast_playouts=4, opening_tries=1)


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(PLACE, str(tmp_path / "spool"))
    return tmp_path / "spool"


@pytest.fixture(scope="module")
def model() -> bytes:
    learner = LineLearner(LearnParams(radius=4, channels=32), seed=1)
    info = files.ModelInfo(learner.architecture, learner.config, ["freestyle"], [7], "", 0, "MIT", "")
    return files.to_bytes(learner.arrays(), info)


def begin() -> Worker:
    return Worker(Orders("run", SearchParams(memory=4 << 20), threads=1, seed=3))


def numbers(report: Report) -> list[int]:
    origins = [games.origin for games in report.games if games.origin is not None]
    return [origin.first + place for origin in origins for place in range(origin.games)]


def taken(report: Report) -> dict[str, int]:
    return {games.origin.worker: games.origin.first + games.origin.games for games in report.games if games.origin}


def test_games_come_until_they_are_confirmed(model: bytes, place: Path) -> None:
    worker = begin()
    first = worker.take({}, News(1, 4, model, PARAMS, paused=False), 60)
    again = worker.take({}, None, 60)
    assert first.games
    assert numbers(again)[: len(numbers(first))] == numbers(first)
    assert again.games[0].data.startswith(first.games[0].data)
    assert all(games.origin is not None and games.origin.network == 4 for games in again.games)
    assert (again.news, again.network) == (1, 4)
    after = worker.take(taken(again), None, 60)
    assert numbers(after)[0] == numbers(again)[-1] + 1
    last = worker.finish()
    assert len(core.read_games(last.under_way)) <= 1
    worker.release(taken(last))
    assert list(place.iterdir()) == []


def test_a_killed_worker_is_followed_by_one_with_its_games(model: bytes) -> None:
    worker = begin()
    worker.take({}, News(1, 1, model, PARAMS, paused=False), 60)
    given = worker.finish()
    for spool in worker._spools:
        spool._lock.release()  # as the end of the process does
    follower = begin()
    assert follower.take({}, None, 0).games == given.games, "also before it plays"
    more = follower.take({}, News(1, 1, model, PARAMS, paused=False), 60)
    assert numbers(more)[: len(numbers(given))] == numbers(given)
    follower.finish()


def test_a_node_stops_to_play_when_nobody_takes_its_games(model: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tengen.cluster.worker.SPOOL_BYTES", 1)
    worker = begin()
    report = worker.take({}, News(1, 1, model, PARAMS, paused=False), 60)
    while (later := worker.take({}, None, 0.2)).queue > report.queue:
        report = later
    assert worker.take({}, None, 0.2).queue == report.queue
    after = worker.take(taken(report), None, 60)
    assert numbers(after) == [] or numbers(after)[0] == numbers(report)[-1] + 1
    worker.finish()


def test_another_network_plays_the_next_games(model: bytes) -> None:
    worker = begin()
    report = worker.take({}, News(1, 1, model, PARAMS, paused=False), 60)
    report = worker.take(taken(report), News(2, 9, model, PARAMS, paused=False), 60)
    assert (report.news, report.network) == (2, 9)
    while not any(games.origin is not None and games.origin.network == 9 for games in report.games):
        report = worker.take(taken(report), None, 60)
    worker.finish()
