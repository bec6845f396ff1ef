"""Searches the network for servers: a UDP broadcast, and the answers of the next second."""

import asyncio
import contextlib
import os
import socket
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

from gridgames_client.net.address import Address
from gridgames_client.net.found_servers import Server, merge_answers
from gridgames_protocol.discovery import NONCE, Answer, Call, decode_answer, encode_call
from gridgames_protocol.errors import WireError
from gridgames_protocol.machine import interfaces
from gridgames_protocol.messages import PORT, PROTOCOL

CALLS = (
    0.0,
    0.15,
    0.4,
)  # seconds after the start; datagrams get lost, and a sleeping radio misses the first
QUIET = 0.5  # seconds without any answer: there is no server
WITHIN = 1.0  # seconds to wait for more answers after the first
DATAGRAM_MAX = 65_536  # bytes; Windows reports an error for a longer one
HEARD_MAX = 500  # answers; more are dropped
EVERYBODY, MYSELF = "255.255.255.255", "127.0.0.1"


class Search:
    """A search: the call that is sent, and the answers so far."""

    def __init__(self, opened: socket.socket, places: list[Address]) -> None:
        self.opened, self.places = opened, places
        self.nonce = os.urandom(NONCE // 2).hex()
        self.heard: list[tuple[str, Answer]] = []
        self.somebody = asyncio.Event()
        self.began = asyncio.get_running_loop().time()

    def call(self) -> None:
        """Send the call to all places once."""
        datagram = encode_call(Call(self.nonce, PROTOCOL))
        for place in self.places:
            with contextlib.suppress(OSError):  # this place can't be reached
                self.opened.sendto(datagram, (place.host, place.port))

    async def listen(self) -> None:
        """Collect answers until the task is cancelled.

        asyncio's datagram transport is not used: on Windows it stops reading after the first error, and a call to a
        machine without a server is such an error.
        """
        loop = asyncio.get_running_loop()
        while True:
            try:
                datagram, sender = await loop.sock_recvfrom(self.opened, DATAGRAM_MAX)
            except ConnectionError:  # nobody listens at one of the places
                continue
            self.receive(datagram, sender[0])
            await asyncio.sleep(0)  # a flood of answers must not keep the loop busy

    def receive(self, datagram: bytes, host: str) -> None:
        """Keep an answer to our call. Anything else is dropped."""
        try:
            answer = decode_answer(datagram)
        except WireError:
            return
        if answer.nonce == self.nonce and len(self.heard) < HEARD_MAX:
            self.heard.append((host, answer))
            self.somebody.set()

    async def collect(self) -> tuple[Server, ...]:
        """Return the servers that answered: after QUIET seconds if there is none, else after WITHIN seconds."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout_at(self.began + QUIET):
                await self.somebody.wait()
            async with asyncio.timeout_at(self.began + WITHIN):
                await asyncio.Event().wait()
        return merge_answers(self.heard)


@asynccontextmanager
async def search_servers(places: Iterable[Address]) -> AsyncIterator[Search]:
    """Search for servers at these places, until the block ends."""
    loop = asyncio.get_running_loop()
    wanted = await _resolve(places)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as opened:
        opened.setblocking(False)
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        opened.bind(("", 0))
        search = Search(opened, wanted)
        if not wanted:
            search.began -= WITHIN  # no place to ask: do not wait
        calls = [loop.call_later(after, search.call) for after in CALLS]
        listening = asyncio.create_task(search.listen())
        try:
            yield search
        finally:
            for call in calls:
                call.cancel()
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)


async def _resolve(places: Iterable[Address]) -> list[Address]:
    """Look up the places' IP addresses. Unknown names are left out."""
    loop, found = asyncio.get_running_loop(), []
    for place in places:
        with contextlib.suppress(OSError, UnicodeError, TimeoutError):
            async with asyncio.timeout(QUIET):
                known = await loop.getaddrinfo(place.host, place.port, family=socket.AF_INET, type=socket.SOCK_DGRAM)
            found.append(Address(*known[0][4][:2]))
    return found


def list_own_networks() -> list[Address]:
    """The addresses to call: all of this machine's networks, and the machine itself."""
    hosts = [EVERYBODY, *_list_addresses(), *interfaces.ask_route(), MYSELF]
    return [Address(host, PORT) for host in dict.fromkeys(hosts)]


def _list_addresses() -> list[str]:
    """The broadcast address of each network and this machine's address in it, as far as the system tells."""
    found = interfaces.ask_interfaces(interfaces.BROADCAST, interfaces.ADDRESS)
    return [host for host in found if not host.startswith(("0.", "127."))]
