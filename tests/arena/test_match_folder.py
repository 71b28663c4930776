"""Matches on disk: stopped anywhere, gone on with, never mixed up."""

from __future__ import annotations

import json
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tengen import records
from tengen.arena import GameSetup, Match, MatchResult, Sprt, random_openings
from tengen.arena.folder import MatchFolder, description, run
from tengen.arena.results import MatchGame
from tengen.errors import SetupError
from tengen.file_lock import FileLock

SETUP = GameSetup(size=7)


def make(games: int = 10, seed: int = 1, **keywords: object) -> Match:
    openings = random_openings(3, SETUP, 1)
    return Match(["random", "random"], games=games, openings=openings, setup=SETUP, seed=seed, **keywords)  # type: ignore[arg-type]


def moves(result: MatchResult) -> list[object]:
    return [(game.scheduled.index, game.record.moves, game.record.result) for game in result.games]


def play_some(folder: Path, games: int) -> None:
    """Plays a few games and stops as a crash would: nothing is finished tidily."""
    with MatchFolder(folder, make()) as open_folder:
        done = len(open_folder.done())

        def on_game(game: MatchGame, result: MatchResult) -> None:
            open_folder.add(game)
            if len(result.games) == done + games:
                raise KeyboardInterrupt

        make().run(on_game, open_folder.done())


def test_a_match_goes_on_and_ends_like_one_that_was_never_stopped(tmp_path: Path) -> None:
    whole = make().run()
    play_some(tmp_path, 3)
    play_some(tmp_path, 4)
    asked: list[int] = []
    result = run(make(), tmp_path, lambda game, result: asked.append(len(result.games)))
    assert moves(result) == moves(whole)
    assert asked == [7, 8, 9, 10]
    assert len((tmp_path / "games.jsonl").read_text().splitlines()) == 10
    again = run(make(), tmp_path)
    assert moves(again) == moves(whole)
    assert json.loads((tmp_path / "result.json").read_text())["complete"] is True


def test_every_game_is_there_in_every_form(tmp_path: Path) -> None:
    result = run(make(), tmp_path)
    for game in result.games:
        record = records.load(tmp_path / "sgf" / f"{game.scheduled.index + 1:05d}.sgf")
        assert record.moves == list(game.record.moves)
        assert record.result == game.record.result
    text = (tmp_path / "games.txt").read_text()
    assert text.count('[Black "random"]') == 10
    assert '[Reason "' in text


def test_a_full_row_is_called_by_its_length(tmp_path: Path) -> None:
    setup = GameSetup(3, n_in_row=3)
    run(Match(["random", "alphabeta:depth=4"], games=4, setup=setup, seed=1), tmp_path)
    text = (tmp_path / "games.txt").read_text()
    comments = [records.load(path).root.comment for path in (tmp_path / "sgf").iterdir()]
    assert '[Reason "three in a row"]' in text
    assert any(comment.endswith("three in a row") for comment in comments)
    assert "five" not in text + "".join(comments)


@pytest.mark.parametrize("damage", [b'{"game": 3, "bl', b"nonsense\n", b'{"game": 99}\n', b"\xff\xfe\n", b"[]\n"])
def test_a_damaged_end_is_cut_off(tmp_path: Path, damage: bytes) -> None:
    whole = make().run()
    play_some(tmp_path, 2)
    with (tmp_path / "games.jsonl").open("ab") as file:
        file.write(damage)
    (tmp_path / "sgf" / "00001.sgf").unlink()
    assert moves(run(make(), tmp_path)) == moves(whole)
    assert (tmp_path / "sgf" / "00001.sgf").exists()
    assert len((tmp_path / "games.jsonl").read_bytes().splitlines()) == 10


def test_leftovers_of_a_killed_match_go_with_the_next_start(tmp_path: Path) -> None:
    play_some(tmp_path, 2)
    leftovers = [tmp_path / ".games.txt.0badcafe.tmp", tmp_path / "sgf" / ".00001.sgf.01234567.tmp"]
    for path in [*leftovers, tmp_path / ".mine.tmp"]:
        path.write_bytes(b"half")
    run(make(), tmp_path)
    assert list(tmp_path.rglob(".*.tmp")) == [tmp_path / ".mine.tmp"]


def test_a_full_disk_is_one_sentence_and_the_match_goes_on_later(tmp_path: Path) -> None:
    """No file may grow above a limit, so that a line of a game does not fit any more."""
    arguments = ["match", "random", "random", "--games", "40", "--size", "9", "--openings", "random:3", "--json"]
    program = [sys.executable, "-c", "from tengen.cli import main; main()", *arguments, "--save", str(tmp_path)]
    failed = subprocess.run(
        program,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (6_000, 6_000)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert failed.returncode in (1, 2)
    assert failed.stderr.startswith("error: ")
    assert failed.stderr.count("\n") == 1
    assert (tmp_path / "games.jsonl").read_bytes().endswith(b"\n"), "no half of a game"
    assert json.loads(subprocess.run(program, capture_output=True, check=True).stdout)["complete"] is True
    assert len((tmp_path / "games.jsonl").read_bytes().splitlines()) == 40


def test_a_killed_match_goes_on(tmp_path: Path) -> None:
    arguments = ["match", "random", "mcts:playouts=5", "--games", "60", "--size", "9", "--openings", "random:3"]
    program = [sys.executable, "-c", "from tengen.cli import main; main()", *arguments, "--json", "--save"]
    games = tmp_path / "killed" / "games.jsonl"
    for enough in (3, 20):
        process = subprocess.Popen([*program, str(games.parent)], stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while not (games.exists() and games.read_bytes().count(b"\n") >= enough) and time.monotonic() < deadline:
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.wait()
    results = [
        json.loads(subprocess.run([*program, str(folder)], capture_output=True, check=True).stdout)["results"]
        for folder in (games.parent, tmp_path / "whole")
    ]
    assert results[0] == results[1]
    assert games.read_bytes().count(b"\n") == 60


def test_another_match_is_refused(tmp_path: Path) -> None:
    run(make(), tmp_path)
    with pytest.raises(SetupError, match="holds another match: its seed is 1, not 2; choose another folder"):
        run(make(seed=2), tmp_path)
    with pytest.raises(SetupError, match="its games is 10, not 12"):
        run(make(games=12), tmp_path)
    with pytest.raises(SetupError, match="its sprt is null"):
        run(make(sprt=Sprt(0, 10)), tmp_path)
    (tmp_path / "match.json").write_text("[")
    with pytest.raises(SetupError, match="cannot be read"):
        run(make(), tmp_path)


def test_two_processes_do_not_share_a_folder(tmp_path: Path) -> None:
    with MatchFolder(tmp_path, make()), pytest.raises(SetupError, match="another match is writing"):
        run(make(), tmp_path)


def test_a_start_that_is_refused_changes_nothing(tmp_path: Path) -> None:
    MatchFolder(tmp_path / "new", make())
    assert not (tmp_path / "new").exists()
    folder = tmp_path / "folder"
    folder.mkdir()
    lock = FileLock(folder / "games.jsonl")
    assert lock.take()
    with pytest.raises(SetupError, match="another match is writing"):
        run(make(), folder)
    assert [path.name for path in folder.iterdir()] == ["games.jsonl"]
    lock.release()
    (folder / "games.jsonl").write_text("of another program\n")
    with pytest.raises(SetupError, match=r"has games but no match\.json"):
        run(make(), folder)
    assert [path.name for path in folder.iterdir()] == ["games.jsonl"]
    (folder / "match.json").write_text("{}")
    (folder / "games.jsonl").unlink()
    with pytest.raises(SetupError, match="holds another match"):
        run(make(), folder)
    assert [path.name for path in folder.iterdir()] == ["match.json"]


def test_the_network_is_part_of_a_match(tmp_path: Path) -> None:
    model = tmp_path / "a.safetensors"
    model.write_bytes(b"one")
    specs = [f"tengen:model={model}", "random"]
    first = description(Match(specs, games=2))
    model.write_bytes(b"two")
    second = description(Match(specs, games=2))
    assert first["networks"] != second["networks"]
    assert [name for name in first if first[name] != second[name]] == ["networks"]
    assert description(Match(["level:3", "random"], games=2))["networks"][0] is not None


def test_a_sequential_test_goes_on_with_the_games_it_has_heard(tmp_path: Path) -> None:
    def match() -> Match:
        return Match(
            ["alphabeta:depth=1", "random"],
            games=100,
            openings=random_openings(50, SETUP, 1),
            setup=SETUP,
            sprt=Sprt(0, 100),
        )

    whole = match().run()
    assert whole.decision == "elo1"

    def stop(game: MatchGame, result: MatchResult) -> None:
        if len(result.games) == 5:
            raise KeyboardInterrupt

    assert not run(match(), tmp_path, stop).is_complete
    result = run(match(), tmp_path)
    assert result.decision == "elo1"
    assert moves(result) == moves(whole)
    assert moves(run(match(), tmp_path)) == moves(whole)


def test_a_line_that_is_no_game_is_named_and_nothing_is_deleted(tmp_path: Path) -> None:
    run(make(), tmp_path)
    path = tmp_path / "games.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([lines[0], b"nonsense\n", *lines[2:]]))
    with pytest.raises(SetupError, match=r"line 2 of .* is not a game of this match; delete the line"):
        run(make(), tmp_path)
    path.write_bytes(b"".join([lines[0], *lines[2:]]))
    assert moves(run(make(), tmp_path)) == moves(make().run())
