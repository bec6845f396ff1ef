"""Wires between clients and the server: slow, cut at any byte, broken for the one or for both.

A wire is the transport of a real `Connection` of the server. Its other end is in the hand of a client.
"""

from random import Random
from typing import TYPE_CHECKING, Any, Protocol

from gridgames_server.net.connection import Connection

if TYPE_CHECKING:
    from tests.simulation.world import World

HERE = ("192.168.1.10", 4743)
USUAL_LAG = 0.02
HIGH_WATER, LOW_WATER = 64 * 1024, 16 * 1024  # as asyncio's own transports


class Holder(Protocol):
    """Who holds the client's end of a wire."""

    address: str

    def hears(self, wire: "Wire", chunk: bytes) -> None:
        """Some bytes have arrived."""

    def is_cut_off(self, wire: "Wire") -> None:
        """Nothing more will arrive."""


class Wire:
    """A connection as the world sees it."""

    def __init__(self, world: "World", holder: Holder, connection: Connection, number: int) -> None:
        self.world, self.holder, self.connection, self.number = world, holder, connection, number
        self.rnd: Random = world.rnd
        self.lag = USUAL_LAG
        self.deaf = False  # nobody reads at the client's end
        self.snapped = False  # nothing gets through any more, whoever knows of it
        self.paused = False  # the server does not read just now
        self.unheard: list[bytes] = []  # bytes that wait for it to do so
        self.buffered = 0  # bytes that the server has written and the client has not got
        self.stuck_since: float | None = None  # since when the client has got nothing of what waits for it
        self.full = False  # it has told the server to wait
        self.made = False  # the server knows of it
        self.up_at = self.down_at = world.clock.now + self.lag  # when the last bytes arrive: none overtake others
        self.server_knows = self.client_knows = False  # that it is over
        self.ended = False  # the server has closed its side

    # The server's end: what a transport does --------------------------------------------------------------------------

    def get_extra_info(self, what: str) -> Any:
        return {"peername": (self.holder.address, 40_000 + self.number), "sockname": HERE}[what]

    def get_write_buffer_size(self) -> int:
        return self.buffered

    def write(self, chunk: bytes) -> None:
        self.world.reaches_a_point()
        self.world.witness.hears(self, chunk)
        self.buffered += len(chunk)
        self.stuck_since = self.world.clock.now if self.stuck_since is None else self.stuck_since
        if self.buffered > HIGH_WATER and not self.full:
            self.full = True
            self.connection.pause_writing()
        if not (self.snapped or self.deaf):
            self.down_at = self._carry(self.down_at, chunk, self._comes_down)

    def pause_reading(self) -> None:
        self.paused = True

    def resume_reading(self) -> None:
        self.paused = False
        chunks, self.unheard = self.unheard, []
        for chunk in chunks:
            self._comes_up(chunk)

    def write_eof(self) -> None:
        self.ended = True
        self.down_at = max(self.down_at, self.world.clock.now + self.rnd.random() * self.lag)
        self.world.clock.at(self.down_at, self._is_over_for_client)

    def abort(self) -> None:
        self.snapped = True
        self.world.host.loop.call_soon(self._is_over_for_server)
        self.world.clock.later(self.lag, self._is_over_for_client)

    def is_made(self) -> None:
        """The server accepts it."""
        if not self.server_knows:
            self.made = True
            self.connection.connection_made(self)

    # The client's end -------------------------------------------------------------------------------------------------

    def send(self, chunk: bytes) -> None:
        """Give bytes to the wire."""
        if not (self.snapped or self.server_knows):
            self.up_at = self._carry(self.up_at, chunk, self._comes_up)

    def hang_up(self) -> None:
        """The client closes its end; what it has sent still arrives."""
        self.client_knows = True
        self.up_at = max(self.up_at, self.world.clock.now + self.rnd.random() * self.lag)
        self.world.clock.at(self.up_at, self._is_closed_by_client)

    def snap(self, server_learns: bool, client_learns: bool) -> None:
        """The wire breaks; either end may learn of it soon, or only by the silence."""
        self.snapped = True
        if server_learns:
            self.world.clock.later(self.rnd.random(), self._is_over_for_server)
        if client_learns:
            self.world.clock.later(self.rnd.random(), self._is_over_for_client)

    def dies(self) -> None:
        """The server is no more: of what was on its way, some arrives."""
        self.server_knows = True
        self.world.clock.later(self.rnd.random() * self.lag, self._vanishes)

    # On the way -------------------------------------------------------------------------------------------------------

    def _carry(self, not_before: float, chunk: bytes, arrives: Any) -> float:
        """Let bytes travel, now and then in pieces; when the last of them arrive."""
        clock, rnd = self.world.clock, self.rnd
        at = max(not_before, clock.now + rnd.random() * self.lag)
        if rnd.random() < 0.1 and len(chunk) > 1:
            self.world.splits += 1
            cut = rnd.randrange(1, len(chunk))
            clock.at(at, arrives, chunk[:cut])
            chunk = chunk[cut:]
            at += rnd.random() * self.lag
        clock.at(at, arrives, chunk)
        return at

    def _comes_down(self, chunk: bytes) -> None:
        if not (self.snapped or self.deaf):
            self.buffered -= len(chunk)
            self.stuck_since = self.world.clock.now if self.buffered else None
            if self.full and self.buffered <= LOW_WATER and not self.server_knows:
                self.full = False
                self.connection.resume_writing()
            if not self.client_knows:
                self.holder.hears(self, chunk)

    def _comes_up(self, chunk: bytes) -> None:
        if self.paused:
            self.unheard.append(chunk)
        elif not (self.snapped or self.server_knows):
            buffer = self.connection.get_buffer(-1)
            part, rest = chunk[: len(buffer)], chunk[len(buffer) :]
            buffer[: len(part)] = part
            self.connection.buffer_updated(len(part))
            if rest:
                self._comes_up(rest)

    def _is_closed_by_client(self) -> None:
        if not (self.snapped or self.server_knows):
            self.connection.eof_received()
            self._is_over_for_server()

    def _is_over_for_server(self) -> None:
        if not self.server_knows:
            self.server_knows = self.snapped = True
            if self.made:
                self.connection.connection_lost(None)

    def _is_over_for_client(self) -> None:
        if not self.client_knows:
            self.client_knows = True
            self.holder.is_cut_off(self)

    def _vanishes(self) -> None:
        self.snapped = True
        self._is_over_for_client()
