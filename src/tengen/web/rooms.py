"""Rooms: two people play each other through this server, and others may look on.

Whoever knows the name of a room may come in, so it is a secret that cannot be guessed; whoever holds a seat shows its
key. Nothing is written down: a room is gone when nobody has used it for a while, or the server ends.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from tengen.board import Board, Color
from tengen.errors import InputError
from tengen.web import limits, messages, positions
from tengen.web.refusals import BusyError
from tengen.web.workers import Send

Clock: TypeAlias = Callable[[], float]
Asked: TypeAlias = messages.HostRequest | messages.JoinRequest | messages.ActRequest


@dataclass(eq=False)
class Guest:
    """A page in a room: how to reach it, the request that its answers repeat, and its seat if it has one."""

    send: Send
    id: int
    seat: int | None


@dataclass
class Room:
    """A board with two seats. Seats are 0 and 1; who has black changes with every game.

    Attributes:
        name: The secret that lets people in.
        board: The game that is played.
        minutes: For each player and game; 0 for no clock.
        black: The seat that has black.
        keys: Of the seats; the second is given to whoever comes first.
        taken: Whether somebody has the second seat.
    """

    name: str
    board: Board
    minutes: float
    black: int
    keys: tuple[str, str]
    now: Clock
    taken: bool = False
    guests: list[Guest] = field(default_factory=list)
    used: list[float] = field(default_factory=lambda: [0.0, 0.0])  # seconds of black and of white
    since: float = 0.0  # when the side to move began to think; 0 as long as no clock runs
    ended: messages.RoomResult | None = None
    agreed: set[int] = field(default_factory=set)  # seats that want another game
    touched: float = 0.0

    def seat_of(self, key: str | None) -> int | None:
        """The seat that a key opens."""
        found = [seat for seat, own in enumerate(self.keys) if key and secrets.compare_digest(own, key)]
        return found[0] if found else None

    def color_of(self, seat: int) -> Color:
        """The colour that a seat has in this game."""
        return Color.BLACK if seat == self.black else Color.WHITE

    def act(self, seat: int, request: messages.ActRequest) -> None:
        """One who plays does something; InputError says why it cannot be done."""
        if request.action == "rematch":
            self._agree(seat)
            return
        if not self.taken:
            raise InputError("nobody has come yet")
        if self.ended:
            raise InputError("the game is over")
        if request.action == "resign":
            self._end(self.color_of(seat).other, "resign")
        elif self.minutes and self._seconds_used(self.board.turn) >= 60 * self.minutes:
            self._end(self.board.turn.other, "time")  # whoever says so, and whatever else they wanted
        elif request.action == "move":
            self._move(seat, request.move, request.ply)

    def _move(self, seat: int, move: str | None, ply: int) -> None:
        if ply != self.board.ply or self.color_of(seat) != self.board.turn:
            raise InputError("it is not your turn")
        color = self.board.turn
        seconds = self._seconds_used(color)
        self.board.push(move or "")
        self.used[color] = seconds
        self.since = self.now()
        if (outcome := self.board.outcome()) is not None:
            self._end(outcome.winner, outcome.reason)

    def _end(self, winner: Color | None, reason: str) -> None:
        loser = self.board.turn
        self.used[loser] = self._seconds_used(loser)
        self.since = 0.0
        self.ended = messages.RoomResult.model_validate(
            {"winner": None if winner is None else positions.color_name(winner), "reason": reason}
        )

    def _agree(self, seat: int) -> None:
        """Another game, colours changed, as soon as both want it."""
        if not self.ended:
            raise InputError("the game is not over")
        self.agreed.add(seat)
        if len(self.agreed) == len(self.keys):
            self.board = Board(size=self.board.width, rule=self.board.rule)
            self.black = 1 - self.black
            self.used, self.since, self.ended = [0.0, 0.0], 0.0, None
            self.agreed.clear()

    def _seconds_used(self, color: Color) -> float:
        running = bool(self.since) and color == self.board.turn
        return self.used[color] + (self.now() - self.since if running else 0.0)

    def answer_for(self, guest: Guest) -> messages.RoomAnswer:
        """The room as a guest sees it."""
        seat = guest.seat
        present = {other.seat for other in self.guests}
        seats = [self.black, 1 - self.black]  # of black and of white
        return messages.RoomAnswer(
            id=guest.id,
            room=self.name,
            seat=None if seat is None else self.keys[seat],
            color=None if seat is None else positions.color_name(self.color_of(seat)),
            game=positions.game_of(self.board),
            minutes=self.minutes,
            used=[round(self._seconds_used(color), 1) for color in Color],
            complete=self.taken,
            present=[seat in present for seat in seats],
            agreed=[seat in self.agreed for seat in seats],
            watching=sum(other.seat is None for other in self.guests),
            result=self.ended,
        )


class Rooms:
    """All rooms of a server, for any thread. Key method: `handle`."""

    def __init__(self, now: Clock = time.monotonic) -> None:
        self._rooms: dict[str, Room] = {}
        self._lock = threading.Lock()
        self._now = now

    def handle(self, request: Asked, send: Send) -> None:
        """Answers a request; `send` tells pages apart. InputError and BusyError say why it was refused."""
        with self._lock:
            if isinstance(request, messages.HostRequest):
                room = self._host(request)
                send(messages.HostedAnswer(id=request.id, room=room.name, seat=room.keys[0]))
                return
            room = self._find(request.room)
            if isinstance(request, messages.JoinRequest):
                self._join(room, request, send)
            else:
                if (seat := room.seat_of(request.seat)) is None:
                    raise InputError("those who look on do not play")
                room.act(seat, request)
                send(messages.ActedAnswer(id=request.id))
            self._tell(room)

    def leave(self, send: Send, request_id: int | None = None) -> None:
        """A page goes, or gives up one of its requests."""
        with self._lock:
            for room in self._rooms.values():
                staying = [guest for guest in room.guests if guest.send != send or request_id not in (None, guest.id)]
                if len(staying) != len(room.guests):
                    room.guests = staying
                    self._tell(room)

    def _host(self, request: messages.HostRequest) -> Room:
        self._forget_idle()
        if len(self._rooms) >= limits.MAX_ROOMS:
            raise BusyError("too many people play on this server; try again later")
        name, *keys = (secrets.token_urlsafe(limits.SECRET_BYTES) for _ in range(3))
        room = self._rooms[name] = Room(
            name,
            Board(size=request.size, rule=request.rule),
            request.minutes,
            black=0 if request.color == "black" else 1,
            keys=(keys[0], keys[1]),
            now=self._now,
            touched=self._now(),
        )
        return room

    def _find(self, name: str) -> Room:
        self._forget_idle()
        if (room := self._rooms.get(name)) is None:
            raise InputError("there is no such game any more")
        room.touched = self._now()
        return room

    def _join(self, room: Room, request: messages.JoinRequest, send: Send) -> None:
        if len(room.guests) >= limits.MAX_GUESTS:
            raise BusyError("too many people look at this game")
        seat = room.seat_of(request.seat)
        if seat is None and not room.taken:
            seat, room.taken = 1, True
        room.guests.append(Guest(send, request.id, seat))

    def _tell(self, room: Room) -> None:
        for guest in room.guests:
            guest.send(room.answer_for(guest))

    def _forget_idle(self) -> None:
        oldest = self._now() - limits.IDLE_ROOM_SECONDS
        self._rooms = {name: room for name, room in self._rooms.items() if room.touched >= oldest}
