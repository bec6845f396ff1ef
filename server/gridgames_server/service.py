"""The asyncio shell: connection -> lines -> hub -> effects, performed in their order.

There is no task per connection. Bytes are read into one buffer that all connections share, every complete line goes to
the hub at once, and what the hub decides for a connection during one turn of the loop leaves in one write.
"""

import asyncio
import ipaddress
import logging
import ssl
import time
import traceback
from collections.abc import Callable
from itertools import count
from typing import cast

from gridgames_protocol.errors import WireError
from gridgames_protocol.lines import CLIENT_LINE_MAX, Splitter
from gridgames_protocol.messages import decode_request, encode
from gridgames_server import openers
from gridgames_server.effects import Effect, Hangup, Note, Record, Send, Trouble
from gridgames_server.hub import Hub
from gridgames_server.limits import MESSAGE_WITHIN, OUTPUT_MAX, READ_SIZE, STUCK_OUTPUT, TICK, TLS_WITHIN
from gridgames_server.outbox import Keeper, Outbox

log = logging.getLogger("gridgames")

GOODBYE_WITHIN = 1.0  # for the last words to reach everybody when the server stops


class Connection(asyncio.BufferedProtocol):
    """One client's wire."""

    def __init__(self, service: "Service") -> None:
        self.service = service
        self.id = next(service.ids)
        self.splitter = Splitter(CLIENT_LINE_MAX)
        self.opened = False  # its first bytes have been looked at
        self.closing = False
        self.line_since: float | None = None  # when the first byte of an unfinished line came
        self.waiting: list[bytes] = []  # lines of this turn of the loop
        self.written = 0
        self.taken, self.taken_since = 0, 0.0  # bytes that the peer's side took, and when that last grew

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        self.service.made(self)

    def get_buffer(self, sizehint: int) -> memoryview:
        return self.service.buffer

    def buffer_updated(self, nbytes: int) -> None:
        if not self.closing:
            self.service.arrived(self, bytes(self.service.buffer[:nbytes]))

    def connection_lost(self, exc: Exception | None) -> None:
        self.closing = True
        self.service.lost(self)

    def peer(self) -> str:
        """Whom limits count as one: an address, or an IPv6 network, since one host has as many of those as it likes."""
        name = self.transport.get_extra_info("peername")
        if not name:
            return "?"
        address = ipaddress.ip_address(name[0].partition("%")[0])
        if isinstance(address, ipaddress.IPv6Address):
            if address.ipv4_mapped is None:
                return str(ipaddress.ip_network((address, 64), strict=False))
            address = address.ipv4_mapped
        return str(address)

    def here(self) -> str:
        """The address that the peer has typed to come here."""
        host, port, *_ = self.transport.get_extra_info("sockname") or ("HOST", "PORT")
        return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"

    def is_stuck(self, now: float) -> bool:
        """True if bytes wait to be read and none has been for a while."""
        waiting = self.transport.get_write_buffer_size()
        taken = self.written - waiting
        if taken != self.taken or not waiting:
            self.taken, self.taken_since = taken, now
        return now - self.taken_since > STUCK_OUTPUT


class Service:
    """A hub with its wires."""

    def __init__(self, hub: Hub, keeper: Keeper, clock: Callable[[], float] = time.monotonic) -> None:
        self.hub = hub
        self.clock = clock
        self.buffer = memoryview(bytearray(READ_SIZE))
        self.ids = count(1)
        self.connections: dict[int, Connection] = {}
        self.outbox = Outbox(keeper, self._perform)
        self._unwritten: list[Connection] = []
        self._tick: asyncio.TimerHandle | None = None
        self._hurried = False  # the next tick comes sooner, since the lobby has news
        self._all_gone = asyncio.Event()

    async def listen(self, host: str | None, port: int, tls: ssl.SSLContext | None = None) -> asyncio.Server:
        """Open the port."""
        self.loop = asyncio.get_running_loop()
        server = await self.loop.create_server(
            lambda: Connection(self),
            host,
            port,
            ssl=tls,
            ssl_handshake_timeout=TLS_WITHIN if tls else None,
            backlog=256,
        )
        self._tick_in(TICK)
        return server

    async def stop(self) -> None:
        """Tell everybody, and close every connection."""
        if self._tick:
            self._tick.cancel()
        self._do(self.hub.stop(self.clock()))
        self._write_all()
        try:
            async with asyncio.timeout(GOODBYE_WITHIN):
                while self.connections:
                    self._all_gone.clear()
                    await self._all_gone.wait()
        except TimeoutError:
            for connection in list(self.connections.values()):
                connection.transport.abort()

    # What happens on the wires ----------------------------------------------------------------------------------------

    def made(self, connection: Connection) -> None:
        """A connection was made."""
        self.connections[connection.id] = connection
        peer = connection.peer()
        log.info("session %d connected from %s", connection.id, peer)
        self._do(self.hub.connect(connection.id, peer, self.clock()))

    def arrived(self, connection: Connection, chunk: bytes) -> None:
        """Some bytes have arrived."""
        now = self.clock()
        if not connection.opened and self._is_wrong_door(connection, chunk):
            return
        self._do(self.hub.heard(connection.id, len(chunk), now))
        lines = connection.splitter.feed(chunk)
        for line in lines:
            if connection.closing:
                return
            try:
                if isinstance(line, WireError):
                    raise line
                request = decode_request(line)
            except WireError as error:
                self._do(self.hub.garbled(connection.id, error, now))
            else:
                self._do(self.hub.receive(connection.id, request, now))
        if not connection.splitter.pending:
            connection.line_since = None
        elif lines or connection.line_since is None:
            connection.line_since = now

    def _is_wrong_door(self, connection: Connection, chunk: bytes) -> bool:
        """Help one who did not come for us, and close."""
        connection.opened = bool(chunk.strip(b"\n"))
        help = openers.answer(chunk, connection.here())
        if help is None:
            return False
        log.info("session %d is no client", connection.id)
        connection.closing = True
        connection.transport.write(help)
        connection.transport.close()
        return True

    def lost(self, connection: Connection) -> None:
        """A connection has ended."""
        del self.connections[connection.id]
        log.info("session %d is gone", connection.id)
        self._do(self.hub.gone(connection.id, self.clock()))
        if not self.connections:
            self._all_gone.set()

    # Time -------------------------------------------------------------------------------------------------------------

    def _tick_in(self, seconds: float) -> None:
        if self._tick:
            self._tick.cancel()
        self._tick = self.loop.call_later(seconds, self._ticked)

    def _ticked(self) -> None:
        now = self.clock()
        for connection in list(self.connections.values()):
            if connection.is_stuck(now):
                log.info("session %d does not read, cut", connection.id)
                connection.transport.abort()
            elif connection.line_since is not None and now - connection.line_since > MESSAGE_WITHIN:
                connection.line_since = None
                text = f"A line must be complete within {MESSAGE_WITHIN} seconds."
                self._do(self.hub.expel(connection.id, "slow", text, now))
        self._hurried = False
        self._tick_in(TICK)
        self._do(self.hub.tick(now))

    # Effects ----------------------------------------------------------------------------------------------------------

    def _do(self, effects: list[Effect]) -> None:
        if effects:
            self.outbox.put(effects)
        if self.hub.rooms.changed and not self._hurried:
            self._hurried = True
            self._tick_in(self.hub.due(self.clock()))

    def _perform(self, effects: list[Effect]) -> None:
        packed: dict[int, bytes] = {}  # by identity: what goes to many is packed once
        for effect in effects:
            match effect:
                case Send(session, message):
                    line = packed.get(id(message))
                    if line is None:
                        line = packed[id(message)] = encode(message)
                    self._queue(session, line)
                case Hangup(session):
                    self._hang_up(session)
                case Note(text):
                    log.info(text)
                case Trouble(number, error):
                    log.error("trouble %s: %s", number, where(error))
                case Record():
                    pass

    def _queue(self, id: int, line: bytes) -> None:
        connection = self.connections.get(id)
        if connection is None or connection.closing:
            return
        if not self._unwritten:
            self.loop.call_soon(self._write_all)
        if not connection.waiting:
            self._unwritten.append(connection)
        connection.waiting.append(line)

    def _hang_up(self, id: int) -> None:
        connection = self.connections.get(id)
        if connection is not None and not connection.closing:
            self._write(connection)
            connection.closing = True
            connection.transport.close()

    def _write_all(self) -> None:
        unwritten, self._unwritten = self._unwritten, []
        for connection in unwritten:
            self._write(connection)

    def _write(self, connection: Connection) -> None:
        """Send what has been queued for a connection, in one go; cut one that lets too much pile up."""
        if not connection.waiting or connection.closing:
            return
        chunk = b"".join(connection.waiting)
        connection.waiting.clear()
        connection.written += len(chunk)
        connection.transport.write(chunk)
        if connection.transport.get_write_buffer_size() > OUTPUT_MAX:
            log.info("session %d reads too slowly, cut", connection.id)
            connection.closing = True
            connection.transport.abort()


def where(error: BaseException) -> str:
    """Where in the code an error struck, without its message: that might quote a secret."""
    frames = traceback.extract_tb(error.__traceback__)
    steps = (f"{frame.filename.rpartition('/')[2]}:{frame.lineno} {frame.name}" for frame in frames)
    return f"{type(error).__name__} at " + " > ".join(steps)
