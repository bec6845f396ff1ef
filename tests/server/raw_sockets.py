"""Those who come on bare sockets: what they say in one go, what they are told, and how little they read."""

import socket

from gridgames_protocol.messages import PROTOCOL, Chat, Hello, Push, Watch, decode_push, encode
from gridgames_server.connection import Connection
from tests.server.tables import Table
from tests.wire import Open, turn

SMALL = 4_096  # bytes that the system should hold of what a peer does not read


def messages(lines: bytes) -> list[Push]:
    """What a socket was told, as messages."""
    return [decode_push(line) for line in lines.split(b"\n")[:-1]]


def watching(room: str) -> bytes:
    """What one says to watch a room, in one go."""
    return encode(Hello(1, PROTOCOL, "Eve")) + encode(Watch(2, room))


async def talk_until_something_waits(house: Open, table: Table, reader: socket.socket) -> Connection:
    """Talk in a room until there is more for one who hardly reads than the system holds; the server's end of that."""
    wire = house.wire(reader)
    while not wire.transport.get_write_buffer_size():
        await table.seats[2].says(Chat, text="bla " * 75)
        await turn()
    return wire
