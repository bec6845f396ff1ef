"""Being found on the network: short answers to those who call for servers, and none to anybody else."""

import asyncio
import logging
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import cast

from gridgames_protocol.discovery import Answer, decode_call, encode_answer
from gridgames_protocol.errors import WireError
from gridgames_server import addresses
from gridgames_server.limits import (
    CALLERS_MAX,
    CALLS_PER_ADDRESS,
    CALLS_PER_SECOND,
    CALLS_PER_SECOND_AND_ADDRESS,
    CALLS_SAVED,
)
from gridgames_server.session import Allowance

log = logging.getLogger("gridgames")

Describe = Callable[[str], Answer | None]  # the answer to a call with this nonce; None: rather not


@dataclass(slots=True)
class Callers:
    """How often somebody may be answered, one by one and in all."""

    everybody: Allowance = field(default_factory=lambda: Allowance(CALLS_PER_SECOND, CALLS_SAVED, 0.0))
    by_address: dict[str, Allowance] = field(default_factory=dict)

    def may_hear(self, address: str, now: float) -> bool:
        """True if a call from there may be answered; it is counted then."""
        self.everybody.spend(0, now)
        if self.everybody.left < 1 or not self._has_room(address, now):
            return False
        own = self.by_address.setdefault(address, Allowance(CALLS_PER_SECOND_AND_ADDRESS, CALLS_PER_ADDRESS, now))
        own.spend(0, now)
        if own.left < 1:
            return False
        own.spend(1, now)
        self.everybody.spend(1, now)
        return True

    def _has_room(self, address: str, now: float) -> bool:
        """True if an address is remembered already, or can be once those who called long ago are forgotten."""
        if address not in self.by_address and len(self.by_address) >= CALLERS_MAX:
            past = now - CALLS_PER_ADDRESS / CALLS_PER_SECOND_AND_ADDRESS  # by then all is forgiven
            self.by_address = {known: own for known, own in self.by_address.items() if own.since > past}
        return address in self.by_address or len(self.by_address) < CALLERS_MAX


class Lookout(asyncio.DatagramProtocol):
    """Listens on one socket for calls. Whatever else arrives is passed over in silence."""

    def __init__(self, describe: Describe, callers: Callers, clock: Callable[[], float]) -> None:
        self.describe, self.callers, self.clock = describe, callers, clock

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.DatagramTransport", transport)

    def datagram_received(self, data: bytes, addr: addresses.SocketName) -> None:
        try:
            call = decode_call(data)
        except WireError:
            return
        if not self.callers.may_hear(addresses.counted_as(addr), self.clock()):
            return
        answer = self.describe(call.nonce)
        if answer is not None:
            self.transport.sendto(encode_answer(answer), addr)


async def be_found(bound: list[socket.socket], describe: Describe, clock: Callable[[], float]) -> list[Lookout]:
    """Answer calls where the game is played; where that can't be, it is played all the same."""
    loop, callers, lookouts = asyncio.get_running_loop(), Callers(), []
    for host, port in addresses.to_call(bound):
        try:
            opened = _opened(host, port)
        except OSError as error:
            log.warning("can't be found on the network at %s port %d: %s", host, port, error.strerror)
            continue
        _, lookout = await loop.create_datagram_endpoint(lambda: Lookout(describe, callers, clock), sock=opened)
        lookouts.append(lookout)
    return lookouts


def _opened(host: str, port: int) -> socket.socket:
    opened = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        opened.setblocking(False)
        opened.bind((host, port))
    except OSError:
        opened.close()
        raise
    return opened


@contextmanager
def until_closed(lookouts: list[Lookout]) -> Iterator[None]:
    """Close the sockets in the end."""
    try:
        yield
    finally:
        for lookout in lookouts:
            lookout.transport.close()
