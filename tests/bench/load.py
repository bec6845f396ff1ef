"""Players who cost little: bare sockets in one epoll, which look for a few bytes and decode nothing else."""

import select
import socket
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count
from time import perf_counter
from typing import Any

import msgpack

from gridgames_protocol.framing import stuff, unstuff
from tests.bench.move_scripts import SCRIPTS, Script, setup
from tests.wire import LOCAL

READ = 1 << 18
BATCH = 64  # rooms that are opened at once: the system holds a few hundred connections that nobody has accepted yet
PATIENCE = 60.0  # seconds without a byte
BREATH = 5.0  # seconds after which those who have nothing to do show that they are alive
VIEW, OK, ERROR, BYE = (b"\xa4type" + word for word in (b"\xa4view", b"\xa2ok", b"\xa5error", b"\xa3bye"))
WELCOME = b"Welcome to "
NUMBERS = count(1)  # of the players: a name is held by one alone


def line_of(**message: Any) -> bytes:
    """A request as a line."""
    return stuff(msgpack.packb(message))


def messages_in(chunk: bytes) -> list[dict[str, Any]]:
    """All messages of some whole lines."""
    return [msgpack.unpackb(unstuff(line)) for line in chunk.split(b"\n") if line]


class Refused(Exception):
    """A line of a script was not accepted, or a connection was closed: the bench itself is wrong."""


class Wire:
    """One connection."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection((LOCAL, port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.id = 0
        self.held = b""
        self.room: Room | None = None

    def say(self, word: str, **fields: Any) -> None:
        """Send a request."""
        self.id += 1
        self.socket.sendall(line_of(type=word, id=self.id, **fields))

    def hear(self) -> bytes:
        """The whole lines that have arrived, or nothing while the last of them is incomplete."""
        chunk = self.held + self.socket.recv(READ)
        if chunk == self.held:
            raise Refused("a connection was closed")
        whole = chunk.endswith(b"\n")
        if whole and (ERROR in chunk or BYE in chunk):
            raise Refused([message for message in messages_in(chunk) if message["type"] in ("error", "bye")])
        self.held = b"" if whole else chunk
        return chunk if whole else b""

    def reply(self) -> dict[str, Any]:
        """Wait for the reply to the last request, and pass over everything before it."""
        while True:
            for message in messages_in(self.hear()):
                if message.get("re") == self.id:
                    return message

    def wait(self, mark: bytes) -> None:
        """Wait for a message that holds these bytes."""
        while mark not in self.hear():
            pass


@dataclass(eq=False)
class Room:
    """Two players, perhaps some who watch, and the move that is under way."""

    code: str
    seats: tuple[Wire, Wire]
    watchers: list[Wire] = field(default_factory=list)
    script: Script | None = None
    mover: Wire | None = None
    views_due: int = 0
    acknowledged: bool = True
    heard: bytes = b""
    sent: float = 0.0

    @property
    def is_quiet(self) -> bool:
        """True if no move is under way."""
        return self.acknowledged and self.views_due <= 0

    def types(self, seat: int, line: str) -> None:
        """Send a player's line."""
        self.mover = self.seats[seat - 1]
        self.views_due, self.acknowledged, self.heard = 2 + len(self.watchers), False, b""
        self.sent = perf_counter()
        self.mover.say("play", line=line)

    def hears(self, wire: Wire, chunk: bytes) -> bool:
        """Take in what has come to one of them; True when everybody has what the move led to."""
        if self.is_quiet:
            return False
        self.views_due -= chunk.count(VIEW)
        if wire is self.mover:
            self.heard += chunk
            self.acknowledged = self.acknowledged or OK in chunk
        return self.is_quiet


@dataclass
class Load:
    """All the players of one server."""

    port: int
    game: str
    rooms: list[Room] = field(default_factory=list)
    wires: dict[int, Wire] = field(default_factory=dict)  # by file number
    poll: select.epoll = field(default_factory=select.epoll)
    idle: list["Load"] = field(default_factory=list)  # players of other servers, who must not be taken for dead
    breathed: float = field(default_factory=perf_counter)

    def script(self) -> Script:
        """What is typed in a room from the first turn on."""
        return SCRIPTS[self.game]()

    def add(self, wire: Wire) -> Wire:
        """Listen to a connection."""
        self.wires[wire.socket.fileno()] = wire
        self.poll.register(wire.socket.fileno(), select.EPOLLIN)
        return wire

    def newcomers(self, count: int) -> list[Wire]:
        """Some who have come and said hello, and have not read the answer."""
        wires = [self.add(Wire(self.port)) for _ in range(count)]
        for wire in wires:
            wire.say("hello", protocol=1, name=f"person {next(NUMBERS)}")
        return wires

    def grow(self, count: int) -> None:
        """Open rooms until there are so many, each with a game that waits for its first turn."""
        breathed = perf_counter()
        while len(self.rooms) < count:
            numbers = range(len(self.rooms), min(count, len(self.rooms) + BATCH))
            self._open(numbers)
            if perf_counter() - breathed > BREATH:
                breathed = perf_counter()
                self.breathe()

    def _open(self, numbers: Sequence[int]) -> None:
        hosts = self.newcomers(len(numbers))
        for host in hosts:
            host.say("create", game=self.game, first="host")
        codes = [host.reply()["room"] for host in hosts]
        guests = self.newcomers(len(numbers))
        for guest, code in zip(guests, codes, strict=True):
            guest.say("join", room=code)
        new = [Room(code, pair) for code, *pair in zip(codes, hosts, guests, strict=True)]
        self._seat(new)
        self._begin(new)

    def _seat(self, new: list[Room]) -> None:
        for room in new:
            for wire in room.seats:
                wire.room = room
        self.rooms += new

    def _begin(self, rooms: list[Room]) -> None:
        """Wait for the games to begin, and do what comes before the first turn."""
        welcomed: set[Wire] = set()
        waiting = {wire for room in rooms for wire in (*room.seats, *room.watchers)}
        while waiting:
            for wire, chunk in self.arrivals():
                at = chunk.rfind(WELCOME)
                if at >= 0:
                    welcomed.add(wire)
                if wire in welcomed and VIEW in chunk[max(at, 0) :]:
                    waiting.discard(wire)
        self.play(rooms, lambda: setup(self.game))

    def invite(self, watchers: int) -> None:
        """Let so many watch in every room."""
        for room in self.rooms:
            room.watchers = self.newcomers(watchers)
            for wire in room.watchers:
                wire.say("watch", room=room.code)
            for wire in room.watchers:
                wire.wait(VIEW)
                wire.room = room

    def start_afresh(self) -> None:
        """Give every game up, and begin another in the same room."""
        for room in self.rooms:
            for wire in room.seats:
                wire.say("again")
        self._begin(self.rooms)

    def breathe(self) -> None:
        """Show that everybody is alive: the server takes one who says nothing for dead."""
        for wire in self.wires.values():
            wire.socket.sendall(b"\n")

    def arrivals(self, timeout: float = PATIENCE) -> list[tuple[Wire, bytes]]:
        """What has come in, by connection; whole lines only."""
        if perf_counter() - self.breathed > BREATH:
            self.breathed = perf_counter()
            for load in self.idle:
                load.breathe()
        ready = self.poll.poll(timeout)
        if not ready and timeout == PATIENCE:
            raise Refused("the server says nothing any more")
        return [(wire, chunk) for file, _ in ready if (chunk := (wire := self.wires[file]).hear())]

    def play(self, rooms: Sequence[Room], script: Callable[[], Script] | None = None) -> list[float]:
        """Play a script in some rooms, all at once; how long each move took."""
        took: list[float] = []
        playing = 0
        for room in rooms:
            room.script = (script or self.script)()
            playing += self._goes_on(room, None)
        while playing:
            for room in self._answered():
                took.append(perf_counter() - room.sent)
                playing -= not self._goes_on(room, room.heard)
        return took

    def stroll(self, moves: int, pace: float) -> list[float]:
        """Play moves at so many a second, in one room after the other; how long each took."""
        took: list[float] = []
        for room in self.rooms:
            room.script, room.heard, room.mover = self.script(), b"", None
        ready, begun = deque(self.rooms), perf_counter()
        for number in range(moves):
            due = begun + number / pace
            while not ready or perf_counter() < due:
                for room in self._answered(max(0.0, due - perf_counter()) if ready else PATIENCE):
                    took.append(perf_counter() - room.sent)
                    ready.append(room)
            room = ready.popleft()
            if not self._goes_on(room, room.heard if room.mover else None):
                break
        while not all(room.is_quiet for room in self.rooms):
            took += [perf_counter() - room.sent for room in self._answered()]
        return took

    def _answered(self, timeout: float = PATIENCE) -> list[Room]:
        """The rooms whose move is complete now."""
        found = []
        for wire, chunk in self.arrivals(timeout):
            room = wire.room
            if room is not None and room.script is not None and room.hears(wire, chunk):
                found.append(room)
        return found

    def _goes_on(self, room: Room, heard: bytes | None) -> bool:
        """Send a room's next line; False when its script has come to its end."""
        assert room.script
        try:
            room.types(*room.script.send(heard))
        except StopIteration:
            room.script = None
        return room.script is not None

    def close(self) -> None:
        """Everybody goes."""
        for wire in self.wires.values():
            wire.socket.close()
        self.poll.close()
