"""The server as a program sees it: messages over a WebSocket, without a browser."""

from __future__ import annotations

import base64
import itertools
import json
import re
import shutil
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from tengen import Board, core, players
from tengen.board import RULES
from tengen.explain import CHAPTER_MOVES, ExplainedSearch, chapter
from tengen.nets import default
from tengen.procedures import PROCEDURES
from tengen.records import Game
from tengen.review import Reviewer
from tengen.search import SearchParams
from tengen.thinking.evaluators import best_evaluator, default_evaluator
from tengen.thinking.levels import LEVELS
from tengen.train.journal import Journal, JudgedNetwork
from tengen.train.params import SelfPlayParams
from tengen.web import limits, messages
from tengen.web.app import STATIC, create_app
from tengen.web.refusals import BusyError
from tengen.web.runs import Runs
from tengen.web.workers import Workers

# Black's h8 makes two open threes.
DOUBLE_THREE = ["g8", "a1", "f8", "a3", "h9", "a5", "h10", "a7"]


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(create_app(threads=2), base_url="http://127.0.0.1") as client:
        yield client


class Page:
    """Sends requests and collects their answers."""

    def __init__(self, socket: WebSocketTestSession) -> None:
        self._socket = socket
        self._ids = itertools.count(1)
        self.hello = socket.receive_json()

    def start(self, type_: str, **fields: Any) -> int:
        number = next(self._ids)
        self._socket.send_json({"type": type_, "id": number, **fields})
        return number

    def receive(self) -> dict[str, Any]:
        answer: dict[str, Any] = self._socket.receive_json()
        return answer

    def ask(self, type_: str, **fields: Any) -> dict[str, Any]:
        """The last answer to a request."""
        number = self.start(type_, **fields)
        before_the_last = ("progress", "state") if type_ == "think" else ("progress",)
        while (answer := self.receive())["type"] in before_the_last or not answer.get("done", True):
            assert answer["id"] == number
        assert answer["id"] == number
        return answer


@pytest.fixture
def page(client: TestClient) -> Iterator[Page]:
    with client.websocket_connect("ws://127.0.0.1/ws", headers={"origin": "http://127.0.0.1"}) as socket:
        yield Page(socket)


def game(moves: str | list[str] = "", **fields: Any) -> dict[str, Any]:
    return {"moves": moves.split() if isinstance(moves, str) else moves, **fields}


def test_the_server_greets(page: Page) -> None:
    assert page.hello["type"] == "hello"
    assert page.hello["levels"] == list(range(11))
    assert [entry["name"] for entry in page.hello["procedures"]] == list(PROCEDURES)


def test_the_greeting_has_the_facts(page: Page) -> None:
    assert page.hello["rules"] == list(RULES)
    assert (page.hello["min_size"], page.hello["max_size"]) == (limits.MIN_SIZE, limits.MAX_SIZE)
    assert page.hello["max_record_bytes"] < page.hello["max_message_bytes"]


def test_a_move_costs_one_question(page: Page) -> None:
    """The state of the position comes before the move, so that nobody has to ask for it."""
    number = page.start("think", game=game("h8"), level=1)
    first = page.receive()
    assert (first["id"], first["type"], first["state"]["turn"]) == (number, "state", "white")
    over = page.start("think", game=game("h8 a1 h9 a2 h10 a3 h11 a4 h12"), level=1)
    answers: list[dict[str, Any]] = []
    while not answers or answers[-1]["type"] != "error":
        answers.append(page.receive())
    assert [answer["type"] for answer in answers if answer["id"] == over] == ["state", "error"]


def test_the_state_of_a_position(page: Page) -> None:
    state = page.ask("state", game=game("h8 i9"))["state"]
    assert state == {"turn": "black", "result": None, "forbidden": [], "opening": None}
    state = page.ask("state", game=game("h8 a1 h9 a2 h10 a3 h11 a4 h12"))["state"]
    assert state["result"] == {"winner": "black", "reason": "five", "line": ["h12", "h11", "h10", "h9", "h8"]}
    assert page.ask("state", game=game("h8 h9 i9", rule="renju"))["state"]["opening"]["chinese"] == "花月"


def test_forbidden_points_come_with_their_reason(page: Page) -> None:
    state = page.ask("state", game=game(DOUBLE_THREE, rule="renju"))["state"]
    assert {"point": "h8", "reason": "double three"} in state["forbidden"]


def test_a_game_may_have_ended_on_a_forbidden_point(page: Page) -> None:
    lost = page.ask("import", text="".join([*DOUBLE_THREE, "h8"]), rule="renju")["game"]
    assert lost["rule"] == "renju"
    assert page.ask("state", game=lost)["state"]["result"] == {"winner": "white", "reason": "forbidden", "line": []}
    assert page.ask("think", game=lost)["type"] == "error"
    beyond = page.ask("state", game=game([*lost["moves"], "b2"], rule="renju"))
    assert (beyond["type"], beyond["code"]) == ("error", "illegal")


@pytest.mark.parametrize("level", range(11))
@pytest.mark.parametrize("purpose", ["move", "hint"])
def test_a_person_can_win_against_every_level(page: Page, level: int, purpose: str) -> None:
    """The person has an open four: whatever the level answers, the five comes, and the game ends."""
    moves = ["h8", "a1", "i8", "a3", "j8", "a5", "k8"]
    answer = page.ask("think", game=game(moves), level=level, purpose=purpose)
    assert answer["type"] == "move", answer
    moves.append(answer["move"])
    moves.append(next(point for point in ("g8", "l8") if point != answer["move"]))
    assert page.ask("state", game=game(moves))["state"]["result"]["winner"] == "black"


@pytest.mark.parametrize("level", [1, 2, 3, 4, 5, 6, 7])
def test_every_door_leads_to_the_same_level(page: Page, level: int) -> None:
    """The page, a player in a match and the engine give the same move for the same position, level and seed."""
    board = Board.from_moves("h8 i9 g10")
    for seed in range(4):
        here = page.ask("think", game=game(board_texts(board)), level=level, seed=seed)["move"]
        in_match = board.text(players.create(f"level:{level}", seed=seed).choose(board))
        engine = core.Engine(time.monotonic)
        thinker = core.Thinker(lambda rule, side: default_evaluator(rule.name, side), seed, LEVELS[level])
        for line in ("START 15", "BOARD", "7,7,2", "8,6,1", "6,5,2", "DONE"):
            engine.receive(line)
            if engine.question is not None:
                (through_engine, *_) = engine.answer(thinker.think(engine.question))
        x, y = map(int, through_engine.split(","))
        assert here == in_match == board.text((x, y))


@pytest.mark.parametrize("level", [0, 1, 5, 8])
def test_a_level_answers_with_a_legal_move(page: Page, level: int) -> None:
    answer = page.ask("think", game=game("h8"), level=level)
    assert answer["type"] == "move"
    assert Board.from_moves("h8").is_legal(answer["move"])
    assert answer["state"]["turn"] == "black"


def test_move_now(page: Page) -> None:
    number = page.start("think", game=game("h8 i9 h9"), level=10)
    assert [page.receive()["type"] for _ in range(2)] == ["state", "progress"]
    page.start("state", game=game())  # the page goes on meanwhile
    page._socket.send_json({"type": "stop", "id": number})
    answers = [page.receive()]
    while answers[-1]["type"] != "move":
        answers.append(page.receive())
    assert answers[-1]["thought"]["seconds"] < 1.9
    assert "state" in [answer["type"] for answer in answers]


@pytest.mark.parametrize("moves", ["", "h8 g8 i8 a2 j8 a3 k8"])
def test_an_only_move_is_played(page: Page, moves: str) -> None:
    answer = page.ask("think", game=game(moves), purpose="move", level=8)
    assert answer["move"] == ("l8" if moves else "h8")


def test_a_hint_sees_the_win(page: Page) -> None:
    answer = page.ask("think", game=game("h8 a1 h9 a2 h10 a3 h11 a4"), purpose="hint")
    assert answer["move"] in ("h7", "h12")
    assert answer["thought"]["win_rate"] == 1


def test_analysis_goes_on_until_it_is_stopped(page: Page) -> None:
    number = page.start("analyse", game=game("h8 i9 g9"), best=3)
    first, second = page.receive(), page.receive()
    assert second["thought"]["playouts"] > first["thought"]["playouts"]
    assert len(second["thought"]["candidates"]) <= 3
    assert first["heat"]
    page._socket.send_json({"type": "stop", "id": number, "discard": False})
    while not (answer := page.receive())["done"]:
        pass
    assert answer["thought"]["playouts"] >= second["thought"]["playouts"]


def test_an_analysis_searches_the_best_moves_equally(page: Page) -> None:
    number = page.start("analyse", game=game("h8 i9 g9"), best=4, equal=True)
    answer = page.receive()
    while min(entry["visits"] for entry in answer["thought"]["candidates"]) < 3_000:
        answer = page.receive()
    visits = [entry["visits"] for entry in answer["thought"]["candidates"]]
    rates = [entry["win_rate"] for entry in answer["thought"]["candidates"]]
    assert len(visits) == 4
    assert rates == sorted(rates, reverse=True)
    assert all(entry["line"][0] == entry["move"] for entry in answer["thought"]["candidates"])
    page._socket.send_json({"type": "stop", "id": number, "discard": False})
    while not (answer := page.receive())["done"]:
        pass
    assert answer["ended"] == "stopped"


def test_a_win_is_not_searched_equally(page: Page) -> None:
    answer = page.ask("analyse", game=game("h8 a1 i8 a3 j8 a5"), best=4, equal=True)
    assert answer["ended"] == "solved"
    assert answer["thought"]["candidates"][0]["proof"] == "win"


def test_analysis_shows_the_whole_line_of_a_win(page: Page) -> None:
    answer = page.ask("analyse", game=game("h8 a1 i8 a3 j8 a5"))
    assert answer["thought"]["proof"] == "win"
    assert len(answer["thought"]["candidates"][0]["line"]) == 3


def test_analysis_goes_on_behind_an_only_move(page: Page) -> None:
    answer = page.ask("analyse", game=game("h8 g8 i8 a2 j8 a3 k8"), playouts=300)
    (only,) = answer["thought"]["candidates"]
    assert (answer["ended"], answer["thought"]["playouts"], only["move"]) == ("playouts", 300, "l8")


def review(page: Page, **fields: Any) -> list[dict[str, Any]]:
    page.start("review", **fields)
    answers = [page.receive()]
    while not answers[-1]["done"]:
        answers.append(page.receive())
    return answers


def test_a_review_has_a_verdict_for_every_position(page: Page) -> None:
    answers = review(page, game=game("h8 i9 h9 a1"), playouts=50)
    assert [answer["ply"] for answer in answers] == list(range(5))
    assert [answer["total"] for answer in answers] == [5] * 5


@pytest.mark.parametrize("rule", ["freestyle", "renju"])
def test_a_review_says_the_same_here_and_on_the_command_line(page: Page, rule: str) -> None:
    """Whole games of weak players, with mistakes, missed wins and an end."""
    for seed in range(2):
        board = Board(rule=rule)
        players_ = [players.create(f"level:{number}", seed=seed) for number in (2, 3)]
        while not board.is_over and board.ply < 40:
            board.push(players_[board.ply % 2].choose(board))
        here = review(page, game=game(board_texts(board), rule=rule), playouts=60)
        record = Game.of_moves(board.moves, rule=rule)
        there = list(Reviewer(best_evaluator(board), 60).review(record))
        assert [round(entry.black_win_rate, 4) for entry in there] == [answer["win_rate"] for answer in here[1:]]
        assert [(entry.mistake, entry.missed) for entry in there] == [
            (answer["mistake"] or "", answer["missed"] or "") for answer in here[1:]
        ]
        assert any(entry.mistake for entry in there)


def board_texts(board: Board) -> list[str]:
    return [board.text(move) for move in board.moves]


def test_forced_wins(page: Page) -> None:
    found = page.ask("solve", game=game("h8 a1 i8 a3 j8 a5"), kind="vcf")
    assert (found["status"], found["line"][-1]) == ("win", "k8")
    assert page.ask("solve", game=game("h8"), kind="vcf")["status"] == "none"


def test_threats_by_name(page: Page) -> None:
    threats = page.ask("threats", game=game(DOUBLE_THREE))["threats"]
    names = {(entry["point"], entry["color"]): entry["shape"] for entry in threats}
    assert names["h8", "black"] == "double_three"
    assert names["e8", "black"] == "open_three"
    assert ("h8", "black") not in {
        (entry["point"], entry["color"])
        for entry in page.ask("threats", game=game(DOUBLE_THREE, rule="renju"))["threats"]
    }


def test_a_text_becomes_a_game_and_a_game_a_text(page: Page) -> None:
    answer = page.ask("import", text="H8 i9, g10")
    assert answer["game"] == {"size": 15, "rule": "freestyle", "moves": ["h8", "i9", "g10"]}
    assert page.ask("export", game=answer["game"], format="pos")["text"].strip() == "h8i9g10"
    assert page.ask("import", text="<script>")["type"] == "error"


@pytest.mark.parametrize("name", ["sgf", "psq", "pos"])
def test_every_format_goes_out_and_comes_back(page: Page, name: str) -> None:
    sent = game("h8 i9 g10 o1 a15", rule="renju", size=15)
    assert name in page.hello["formats"]
    text = page.ask("export", game=sent, format=name)["text"]
    assert page.ask("import", text=text, rule="renju")["game"] == sent


def test_a_resignation_goes_out(page: Page) -> None:
    assert "RE[" not in page.ask("export", game=game("h8 i9"), format="sgf")["text"]
    assert "RE[W" in page.ask("export", game=game("h8 i9"), format="sgf", winner="white")["text"]


VARIATIONS = "(;GM[4]SZ[15]RU[renju]C[start];B[hh]C[centre];W[ig](;B[gg];C[a remark])(;B[jf]C[变化](;W[ji])(;W[gi])))"


def test_variations_and_comments_go_out_and_come_back(page: Page) -> None:
    answer = page.ask("import", text=VARIATIONS)
    assert answer["game"]["moves"] == ["h8", "i9", "g9"]
    lines = [(node["parent"], node["move"], node["comment"]) for node in answer["tree"]]
    assert lines == [
        (None, None, "start"),
        (0, "h8", "centre"),
        (1, "i9", ""),
        (2, "g9", "a remark"),
        (2, "j10", "变化"),
        (4, "j7", ""),
        (4, "g7", ""),
    ]
    text = page.ask("export", game=answer["game"], format="sgf", tree=answer["tree"])["text"]
    again = page.ask("import", text=text)
    assert (again["game"], again["tree"]) == (answer["game"], answer["tree"])


@pytest.mark.parametrize(
    "entries",
    [
        [{}, {"parent": 1, "move": "h8"}],
        [{}, {"move": "h8"}],
        [{}, {"parent": 0}],
        [{}, {"parent": 0, "move": "h8"}, {"parent": 1, "move": "h8"}],
        [{}, {"parent": 0, "move": "t20"}],
    ],
)
def test_a_tree_that_makes_no_sense_is_refused(page: Page, entries: list[dict[str, Any]]) -> None:
    answer = page.ask("export", game=game(), format="sgf", tree=entries)
    assert (answer["type"], answer["code"]) == ("error", "illegal")


def test_a_game_with_too_many_variations_is_refused(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    tree = page.ask("import", text=VARIATIONS)["tree"]
    monkeypatch.setattr(limits, "MAX_NODES", 5)
    for answer in (page.ask("import", text=VARIATIONS), page.ask("export", game=game(), format="sgf", tree=tree)):
        assert answer["code"] == "large"
        assert answer["message"].endswith("at most 5 fit")


def test_the_largest_game_goes_out_and_comes_back(page: Page) -> None:
    """Whatever JSON and the encoding make of its text, the message holds it."""
    moves = [f"{column}{row}" for column in "abcdefghijklmno" for row in range(1, 16)]
    tree: list[dict[str, Any]] = [{}, *({"parent": 0, "move": move} for move in moves)]
    tree += [{"parent": 1 + i // 200, "move": moves[100 + i % 100]} for i in range(4_700)]
    empty = len(page.ask("export", game=game(), format="sgf", tree=tree)["text"].encode())
    for letter in ("x", "\x01", "好"):
        room = limits.MAX_RECORD_BYTES - empty - 100  # lines are broken elsewhere
        tree[0] = {"comment": letter * (room // len(letter.encode()))}
        assert len(json.dumps(tree)) < limits.MAX_MESSAGE_BYTES
        text = page.ask("export", game=game(), format="sgf", tree=tree)["text"]
        answer = page.ask("import", text=text)
        assert (len(answer["tree"]), answer["tree"][0]["comment"]) == (len(tree), tree[0]["comment"])
        tree[0]["comment"] += letter * 200
        assert page.ask("export", game=game(), format="sgf", tree=tree)["code"] == "large"
        text = text.replace("C[", f"C[{letter * 200}", 1)
        assert page.ask("import", text=text)["code"] == "large"


def test_a_file_that_would_not_go_out_again_does_not_come_in(page: Page) -> None:
    comment = "好" * (limits.MAX_RECORD_BYTES * 2 // 5)  # two bytes each here, three in UTF-8
    data = f"(;GM[4]CA[GBK]C[{comment}];B[hh])".encode("gbk")
    assert page.ask("import", data=base64.b64encode(data).decode())["code"] == "large"


@pytest.mark.parametrize(
    ("charset", "name"),
    [("GB18030", "李小龙"), ("Big5", "成功"), ("Shift_JIS", "表ソ十"), ("EUC-JP", "表"), ("", "棋手")],
)
def test_a_file_in_another_encoding(page: Page, charset: str, name: str) -> None:
    text = f"(;GM[4]{f'CA[{charset}]' if charset else ''}C[{name}];B[hh]C[{name}\\]])"
    data = base64.b64encode(text.encode(charset or "gbk")).decode()
    for answer in (page.ask("import", data=data), page.ask("import", text=text)):
        assert [node["comment"] for node in answer["tree"]] == [name, f"{name}]"]
    assert page.ask("import", data="no Base64")["code"] == "malformed"


def test_a_game_with_a_forbidden_move_is_read_as_freestyle(page: Page) -> None:
    answer = page.ask("import", text="".join([*DOUBLE_THREE, "h8", "b2"]), rule="renju")
    assert answer["game"]["rule"] == "freestyle"


def test_an_opening_between_two_people(page: Page) -> None:
    answer = page.ask("opening", procedure="swap2")
    assert answer["step"]["expects"] == "place"
    action = {"action": "place", "moves": ["h8", "i9", "g10"]}
    answer = page.ask("opening", procedure="swap2", records=answer["records"], action=action)
    assert answer["step"]["options"] == ["white", "black", "add"]
    answer = page.ask(
        "opening", procedure="swap2", records=answer["records"], action={"action": "choose", "option": "black"}
    )
    assert answer["step"] is None
    assert answer["black"] == "second"


@pytest.mark.parametrize("procedure", ["swap", "rif", "swap2", "soosorv-8", "taraguchi-10"])
def test_the_computer_takes_part_in_every_opening(page: Page, procedure: str) -> None:
    """Whatever the first of the possible actions leads to, the computer finds its part and the opening ends."""
    fields: dict[str, Any] = {"procedure": procedure, "rule": "renju", "computer": "second"}
    answer = page.ask("opening", **fields)
    for _ in range(12):
        if answer["step"] is None:
            break
        assert answer["step"]["person"] == "first"
        answer = page.ask("opening", records=answer["records"], action=first_action(answer["step"]), **fields)
        assert answer["type"] == "opening", answer
    assert answer["step"] is None


def first_action(step: dict[str, Any]) -> dict[str, Any]:
    kind = step["expects"]
    if kind == "place":
        moves: list[str] = []
        for points in step["points"]:
            moves.append(next(point for point in points if point not in moves))
        return {"action": "place", "moves": moves}
    if kind == "offer":
        return {"action": "offer", "moves": [group[0] for group in step["points"][: step["count"]]]}
    answers: dict[str, dict[str, Any]] = {
        "swap": {"swap": True},
        "choose": {"option": (step["options"] or [None])[-1]},
        "announce": {"number": (step["numbers"] or [None])[-1]},
        "pick": {"move": (step["points"] or [[None]])[0][0]},
    }
    return {"action": kind, **answers[kind]}


# -- what is refused


@pytest.mark.parametrize(
    "message",
    [
        "nonsense",
        "[1]",
        '{"type": "state"}',
        '{"type": "state", "id": false, "game": {"moves": []}}',
        '{"type": "analyse", "id": 3, "game": {"moves": []}, "playouts": true}',
        '{"type": "analyse", "id": 3, "game": {"moves": []}, "playouts": "5"}',
        '{"type": "fly", "id": 3}',
        '{"type": "state", "id": 3, "game": {"size": 99}}',
        '{"type": "state", "id": 3, "game": {"moves": ["z99"]}}',
        '{"type": "state", "id": 3, "game": {"moves": ["h8", "h8"]}}',
        '{"type": "think", "id": 3, "game": {"moves": []}, "level": 11}',
        '{"type": "analyse", "id": 3, "game": {"moves": []}, "playouts": 1e99}',
        '{"type": "opening", "id": 3, "procedure": "swap2", "records": [{"a": 1}]}',
        '{"type": "opening", "id": 3, "procedure": "swap2", "action": {"action": "place", "moves": [[1, 2, 3]]}}',
        '{"type": "opening", "id": 3, "procedure": "swap2", "action": {"action": "place", "moves": 5}}',
        '{"type": "solve", "id": 3, "game": {"moves": ["h8", "a1", "h9", "a2", "h10", "a3", "h11", "a4", "h12"]}}',
    ],
)
def test_a_wrong_message_gets_one_sentence_back(page: Page, message: str) -> None:
    page._socket.send_text(message)
    answer = page.receive()
    assert answer["type"] == "error"
    assert answer["code"] in ("malformed", "illegal")
    assert len(answer["message"].splitlines()) == 1
    assert "Traceback" not in answer["message"]
    assert page.ask("state", game=game())["type"] == "state"  # and the page lives on


def test_a_page_has_only_so_many_searches(page: Page) -> None:
    for _ in range(limits.MAX_JOBS_A_PAGE):
        page.start("analyse", game=game("h8"))
    last = page.start("analyse", game=game("h8"))
    while (answer := page.receive())["type"] != "error":
        pass
    assert (answer["id"], answer["code"]) == (last, "busy")


def test_a_number_is_free_when_its_last_answer_is_there() -> None:
    """Even if another search has the only thread at that moment."""
    with TestClient(create_app(threads=1), base_url="http://127.0.0.1") as client:
        url = "ws://127.0.0.1/ws"
        with client.websocket_connect(url) as one, client.websocket_connect(url) as two:
            Page(one).start("analyse", game=game("h8"))
            page = Page(two)
            for _ in range(5):
                two.send_json({"type": "think", "id": 1, "level": 0, "game": game("h8")})
                while (answer := page.receive())["type"] in ("state", "progress"):
                    pass
                assert answer["type"] == "move"


def analyse_request(moves: str, **fields: Any) -> messages.AnalyseRequest:
    return messages.AnalyseRequest.model_validate({"id": 1, "game": game(moves), **fields})


def last_answer(workers: Workers, request: messages.Request) -> Any:
    done = threading.Event()
    job = workers.start(request, lambda message: None, lambda _: done.set())
    assert done.wait(30)
    workers.close()
    return job.last


def test_an_analysis_says_that_the_memory_is_full() -> None:
    last = last_answer(Workers(1, Runs(None), memory=1 << 20), analyse_request("h8 i9 g9"))
    assert (last.done, last.ended) == (True, "memory")
    assert last.thought.candidates


def test_an_analysis_with_two_threads() -> None:
    last = last_answer(Workers(1, Runs(None), analysis_threads=2), analyse_request("h8 i9 g9", playouts=500))
    assert last.ended == "playouts"
    assert last.thought.playouts >= 500


def test_the_server_has_only_so_many_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_JOBS", 1)
    workers = Workers(1, Runs(None))
    request = analyse_request("h8")
    done = threading.Event()
    job = workers.start(request, lambda message: None, lambda _: done.set())
    with pytest.raises(BusyError, match="too many searches"):
        workers.start(request, lambda message: None, lambda _: None)
    job.stop()
    assert done.wait(30)
    workers.start(request, lambda message: None, lambda _: None).stop()
    workers.close()


def test_the_limits_over_http(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(status: int, **arguments: Any) -> str:
        response = client.post("/api/ask", **arguments)
        assert response.status_code == status
        answer = response.json()
        assert answer["type"] == "error"
        assert len(answer["message"].splitlines()) == 1
        return str(answer["message"])

    large = b" " * (limits.MAX_MESSAGE_BYTES + 1)
    assert "bytes" in refused(413, content=large)
    assert "bytes" in refused(413, content=iter([large[:9], large[9:]]))  # without a length
    assert "JSON" in refused(400, content=b"nonsense")
    assert "moves" in refused(400, json={"type": "state", "id": 1, "game": {"moves": "h8"}})
    assert "occupied" in refused(422, json={"type": "state", "id": 1, "game": game("h8 h8")})
    assert "occupied" in refused(422, json={"type": "solve", "id": 1, "game": game("h8 h8")})
    assert "WebSocket" in refused(422, json={"type": "review", "id": 1, "game": game("h8")})
    analyse = {"type": "analyse", "id": 1, "game": game("h8"), "playouts": limits.MAX_ASKED_PLAYOUTS + 1}
    assert "playouts" in refused(422, json=analyse)
    monkeypatch.setattr(limits, "MAX_JOBS_A_PAGE", 0)
    assert "wait for an answer" in refused(429, json={"type": "state", "id": 1, "game": game()})


@pytest.mark.parametrize("headers", [{"origin": "http://evil.example"}, {"host": "evil.example"}])
def test_other_sites_are_turned_away(client: TestClient, headers: dict[str, str]) -> None:
    with pytest.raises(WebSocketDisconnect), client.websocket_connect("ws://127.0.0.1/ws", headers=headers):
        pass


def test_pages_of_other_names_are_refused(client: TestClient) -> None:
    assert client.get("/", headers={"host": "evil.example"}).status_code == 421
    response = client.post(
        "/api/ask", json={"type": "state", "id": 1, "game": game()}, headers={"origin": "http://evil.example"}
    )
    assert response.status_code == 403


def test_files_outside_of_the_front_end_are_not_served(client: TestClient) -> None:
    for path in ("/../app.py", "/%2e%2e/app.py", "/..%2fapp.py", "/js/%2e%2e/%2e%2e/app.py"):
        assert client.get(path).status_code == 404


def test_the_page_needs_nothing_from_elsewhere(client: TestClient) -> None:
    response = client.get("/")
    assert response.status_code == 200
    assert "default-src 'none'" in response.headers["content-security-policy"]
    for path in sorted(STATIC.rglob("*.*")):
        text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert "http://" not in text, path
        assert "https://" not in text, path


@pytest.mark.parametrize("page", ["/", "/explain.html", "/proof.html", "/api"])
def test_every_page_has_its_icon(client: TestClient, page: str) -> None:
    icon = re.search(r'<link rel="icon" href="([^"]+)"', client.get(page).text)
    assert icon is not None
    assert client.get(urljoin(page, icon[1])).headers["content-type"].startswith("image/svg")


def test_the_same_messages_over_http(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def ask(**message: Any) -> Any:
        response = client.post("/api/ask", json={"id": 1, **message})
        assert response.status_code == 200
        return response.json()

    assert ask(type="state", game=game("h8"))["state"]["turn"] == "white"
    assert ask(type="think", game=game("h8"), level=2)["type"] == "move"
    monkeypatch.setattr(limits, "MAX_ASKED_PLAYOUTS", 200)
    assert ask(type="analyse", game=game("h8 i9 g9"))["ended"] == "playouts"  # a default that can be answered


def test_the_description_of_the_messages(client: TestClient) -> None:
    described = client.get("/openapi.json").json()
    operation = described["paths"]["/api/ask"]["post"]
    questions = operation["requestBody"]["content"]["application/json"]["schema"]["oneOf"]
    names = {entry["$ref"].rpartition("/")[2] for entry in questions}
    assert "ThinkRequest" in names
    assert "StopRequest" not in names
    schemas = described["components"]["schemas"]
    assert names <= set(schemas)
    assert all("type" in schemas[name]["required"] for name in names), "no message is understood without it"
    kinds = operation["responses"]["200"]["content"]["application/json"]["schema"]["discriminator"]["mapping"]
    assert kinds["move"].rpartition("/")[2] == "MoveAnswer"
    assert schemas["ImportRequest"]["properties"]["data"]["format"] == "base64url"
    assert set(operation["responses"]) == {"200", "400", "413", "422", "429", "500"}
    assert client.get("/asyncapi.json").json()["asyncapi"].startswith("3")
    assert "think" in client.get("/api").text


def test_a_search_is_explained(page: Page) -> None:
    """The worked example of a textbook, with the numbers of its figures."""
    answer = page.ask("explain")
    assert (answer["type"], answer["size"]) == ("explanation", 3)
    steps = answer["steps"]
    found = {(step["playout"], step["kind"]): step for step in steps}
    assert found[2, "back up"]["updates"][0] == {"path": ["b3"], "added": 0.1, "visits": 1, "total": 0.1, "mean": 0.1}
    assert [update["mean"] for update in found[3, "back up"]["updates"]] == [1.0, -0.45, 0.0]
    assert found[3, "evaluate"]["result"] == "black"
    assert steps[-1]["kind"] == "play"
    terminal = ExplainedSearch(Board.from_moves(CHAPTER_MOVES, size=3, n_in_row=3), chapter)
    assert [step["text"] for step in steps] == [step.text for step in terminal.steps(3)], "as in the terminal"


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"moves": ["b2", "b2"]}, "b2 is occupied by black"),
        ({"moves": ["a1", "b1", "a2", "b2", "a3"]}, "there is nothing to search: the game is over"),
        ({"playouts": 51}, "less than or equal to 50"),
        ({"size": 7}, "less than or equal to 6"),
        ({"evaluator": "nobody"}, "'chapter'"),
    ],
)
def test_a_search_that_cannot_be_explained(page: Page, fields: dict[str, Any], sentence: str) -> None:
    answer = page.ask("explain", **fields)
    assert answer["type"] == "error"
    assert sentence in answer["message"]


# -- languages


def keys(name: str) -> list[str]:
    text = (STATIC / "js" / "lang" / name).read_text(encoding="utf-8")
    return re.findall(r'^  "([\w.\- ]+)":\s', text, re.MULTILINE)


def test_both_languages_have_the_same_texts() -> None:
    assert keys("en.js") == keys("zh.js")
    assert len(set(keys("en.js"))) == len(keys("en.js"))


def test_every_text_that_the_page_names_exists() -> None:
    known = set(keys("en.js"))
    sources = [path.read_text(encoding="utf-8") for path in (*STATIC.glob("js/*.js"), *STATIC.glob("*.html"))]
    used = {key for text in sources for key in re.findall(r'(?:\bt\(|data-t=|data-t-title=)"([\w.]+)"', text)}
    assert used <= known


# -- training runs


def test_a_training_run_can_be_watched(tmp_path: Path) -> None:
    run = tmp_path / "runs" / "first"
    run.mkdir(parents=True)
    lines = [f'{{"minutes": {minute}, "games": {minute * 9}, "policy_loss": 3.5}}' for minute in range(1000)]
    (run / "log.jsonl").write_text("\n".join([*lines, '{"message": "hello"}', '{"minutes": 7']))
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "log.jsonl").write_text('{"minutes": 1}')
    app = create_app(threads=1, runs=tmp_path / "runs")
    with (
        TestClient(app, base_url="http://127.0.0.1") as client,
        client.websocket_connect("ws://127.0.0.1/ws") as socket,
    ):
        page = Page(socket)
        answer = page.ask("watch")
        assert answer["run"] == "first"
        assert len(answer["curves"]) <= limits.MAX_LOG_ENTRIES + 1
        assert answer["curves"][-1]["minutes"] == 999
        assert answer["games"] == []
        assert (answer["strength"], answer["yardsticks"]) == ([], [])
        journal = Journal(run)
        journal.set_known({"random": 0.0})
        journal.add_network(JudgedNetwork("000", 0.0, 0, None, None, True))
        journal.add_network(JudgedNetwork("001", 3.0, 900, "000", 0.75, True))
        journal.add_game("001", "000", 1.0)
        journal.add_game("001", "random", 1.0)
        answer = page.ask("watch")
        assert [point["minutes"] for point in answer["strength"]] == [0, 3]
        assert answer["strength"][1]["elo"] > 0
        assert answer["yardsticks"] == [{"opponent": "random", "elo": 0, "wins": 1, "losses": 0, "draws": 0}]
        for name in ("../secret", str(tmp_path / "secret"), "second", ""):
            assert page.ask("watch", run=name)["type"] == ("error" if name else "watch")


def test_the_networks_of_runs_can_be_played_against(tmp_path: Path) -> None:
    """By names that the server made: nothing else that a page sends reaches a file."""
    folder = tmp_path / "mine" / "networks"
    folder.mkdir(parents=True)
    network = default.find("freestyle", 15)
    shutil.copy(network, folder / "007.safetensors")
    shutil.copy(network, tmp_path / "outside.safetensors")
    (folder / "broken.safetensors").write_bytes(b"nonsense")
    app = create_app(threads=1, runs=tmp_path)
    with (
        TestClient(app, base_url="http://127.0.0.1") as client,
        client.websocket_connect("ws://127.0.0.1/ws") as socket,
    ):
        page = Page(socket)
        answer = page.ask("networks")
        assert [entry["name"] for entry in answer["networks"]] == ["mine/007"]
        assert page.ask("think", game=game("h8"), level=1, network="mine/007")["type"] == "move"
        for name in ("outside", "../outside", str(network), "mine/008", ""):
            answer = page.ask("think", game=game("h8"), level=1, network=name)
            assert answer["type"] == ("error" if name else "move")


def test_the_last_move_alone_is_judged_as_in_a_whole_review(page: Page) -> None:
    played = game("h8 i9 g9 g8 a15")
    whole = review(page, game=played, playouts=300)
    last = review(page, game=played, playouts=300, first=4)
    assert [answer["ply"] for answer in last] == [4, 5]
    assert last[1]["mistake"] == whole[5]["mistake"] == "blunder"
    assert last[1]["better"][0] != "a15"
    assert review(page, game=game("h8 a1 i8 a3 j8 a5 k8"), playouts=50, first=6)[-1]["shape"] == "open_four"


def test_the_library_is_open_at_home_only(tmp_path: Path) -> None:
    for host in ("127.0.0.1", "192.168.1.7"):
        app = create_app(threads=1, library=tmp_path / "library.sqlite")
        client = TestClient(app, base_url="http://127.0.0.1", client=(host, 5000))
        with client, client.websocket_connect("ws://127.0.0.1/ws") as socket:
            page = Page(socket)
            kept = page.ask("keep", game=game("h8 i9"), black="me", result="white")
            found = page.ask("library", text="ME")
            status = client.get("/library.sgf").status_code
        if host == "127.0.0.1":
            assert (kept["type"], status) == ("kept", 200)
            assert found["games"][0]["game"]["moves"] == ["h8", "i9"]
        else:
            assert {kept["type"], found["type"]} == {"error"}
            assert status == 403


def test_nothing_to_watch(page: Page) -> None:
    answer = page.ask("watch")
    assert (answer["runs"], answer["run"]) == ([], None)


def games_of_tictactoe() -> bytes:
    params = SelfPlayParams(game="tictactoe", full_playouts=5, fast_playouts=5)
    pool = core.SelfPlayPool(
        core.UniformEvaluator(), params, params.kinds(), SearchParams(memory=4 << 20), threads=1, seed=5
    )
    games = pool.take_games(10.0)
    pool.stop()
    return games


def test_only_games_of_gomoku_are_replayed(tmp_path: Path) -> None:
    (tmp_path / "first" / "games").mkdir(parents=True)
    (tmp_path / "first" / "log.jsonl").write_text('{"minutes": 1}')
    game = core.write_game(core.Rule.renju, 5, 15, 15, 0, 2, [112, 98], [])
    (tmp_path / "first" / "games" / "000.bin").write_bytes(game + games_of_tictactoe())
    runs = Runs(tmp_path)
    request = messages.WatchRequest(type="watch", id=1, run=None)
    assert [played.moves for played in runs.watch(request).games] == [["h8", "i9"]]
    with open(tmp_path / "first" / "games" / "000.bin", "ab") as shard:
        shard.write(core.write_game(core.Rule.renju, 5, 15, 15, 0, 2, [112], []))
    assert [played.moves for played in runs.watch(request).games] == [["h8", "i9"], ["h8"]]


def test_openings_are_listed_and_explored(page: Page) -> None:
    listed = page.ask("openings", rule="renju")
    assert len(listed["named"]) == 26
    assert listed["named"][3] == {"number": "4D", "name": "Kagetsu", "chinese": "花月", "moves": ["h8", "h9", "i9"]}
    assert listed["balanced"]
    found = page.ask("explore", game=game("h8 h9 i9", rule="renju"))
    assert found["tally"]["games"] == found["tally"]["black"] + found["tally"]["white"] + found["tally"]["draws"] > 0
    assert sum(reply["tally"]["games"] for reply in found["replies"]) <= found["tally"]["games"]
    assert found["proven"] is None
    proven = page.ask("explore", game=game("h8 i9 i7 g7"))["proven"]
    assert proven["winner"] == "black"
    assert page.ask("explore", game=game("h8", size=19))["replies"] == []
