"""Reports end to end, with few games and quick players."""

from __future__ import annotations

import contextlib
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tengen import Board, players
from tengen.arena import Match, MatchResult
from tengen.arena.folder import OnGame
from tengen.arena.results import MatchGame, Tally
from tengen.cli import main
from tengen.errors import ModelFileError, SetupError
from tengen.nets import default
from tengen.report import documents, levels
from tengen.report.documents import DocumentsReport, StrengthRow, TimeRow
from tengen.report.levels import LevelsReport
from tengen.report.markdown import bullet, paragraph
from tengen.report.matches import Stopped, command
from tengen.search import SearchParams
from tengen.thinking.evaluators import best_evaluator


class Audience:
    """Counts the games that are really played, and interrupts after some."""

    def __init__(self, patience: int = 1000) -> None:
        self.played = 0
        self._patience = patience

    @contextlib.contextmanager
    def watch(self, match: Match, title: str) -> Iterator[OnGame]:
        assert title
        known: list[int] = []

        def on_game(game: MatchGame, result: MatchResult) -> None:
            self.played += 1
            known.append(game.scheduled.index)
            if self.played == self._patience:
                raise KeyboardInterrupt

        yield on_game


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same tables with opponents that take no time."""
    monkeypatch.setattr(documents, "MODEL", "alphabeta:depth=1")
    monkeypatch.setattr(documents, "ALPHA_BETA", (StrengthRow("nobody", "random", Tally(50, 0, 0)),))
    monkeypatch.setattr(documents, "EXPERT_MCTS", (StrengthRow("somebody", "mcts:playouts=5", Tally(37, 13, 0), True),))
    monkeypatch.setattr(documents, "PARTS", (("half", "mcts:playouts=5"), ("none of it", "random")))
    monkeypatch.setattr(documents, "DEPTHS", (TimeRow(1, 5, 0.6),))
    monkeypatch.setattr(documents, "WIDTHS", (TimeRow(1, 10, 1.2),))


@pytest.mark.usefixtures("quick")
def test_the_documents_report_goes_on_and_shows_what_was_played(tmp_path: Path) -> None:
    report = DocumentsReport(games=4, folder=tmp_path / "games")
    with pytest.raises(Stopped):
        report.text(Audience(patience=6).watch)
    again = Audience()
    text = report.text(again.watch)
    rows = re.findall(r"\| (?:no|some)body \| (\S+) \| (\d+)-(\d+)-(\d+) \|", text)
    assert [row[0] for row in rows] == ["50-0-0", "37-13-0"] * 2, "with the whole model, then with its parts"
    assert [sum(map(int, row[1:])) for row in rows] == [4, 4, 2, 2]
    assert "half: won-lost-drawn | s/move | none of it: won-lost-drawn" in text
    assert "the thesis played 50: this is shortened" in text
    assert "tengen report documents --games 4 --seed 1" in text
    assert "tengen match alphabeta:depth=1 random --games 4 --seed 1" in text
    assert re.search(r"^\| 1 \| 5 \| 0\.6 \| [0-9.e-]+ \| [0-9,]+ \|$", text, re.MULTILINE)
    rest = Audience()
    assert report.text(rest.watch) == text, "finished matches give the same document"
    assert rest.played < again.played


@pytest.mark.usefixtures("quick")
@pytest.mark.filterwarnings("ignore:Cyclopts application invoked")
def test_a_report_is_printed_unless_a_file_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "docs").mkdir()
    committed = tmp_path / "docs" / "results.md"
    committed.write_text("measured for days", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["tengen", "report", "seeds", "--games", "2"])
    main()
    printed = capsys.readouterr().out
    assert "# The tables of the source documents" in printed
    assert committed.read_text(encoding="utf-8") == "measured for days"
    monkeypatch.setattr(sys, "argv", ["tengen", "report", "documents", "--games", "2", "--to", "docs/results.md"])
    main()
    assert committed.read_text(encoding="utf-8") == printed
    monkeypatch.setattr(sys, "argv", ["tengen", "report", "documents", "--games", "2", "--to", "nowhere/results.md"])
    with pytest.raises(SystemExit):
        main()
    assert 'there is no folder "nowhere"' in capsys.readouterr().err


@pytest.mark.usefixtures("quick")
def test_another_number_of_games_has_other_folders(tmp_path: Path) -> None:
    for games in (2, 4):
        text = DocumentsReport(games=games, folder=tmp_path / "games").text(Audience().watch)
        assert f"{games} games a row" in text
    assert len({folder.name.rpartition("-")[0] for folder in (tmp_path / "games").glob("nobody-*")}) == 3
    assert len(list((tmp_path / "games").glob("nobody-*"))) == 4, "two games are the least of a part of the model"


def test_the_documents_rows() -> None:
    """What S0 and S2 printed, so that nobody changes it by accident."""
    strength = [str(row.document) for row in (*documents.ALPHA_BETA, *documents.EXPERT_MCTS)]
    assert strength == ["50-0-0"] * 3 + ["43-6-1"] + ["50-0-0"] * 3 + ["37-13-0"]
    assert [(row.depth, row.k, row.document) for row in (*documents.DEPTHS, *documents.WIDTHS)] == [
        (2, 5, 0.613),
        (3, 5, 73.826),
        (4, 5, 213.561),
        (2, 10, 1.17),
        (2, 20, 2.27),
        (2, 40, 4.25),
    ]


def test_no_solver_helps_the_parts_of_the_model() -> None:
    knowledge = {name for name in SearchParams.__annotations__ if name.startswith(("threats", "vcf", "vct"))}
    assert {entry.split("=")[0] for entry in documents.NO_SOLVERS.split(",")} == knowledge
    assert all(entry.split("=")[1] in ("false", "0") for entry in documents.NO_SOLVERS.split(","))
    board = Board.from_moves("h8 i9 i8 g8")
    _, moves, priors = best_evaluator(board).judge(board._core)
    alone = players.create(documents.PARTS[1][1], seed=1).choose(board)
    assert alone == board._move(moves[priors.index(max(priors))]), "one playout is the network's first choice"


def test_commands_survive_a_shell() -> None:
    assert command(["random", "engine:my engine --fast"], 2, 1).endswith("'engine:my engine --fast' --games 2 --seed 1")


def test_the_levels_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "YARDSTICKS", {"alphabeta:depth=1": (1,), "random": (1, 2), "mcts": (5,)})
    report = LevelsReport(games=2, highest=2, folder=tmp_path / "games")
    assert report.specs == ["level:1", "level:2", "alphabeta:depth=1", "random"]
    assert report.pairings() == [(1, 0), (0, 2), (0, 3), (1, 3)]
    with pytest.raises(Stopped):
        report.text(Audience(patience=3).watch)
    text = report.text(Audience().watch)
    assert "over all 8 games" in text
    assert re.search(r"\| 2 \| [+-]\d+ ± \d+ \| \d-\d-\d \| \d+% \| (met|too close|too far) \|", text)
    assert re.search(r"\| `alphabeta:depth=1` \| [+-]0 ± 0 \|", text)


def test_every_level_is_measured_and_connected() -> None:
    report = LevelsReport()
    reached = {0}
    for _ in report.specs:
        reached |= {place for pairing in report.pairings() if reached & set(pairing) for place in pairing}
    assert reached == set(range(len(report.specs)))
    assert [spec for spec in report.specs if spec.startswith("level")] == [f"level:{number}" for number in range(1, 11)]


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(
    ("engine", "sentence"),
    [
        ("no-such-engine --fast", 'there is no program "no-such-engine" to run'),
        ("cat", '"cat" does not play: the engine answered "START 15" to START; give --engine the command'),
        ("true", '"true" does not play: the engine has left'),
    ],
)
def test_an_engine_that_does_not_play_is_found_before_the_games(tmp_path: Path, engine: str, sentence: str) -> None:
    audience = Audience()
    with pytest.raises(SetupError, match=re.escape(sentence)):
        DocumentsReport(games=2, engine=engine, folder=tmp_path / "games").text(audience.watch)
    assert audience.played == 0


@pytest.mark.usefixtures("quick")
def test_an_engine_is_ended_after_it_was_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    processes: list[subprocess.Popen[bytes]] = []
    popen = subprocess.Popen

    def start(*arguments: Any, **keywords: Any) -> subprocess.Popen[bytes]:
        processes.append(popen(*arguments, **keywords))
        return processes[-1]

    monkeypatch.setattr(subprocess, "Popen", start)
    fake = Path(__file__).parent.parent / "players" / "fake_engine.py"
    report = DocumentsReport(games=2, engine=shlex.join([sys.executable, str(fake), "good"]), folder=tmp_path / "games")
    with pytest.raises(Stopped):
        report.text(Audience(patience=1).watch)
    assert len(processes) == 1, "the engine's row was not reached"
    assert processes[0].returncode is not None


@pytest.mark.usefixtures("quick")
def test_games_that_a_failure_decided_are_no_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = Path(__file__).parent.parent / "players" / "fake_engine.py"
    spec = f"engine:{shlex.join([sys.executable, str(fake), 'crash'])}"
    monkeypatch.setattr(documents, "EXPERT_MCTS", (StrengthRow("somebody", spec, Tally()),))
    with pytest.raises(SetupError, match=r"^somebody: game 1 was lost by error \(.*\); mend that, delete .*somebody-"):
        DocumentsReport(games=2, folder=tmp_path / "games").text(Audience().watch)


@pytest.mark.parametrize("length", [1, 60, 75, 85, 150])
def test_a_command_in_a_text_stays_whole(length: int) -> None:
    code = f"`tengen report documents --model {'m' * length}`"
    text = (
        f"Written by {code} on a machine with two cores, in the time between two other pieces of work, which took long."
    )
    for written in (paragraph(text), bullet(text)):
        assert code in written
        assert " ".join(written.split()).removeprefix("- ") == text
        assert all(len(line) <= 118 or line.strip() == code for line in written.splitlines())


@pytest.mark.usefixtures("quick")
def test_the_documents_report_takes_a_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "MODEL", "tengen:playouts=2")
    monkeypatch.setattr(documents, "PARTS", (("the network", "tengen:playouts=1"),))
    model = default.find("freestyle", 15)
    text = DocumentsReport(games=2, model=str(model), folder=tmp_path / "games").text(Audience().watch)
    assert f"--model {model}" in text
    assert f"tengen match tengen:playouts=2,model={model} random --games 2 --seed 1" in text


def test_mistakes_are_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match=r"nowhere\.safetensors"):
        DocumentsReport(model="nowhere.safetensors")
    with pytest.raises(SetupError, match="must be even, not 3"):
        DocumentsReport(games=3)
    with pytest.raises(SetupError, match="there is no level 11"):
        LevelsReport(highest=11)
    with pytest.raises(SetupError, match="at least 2"):
        LevelsReport(highest=1)
