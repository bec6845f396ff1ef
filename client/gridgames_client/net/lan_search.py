"""Searches the network for servers: UDP broadcasts, again and again while somebody wants to know, and the answers."""

import asyncio
import contextlib
import os
import socket
import time
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager

from gridgames_client.net.address import Address
from gridgames_client.net.found_servers import FoundServers, Server
from gridgames_protocol.discovery import NONCE, Call, decode_answer, encode_call
from gridgames_protocol.errors import WireError
from gridgames_protocol.machine import interfaces
from gridgames_protocol.messages import PORT, PROTOCOL

CALLS = (0.15, 0.4)  # seconds after the first; datagrams get lost, and a sleeping radio misses the first
AGAIN = 5.0  # seconds between two later calls: rare enough for many clients on one network
QUIET = 0.5  # seconds without any answer: there is no server
WITHIN = 1.0  # seconds to wait for more answers after the first
RETRY = 0.01  # seconds to wait after an error of the network
DATAGRAM_MAX = 65_536  # bytes; Windows reports an error for a longer one
DRAINED_MAX = 500  # datagrams that are read at once; a flood of them must not keep the loop busy
EVERYBODY, MYSELF = "255.255.255.255", "127.0.0.1"


class Search:
    """A search: the call that is sent, and the servers that have answered so far."""

    def __init__(self, opened: socket.socket, places: list[Address], clock: Callable[[], float]) -> None:
        self.opened, self.places, self.clock = opened, places, clock
        self.nonce = os.urandom(NONCE // 2).hex()
        self.found = FoundServers()
        self.news = asyncio.Event()  # set when an answer tells something new
        self.began = clock()

    def call(self) -> None:
        """Send the call to all places once."""
        datagram = encode_call(Call(self.nonce, PROTOCOL))
        for place in self.places:
            with contextlib.suppress(OSError):  # this place can't be reached
                self.opened.sendto(datagram, (place.host, place.port))

    async def listen(self) -> None:
        """Take answers until the task is cancelled.

        asyncio's datagram transport is not used: on Windows it stops reading after the first error, and a call to a
        machine without a server is such an error.
        """
        loop = asyncio.get_running_loop()
        while True:
            try:
                datagram, sender = await loop.sock_recvfrom(self.opened, DATAGRAM_MAX)
            except OSError:  # nobody listens at one of the places, or it can't be reached
                await asyncio.sleep(RETRY)
                continue
            self.receive(datagram, sender[0])
            await asyncio.sleep(0)  # a flood of answers must not keep the loop busy

    def drain(self) -> None:
        """Take the answers that have arrived already: while the program was busy, nobody listened."""
        for _ in range(DRAINED_MAX):
            try:
                datagram, sender = self.opened.recvfrom(DATAGRAM_MAX)
            except ConnectionError:  # nobody listens at one of the places
                continue
            except OSError:  # nothing is left
                return
            self.receive(datagram, sender[0])

    def receive(self, datagram: bytes, host: str) -> None:
        """Take an answer to our call. Anything else is dropped."""
        try:
            answer = decode_answer(datagram)
        except WireError:
            return
        if answer.nonce == self.nonce and self.found.add(host, answer, self.clock()):
            self.news.set()

    def list_servers(self) -> tuple[Server, ...]:
        """The servers that have answered lately."""
        self.drain()
        return self.found.list_present(self.clock())

    async def collect(self) -> tuple[Server, ...]:
        """The servers that answered: after QUIET seconds if there is none, else after WITHIN seconds.

        The time alone does not end it: what has arrived by then is read first.
        """
        while True:
            found = self.list_servers()
            left = self.began + (WITHIN if found else QUIET) - self.clock()
            if left <= 0 or not self.places:
                return found
            await self._wait_for_news(left)

    async def follow(self, is_wanted: Callable[[], bool] = lambda: True) -> AsyncIterator[tuple[Server, ...]]:
        """Call again every few seconds while it is wanted. Yield the servers after each call and each new answer."""
        while True:
            next_call = self.clock() + AGAIN
            while (left := next_call - self.clock()) > 0:
                await self._wait_for_news(left)
                yield self.list_servers()
            if is_wanted():
                self.call()

    async def _wait_for_news(self, seconds: float) -> None:
        self.news.clear()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.news.wait()


@asynccontextmanager
async def search_servers(
    places: Iterable[Address], clock: Callable[[], float] = time.monotonic
) -> AsyncIterator[Search]:
    """Search for servers at these places, until the block ends."""
    loop = asyncio.get_running_loop()
    wanted = await _resolve(places)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as opened:
        opened.setblocking(False)
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        opened.bind(("", 0))
        search = Search(opened, wanted, clock)
        search.call()  # at once: answers can arrive while the program imports what it needs
        calls = [loop.call_later(after, search.call) for after in CALLS]
        listening = asyncio.create_task(search.listen())
        try:
            yield search
        finally:
            for call in calls:
                call.cancel()
            listening.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await listening  # raises its bug, if it had one


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
