"""Those who attack a server for some seconds: python -m tests.bench.attackers NAME PORT SECONDS [ROOM]

They come from addresses of their own, as many at once as an address may have, and go on however they are refused. At
the end the program prints how often they did what they do. They leave the processors to the server and to those who
play, as attackers on other machines would.
"""

import _ssl
import asyncio
import ctypes
import os
import socket
import ssl
import struct
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import count
from typing import cast

from gridgames_protocol.codec import encode
from gridgames_protocol.framing import SERVER_LINE_MAX
from gridgames_protocol.messages import (
    CHAT_MAX,
    PROTOCOL,
    Again,
    AskHint,
    AskHistory,
    AskStandings,
    Bye,
    Chat,
    Create,
    Error,
    Hello,
    Hint,
    Leave,
    Play,
    Push,
    Watch,
)
from tests.hostile.connection_flood import ELSEWHERE, LOCAL
from tests.wire import Guest

EIGHT = " of eight addresses"  # behind the name of an attack
LINES = b"\n" * 65_536
MANY = 2_000  # TLS records in one go
SSL = ctypes.CDLL(_ssl.__file__)  # Python's module can't change the keys of a connection
SSL.SSL_key_update.argtypes, SSL.SSL_do_handshake.argtypes = [ctypes.c_void_p, ctypes.c_int], [ctypes.c_void_p]
SSL_OFFSET = 24  # bytes from the start of a TLS object of CPython to its pointer to OpenSSL's
REQUEST_PACE = 0.2  # seconds between two requests of a peer that never reads: faster ones are refused
AT_ONCE = 60
CLOSE_AT_ONCE = struct.pack("ii", 1, 0)
LETTERS = "\U0001f600" * CHAT_MAX
PASSWORD = "open sesame"


class Attack:
    """Where the server is, and how much was done."""

    def __init__(self, port: int, room: str, addresses: int = 1) -> None:
        self.port, self.room, self.addresses = port, room, addresses
        self.actions = 0
        self.names, self.places = count(1), count()

    async def socket(self) -> socket.socket:
        """A bare connection that leaves nothing behind when it is closed."""
        made = socket.socket()
        made.setblocking(False)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, CLOSE_AT_ONCE)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        first, _, last = ELSEWHERE.rpartition(".")
        made.bind((f"{first}.{int(last) + next(self.places) % self.addresses}", 0))
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

    async def ask(self, guest: Guest, kind: type, **fields: object) -> Push:
        """Ask for something, and wait as long as the server says."""
        reply = await guest.says(kind, **fields)
        self.actions += 1
        if isinstance(reply, Error | Bye) and reply.code == "too_fast":
            await asyncio.sleep(getattr(reply, "wait", None) or 0.2)
        return cast("Push", reply)


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


async def shake_hands(wire: socket.socket) -> tuple[ssl.SSLObject, ssl.MemoryBIO]:
    """A client's side of TLS by hand, and what it wants to send."""
    arriving, leaving, loop = ssl.MemoryBIO(), ssl.MemoryBIO(), asyncio.get_running_loop()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    client = context.wrap_bio(arriving, leaving)
    while True:
        try:
            client.do_handshake()
        except ssl.SSLWantReadError:
            await loop.sock_sendall(wire, leaving.read())
            heard = await loop.sock_recv(wire, 65_536)
            if not heard:
                raise ConnectionResetError from None
            arriving.write(heard)
        else:
            return client, leaving


async def tls_records(attack: Attack) -> None:
    with await attack.socket() as wire:
        client, leaving = await shake_hands(wire)
        client.write(encode(Hello(1, PROTOCOL, attack.name())))
        while True:
            for _ in range(MANY):
                client.write(b"\n")
            await asyncio.get_running_loop().sock_sendall(wire, leaving.read())
            await asyncio.sleep(0)
            attack.actions += MANY


async def tls_key_updates(attack: Attack) -> None:
    with await attack.socket() as wire:
        client, leaving = await shake_hands(wire)
        client.write(encode(Hello(1, PROTOCOL, attack.name())))
        pointer = ctypes.c_void_p.from_address(id(client._sslobj) + SSL_OFFSET)  # type: ignore[attr-defined]
        while True:
            for _ in range(MANY):
                SSL.SSL_key_update(pointer, 0)
                SSL.SSL_do_handshake(pointer)
            await asyncio.get_running_loop().sock_sendall(wire, leaving.read())
            await asyncio.sleep(0)
            attack.actions += MANY


async def empty_lines(attack: Attack) -> None:
    with await attack.socket() as wire:
        await asyncio.get_running_loop().sock_sendall(wire, encode(Hello(1, PROTOCOL, attack.name())))
        while True:
            await asyncio.get_running_loop().sock_sendall(wire, LINES)
            await asyncio.sleep(0)
            attack.actions += len(LINES)


async def watchers(attack: Attack) -> None:
    with await attack.socket() as wire:
        loop = asyncio.get_running_loop()
        await loop.sock_sendall(wire, encode(Hello(1, PROTOCOL, attack.name())))
        for id in count(2, 2):
            await loop.sock_sendall(wire, encode(Watch(id, attack.room)) + encode(Leave(id + 1)))
            attack.actions += 1
            with suppress(TimeoutError):
                async with asyncio.timeout(REQUEST_PACE):
                    while await loop.sock_recv(wire, 65_536):
                        pass
                    return


async def hints(attack: Attack) -> None:
    guest = await attack.guest()
    await guest.says(Create, game="grid-hunt", bot="easy", first="host")
    while True:
        answer = await attack.ask(guest, AskHint)
        if isinstance(answer, Hint):  # the next one is for another view: no hint is thought over twice
            answer = await attack.ask(guest, Play, line=answer.line)
        if isinstance(answer, Error) and answer.code != "too_fast":
            await attack.ask(guest, Again)


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
    "empty lines": empty_lines,
    "empty lines" + EIGHT: empty_lines,
    "TLS records of a byte": tls_records,
    "TLS changes of keys": tls_key_updates,
    "watching a long game": watchers,
    "hints": hints,
}


async def run_attack(name: str, port: int, seconds: float, room: str) -> int:
    """Attack; how often they did it."""
    os.nice(10)
    attack = Attack(port, room, 8 if name.endswith(EIGHT) else 1)
    print("attacking", flush=True)

    async def go_on() -> None:
        while True:
            with suppress(OSError, AssertionError, asyncio.IncompleteReadError):  # refused, cut, or closed
                await ATTACKS[name](attack)
            await asyncio.sleep(0)  # where all of it was done at once

    with suppress(TimeoutError):
        async with asyncio.timeout(seconds), asyncio.TaskGroup() as crowd:
            for _ in range(AT_ONCE * attack.addresses):
                crowd.create_task(go_on())
    return attack.actions


if __name__ == "__main__":
    name, port, seconds, room = sys.argv[1:]
    print(asyncio.run(run_attack(name, int(port), float(seconds), room)))
