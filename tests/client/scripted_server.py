"""The two ends of a client's line: somebody who listens, and a server that does what a test tells it.

    async def first(peer):
        await peer.welcomes(name="Ada")
        play = await peer.hears(Play)
        peer.cut()

    async with pretending(first, second) as address:
        async with visiting(address) as visit:
            ...

Each connection is met by the next story; the last one again and again. A `cable` to a real server can be cut.
"""

import asyncio
import contextlib
import ssl
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from gridgames_client.net.address import Address
from gridgames_client.net.connection import Connection, Timeouts
from gridgames_client.net.credentials import Identity
from gridgames_protocol.codec import decode_request, encode
from gridgames_protocol.messages import PROTOCOL, Hello, Lobby, Ok, Welcome
from tests.wire import LOCAL, until

SOON = Timeouts(pauses=(0.0,))  # comes back at once


@dataclass
class Listener:
    """Somebody who hears everything that happens on a line, and does nothing."""

    lines: list[tuple[str, str]] = field(default_factory=list)
    messages: list[object] = field(default_factory=list)
    answers: list[tuple[object, object]] = field(default_factory=list)
    lost: list[object] = field(default_factory=list)

    def on_connection(self, line, why):
        self.lines.append((line, why))

    def on_message(self, message):
        self.messages.append(message)

    def on_reply(self, request, reply):
        self.answers.append((request, reply))

    def on_lost(self, request):
        self.lost.append(request)

    async def hears(self, kind, times=1):
        """The latest message of a kind, once so many have come."""
        await until(lambda: len(self.all(kind)) >= times)
        return self.all(kind)[-1]

    def all(self, kind):
        return [message for message in self.messages if isinstance(message, kind)]

    async def is_answered(self, times=1):
        """The latest request and its answer, once so many have come."""
        await until(lambda: len(self.answers) >= times)
        return self.answers[-1]


@dataclass
class Visit:
    """A client's connection at work."""

    connection: Connection
    listener: Listener
    task: asyncio.Task[None]

    @property
    def here(self):
        """The socket's name on our side."""
        return self.connection.writer.get_extra_info("sockname")

    async def is_in(self, times=1):
        """Wait until the server has welcomed us so many times."""
        await self.listener.hears(Welcome, times)

    async def ends(self):
        """Wait for the end, and raise what it ended with."""
        await self.task


@asynccontextmanager
async def visiting(address, *, who=None, timeouts=SOON, **options):
    """A client at a server, for as long as the story lasts."""
    listener = Listener()
    connection = Connection(address, who or Identity(), listener, timeouts=timeouts, **options)
    task = asyncio.create_task(connection.run())
    try:
        yield Visit(connection, listener, task)
    finally:
        task.cancel()
        await asyncio.wait({task})


async def refusal(address, **options):
    """The sentence with which a client gives up."""
    async with visiting(address, **options) as visit:
        await asyncio.wait({visit.task})
        return str(visit.task.exception())


@dataclass
class Peer:
    """The server's end of one connection."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def hears(self, kind):
        """The next request, which is of a kind."""
        line = b""
        while not line:
            line = (await self.reader.readuntil(b"\n"))[:-1]
        request = decode_request(line)
        assert isinstance(request, kind), request
        return request

    def says(self, message):
        self.writer.write(encode(message))

    async def welcomes(self, hello=None, **more):
        """Hear a hello, and welcome whoever it is."""
        hello = hello or await self.hears(Hello)
        given = {"name": hello.name, "token": hello.token or "token", "room": None, "last_play": None, **more}
        self.says(Welcome(hello.id, PROTOCOL, "a stage", games=(), **given))
        self.says(Lobby((), 1, 0))
        return hello

    async def answers(self, kind):
        """Hear a request and say ok to it."""
        request = await self.hears(kind)
        self.says(Ok(request.id))
        return request

    def cut(self):
        self.writer.transport.abort()

    async def is_left(self):
        """Wait until the client has gone."""
        while await self.reader.read(65_536):
            pass


Story = Callable[[Peer], Awaitable[object]]


@asynccontextmanager
async def pretending(*stories: Story, host: str = LOCAL, tls: ssl.SSLContext | None = None):
    """A server on a free port that meets each connection with the next story; what goes wrong in one fails the test."""
    left = list(stories)
    meetings: list[asyncio.Task[None]] = []

    async def meeting(story, peer):
        try:
            await story(peer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # the client has left in the middle
        finally:
            peer.writer.close()

    def met(reader, writer):
        story = left.pop(0) if len(left) > 1 else left[0]
        meetings.append(asyncio.create_task(meeting(story, Peer(reader, writer))))

    server = await asyncio.start_server(met, host, 0, ssl=tls)
    try:
        yield Address(host, server.sockets[0].getsockname()[1])
    finally:
        server.close()
        for task in meetings:
            task.cancel()
        endings = await asyncio.gather(*meetings, return_exceptions=True)
    for wrong in endings:
        if isinstance(wrong, Exception):
            raise wrong


@dataclass
class Cable:
    """A way to a server that can lose what goes one way, and break."""

    far: Address
    address: Address | None = None
    loses_requests: bool = False
    loses_answers: bool = False
    ends: list[asyncio.StreamWriter] = field(default_factory=list)

    def cut(self):
        """Break every connection without a word; the next one works again."""
        self.loses_requests = self.loses_answers = False
        for end in self.ends:
            end.transport.abort()
        self.ends.clear()

    async def carry(self, reader, writer, lost):
        with contextlib.suppress(ConnectionError):
            while chunk := await reader.read(65_536):
                if not lost():
                    writer.write(chunk)
        writer.close()


@asynccontextmanager
async def cable(far):
    """A cable to a server, for as long as the story lasts."""
    between = Cable(far)
    carriers: set[asyncio.Task[None]] = set()

    async def connected(reader, writer):
        there, back = await asyncio.open_connection(far.host, far.port)
        between.ends += [writer, back]
        carriers.add(asyncio.create_task(between.carry(reader, back, lambda: between.loses_requests)))
        carriers.add(asyncio.create_task(between.carry(there, writer, lambda: between.loses_answers)))

    def met(reader, writer):
        carriers.add(asyncio.create_task(connected(reader, writer)))

    server = await asyncio.start_server(met, LOCAL, 0)
    between.address = Address(LOCAL, server.sockets[0].getsockname()[1])
    try:
        yield between
    finally:
        server.close()
        between.cut()
        for task in carriers:
            task.cancel()
        await asyncio.gather(*carriers, return_exceptions=True)
