"""Those who attack a server for some seconds: python -m tests.bench.attackers NAME PORT SECONDS [ROOM]

They come from an address of their own, as many at once as an address may have, and go on however they are refused. At
the end the program prints how often they did what they do.
"""

import asyncio
import socket
import ssl
import struct
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import count

from gridgames_protocol.codec import encode
from gridgames_protocol.framing import SERVER_LINE_MAX
from gridgames_protocol.messages import (
    CHAT_MAX,
    PROTOCOL,
    Again,
    AskHistory,
    AskStandings,
    Bye,
    Chat,
    Create,
    Error,
    Hello,
    Leave,
    Watch,
)
from tests.hostile.connection_flood import ELSEWHERE, LOCAL
from tests.wire import Guest

REQUEST_PACE = 0.2  # seconds between two requests of a peer that never reads: faster ones are refused
AT_ONCE = 60
CLOSE_AT_ONCE = struct.pack("ii", 1, 0)
LETTERS = "\U0001f600" * CHAT_MAX
PASSWORD = "open sesame"


class Attack:
    """Where the server is, and how much was done."""

    def __init__(self, port: int, room: str) -> None:
        self.port, self.room = port, room
        self.actions = 0
        self.names = count(1)

    async def socket(self) -> socket.socket:
        """A bare connection that leaves nothing behind when it is closed."""
        made = socket.socket()
        made.setblocking(False)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, CLOSE_AT_ONCE)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((ELSEWHERE, 0))
        await asyncio.get_running_loop().sock_connect(made, (LOCAL, self.port))
        return made

    async def send(self, says: bytes, reads: bool = True) -> None:
        """Connect, say something, wait for an answer, and be gone."""
        wire = await self.socket()
        with wire:
            loop = asyncio.get_running_loop()
            await loop.sock_sendall(wire, says)
            if reads:
                await loop.sock_recv(wire, 65_536)
        self.actions += 1

    async def guest(self) -> Guest:
        """Somebody who has said hello."""
        streams = await asyncio.open_connection(sock=await self.socket(), limit=2 * SERVER_LINE_MAX)
        guest = Guest(*streams)
        await guest.hello(self.name(), password=PASSWORD)
        return guest

    def name(self) -> str:
        """A name that nobody has."""
        return f"e{next(self.names)}"

    async def ask(self, guest: Guest, kind: type, **fields: object) -> None:
        """Ask for something, and wait as long as the server says."""
        reply = await guest.says(kind, **fields)
        self.actions += 1
        if isinstance(reply, Error | Bye) and reply.code == "too_fast":
            await asyncio.sleep(getattr(reply, "wait", None) or 0.2)


async def connections(attack: Attack) -> None:
    await attack.send(b"", reads=False)


async def reconnections(attack: Attack) -> None:
    await attack.send(encode(Hello(1, PROTOCOL, attack.name(), password=PASSWORD)))


async def passwords(attack: Attack) -> None:
    await attack.send(encode(Hello(1, PROTOCOL, attack.name(), password="guess")))


async def tls_hellos(attack: Attack) -> None:
    arriving, leaving = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).wrap_bio(arriving, leaving, server_hostname="localhost")
    with suppress(ssl.SSLWantReadError):
        client.do_handshake()
    await attack.send(leaving.read())


async def histories(attack: Attack) -> None:
    guest = await attack.guest()
    while True:
        await attack.ask(guest, AskHistory)
        await attack.ask(guest, AskStandings)


async def chats(attack: Attack) -> None:
    guest = await attack.guest()
    await guest.says(Watch, room=attack.room)
    while True:
        await attack.ask(guest, Chat, text=LETTERS)


async def deaf(attack: Attack) -> None:
    wire = await attack.socket()
    with wire:
        loop = asyncio.get_running_loop()
        await loop.sock_sendall(wire, encode(Hello(1, PROTOCOL, attack.name(), password=PASSWORD)))
        for id in count(2, 2):
            await loop.sock_sendall(wire, encode(Watch(id, attack.room)) + encode(Leave(id + 1)))
            attack.actions += 1
            await asyncio.sleep(REQUEST_PACE)


async def downloads(attack: Attack) -> None:
    wire = await attack.socket()
    with wire:
        loop = asyncio.get_running_loop()
        await loop.sock_sendall(wire, b"GET /gridgames.pyz HTTP/1.1\r\n\r\n")
        while await loop.sock_recv(wire, 65_536):
            pass
    attack.actions += 1


async def rematches(attack: Attack) -> None:
    guest = await attack.guest()
    await guest.says(Create, game="quantum-duel", bot="hard", first="guest")
    while True:
        await attack.ask(guest, Again)


ATTACKS: dict[str, Callable[[Attack], Awaitable[None]]] = {
    "connections": connections,
    "reconnections": reconnections,
    "wrong passwords": passwords,
    "TLS hellos": tls_hellos,
    "questions about old games": histories,
    "chat of watchers": chats,
    "peers that never read": deaf,
    "downloads": downloads,
    "again against hard bots": rematches,
}


async def run_attack(name: str, port: int, seconds: float, room: str) -> int:
    """Attack; how often they did it."""
    attack = Attack(port, room)
    print("attacking", flush=True)

    async def go_on() -> None:
        while True:
            with suppress(OSError, AssertionError, asyncio.IncompleteReadError):  # refused, cut, or closed
                await ATTACKS[name](attack)
            await asyncio.sleep(0)

    with suppress(TimeoutError):
        async with asyncio.timeout(seconds), asyncio.TaskGroup() as crowd:
            for _ in range(AT_ONCE):
                crowd.create_task(go_on())
    return attack.actions


if __name__ == "__main__":
    name, port, seconds, room = sys.argv[1:]
    print(asyncio.run(run_attack(name, int(port), float(seconds), room)))
