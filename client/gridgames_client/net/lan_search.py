"""Looking for servers on the network: a call to everybody, and whoever answers within a second."""

import asyncio
import contextlib
import os
import socket
import struct
import sys
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import cast

from gridgames_client.address import PORT, Address
from gridgames_client.servers import Server, merged
from gridgames_protocol.discovery import NONCE, Answer, Call, decode_answer, encode_call
from gridgames_protocol.errors import WireError
from gridgames_protocol.messages import PROTOCOL

try:
    import fcntl
except ImportError:  # a system that does not tell about its networks in this way
    fcntl = None  # type: ignore[assignment]

CALLS = (0.0, 0.15, 0.4)  # seconds after the start: a datagram may get lost, and a sleepy radio needs waking
QUIET = 0.5  # seconds without any answer: there is nobody
WITHIN = 1.0  # seconds to wait for the others once somebody has answered
HEARD_MAX = 500  # answers; whoever sends more does not want to be found
EVERYBODY, MYSELF = "255.255.255.255", "127.0.0.1"
ADDRESS_OF, BROADCAST_OF = 0x8915, 0x8919  # what Linux calls these questions about a network
SOMEWHERE = "192.0.2.1"  # set aside for documentation; nothing is sent there


class Search(asyncio.DatagramProtocol):
    """A call for servers, and the answers to it so far."""

    def __init__(self) -> None:
        self.nonce = os.urandom(NONCE // 2).hex()
        self.heard: list[tuple[str, Answer]] = []
        self.somebody = asyncio.Event()
        self.began = asyncio.get_running_loop().time()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.DatagramTransport", transport)

    def call(self, places: list[Address]) -> None:
        """Ask who is there, once."""
        datagram = encode_call(Call(self.nonce, PROTOCOL))
        for place in places:
            self.transport.sendto(datagram, (place.host, place.port))

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        try:
            answer = decode_answer(data)
        except WireError:
            return
        if answer.nonce == self.nonce and len(self.heard) < HEARD_MAX:
            self.heard.append((addr[0], answer))
            self.somebody.set()

    async def found(self) -> tuple[Server, ...]:
        """Who has answered; that nobody does is known sooner than that nobody else does."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout_at(self.began + QUIET):
                await self.somebody.wait()
            async with asyncio.timeout_at(self.began + WITHIN):
                await asyncio.Event().wait()
        return merged(self.heard)


@asynccontextmanager
async def searching(places: Iterable[Address]) -> AsyncIterator[Search]:
    """Call for servers at these places now, and listen to them until the end."""
    loop = asyncio.get_running_loop()
    wanted = await _resolved(places)
    opened = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    opened.setblocking(False)
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
    opened.bind(("", 0))
    _, search = await loop.create_datagram_endpoint(Search, sock=opened)
    if not wanted:
        search.began -= WITHIN  # nobody is asked, so nobody is waited for
    calls = [loop.call_later(after, search.call, wanted) for after in CALLS]
    try:
        yield search
    finally:
        for call in calls:
            call.cancel()
        search.transport.close()


async def _resolved(places: Iterable[Address]) -> list[Address]:
    """These places by their numbers; those that nobody knows are left out."""
    loop, found = asyncio.get_running_loop(), []
    for place in places:
        with contextlib.suppress(OSError, UnicodeError, TimeoutError):
            async with asyncio.timeout(QUIET):
                known = await loop.getaddrinfo(place.host, place.port, family=socket.AF_INET, type=socket.SOCK_DGRAM)
            found.append(Address(*known[0][4][:2]))
    return found


def everywhere() -> list[Address]:
    """Everybody on this machine's networks, and the machine itself."""
    hosts = [EVERYBODY, *_of_networks(), *_own(), MYSELF]
    return [Address(host, PORT) for host in dict.fromkeys(hosts)]


def _of_networks() -> list[str]:
    """The addresses at which everybody on a network listens, and our own there, as far as the system tells."""
    found = []
    if sys.platform == "linux" and fcntl is not None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            for _, name in socket.if_nameindex():
                for question in (BROADCAST_OF, ADDRESS_OF):
                    with contextlib.suppress(OSError):  # a network without such an address
                        told = fcntl.ioctl(probe, question, struct.pack("256s", name.encode()[:15]))
                        found.append(socket.inet_ntoa(told[20:24]))
    return [host for host in found if not host.startswith(("0.", "127."))]


def _own() -> list[str]:
    """Our own address, as far as there is a way out: connecting a UDP socket sends nothing."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect((SOMEWHERE, 9))
        return [str(probe.getsockname()[0])]
    return []
