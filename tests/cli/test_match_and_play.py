"""`tengen match`, `tengen play terminal` and `tengen players` as a person or a program calls them."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tengen import Board
from tengen.cli import COMMANDS, FORMER_NAMES, app, main

FAKE_ENGINE = Path(__file__).parent.parent / "players" / "fake_engine.py"
PROGRAM = (sys.executable, "-c", "from tengen.cli import main; main()")
RULE = "one of freestyle, standard, renju, caro"


def tengen(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run([*PROGRAM, *arguments], input=stdin, capture_output=True, text=True, timeout=120)


def test_a_small_match_prints_a_table() -> None:
    result = tengen("match", "random", "random", "--games", "4", "--openings", "2", "--size", "9", "--concurrency", "2")
    assert result.returncode == 0
    assert result.stderr == ""
    assert "4 games, freestyle 9x9" in result.stdout
    assert "won" in result.stdout
    assert "Elo difference" in result.stdout


def test_json_and_saved_games(tmp_path: Path) -> None:
    folder = tmp_path / "match"
    arguments = ("match", "random", "random", "--games", "6", "--seed", "4", "--rule", "renju", "--size", "9", "--json")
    first = tengen(*arguments, "--save", str(folder))
    assert first.returncode == 0
    result = json.loads(first.stdout)
    assert result["complete"] is True
    assert result["results"][0]["wins"] + result["results"][0]["losses"] + result["results"][0]["draws"] == 6
    games = [json.loads(line) for line in (folder / "games.jsonl").read_text().splitlines()]
    assert len(games) == 6
    for game in games:
        board = Board.from_moves(game["moves"], size=9, rule="renju")
        outcome = board.outcome()
        assert outcome is not None
        assert game["result"] == ("draw" if outcome.winner is None else str(outcome.winner))
    again = json.loads(tengen(*arguments).stdout)
    assert again["results"] == result["results"]
    resumed = json.loads(tengen(*arguments, "--save", str(folder)).stdout)
    assert resumed["results"] == result["results"]
    refused = tengen(*arguments, "--move-limit", "30", "--save", str(folder))
    assert refused.returncode == 2
    assert "holds another match: its move_limit is null, not 30" in refused.stderr


def test_openings_from_a_file_and_none(tmp_path: Path) -> None:
    openings = tmp_path / "openings.txt"
    openings.write_text("e5 e6\n")
    folder = tmp_path / "match"
    result = tengen(
        "match", "random", "random", "--games", "2", "--size", "9", "--openings", str(openings), "--save", str(folder)
    )
    assert result.returncode == 0
    lines = (folder / "games.jsonl").read_text().splitlines()
    assert all(json.loads(line)["moves"].startswith("e5 e6 ") for line in lines)
    assert tengen("match", "random", "random", "--games", "2", "--size", "9", "--openings", "none").returncode == 0


def test_three_players() -> None:
    result = tengen("match", "random", "random", "random", "--games", "2", "--size", "9", "--json")
    assert [(row["first"], row["second"]) for row in json.loads(result.stdout)["results"]] == [("random", "random")] * 3


def test_a_gauntlet_prints_ratings_and_a_cross_table() -> None:
    players = ("alphabeta:depth=1", "random", "mcts:playouts=20")
    result = tengen("match", *players, "--games", "2", "--size", "9", "--gauntlet", "--openings", "random:1")
    assert result.returncode == 0
    assert "4 games" in result.stdout
    assert "adjudication: none" in result.stdout
    assert "Elo by maximum likelihood" in result.stdout
    assert "points against" in result.stdout


def test_openings_are_made_by_one_command(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    made = tengen("openings", "make", "--count", "2", "--playouts", "50", "--tolerance", "0.5", "--to", str(path))
    assert made.returncode == 0
    assert "2 openings in" in made.stdout
    result = tengen("match", "random", "random", "--games", "4", "--openings", str(path), "--json")
    lines = path.read_text().splitlines()
    assert json.loads(result.stdout)["openings"] == [line.partition("  #")[0] for line in lines if line[0] != "#"]
    assert tengen("openings", "show").stdout.startswith("# Balanced openings: freestyle on 15x15")


def test_a_sequential_test() -> None:
    result = tengen("match", "random", "random", "--games", "4", "--size", "9", "--sprt", "0,20")
    assert result.returncode == 0
    assert "sequential test +0 against +20 Elo: undecided" in result.stdout


def test_the_time_is_for_both_players_and_the_speed_of_tree_searches_is_told() -> None:
    arguments = ("match", "mcts", "alphabeta:depth=1", "--time", "0.01", "--games", "2", "--size", "9")
    result = json.loads(tengen(*arguments, "--openings", "none", "--json").stdout)
    assert result["players"] == ["mcts:time=0.01", "alphabeta:time=0.01,depth=1"]
    speed, unknown = result["playouts_per_cpu_second"]
    assert speed > 0
    assert unknown is None
    shown = tengen(*arguments, "--openings", "none").stdout
    assert re.search(r"2 games, freestyle 9x9, seed 0; [\d,]+ an hour;", shown)
    assert re.search(r"^playouts a CPU second: [\d,]+ \(player 1\)$", shown, re.MULTILINE)


def test_an_interrupt_prints_what_has_been_played(tmp_path: Path) -> None:
    games = tmp_path / "match" / "games.jsonl"
    arguments = ["match", "random", "random", "--games", "20000", "--openings", "1", "--save", str(games.parent)]
    with subprocess.Popen([*PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        deadline = time.monotonic() + 60
        while not (games.exists() and games.read_text()) and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert errors == ""
    assert "(stopped; 20000 were scheduled)" in output
    assert "Elo difference" in output


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_engines_are_ended_with_the_match(name: str, tmp_path: Path) -> None:
    log = tmp_path / "engine"
    engine = shlex.join([sys.executable, str(FAKE_ENGINE), "hang"])  # at its third move, for a minute
    script = f"echo $$ > {shlex.quote(str(log))}; exec {engine}"
    arguments = ["match", f"engine:time=600,{shlex.join(['sh', '-c', script])}", "random", "--openings", "none"]
    with subprocess.Popen(
        [*PROGRAM, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL),  # who runs the tests may ignore it
    ) as process:
        try:
            deadline = time.monotonic() + 60
            while not (log.exists() and log.read_text()) and time.monotonic() < deadline:
                time.sleep(0.05)
            time.sleep(1)  # it has made its first moves
            process.send_signal(getattr(signal, name))
            output, errors = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 130
    assert errors == ""
    assert "(stopped; 50 were scheduled)" in output
    with pytest.raises(ProcessLookupError):
        os.kill(int(log.read_text()), 0)


def test_the_overview_names_every_command_in_its_group() -> None:
    overview = tengen("--help").stdout
    groups = re.findall(r"╭─ (.+?) ─+╮", overview)
    assert groups[1:] == ["Play", "Study", "Compare", "Train", "For programs", "For maintainers"]
    for _, name, _ in COMMANDS:
        assert re.search(rf"^│ {name} +\w", overview, re.MULTILINE), f"{name} says what it does"
    for name in FORMER_NAMES:
        assert not re.search(rf"^│ {name} ", overview, re.MULTILINE)


@pytest.mark.parametrize("command", [*(name for _, name, _ in COMMANDS), "dqn train", "dqn compare", "openings make"])
def test_help_says_what_an_option_is(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    app([*command.split(), "--help"], result_action="return_value")
    help_text = capsys.readouterr().out
    assert help_text.startswith(f"Usage: tengen {command}")
    assert not re.search(r"^│.*  Of ", help_text, re.MULTILINE), "not only what it belongs to"


def test_players_lists_them() -> None:
    result = tengen("players")
    assert result.returncode == 0
    assert "alphabeta" in result.stdout
    assert "Plies to look ahead." in tengen("players", "alphabeta").stdout


@pytest.mark.filterwarnings("ignore:Cyclopts application invoked")
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("match", "random"), "a match needs at least two players"),
        (("match", "random", "rundom"), 'there is no player "rundom" (did you mean random?)'),
        (("match", "random", "mcts:playouts=0"), "playouts must be a whole number from 1 to 1,000,000,000, not 0"),
        (("match", "random", "mcts:playout=9"), 'mcts has no key "playout" (did you mean playouts?)'),
        (("match", "random", "random", "--games", "3"), "the number of games must be even, not 3"),
        (("match", "random", "random", "--games", "many"), "many"),
        (("match", "random", "random", "--concurrency", "0"), "concurrency must be at least 1, not 0"),
        (("match", "random", "random", "--openings", "-1"), "the number of openings must be at least 1, not -1"),
        (
            ("match", "random", "random", "--game", "tictactoe", "--openings", "random:-3"),
            "the number of openings must be at least 1, not -3",
        ),
        (("match", "random", "random", "--openings", "/no/such/file"), "No such file"),
        (("match", "random", "random", "--games", "2", "--move-limit", "2"), "the move limit must be above"),
        (("match", "random", "random", "--save", "/dev/null/folder"), "Not a directory"),
        (
            ("match", "random", "random", "--openings", "balanced", "--size", "9"),
            "only 0 balanced openings are shipped",
        ),
        (("match", "random", "random", "--adjudicate-win", "2", "3"), "adjudication needs a value from 0 to 1, not 2"),
        (("match", "random", "random", "--adjudicate-win", "0.9", "0"), "a number of moves of at least 1, not 0"),
        (("match", "random", "random", "--size", "40"), "--size must be a whole number from 3 to 22, not 40"),
        (("board", "--size", "big"), '--size must be a whole number from 3 to 22, not "big"'),
        (("review", "h8", "--playouts", "0"), "--playouts must be a whole number from 1 to 1,000,000,000, not 0"),
        (("match", "random", "random", "--rule", "chess"), f'--rule must be {RULE}, not "chess"'),
        (("review", "h8", "--rule", "chess"), f'--rule must be {RULE}, not "chess"'),
        (("prove", "--folder", "x", "--rule", "renju"), '--rule must be one of freestyle, standard, not "renju"'),
        (("prove", "--folder", "x", "--winner", "red"), '--winner must be one of black, white, not "red"'),
        (("prove", "--folder", "x", "--threads", "0"), "--threads must be a whole number from 1 to 256, not 0"),
        (("solve", "h8", "--kind", "chess"), '--kind must be one of vcf, vct, auto, not "chess"'),
        (("board", "--on-forbidden", "wins"), '--on-forbidden must be one of refuse, loses, not "wins"'),
        (("match", "random", "random", "--gauntlet", "--round-robin"), "a gauntlet or a round robin, not both"),
        (("report", "documents", "--games", "3"), "the number of games must be even, not 3"),
        (("report", "levels", "--highest", "11"), "there is no level 11; the levels are 0 to 10"),
        (("levels", "measure", "--highest", "11"), "there is no level 11; the levels are 0 to 10"),
        (("train", "--opponent", "nobody"), 'there is no player "nobody"'),
        (("openings", "make", "--count", "0"), "--count must be a whole number from 1 to 1,000,000,000, not 0"),
        (("openings", "show", "--size", "9"), "no openings are shipped for freestyle on 9x9"),
        (("players", "nobody"), 'there is no player "nobody"'),
        (("review", "\udcff\udcfe"), '"??" is not a point'),
        (("review", r"x\[/].sgf"), r'"x\[/].sgf" cannot be read'),
        (("analyze", "[bold]:cat:.sgf"), '"[bold]:cat:.sgf" cannot be read'),
        (("analysis-engine", "--threads", "257"), "--threads must be a whole number from 1 to 256, not 257"),
        (("solve",), "give the moves so far, like: tengen solve h8 i9 h9"),
        (("solve", "h8", "h8"), "h8 is occupied by black"),
        (("board", "h8", "h8"), "h8 is occupied by black"),
        (("board", "h8", "j99"), "j99 is off the 15x15 board"),
        (("export", "a.safetensors", "b.txt"), '"b.txt" does not end in .onnx'),
        (("export", "a.safetensors", "/nowhere/b.onnx"), 'there is no folder "/nowhere"'),
        (("play", "--opponent", "random"), "the web board has no --opponent: all of this is chosen on the page"),
        (("analysis", "--threads", "0"), "--threads must be a whole number from 1 to 256, not 0"),
        (("play", "terminal", "--opponent", "nobody"), 'there is no player "nobody"'),
        (("match", "random", "random", "--sprt", "5,0"), "elo0 must be below elo1, not 5 and 0"),
        (("play", "terminal", "--color", "red"), '--color must be one of black, white, random, not "red"'),
        (("play", "--threads", "0"), "--threads must be a whole number from 1 to 256, not 0"),
    ],
)
def test_a_mistake_is_one_sentence(
    arguments: tuple[str, ...], sentence: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["tengen", *arguments])
    with pytest.raises(SystemExit) as exit_:
        main()
    output = capsys.readouterr()
    assert exit_.value.code == 2
    assert output.out == ""
    assert sentence in output.err
    assert len(output.err.strip().splitlines()) == 1


def test_a_mistake_is_no_traceback() -> None:
    result = tengen("match", "random", "rundom")
    assert result.returncode == 2
    assert result.stderr.startswith('error: there is no player "rundom"')
    assert len(result.stderr.strip().splitlines()) == 1


def test_a_file_name_that_is_no_text_is_no_traceback() -> None:
    for name in (b"\xff\xfe", b"\xff\xfe.sgf"):
        result = subprocess.run([*PROGRAM, "analyze", name], capture_output=True, timeout=120)
        assert result.returncode == 2
        assert result.stderr.startswith(b'error: "')
        assert len(result.stderr.strip().splitlines()) == 1


def test_an_even_match_has_no_minus() -> None:
    result = tengen("match", "random", "random", "--games", "2", "--size", "3")  # nobody can make five
    assert "Elo difference +0," in result.stdout


def test_two_people_play_to_the_end() -> None:
    result = tengen(
        "play", "terminal", "--opponent", "none", stdin="h8 \nh8\nfoo\n\na1\nundo\na1\ni8\nb1\nj8\nc1\nk8\nd1\nl8\n"
    )
    assert result.returncode == 0
    assert result.stderr == ""
    assert "h8 is occupied by black" in result.stdout
    assert '"foo" is not a point' in result.stdout
    assert result.stdout.splitlines()[-1].endswith("black wins by five in a row")


def test_a_game_against_a_player_with_every_command() -> None:
    stdin = "undo\nhelp\nhint\ne5\nundo\ne5\nrestart\ne5\nresign\n"
    result = tengen("play", "terminal", "--opponent", "random", "--size", "9", "--seed", "1", stdin=stdin)
    assert result.returncode == 0
    assert "there is no move of yours to take back" in result.stdout
    assert "put a stone there" in result.stdout
    assert "hint: " in result.stdout
    assert "random plays " in result.stdout
    assert result.stdout.splitlines()[-1].endswith("black resigns: white wins")


def test_the_opponent_begins_when_you_have_white() -> None:
    result = tengen(
        "play", "terminal", "--opponent", "random", "--size", "9", "--color", "white", "--seed", "1", stdin="quit\n"
    )
    assert result.returncode == 0
    assert "1 moves" in result.stdout
    assert tengen("play", "terminal", "--color", "random", "--seed", "1", stdin="quit\n").returncode == 0


def test_a_game_is_played_to_the_end_against_random() -> None:
    # On 3x3 nobody can make five: the person tries every point, and the board fills up.
    stdin = "".join(f"{column}{row}\n" for column in "abc" for row in "123")
    result = tengen("play", "terminal", "--opponent", "random", "--size", "3", "--seed", "2", stdin=stdin)
    assert result.returncode == 0
    assert result.stdout.splitlines()[-1].endswith("draw")


def test_no_hint_without_an_opponent() -> None:
    result = tengen("play", "--terminal", "--opponent", "none", stdin="hint\nquit\n")
    assert "there is nobody to ask" in result.stdout


def test_the_end_of_input_is_no_traceback() -> None:
    result = tengen("play", "terminal", "--opponent", "none", stdin="h8\n")
    assert result.returncode == 130
    assert result.stderr.strip() == "stopped"
