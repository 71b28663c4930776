"""The server over real sockets: who is slow, who is many, who says nothing, and how it ends."""

from __future__ import annotations

import contextlib
import http.client
import itertools
import json
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from tengen.web import http_api, limits
from tengen.web.app import create_app
from tengen.web.server import Server, _urls, listen

GAME = {"moves": ["h8", "i9", "g9"]}
MANY_MOVES = "(;GM[4]" + "".join(f"(;B[{a}{b}])" for a in "abcdefghijklmno" for b in "abcdefghijklmno") * 4 + ")"
LONG_COMMENT = f"(;GM[4]C[{'x' * 80_000}];B[hh])"


class Live:
    """A server in a thread of this process, so that its limits can be set."""

    def __init__(self) -> None:
        self.app = create_app(threads=1, names=["board.example"])
        self._server = Server(self.app)
        self._sockets = contextlib.ExitStack()
        listener = self._sockets.enter_context(listen("127.0.0.1", 0))
        self.port = listener.getsockname()[1]
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [listener]})
        self._thread.start()
        assert self._server.answers.wait(60)

    @contextlib.contextmanager
    def page(self) -> Iterator[ClientConnection]:
        with connect(f"ws://127.0.0.1:{self.port}/ws", max_size=None, compression=None) as page:
            assert json.loads(page.recv())["type"] == "hello"
            yield page

    def http(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)

    def status(self, headers: dict[str, str]) -> int:
        connection = self.http()
        body = json.dumps({"type": "state", "id": 1, "game": GAME})
        connection.request("POST", "/api/ask", body, headers)
        return connection.getresponse().status

    def close(self) -> None:
        self._server.should_exit = True
        self._thread.join()
        self._sockets.close()


@pytest.fixture
def live() -> Iterator[Live]:
    live = Live()
    yield live
    live.close()


def wait_for(condition: Callable[[], object], seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"it did not happen within {seconds} s"
        time.sleep(0.01)


def ask(page: ClientConnection, type_: str, number: int = 1, **fields: Any) -> None:
    page.send(json.dumps({"type": type_, "id": number, **fields}))


def answer_to(page: ClientConnection, number: int) -> dict[str, Any]:
    while True:
        answer: dict[str, Any] = json.loads(page.recv(timeout=60))
        if answer["id"] == number:
            return answer


# -- too many, too much, too slow


def test_connections_have_a_limit(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    for limit in ("MAX_CONNECTIONS", "MAX_CONNECTIONS_A_CLIENT"):
        with monkeypatch.context() as patch, live.page() as page:
            patch.setattr(limits, limit, 2)
            with live.page():
                assert not _lets_in(live)
                ask(page, "state", game=GAME)
                assert answer_to(page, 1)["type"] == "state"
            wait_for(lambda: _lets_in(live))


def _lets_in(live: Live) -> bool:
    with contextlib.suppress(InvalidStatus), live.page():
        return True
    return False


def test_a_page_that_does_not_read_is_cut_off_and_its_work_ends(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_JOBS", 1)
    monkeypatch.setattr(limits, "MAX_PENDING", 1 << 20)
    url = f"ws://127.0.0.1:{live.port}/ws"
    with connect(url, compression=None, max_queue=1, close_timeout=0) as page:  # the library reads no further
        ask(page, "analyse", game=GAME)
        with contextlib.suppress(ConnectionClosed):
            for number in range(2, 500):
                ask(page, "import", number, text=LONG_COMMENT)
        wait_for(lambda: _searches(live))


def _searches(live: Live) -> bool:
    """Whether there is room for a search: another one may begin when the first has ended."""
    with live.page() as other:
        ask(other, "analyse", game=GAME, playouts=1)
        return bool(answer_to(other, 1)["type"] == "analysis")


def test_a_flood_of_one_page_does_not_hold_up_another(live: Live) -> None:
    """Everything that the flooding page asked for is still under way when the other page has its answer."""
    with live.page() as flood, live.page() as other:
        for number in range(1, 41):
            ask(flood, "import", number, text=MANY_MOVES)
        answer_to(flood, 1)
        ask(other, "state", game=GAME)
        assert answer_to(other, 1)["type"] == "state"
        flooded = []
        with contextlib.suppress(TimeoutError):
            while True:
                flooded.append(json.loads(flood.recv(timeout=0))["id"])
        assert len(flooded) < 20
        assert answer_to(flood, 40)["type"] == "import"


def test_nothing_long_is_done_where_everybody_waits(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    """Questions over HTTP are read and answers written by the threads for requests, and nobody compresses messages."""
    threads = set()

    def watched(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            threads.add(threading.current_thread().name.rpartition("_")[0])
            return function(*arguments)

        return call

    for name in ("reply", "error_answer", "answer_at_once"):
        monkeypatch.setattr(http_api, name, watched(getattr(http_api, name)))
    connection = live.http()
    for body in ({"type": "state", "id": 1, "game": GAME}, {"type": "nonsense", "id": 2}):
        connection.request("POST", "/api/ask", json.dumps(body))
        assert json.loads(connection.getresponse().read())["id"] == body["id"]
    assert threads == {"request"}
    with connect(f"ws://127.0.0.1:{live.port}/ws") as page:
        assert page.response is not None
        assert "Sec-WebSocket-Extensions" not in page.response.headers


def test_a_body_that_is_too_large_is_answered(live: Live) -> None:
    connection = live.http()
    connection.request("POST", "/api/ask", b" " * (4 * limits.MAX_MESSAGE_BYTES))
    response = connection.getresponse()
    assert response.status == 413
    assert json.loads(response.read())["code"] == "large"


@pytest.mark.parametrize("pause", [True, False], ids=["after it", "at once"])
def test_nonsense_after_a_refused_head_ends_the_connection(
    live: Live, caplog: pytest.LogCaptureFixture, pause: bool
) -> None:
    """A request that is refused for its head, and whose body makes no sense then."""
    head = b"POST /api/ask HTTP/1.1\r\nHost: evil.example\r\nTransfer-Encoding: chunked\r\n\r\n"
    with socket.create_connection(("127.0.0.1", live.port), timeout=60) as connection:
        if pause:
            connection.sendall(head)
            assert connection.recv(1 << 16).startswith(b"HTTP/1.1 421 ")
            connection.sendall(b"no chunk\r\n")
        else:
            connection.sendall(head + b"no chunk\r\n")
            assert connection.recv(1 << 16).startswith(b"HTTP/1.1 400 ")
        while connection.recv(1 << 16):
            pass
    assert not [record for record in caplog.records if record.exc_info]


def test_a_client_that_leaves_ends_its_search(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_JOBS", 1)
    monkeypatch.setattr(limits, "MAX_ASKED_PLAYOUTS", 20_000_000)
    connection = live.http()
    connection.request("POST", "/api/ask", json.dumps({"type": "analyse", "id": 1, "game": GAME}))
    wait_for(lambda: not _searches(live))
    connection.close()
    wait_for(lambda: _searches(live))


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"])
def test_who_says_nothing_is_hung_up_on(live: Live, monkeypatch: pytest.MonkeyPatch, sent: bytes) -> None:
    monkeypatch.setattr(limits, "HANDSHAKE_SECONDS", 0.1)
    with socket.create_connection(("127.0.0.1", live.port), timeout=30) as silent:
        silent.sendall(sent)
        with contextlib.suppress(ConnectionResetError):
            assert silent.recv(1) == b""
    with live.page() as page:  # a WebSocket stays
        time.sleep(0.3)
        ask(page, "state", game=GAME)
        assert answer_to(page, 1)["type"] == "state"


def test_a_body_that_does_not_come_is_not_waited_for(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "BODY_SECONDS", 0.1)
    connection = live.http()
    connection.putrequest("POST", "/api/ask")
    connection.putheader("Content-Length", "100")
    connection.endheaders(b"{")
    assert connection.getresponse().status == 408


# -- names


@pytest.mark.parametrize(
    ("host", "origin", "status"),
    [
        ("127.0.0.1", None, 200),
        ("localhost:8550", "http://localhost:8550", 200),
        ("192.168.1.5:8550", "http://192.168.1.5:8550", 200),
        ("[::1]:8550", None, 200),
        ("Board.example", "http://Board.example", 200),
        ("evil.example", None, 421),
        ("evil.example", "http://evil.example", 421),  # another site's name that points at this machine
        ("[", None, 421),
        ("127.0.0.1", "http://evil.example", 403),
        ("127.0.0.1", "http://[", 403),
        ("127.0.0.1", "null", 403),
    ],
)
def test_names_and_origins(live: Live, host: str, origin: str | None, status: int) -> None:
    headers = {"Host": host, **({"Origin": origin} if origin else {})}
    assert live.status(headers) == status
    socket_headers = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13"}
    connection = live.http()
    connection.request("GET", "/ws", headers={**headers, **socket_headers, "Sec-WebSocket-Key": "A" * 22 + "=="})
    assert connection.getresponse().status == (101 if status == 200 else 403)
    connection.close()


def test_a_server_for_all_says_where_others_find_it() -> None:
    assert _urls("127.0.0.1", 8550) == ["http://127.0.0.1:8550/"]
    assert _urls("::1", 8550) == ["http://[::1]:8550/"]
    for host in ("0.0.0.0", "::"):
        urls = _urls(host, 8550)
        assert urls[0] == "http://127.0.0.1:8550/"
        assert not any("0.0.0.0" in url for url in urls)


# -- the end


def test_the_server_leaves_no_traceback() -> None:
    """Pages that vanish in the middle of a search, questions under way, then Ctrl-C during an analysis."""
    program = [sys.executable, "-c", "from tengen.cli import main; main()"]
    command = [*program, "play", "--no-browser", "--port", "0", "--threads", "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        port = int(server.stdout.readline().split("127.0.0.1:")[1].split("/")[0])
        url = f"ws://127.0.0.1:{port}/ws"
        for kind in itertools.chain(("think", "analyse", "solve", "review"), ["import"] * 3):
            with contextlib.suppress(ConnectionClosed), connect(url, close_timeout=0) as vanishing:
                ask(vanishing, kind, **({"text": MANY_MOVES} if kind == "import" else {"game": GAME}))
                vanishing.socket.shutdown(socket.SHUT_RDWR)
        question = http.client.HTTPConnection("127.0.0.1", port)
        question.request("POST", "/api/ask", json.dumps({"type": "analyse", "id": 1, "game": GAME}))
        question.close()
        waiting = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        waiting.request("POST", "/api/ask", json.dumps({"type": "analyse", "id": 1, "game": GAME}))
        with connect(url) as page:
            page.recv()
            ask(page, "analyse", game=GAME)
            answer_to(page, 1)
            server.send_signal(signal.SIGINT)
            assert waiting.getresponse().status in (200, 503)
            _, errors = server.communicate(timeout=60)
        assert errors == ""
        assert server.returncode in (0, 130)
