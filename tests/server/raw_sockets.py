"""Those who come on bare sockets: what they say in one go, what they are told, and how little they read."""

import socket

from gridgames_protocol.codec import decode_push, encode
from gridgames_protocol.messages import CHAT_MAX, PROTOCOL, Chat, Event, Hello, Push, Watch
from gridgames_server.net.connection import Connection
from tests.server.tcp_tables import Table
from tests.wire import Open, turn

SMALL = 4_096  # bytes that the system should hold of what a peer does not read


def messages(lines: bytes) -> list[Push]:
    """What a socket was told, as messages."""
    return [decode_push(line) for line in lines.split(b"\n")[:-1]]


def watching(room: str) -> bytes:
    """What one says to watch a room, in one go."""
    return encode(Hello(1, PROTOCOL, "Eve")) + encode(Watch(2, room))


async def chatter(wire: Connection) -> None:
    """The server has a lot to say to somebody, more than a room may say at once."""
    for _ in range(50):
        if wire.is_open:
            wire.queue(encode(Event("\U0001f600" * CHAT_MAX, "chat")))
    await turn()


async def talk_until_something_waits(server: Open, table: Table, reader: socket.socket) -> Connection:
    """Talk in a room until there is more for one who hardly reads than the system holds; the server's end of that."""
    wire = server.wire(reader)
    while wire.unsent <= 4 * SMALL:  # the system may take some more a moment later
        await table.seats[2].says(Chat, text="bla " * 75)
        await turn()
    return wire
