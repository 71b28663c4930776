"""The board as files alone, in Chromium: the core in a worker plays, analyses and reviews as the server does.

`make test-site` builds the files with emscripten and runs these.
"""

from __future__ import annotations

import base64
import itertools
import random
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("selenium")

from browser import Files, Page

from tengen import Board, core, records, threats
from tengen.library import Library
from tengen.nets import default
from tengen.puzzles import shipped
from tengen.puzzles.puzzle import RULES
from tengen.review import reviewer_for
from tengen.thinking.evaluators import best_evaluator
from tengen.thinking.levels import LEVELS, Turn, find_level
from tengen.thinking.pool import Job
from tengen.web import messages, positions
from tengen.web import records as web_records
from tengen.web.jobs import review_answer
from tengen.web.puzzles import attempt

ROOT = Path(__file__).parents[2]
SITE = ROOT / "build" / "board"
SIGNATURES = ROOT / "build" / "wasm" / "tests" / "signatures.js"
MOST_BYTES = 3_000_000

pytestmark = [
    pytest.mark.site,
    pytest.mark.skipif(not SITE.exists(), reason="`make site` has not built it; it needs emscripten"),
]

#: With a comment, variations, set-up stones, an escape, and in another encoding.
SGF = (
    rb"(;GM[4]SZ[15]RU[renju]C[first];B[hh]C[a \] b](;W[hg];B[ih])(;W[gg];B[gh]C[odd]))",
    rb"(;GM[4]SZ[15]AB[hh][ih]AW[hg];W[ii]N[x];C[a remark];B[ij])",
    "(;GM[4]CA[GB18030]SZ[9]PB[黑];B[ee]C[天元];W[ef])".encode("gb18030"),
)


@pytest.fixture(scope="session")
def files() -> Iterator[Files]:
    server = Files(SITE)
    yield server
    server.stop()


@pytest.fixture
def page(blank: Page, files: Files) -> Page:
    blank.open(files.url)
    return blank


def game(moves: str | list[str], rule: str = "freestyle", size: int = 15) -> dict[str, Any]:
    return {"size": size, "rule": rule, "moves": moves.split() if isinstance(moves, str) else moves}


def test_a_whole_game_to_its_end_and_its_review(page: Page) -> None:
    page.new_game(mode="computer", level=1)
    page.follow_hints()
    page.wait(lambda: page.find("#end").is_displayed())
    assert page.text("#end-title") in ("You won!", "Tengen wins", "Draw")
    page.click("#end-review")
    page.wait(lambda: page.all(".chart .curve") and page.js("return !tengen.analyse.review"), 120)


@pytest.mark.parametrize("equal", [False, True])
def test_an_analysis_goes_on_until_it_is_stopped(page: Page, equal: bool) -> None:
    page.load("h8 i9 h9")
    page.show("analyse")
    page.js("tengen.set('equal', arguments[0])", equal)
    page.click("#analyse")
    page.wait(lambda: page.all("#candidates tbody tr"))
    before = page.text("#speed")
    page.wait(lambda: page.text("#speed") != before)
    page.click("#analyse")
    page.wait(lambda: page.js("return !tengen.analyse.request"))
    assert len(page.all("#candidates tbody tr")) == 5


@pytest.mark.parametrize("level", [*LEVELS, 3.4])
def test_every_level_plays_its_playouts(page: Page, level: float) -> None:
    state, *_, answer = page.ask(type="think", game=game("h8 i9 h9"), level=level)
    assert state["type"] == "state"
    messages.MoveAnswer.model_validate(answer)
    assert 0 < answer["thought"]["playouts"] <= (find_level(level).playouts or 10**9)


@pytest.mark.parametrize("level", [0, 1, 2, 3.4, 5, 6, 7, 8])
def test_a_level_plays_the_moves_of_python(page: Page, level: float) -> None:
    board = Board.from_moves("h8 i9 h9")
    for seed in range(4):
        *_, answer = page.ask(type="think", game=game("h8 i9 h9"), level=level, seed=seed)
        assert answer["move"] == board.text(Turn(find_level(level), board, seed).move())


def test_verdicts_are_those_of_python(page: Page) -> None:
    """Ten games of levels against each other, under every rule: the same numbers, lines and grades, but for theory."""
    playouts = 100
    for number in range(10):
        board = _played(number)
        moves = [board.text(move) for move in board.moves]
        answers = page.ask(type="review", game=game(moves, board.rule, board.width), playouts=playouts)
        verdicts = [found for found in reviewer_for(board, playouts).verdicts(board) if found is not None]
        expected = [review_answer(answers[0]["id"], board, verdict).model_dump() for verdict in verdicts]
        assert answers == [{**answer, "theory": False} for answer in expected]  # the proofs stay with the server


def _played(number: int) -> Board:
    board = Board(size=(15, 15, 11)[number % 3], rule=("freestyle", "renju", "standard", "caro")[number % 4])
    while board.outcome() is None and board.ply < 24:
        board.push(Turn(find_level(2 + (number + board.ply) % 2), board, number).move())
    return board


@pytest.mark.parametrize(("moves", "kind"), [("h8 a1 i8 a3 j8 a5", "auto"), ("h8 a1 i8 a3", "vct"), ("h8", "vcf")])
def test_forced_wins_are_those_of_python(page: Page, moves: str, kind: str) -> None:
    (answer,) = page.ask(type="solve", game=game(moves), kind=kind)
    board = Board.from_moves(moves)
    found = threats.solve(board, kind, guide=best_evaluator(board))
    expected = (found.status, found.kind, [board.text(move) for move in found.line])
    assert (answer["status"], answer["kind"], answer["line"]) == expected


def test_a_puzzle_is_solved_without_a_server(page: Page) -> None:
    page.show("puzzles")
    page.wait(lambda: page.js("return tengen.puzzles.puzzle?.name"))
    puzzle = shipped("freestyle")[page.js("return tengen.puzzles.puzzle.name")]
    for ply in range(0, len(puzzle.line), 2):
        page.wait(
            lambda ply=ply: page.js("return [tengen.puzzles.played.length, tengen.puzzles.state]") == [ply, "open"]  # type: ignore[misc]
        )
        page.play(puzzle.line[ply])
    page.wait(lambda: page.text("#puzzle-feedback") == "Solved!")


@pytest.mark.parametrize("rule", RULES)
def test_attempts_at_puzzles_are_judged_as_by_python(page: Page, rule: str) -> None:
    """Right moves, wrong ones, those that leave the line later, and hints; of shipped puzzles and of one's own."""
    chance = random.Random(rule)
    chosen = chance.sample(list(shipped(rule).values()), 6)
    for puzzle in chosen:
        for known in ((), puzzle.line[:2]) if puzzle.length > 2 else ((),):
            board = puzzle.board()
            for move in known:
                board.push(move)
            tried = [puzzle.line[len(known)], *(board.text(move) for move in chance.sample(board.legal_moves, 2))]
            attempts = [{"played": [*known, move]} for move in tried] + [{"played": list(known), "hint": True}]
            for name, more in itertools.product((puzzle.name, None), attempts):
                asked = {"game": game(list(puzzle.moves), rule), "goal": puzzle.goal, "name": name, **more}
                (answer,) = page.ask(type="attempt", **asked)
                request = messages.AttemptRequest.model_validate({"id": answer["id"], **asked})
                assert answer == attempt(request, Job(request.id, lambda _: iter(()), print)).model_dump()


def test_facts_of_positions_are_those_of_python(page: Page) -> None:
    for number in range(4):
        board = _played(number)
        while board.ply:
            text = game([board.text(move) for move in board.moves], board.rule, board.width)
            (state,) = page.ask(type="state", game=text)
            assert state["state"] == positions.state_of(board).model_dump()
            (found,) = page.ask(type="threats", game=text)
            assert found["threats"] == [threat.model_dump() for threat in positions.threats_of(board)]
            board.pop()


@pytest.mark.parametrize("data", SGF)
def test_records_are_read_and_written_as_by_python(page: Page, data: bytes) -> None:
    request = {"rule": "freestyle", "size": 15, "data": base64.b64encode(data).decode()}
    (answer,) = page.ask(type="import", **request)
    read, tree = web_records.read(messages.ImportRequest.model_validate({"id": 1, **request}))
    assert answer["game"] == read.model_dump()
    assert answer["tree"] == [node.model_dump() for node in tree]
    for format in records.FORMATS:
        asked = {"game": answer["game"], "format": format, "tree": answer["tree"] if format == "sgf" else []}
        (written,) = page.ask(type="export", **asked)
        python = web_records.write(messages.ExportRequest.model_validate({"id": 1, **asked}))
        again = [web_records.read(_as_text(text)) for text in (written["text"], python)]
        assert again[0] == again[1]


def _as_text(text: str) -> messages.ImportRequest:
    return messages.ImportRequest.model_validate({"id": 1, "text": text})


@pytest.mark.parametrize(
    "text",
    ["h8h8", "h8 z99", "(;GM[1]SZ[19];B[aa])", "(;GM[4];W[aa])", "(;GM[4];B[aa]", "Piskvorky 15x15, 0:0, 1\n0,1,0\n"],
)
def test_what_makes_no_sense_is_refused_as_by_python(page: Page, text: str) -> None:
    (answer,) = page.ask(type="import", text=text, rule="freestyle", size=15)
    assert (answer["type"], answer["code"]) == ("error", "illegal")
    with pytest.raises(records.RecordError):
        web_records.read(_as_text(text))


def test_games_are_kept_in_the_browser_and_found_as_by_python(page: Page, tmp_path: Path) -> None:
    library = Library(tmp_path / "library.sqlite")
    for number in range(3):
        board = _played(number)
        names = {"black": ("You", "a]b", "")[number], "white": f"Tengen, level {number}"}
        result = ("black", "white", "draw")[number]
        library.keep(board, names["black"], names["white"], result)
        moves = [board.text(move) for move in board.moves]
        (kept,) = page.ask(type="keep", game=game(moves, board.rule, board.width), result=result, **names)
        assert kept["number"] == number + 1
    page.reload()  # another worker, the same storage
    searches: list[dict[str, Any]] = [
        {},
        {"text": "LEVEL 1"},
        {"text": " ".join(moves[:3])},
        {"rule": "renju"},
        {"result": "draw", "text": "you"},
        {"offset": 2},
    ]
    for search in searches:
        (answer,) = page.ask(type="library", **search)
        found = library.search(**search)
        assert answer["total"] == found.total
        assert [kept["number"] for kept in answer["games"]] == [entry.id for entry in found.games]
        for kept in answer["games"]:
            messages.KeptGame.model_validate(kept)
    none = {"inaccuracies": 0, "mistakes": 1, "blunders": 2}
    page.ask(type="note", number=2, black=none, white=none)
    (answer,) = page.ask(type="library", delete=1)
    assert [(kept["number"], kept["mistakes"]) for kept in answer["games"]] == [(3, []), (2, [none, none])]
    (answer,) = page.ask(type="library.sgf")
    (tmp_path / "all.sgf").write_text(answer["text"], encoding="utf-8")
    (tmp_path / "python.sgf").write_bytes(b"".join(library.sgf()))
    python = records.load_all(tmp_path / "python.sgf")[1:]
    assert [_facts_of(one) for one in records.load_all(tmp_path / "all.sgf")] == [_facts_of(one) for one in python]


def _facts_of(one: records.Game) -> tuple[Any, ...]:
    return one.width, one.rule, one.black, one.white, one.result, one.moves


def test_a_finished_game_is_kept_and_the_library_opens_it(page: Page) -> None:
    page.load("c3 a1 c4 a2 c5 a3 c6 a4 c7", rule="standard")
    page.wait(lambda: page.js("return tengen.game.number !== null"))
    page.click("#library")
    page.wait(lambda: "Black wins" in page.text("#library-games"))
    page.js("tengen.share.save = (text) => { window.saved = text; }")
    page.click("#library-export")
    page.wait(lambda: "RU[standard]" in page.js("return window.saved ?? ''"))
    page.click("#library-games .game")
    assert page.js("return [tengen.view, tengen.game.rule]") == ["analyse", "standard"]
    assert len(page.moves) == 9


def test_it_runs_without_a_network(page: Page, files: Files) -> None:
    page.wait(lambda: page.js("return navigator.serviceWorker.ready.then(() => true)"))
    page.reload()
    page.offline(True)
    try:
        page.reload()
        page.new_game(mode="computer", level=2)
        page.play("h8")
        page.wait(lambda: len(page.moves) == 2)
    finally:
        page.offline(False)


def test_the_whole_is_small() -> None:
    assert sum(path.stat().st_size for path in SITE.rglob("*") if path.is_file()) < MOST_BYTES


@pytest.mark.skipif(not shutil.which("node"), reason="Node runs the core's own programs")
def test_signatures_are_those_of_this_machine() -> None:
    network = default.find("freestyle", 15)
    command = ["node", "--no-experimental-fetch", str(SIGNATURES), "5", str(network)]
    lines = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    found = dict(line.split() for line in lines)
    assert found["rules"] == f"{core.bench_rules(5, 1).signature:016x}"
    assert found["threats"] == f"{core.bench_threats(5, 1).signature:016x}"
