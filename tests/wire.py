"""Guests at a real server, over real sockets. Everything waits for something to happen; nothing sleeps.

    async def scenario():
        async with serving() as server:
            ada, bob = await server.guest("Ada"), await server.guest("Bob")
            room = (await ada.says(Create, game="grid-hunt")).room
            await bob.says(Join, room=room)
            await ada.sees(Show)

    run(scenario())

`serving` runs the service in this process, on a clock that only the test moves, and with the same luck each time;
`program` runs the real program.
"""

import asyncio
import gc
import os
import re
import signal
import socket
import ssl
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import IO, Any, TypeVar

from gridgames_protocol.codec import decode_push
from gridgames_protocol.codec import encode as line_of
from gridgames_protocol.framing import SERVER_LINE_MAX
from gridgames_protocol.messages import PROTOCOL, Bye, Hello, Ok, Play, Push, Show, Welcome
from gridgames_server.bots import BOTS
from gridgames_server.core.hub import Hub, ServerConfig
from gridgames_server.core.limits import TICK, Limits
from gridgames_server.games import GAMES
from gridgames_server.net import addresses
from gridgames_server.net.connection import Connection
from gridgames_server.net.service import Service
from gridgames_server.storage.outbox import NoStorage, Storage

T = TypeVar("T")
Kind = TypeVar("Kind")

LOCAL = "127.0.0.1"
DEADLINE = 30.0  # for a whole test: none takes nearly as long, unless something waits for what never comes


def run(scenario: Coroutine[Any, Any, T], within: float = DEADLINE) -> T:
    """Run a test's story to its end. Whatever goes wrong behind its back fails it, and so does a task that is left."""
    wrong: list[str] = []

    def note(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        wrong.append(f"{context['message']}: {context.get('exception')!r}")

    async def watched() -> T:
        asyncio.get_running_loop().set_exception_handler(note)
        async with asyncio.timeout(within):
            result = await scenario
            left = asyncio.all_tasks() - {asyncio.current_task()}
            if left:  # one that never ends meets the deadline
                await asyncio.wait(left)
        return result

    try:
        result = asyncio.run(watched())
    except BaseException as failure:
        for trouble in wrong:
            failure.add_note(trouble)
        raise
    gc.collect()  # now, so that what was never awaited, retrieved or closed is told within this test
    assert not wrong, "\n".join(wrong)
    return result


async def turn() -> None:
    """Let the loop go round once."""
    await asyncio.sleep(0)


async def until(true: Callable[[], object]) -> None:
    """Let the loop go round until something is true."""
    while not true():
        await turn()


class Guest:
    """Somebody at a terminal, who says things and reads what comes back."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, last_id: int = 0) -> None:
        self.reader, self.writer = reader, writer
        self.last_id = last_id
        self.heard: list[Push] = []  # everything, in order
        self.unseen: list[Push] = []  # pushes that nobody has asked for yet
        self.table: Show | None = None  # the latest view
        self.token = ""

    async def hears(self) -> Push:
        """The next line."""
        message = decode_push((await self.reader.readuntil(b"\n"))[:-1])
        if isinstance(message, Show):
            assert self.table is None or message.rev >= self.table.rev, "a view never goes back"
            self.table = message
        self.heard.append(message)
        return message

    async def says(self, request: type, **fields: Any) -> Any:
        """Say something, and get the reply to it; what else comes before it stays to be seen."""
        id = self.calls(request, **fields)
        while getattr(message := await self.hears(), "re", None) != id:
            self.unseen.append(message)
        return message

    def calls(self, request: type, **fields: Any) -> int:
        """Say something without waiting for the reply; its id."""
        self.last_id = fields.pop("id", self.last_id + 1)
        self.writer.write(line_of(request(self.last_id, **fields)))
        return self.last_id

    async def hello(self, name: str, **more: Any) -> Welcome:
        """Say who one is, and be welcome."""
        welcome = await self.says(Hello, protocol=PROTOCOL, name=name, **more)
        assert isinstance(welcome, Welcome), welcome
        self.token = welcome.token
        self.last_id = max(self.last_id, welcome.last_play or 0)
        return welcome

    async def types(self, line: str) -> None:
        """Type a line that is accepted."""
        reply = await self.says(Play, line=line)
        assert isinstance(reply, Ok), reply

    async def sees(self, kind: type[Kind], fits: Callable[[Kind], bool] = lambda message: True) -> Kind:
        """The next push of a kind that fits, unseen or still to come; those before it are past."""
        while True:
            message = self.unseen.pop(0) if self.unseen else await self.hears()
            if isinstance(message, kind) and fits(message):
                return message

    async def last_words(self) -> list[Push]:
        """Everything up to the end of the connection, which is a goodbye and then a proper close."""
        words = self.unseen
        while not isinstance(words[-1] if words else None, Bye):
            words.append(await self.hears())
        assert await self.reader.read() == b""
        return words

    def cut(self) -> None:
        """Be gone without a word."""
        self.writer.transport.abort()


@dataclass
class Place:
    """Where a server listens, and everybody who came there."""

    port: int
    host: str = LOCAL
    tls: ssl.SSLContext | None = None
    guests: list[Guest] = field(default_factory=list)
    sockets: list[socket.socket] = field(default_factory=list)

    async def connection(self, last_id: int = 0) -> Guest:
        """Somebody who has not said anything yet."""
        streams = await asyncio.open_connection(self.host, self.port, ssl=self.tls, limit=2 * SERVER_LINE_MAX)
        self.guests.append(Guest(*streams, last_id))
        return self.guests[-1]

    async def guest(self, name: str, **hello: Any) -> Guest:
        """Somebody who has said hello and stands in the lobby, or is back in a room."""
        guest = await self.connection()
        await guest.hello(name, **hello)
        return guest

    async def returns(self, guest: Guest, name: str = "again") -> tuple[Guest, Welcome]:
        """A guest comes back on a new connection, and is welcome."""
        back = await self.connection(guest.last_id)
        back.table = guest.table
        return back, await back.hello(name, token=guest.token)

    async def stranger(self, says: bytes = b"", buffer: int | None = None) -> socket.socket:
        """A bare socket, which reads nothing unless it is told to; its buffer may be small."""
        found = socket.socket()
        self.sockets.append(found)
        found.setblocking(False)
        if buffer:
            found.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        loop = asyncio.get_running_loop()
        await loop.sock_connect(found, (self.host, self.port))
        await loop.sock_sendall(found, says)
        return found

    def clear(self) -> None:
        """Everybody goes."""
        for guest in self.guests:
            guest.cut()
        for found in self.sockets:
            found.close()


async def read_all(stranger: socket.socket) -> bytes:
    """All that a socket gets up to the end of the connection."""
    loop, found = asyncio.get_running_loop(), b""
    while chunk := await loop.sock_recv(stranger, 65_536):
        found += chunk
    return found


@dataclass
class Clock:
    """What only the test moves."""

    now: float = 1_000.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Open(Place):
    """A place whose service runs in this process, on a clock of the test's own."""

    service: Service = field(kw_only=True)
    clock: Clock = field(kw_only=True)

    async def later(self, seconds: float) -> None:
        """Time passes, second by second, and what it brings has happened."""
        while seconds > 0:
            self.clock.now += min(TICK, seconds)
            seconds -= TICK
            self.service.tick()
            await turn()

    def wire(self, guest: Guest | socket.socket) -> Connection:
        """The server's end of a guest's connection."""
        here = guest.getsockname() if isinstance(guest, socket.socket) else guest.writer.get_extra_info("sockname")
        ends = {wire.transport.get_extra_info("peername"): wire for wire in self.service.connections.values()}
        return ends[here]


@asynccontextmanager
async def serving(
    *,
    games: tuple[Any, ...] = GAMES,
    password: str | None = None,
    tls: tuple[ssl.SSLContext, ssl.SSLContext] | None = None,
    storage: Storage | None = None,
    buffer: int | None = None,
    **limits: int,
) -> AsyncIterator[Open]:
    """Run a service; `tls` is its side and the guests' side, `buffer` what the system holds of its output."""
    bounds = Limits(**{"rate": 0, **limits})
    config = ServerConfig(games, "the house", password, bounds, bots=frozenset(BOTS), has_hints=True)
    clock = Clock()
    sockets = addresses.bind(LOCAL, 0)
    if buffer:
        sockets[0].setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, buffer)  # what it accepts inherits it
    service = Service(Hub(config, Random(1).randbytes, clock()), storage or NoStorage(), clock)
    place = Open(sockets[0].getsockname()[1], tls=tls and tls[1], service=service, clock=clock)
    await service.listen(sockets, tls and tls[0])
    try:
        yield place
    finally:
        place.clear()
        await service.stop()
    assert service.connections == {}
    assert not service.address_counts
    assert service.hub.sessions == {}


@dataclass
class Program(Place):
    """The real program, in a process of its own."""

    process: asyncio.subprocess.Process = field(kw_only=True)
    announced: str = field(kw_only=True)
    errors: IO[bytes] = field(kw_only=True)
    text: str = ""  # all that it wrote to stderr, once it has ended

    async def ends(self, by: signal.Signals | None = None) -> int:
        """The exit code, after a signal if one is given."""
        if by:
            self.process.send_signal(by)
        return await self.process.wait()


def environment(**variables: str) -> dict[str, str]:
    """This environment without any setting of a server's, but with these."""
    return {name: value for name, value in os.environ.items() if not name.startswith("GRIDGAMES_")} | variables


PROGRAM = Path(sys.executable).with_name("gridgames-server")


@asynccontextmanager
async def program(
    *flags: str, tls: ssl.SSLContext | None = None, under: Sequence[str] = (), **variables: str
) -> AsyncIterator[Program]:
    """Run `gridgames-server` on a free port of this machine until the story ends; `under` is what starts it."""
    chosen = [*([] if "--host" in flags else ["--host", LOCAL]), *([] if "--store" in flags else ["--no-store"])]
    with tempfile.TemporaryFile() as errors:
        process = await asyncio.create_subprocess_exec(
            *(*under, PROGRAM, "--port", "0", *chosen, *flags),
            stdout=asyncio.subprocess.PIPE,
            stderr=errors,
            env=environment(**variables),
        )
        assert process.stdout
        announced = (await process.stdout.readline()).decode()
        found = re.search(r"gridgames-client \S*:(\d+)", announced)
        place = Program(int(found[1]) if found else 0, tls=tls, process=process, announced=announced, errors=errors)
        try:
            assert found, announced
            yield place
        finally:
            place.clear()
            if process.returncode is None:
                process.kill()
            assert await process.stdout.read() == b"", "it says one line"
            await process.wait()
            errors.seek(0)
            place.text = errors.read().decode()
