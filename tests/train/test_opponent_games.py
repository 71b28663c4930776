"""Games against another player as data of a run."""

from __future__ import annotations

import dataclasses
import shlex
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")

from tiny_run import look, opened

from tengen import Move, SetupError, core, players
from tengen.errors import describe
from tengen.games import AnyBoard
from tengen.players import Player
from tengen.search import SearchParams
from tengen.train.opponent_games import OpponentGames
from tengen.train.params import LearnParams, RunParams, SelfPlayParams

FAKE = Path(__file__).parent.parent / "players" / "fake_engine.py"
SELFPLAY = SelfPlayParams(sizes=(7, 9), full_playouts=30, fast_playouts=8, threads=1)
SEARCH = SearchParams(memory=32 << 20)


def engine(mode: str) -> str:
    return f"engine:{shlex.join([sys.executable, str(FAKE), mode])}"


def collect(
    spec: str, wanted: int, complaints: list[str], seconds: float = 60.0, selfplay: SelfPlayParams = SELFPLAY
) -> list[core.GameRecord]:
    games = OpponentGames(spec, 1.0, SEARCH, 5, lambda: selfplay, complaints.append)
    games.start(core.UniformEvaluator(), 0)
    records: list[core.GameRecord] = []
    deadline = time.monotonic() + seconds
    try:
        while len(records) < wanted and not len(complaints) > 3 and time.monotonic() < deadline:
            records += core.read_games(games.take_games(100))
            time.sleep(0.02)
    finally:
        games.stop()
    return records


def test_games_against_an_engine_are_ordinary_records() -> None:
    complaints: list[str] = []
    games = collect(engine("good"), 4, complaints)
    assert not complaints
    assert len(games) >= 4
    for game in games:
        assert game.result in (-1, 0, 1, 2)
        assert game.samples
        plies = [ply for ply, _, _ in game.samples]
        assert len({ply % 2 for ply in plies}) == 1, "only the network's own searches are recorded"
        assert plies == sorted(plies)
        assert plies[0] - game.opening_plies in (0, 1, 2), "on the empty board there is nothing to choose"
        for ply, value, visits in game.samples:
            assert -1 <= value <= 1
            assert not {cell for cell, _ in visits} & set(game.moves[:ply]), "targets are empty points"
    # The engine plays the first empty point in reading order: the network wins against that.
    ours = [game.result == (1 if game.samples[0][0] % 2 == 0 else -1) for game in games]
    assert sum(ours) > len(ours) / 2


def test_an_engine_that_fails_is_left_out_in_the_end() -> None:
    complaints: list[str] = []
    from_nothing = dataclasses.replace(SELFPLAY, opening_stones=0)  # so that nobody has won before it crashes
    assert collect(engine("crash"), 1, complaints, selfplay=from_nothing) == []
    assert "was broken off: the engine has left" in complaints[0]
    assert "the run goes on without engine" in complaints[-1]


class Unwell(Player):
    """Raises what libraries raise, when it is asked for a move, or elsewhere."""

    def __init__(self, method: str, kind: type[Exception], text: str) -> None:
        super().__init__("unwell")
        self._method = method
        self._kind = kind
        self._text = text

    def _fail(self, method: str) -> None:
        if method == self._method:
            raise self._kind(self._text)

    def new_game(self, seed: int | None = None) -> None:
        self._fail("new_game")

    def _think(self, board: AnyBoard) -> Move:
        self._fail("think")
        return next(iter(board.legal_moves))

    def close(self) -> None:
        self._fail("close")


@pytest.mark.filterwarnings("error::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.parametrize("method", ["new_game", "think"])
@pytest.mark.parametrize("kind", [RuntimeError, ValueError, KeyError])
def test_whatever_an_opponent_raises_is_a_sentence(
    method: str, kind: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(players, "create", lambda spec: Unwell(method, kind, "CUDA error:\nout of memory"))
    complaints: list[str] = []
    games = OpponentGames("random", 1.0, SEARCH, 5, lambda: SELFPLAY, complaints.append)
    games.start(core.UniformEvaluator(), 0)
    deadline = time.monotonic() + 60
    while len(complaints) < 4 and time.monotonic() < deadline:
        games.take_games(100)
        time.sleep(0.02)
    assert [complaint.split(":")[0] for complaint in complaints] == [
        *["a game against random was broken off"] * 3,
        "3 games in a row were broken off",
    ]
    assert complaints[0].endswith(describe(kind("CUDA error:\nout of memory")))
    assert "\n" not in complaints[0]
    assert complaints[-1].endswith("the run goes on without random")
    assert games.figures() == {}, "the log does not repeat what is over"
    games.stop()


@pytest.mark.filterwarnings("error::pytest.PytestUnhandledThreadExceptionWarning")
def test_an_opponent_may_fail_when_it_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(players, "create", lambda spec: Unwell("close", OSError, "gone"))
    games = OpponentGames("random", 1.0, SEARCH, 5, lambda: SELFPLAY, pytest.fail)
    games.start(core.UniformEvaluator(), 0)
    games.stop()


def test_the_share_of_games_is_kept() -> None:
    games = OpponentGames("random", 0.25, SEARCH, 5, lambda: SELFPLAY, lambda sentence: None)
    games.start(core.UniformEvaluator(), 0)
    taken = 0
    deadline = time.monotonic() + 60
    while taken < 5 and time.monotonic() < deadline:
        taken += len(core.read_games(games.take_games(20)))
        time.sleep(0.02)
    time.sleep(0.5)
    taken += len(core.read_games(games.take_games(20)))
    games.stop()
    assert taken == 5
    assert games.tally.games <= 5
    assert set(games.figures()) == {"opponent_wins", "opponent_losses", "opponent_draws"}


@pytest.mark.parametrize("game", ["gomoku", "connect4"])
def test_the_network_plays_its_side_as_in_self_play(game: str) -> None:
    """Where both sides are the network's, a game is one of self-play that searches every move fully."""
    params = replace(SELFPLAY, game=game, full_share=1.0, opening_tries=3)
    single = core.GuestGame(core.UniformEvaluator(), params, params.kinds(), SEARCH, seed=4)
    while not single.is_over:
        single.move()
    record = single.record
    assert [ply for ply, _, _ in record.samples] == sorted({ply for ply, _, _ in record.samples})
    for _, _, visits in record.samples:
        assert all(weight >= params.least_visits * max(other for _, other in visits) for _, weight in visits)
    (read,) = core.read_games(record.data)
    assert (read.game, read.result, read.moves) == (game, record.result, record.moves)


def test_a_guests_moves_are_played_and_not_recorded() -> None:
    params = replace(SELFPLAY, opening_stones=0, sizes=(7,))
    game = core.GuestGame(core.UniformEvaluator(), params, params.kinds(), SEARCH, seed=4)
    game.move()
    game.play(0)
    game.move()
    assert game.record.moves[1] == 0
    assert len(game.record.moves) == 3
    assert {ply for ply, _, _ in game.record.samples} <= {0, 2}
    assert not game.is_over


def test_a_stopped_search_plays_no_move() -> None:
    params = replace(SELFPLAY, opening_stones=0)
    game = core.GuestGame(core.UniformEvaluator(), params, params.kinds(), SEARCH, seed=4)
    game.stop()
    game.move()
    assert (game.record.moves, game.record.samples) == ([], [])


def test_a_run_learns_from_them_too(tmp_path: Path) -> None:
    params = RunParams(
        minutes=0.1,
        log_seconds=1.0,
        selfplay=SELFPLAY,
        learn=LearnParams(radius=4, channels=32, batch=64, start_positions=100, reuse=4.0),
        opponent=engine("good"),
        opponent_share=0.5,
    )
    entries: list[dict[str, Any]] = []
    with opened(tmp_path / "run", params, entries.append) as trainer:
        trainer.run()
    assert not [entry for entry in entries if "goes on without" in entry.get("message", "")]
    last = trainer.folder.read_log()[-1]
    assert last["opponent_wins"] + last["opponent_losses"] + last["opponent_draws"] > 0
    again = look(tmp_path / "run", replace(params, opponent=""), entries.append)
    assert again.params.opponent == ""


def test_mistakes_are_one_sentence() -> None:
    with pytest.raises(SetupError, match="opponent_share"):
        OpponentGames("random", 0, SEARCH, 1, lambda: SELFPLAY, print)
    with pytest.raises(SetupError, match='there is no player "nobody"'):
        OpponentGames("nobody", 0.1, SEARCH, 1, lambda: SELFPLAY, print)
    idle = OpponentGames("", 0.1, SEARCH, 1, lambda: SELFPLAY, print)
    idle.start(core.UniformEvaluator(), 0)
    assert idle.take_games(10) == b""
    assert idle.figures() == {}
    idle.stop()
