"""Games of two people over the socket: seats, moves, clocks, those who look on, another game."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from tengen.errors import InputError
from tengen.web import limits, messages
from tengen.web.app import create_app
from tengen.web.refusals import BusyError
from tengen.web.rooms import Asked, Rooms

FIVE = ["h8", "a1", "h9", "a2", "h10", "a3", "h11", "a4", "h12"]
NOBODY = "x" * 24


class Guest:
    """A page in a room."""

    def __init__(self, socket: Any) -> None:
        self._socket = socket
        self._id = 0
        socket.receive_json()

    def send(self, type_: str, **fields: Any) -> None:
        self._id += 1
        self._socket.send_json({"type": type_, "id": self._id, **fields})

    def hear(self, type_: str = "room") -> dict[str, Any]:
        """The next answer of a type; others are passed over."""
        while (answer := self._socket.receive_json())["type"] != type_:
            assert answer["type"] in ("room", "acted"), answer
        return dict(answer)

    def come(self, room: str, seat: str | None = None) -> dict[str, Any]:
        self.send("join", room=room, seat=seat)
        return self.hear()

    def act(self, room: dict[str, Any], action: str, **fields: Any) -> None:
        self.send("act", room=room["room"], seat=room["seat"] or NOBODY, action=action, **fields)


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(create_app(threads=1), base_url="http://127.0.0.1") as client:
        yield client


@pytest.fixture
def guests(client: TestClient) -> Iterator[list[Guest]]:
    with contextlib.ExitStack() as stack:
        connect = [client.websocket_connect("ws://127.0.0.1/ws") for _ in range(3)]
        yield [Guest(stack.enter_context(socket)) for socket in connect]


def meet(host: Guest, friend: Guest, **options: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Two people in a room."""
    host.send("host", **options)
    hosted = host.hear("hosted")
    assert host.come(hosted["room"], hosted["seat"])["complete"] is False
    theirs = friend.come(hosted["room"])
    return host.hear(), theirs


def test_two_people_play_a_game_while_one_looks_on(guests: list[Guest]) -> None:
    host, friend, spectator = guests
    ours, theirs = meet(host, friend, color="white", rule="renju", size=13)
    assert (ours["color"], theirs["color"]) == ("white", "black")
    assert (theirs["game"]["rule"], theirs["game"]["size"]) == ("renju", 13)
    assert theirs["seat"] != ours["seat"]
    seen = spectator.come(ours["room"])
    assert (seen["seat"], seen["color"], seen["watching"]) == (None, None, 1)
    for ply, move in enumerate(FIVE):
        one, room = (friend, theirs) if ply % 2 == 0 else (host, ours)
        one.act(room, "move", move=move, ply=ply)
        while (seen := spectator.hear())["game"]["moves"] != FIVE[: ply + 1]:
            pass
    assert seen["result"] == {"winner": "black", "reason": "five"}
    friend.act(theirs, "move", move="c1", ply=len(FIVE))
    assert refused(friend) == "the game is over"


def test_what_is_not_allowed(guests: list[Guest]) -> None:
    host, friend, spectator = guests
    host.send("host")
    hosted = host.hear("hosted")
    ours = host.come(hosted["room"], hosted["seat"])
    for action, fields, sentence in (
        ("move", {"move": "h8"}, "nobody has come yet"),
        ("rematch", {}, "the game is not over"),
    ):
        host.act(ours, action, **fields)
        assert refused(host) == sentence
    theirs = friend.come(hosted["room"])
    seen = spectator.come(hosted["room"])
    spectator.act(seen, "move", move="h8")
    assert refused(spectator) == "those who look on do not play"
    friend.act(theirs, "move", move="h8")
    assert refused(friend) == "it is not your turn"
    host.act(ours, "move", move="h8", ply=3)
    assert refused(host) == "it is not your turn"
    host.act(ours, "move", move="z9")
    assert "z9" in refused(host)
    host.act(ours, "move")
    assert "not a point" in refused(host)
    host.send("join", room=NOBODY)
    assert refused(host) == "there is no such game any more"
    host.send("join", room="short")
    assert "room" in refused(host)


def refused(guest: Guest) -> str:
    while (answer := guest._socket.receive_json())["type"] != "error":
        assert answer["type"] in ("room", "acted")
    return str(answer["message"])


def test_whoever_comes_back_has_the_same_seat(client: TestClient, guests: list[Guest]) -> None:
    host, friend, spectator = guests
    ours, theirs = meet(host, friend)
    host.act(ours, "move", move="h8")
    friend._socket.close()
    while host.hear()["present"] != [True, False]:
        pass
    again = spectator.come(ours["room"], theirs["seat"])
    assert (again["color"], again["game"]["moves"]) == ("white", ["h8"])
    spectator.act(again, "move", move="i9", ply=1)
    while host.hear()["game"]["moves"] != ["h8", "i9"]:
        pass


def test_another_game_begins_when_both_want_it(guests: list[Guest]) -> None:
    host, friend, _ = guests
    ours, theirs = meet(host, friend)
    host.act(ours, "move", move="h8")
    friend.act(theirs, "resign")
    while (ended := host.hear())["result"] is None:
        pass
    assert ended["result"] == {"winner": "black", "reason": "resign"}
    host.act(ours, "rematch")
    while host.hear()["agreed"] != [True, False]:
        pass
    friend.act(theirs, "rematch")
    while (fresh := host.hear())["result"] is not None:
        pass
    assert (fresh["color"], fresh["game"]["moves"], fresh["agreed"]) == ("white", [], [False, False])


class Table:
    """Rooms with a clock that a test turns."""

    def __init__(self) -> None:
        self.time = 1000.0
        self.rooms = Rooms(lambda: self.time)
        self.heard: list[Any] = []

    def ask(self, request: Asked) -> Any:
        self.rooms.handle(request, self.heard.append)
        return self.heard[-1]

    def act(self, room: str, seat: str, action: str, **fields: Any) -> Any:
        values = {"id": 9, "room": room, "seat": seat, "action": action, **fields}
        return self.ask(messages.ActRequest.model_validate(values))

    def host(self, **options: Any) -> messages.HostedAnswer:
        answer = self.ask(messages.HostRequest(id=1, **options))
        assert isinstance(answer, messages.HostedAnswer)
        return answer


def test_the_clock_of_the_server_decides() -> None:
    table = Table()
    hosted = table.host(minutes=1)
    room = hosted.room
    table.ask(messages.JoinRequest(id=2, room=room, seat=hosted.seat))
    seat = table.ask(messages.JoinRequest(id=3, room=room)).seat
    table.act(room, hosted.seat, "move", move="h8")
    table.time += 30
    assert table.act(room, hosted.seat, "time").result is None
    table.act(room, seat, "move", move="i9", ply=1)
    assert table.heard[-1].used == [0.0, 30.0]
    table.time += 61
    late = table.act(room, hosted.seat, "move", move="j9", ply=2)
    assert late.result == messages.RoomResult(winner="white", reason="time")
    assert late.game.moves == ["h8", "i9"]


def test_rooms_are_forgotten_and_do_not_fill_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_ROOMS", 2)
    table = Table()
    first = table.host()
    table.host()
    with pytest.raises(BusyError):
        table.host()
    table.time += limits.IDLE_ROOM_SECONDS / 2
    table.ask(messages.JoinRequest(id=2, room=first.room))
    table.time += limits.IDLE_ROOM_SECONDS * 0.7
    table.host()
    table.ask(messages.JoinRequest(id=3, room=first.room))
    with pytest.raises(InputError, match="no such game"):
        table.ask(messages.JoinRequest(id=4, room=NOBODY))
    monkeypatch.setattr(limits, "MAX_GUESTS", 2)
    with pytest.raises(BusyError, match="too many people look"):
        table.ask(messages.JoinRequest(id=5, room=first.room))
