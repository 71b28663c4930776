"""Games of people and other programs as data of a run."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")

from tiny_run import TINY, look, run

from tengen import Board, Move, SetupError, core, records
from tengen.records import Game
from tengen.train.params import EvaluationParams, LearnParams, RunParams, SelfPlayParams
from tengen.train.probe import first_choice_share
from tengen.train.recorded_games import RecordedGames, read_folder

NINE = SelfPlayParams(sizes=(9,), full_playouts=20, fast_playouts=8, threads=1)
BLACK_WINS = "e5 a1 e6 a2 e7 a3 e8 a4 e9"
WITH_GAMES = dataclasses.replace(
    TINY, selfplay=NINE, games_passes=2.0, evaluation=EvaluationParams(minutes=0.0), minutes=5.0
)


def moves(text: str, size: int = 9) -> list[Move]:
    return Board.from_moves(text, size=size).moves


def game(text: str, **keywords: Any) -> Game:
    return Game.of_moves(moves(text), **{"width": 9, "height": 9, **keywords})


def save(folder: Path, **games: Game) -> Path:
    folder.mkdir(exist_ok=True)
    for name, record in games.items():
        records.save(record, folder / f"{name}.{'psq' if name.startswith('psq') else 'sgf'}")
    return folder


def read(folder: Path, selfplay: SelfPlayParams = NINE) -> tuple[list[core.GameRecord], list[str]]:
    complaints: list[str] = []
    return core.read_games(read_folder(folder, selfplay, complaints.append)), complaints


def test_a_record_teaches_its_moves_and_its_result(tmp_path: Path) -> None:
    save(tmp_path, one=game(BLACK_WINS, rule="freestyle"), psq=game(BLACK_WINS))
    games, complaints = read(tmp_path)
    assert complaints == []
    assert games[0].data == games[1].data, "SGF and PSQ say the same"
    (found, _) = games
    board = Board(size=9)
    assert (found.rule, found.n_in_row, found.width, found.height) == (core.Rule.freestyle, 5, 9, 9)
    assert found.result == 1
    assert found.moves == [board._cell(move) for move in moves(BLACK_WINS)]
    for ply, (stones, value, visits) in enumerate(found.samples):
        assert (stones, value) == (ply, 1.0 if ply % 2 == 0 else -1.0), "the value is the mover's"
        assert visits == [(found.moves[ply], 1)]


def test_results_that_the_board_does_not_show(tmp_path: Path) -> None:
    resigned = game("e5 a1", rule="freestyle", result="white")
    drawn = game("e5 a1", rule="freestyle", result="draw")
    games, _ = read(save(tmp_path, a=resigned, b=drawn))
    assert [found.result for found in games] == [-1, 0]


def test_the_board_knows_better_than_the_record(tmp_path: Path) -> None:
    games, _ = read(save(tmp_path, a=game(BLACK_WINS, rule="freestyle", result="white")))
    assert games[0].result == 1


def test_what_cannot_be_used_is_counted_in_one_sentence(tmp_path: Path) -> None:
    save(
        tmp_path,
        good=game(BLACK_WINS, rule="freestyle"),
        unfinished=game("e5 a1", rule="freestyle"),
        large=game(BLACK_WINS, width=15, height=15, rule="freestyle"),
        other=game(BLACK_WINS, rule="renju"),
        over=Game.of_moves([*moves(BLACK_WINS), Move(8, 8)], width=9, height=9, rule="freestyle", result="black"),
    )
    (tmp_path / "broken.sgf").write_text("this is no game", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("not looked at", encoding="utf-8")
    games, complaints = read(tmp_path)
    assert len(games) == 1
    (sentence,) = complaints
    assert sentence.startswith(f"5 of 6 games in {tmp_path} are left out: ")
    for reason in ("without a result", "on another board", "by another rule", "against the rules", "not readable"):
        assert f"1 {reason}" in sentence
    assert "broken.sgf: " in sentence


def test_one_bad_game_does_not_spoil_its_file(tmp_path: Path) -> None:
    good = records.write(game(BLACK_WINS, rule="freestyle"), "sgf")
    (tmp_path / "all.sgf").write_bytes(good + b"(;GM[1]SZ[19];B[pd])" + good)
    games, (sentence,) = read(tmp_path)
    assert len(games) == 2
    assert "1 not readable; all.sgf: the SGF file is not of gomoku or renju" in sentence


def test_a_forbidden_move_is_not_learned(tmp_path: Path) -> None:
    foul = Board(size=9, rule="renju", on_forbidden="loses")
    for move in ("d5", "a1", "f5", "a3", "e4", "a5", "e6", "a7", "e5"):  # two open threes at once
        foul.push(move)
    assert foul.outcome() is not None
    save(tmp_path, foul=Game.of_moves(foul.moves, width=9, height=9, rule="renju"))
    (found,), _ = read(tmp_path, dataclasses.replace(NINE, rules=("renju",)))
    assert found.result == -1
    assert len(found.moves) == len(found.samples) == 8


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (None, "there is no folder"),
        ("", "no game to learn from, in files"),
        ("(;GM[1])", "no game to learn from: 1 not"),
    ],
)
def test_nothing_to_learn_from(tmp_path: Path, content: str | None, sentence: str) -> None:
    folder = tmp_path / "games"
    if content is not None:
        folder.mkdir()
    if content:
        (folder / "a.sgf").write_text(content, encoding="utf-8")
    with pytest.raises(SetupError, match=sentence):
        read(folder)


def test_steps_are_spread_evenly() -> None:
    data = core.write_game(core.Rule.freestyle, 5, 9, 9, 0, 1, [40], [(0, 1.0, [(40, 1)])])
    games = RecordedGames(data, dataclasses.replace(WITH_GAMES, games="somewhere", games_share=0.3))
    chosen = [games.is_next(step) for step in range(1, 101)]
    assert sum(chosen) == 30
    assert not any(one and two for one, two in itertools.pairwise(chosen))
    assert not any(RecordedGames(b"", WITH_GAMES).is_next(step) for step in range(1, 101))


def folder_of_games(folder: Path, count: int = 40) -> Path:
    """Games of two colours that each walk along a line of their own, from places that vary."""
    texts = [
        " ".join(f"{x}{y} {'abcdefghi'['abcdefghi'.index(x) - 4]}{y}" for y in range(first, first + 5))
        for x in "efghi"
        for first in range(1, 6)
    ]
    saved = {}
    for number in range(count):
        text = texts[number % len(texts)]
        saved[f"{number:03d}"] = game(" ".join(text.split()[:9]), rule="freestyle")
    return save(folder, **saved)


SMALL_RESIDUAL = LearnParams(network="small", filters=8, blocks=1, value_hidden=8, batch=64, start_positions=100)


def has_played(entries: Sequence[dict[str, Any]]) -> bool:
    return any(entry.get("games", 0) > 0 and "policy_loss" in entry for entry in entries)


@pytest.mark.parametrize("learn", [TINY.learn, SMALL_RESIDUAL], ids=["line", "residual"])
def test_a_run_learns_from_them_before_it_plays(tmp_path: Path, learn: LearnParams) -> None:
    folder = folder_of_games(tmp_path / "games")
    params = dataclasses.replace(WITH_GAMES, learn=learn, games=str(folder), games_passes=15.0, games_share=0.2)
    trainer, entries = run(tmp_path / "run", params, has_played)
    assert trainer.counters.recorded_samples == trainer.recorded.samples_first > 0
    lines = [entry for entry in entries if "message" not in entry]
    before = [line for line in lines if line["samples"] < trainer.recorded.samples_first]
    assert all(line["positions"] == 0 for line in before), "it does not play meanwhile"
    assert 0 <= lines[-1]["recorded_moves_foreseen"] <= 1
    held_out = core.read_games(trainer.recorded.data)[19::20]
    untrained = look(tmp_path / "other", dataclasses.replace(params, games="", games_share=0.0))
    assert first_choice_share(trainer.learner.evaluator(), held_out, 200) > (
        first_choice_share(untrained.learner.evaluator(), held_out, 200)
    ), "it foresees moves of games that it has not seen"


def test_a_run_goes_on_without_the_folder(tmp_path: Path) -> None:
    folder = folder_of_games(tmp_path / "games")
    params = dataclasses.replace(WITH_GAMES, games=str(folder), games_passes=100.0)
    first, _ = run(tmp_path / "run", params, lambda entries: any("policy_loss" in entry for entry in entries))
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    for wanted in (params, dataclasses.replace(params, games="")):
        again = look(tmp_path / "run", wanted)
        assert again.recorded.data == first.recorded.data
        assert again.counters.recorded_samples == first.counters.recorded_samples
    with pytest.raises(SetupError, match="--games is for a new run"):
        look(tmp_path / "run", dataclasses.replace(params, games=str(tmp_path / "elsewhere")))


def test_a_share_of_no_games() -> None:
    with pytest.raises(SetupError, match="name their folder in games"):
        RunParams(games_share=0.5)


def test_other_games_have_no_such_records() -> None:
    with pytest.raises(SetupError, match="recorded games of a run know Gomoku alone"):
        RunParams(
            games="somewhere",
            probe_positions=0,
            selfplay=SelfPlayParams(game="tictactoe"),
            learn=LearnParams(network="small"),
            evaluation=EvaluationParams(minutes=0.0),
        )
