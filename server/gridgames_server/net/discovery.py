"""Answers clients that search the local network for servers (UDP)."""

import asyncio
import logging
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from gridgames_protocol.discovery import Answer, decode_call, encode_answer
from gridgames_protocol.errors import WireError
from gridgames_server.core.limits import (
    CALLERS_MAX,
    CALLS_PER_ADDRESS,
    CALLS_PER_SECOND,
    CALLS_PER_SECOND_AND_ADDRESS,
    CALLS_SAVED,
)
from gridgames_server.core.rate_limit import TokenBucket
from gridgames_server.errors import locate
from gridgames_server.net import addresses

DATAGRAM_MAX = 65_536  # bytes; Windows reports an error for a longer one
RETRY = 1.0  # seconds to wait after an error of the network

log = logging.getLogger("gridgames")

Describe = Callable[[str], Answer | None]  # returns the answer to a call with this nonce, or None for no answer


@dataclass(slots=True)
class DiscoveryLimiter:
    """The rate limits for answers: for one address and for all together."""

    everybody: TokenBucket = field(default_factory=lambda: TokenBucket(CALLS_PER_SECOND, CALLS_SAVED, 0.0))
    by_address: dict[str, TokenBucket] = field(default_factory=dict)

    def may_answer(self, address: str, now: float) -> bool:
        """True if a call from this address may be answered. The answer is then counted."""
        self.everybody.spend(0, now)
        if self.everybody.left < 1 or not self._has_room(address, now):
            return False
        own = self.by_address.setdefault(address, TokenBucket(CALLS_PER_SECOND_AND_ADDRESS, CALLS_PER_ADDRESS, now))
        own.spend(0, now)
        if own.left < 1:
            return False
        own.spend(1, now)
        self.everybody.spend(1, now)
        return True

    def _has_room(self, address: str, now: float) -> bool:
        """True if an address has a token bucket or can get one. Removes full buckets if there are too many."""
        if address not in self.by_address and len(self.by_address) >= CALLERS_MAX:
            past = now - CALLS_PER_ADDRESS / CALLS_PER_SECOND_AND_ADDRESS  # older buckets are full again
            self.by_address = {known: own for known, own in self.by_address.items() if own.since > past}
        return address in self.by_address or len(self.by_address) < CALLERS_MAX


@asynccontextmanager
async def answering_calls(
    bound: list[socket.socket], describe: Describe, clock: Callable[[], float]
) -> AsyncIterator[list[socket.socket]]:
    """Answer calls on the ports of these sockets until the end. A port that can't be opened is a warning only."""
    opened = list(_open_all(bound))
    limiter = DiscoveryLimiter()
    tasks = [asyncio.create_task(_answer_all(one, describe, limiter, clock)) for one in opened]
    try:
        yield opened
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for one in opened:
            one.close()


async def _answer_all(
    opened: socket.socket, describe: Describe, limiter: DiscoveryLimiter, clock: Callable[[], float]
) -> None:
    """Answer calls on one socket. Any other datagram gets no answer.

    asyncio's datagram transport is not used: on Windows it stops reading after the first error, and an answer to a
    caller that is gone is such an error.
    """
    loop = asyncio.get_running_loop()
    while True:
        try:
            datagram, caller = await loop.sock_recvfrom(opened, DATAGRAM_MAX)
        except ConnectionResetError:  # Windows: an answer did not arrive
            continue
        except OSError:
            await asyncio.sleep(RETRY)
            continue
        try:
            answer = _answer(datagram, caller, describe, limiter, clock())
        except Exception as bug:  # the next caller is answered
            log.error("bug in an answer to a search: %s", locate(bug))
            await asyncio.sleep(RETRY)
            continue
        if answer:
            with suppress(OSError):
                opened.sendto(answer, caller)
        await asyncio.sleep(0)  # a flood of datagrams must not keep the loop busy


def _answer(
    datagram: bytes, caller: addresses.SocketName, describe: Describe, limiter: DiscoveryLimiter, now: float
) -> bytes | None:
    """Return the answer to a datagram, or None."""
    try:
        call = decode_call(datagram)
    except WireError:
        return None
    if not limiter.may_answer(addresses.make_limit_key(caller), now):
        return None
    answer = describe(call.nonce)
    return encode_answer(answer) if answer else None


def _open_all(bound: list[socket.socket]) -> Iterator[socket.socket]:
    for host, port in addresses.list_discovery_addresses(bound):
        try:
            yield _open(host, port)
        except OSError as error:
            log.warning("can't be found on the network at %s port %d: %s", host, port, error.strerror)


def _open(host: str, port: int) -> socket.socket:
    opened = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        opened.setblocking(False)
        opened.bind((host, port))
    except OSError:
        opened.close()
        raise
    return opened
