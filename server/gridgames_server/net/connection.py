"""One client's wire: bytes in and out, with TLS if the server has it, and the ways in which it ends."""

import asyncio
import logging
import ssl
from typing import TYPE_CHECKING, cast

from gridgames_protocol.lines import CLIENT_LINE_MAX, Splitter
from gridgames_server import addresses
from gridgames_server.limits import MESSAGE_WITHIN, OUTPUT_MAX, STUCK_OUTPUT, TLS_WITHIN
from gridgames_server.tls import HELLO, Veil

if TYPE_CHECKING:
    from gridgames_server.service import Service

log = logging.getLogger("gridgames")

# Closing a socket with unread input makes the system throw away what the peer has not read yet, the last words among
# it. So a connection that is ended stops talking at once, but goes on reading for so many seconds or until the peer
# has closed its side.
PARTING = 2.0


class Connection(asyncio.BufferedProtocol):
    """A wire is open, then parting (the last words are out, or on their way), then lost."""

    __slots__ = (
        *("service", "id", "transport", "address", "made_at", "veil", "splitter", "touched", "opened", "line_since"),
        *("is_open", "parting_since", "waiting", "waiting_size", "written", "taken", "taken_since"),
    )

    def __init__(self, service: "Service") -> None:
        self.service = service
        self.id = next(service.ids)
        self.veil = Veil(service.tls) if service.tls else None
        self.splitter = Splitter(CLIENT_LINE_MAX)
        self.touched = False  # something has arrived
        self.opened = False  # the first words have been looked at
        self.line_since: float | None = None  # when the first byte of an unfinished line came
        self.is_open = True  # the peer is listened to, and told things
        self.parting_since = 0.0  # if it is not
        self.waiting: list[bytes] = []  # lines of this turn of the loop
        self.waiting_size = 0
        self.written = 0  # bytes given to the transport
        # How many of them had left it when some were last seen to wait (never yet), and when that changed.
        self.taken, self.taken_since = -1, 0.0

    # What the loop calls ----------------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        self.address = addresses.counted_as(transport.get_extra_info("peername"))
        self.made_at = self.taken_since = self.service.clock()
        self.service.made(self)

    def get_buffer(self, sizehint: int) -> memoryview:
        return self.service.buffer

    def buffer_updated(self, nbytes: int) -> None:
        chunk = bytes(self.service.buffer[:nbytes])
        if self.veil is None:
            self._heard(chunk)
        elif not self.touched and chunk[0] != HELLO:
            self.veil = None  # whoever came without TLS is answered without it
            self.service.came_without_tls(self, chunk)
        else:
            self._unveil(self.veil, chunk)
        self.touched = True

    def eof_received(self) -> None:
        self.service.ended(self)

    def connection_lost(self, exc: Exception | None) -> None:
        if self.is_open:
            self._close(self.service.clock())
        self.service.lost(self)

    def _heard(self, chunk: bytes) -> None:
        if chunk and self.is_open:
            self.service.arrived(self, chunk)

    def _unveil(self, veil: Veil, chunk: bytes) -> None:
        if not self.is_open and veil.ready:
            return  # whatever it is, it comes too late
        shaking_hands = not veil.ready
        try:
            said = veil.unwrap(chunk)
        except ssl.SSLError:
            self._give_up(veil)
            return
        if not self.is_open:
            self._take_leave()
        elif shaking_hands:
            self.flush()
        self._heard(said)
        if veil.ended:
            self.service.ended(self)

    def _give_up(self, veil: Veil) -> None:
        log.info("session %d broke TLS", self.id)
        self._write(veil.wrap(b""))  # the alert that says what was wrong
        self.veil = None
        self.waiting.clear()
        self.service.ended(self)

    # What the service does --------------------------------------------------------------------------------------------

    def here(self) -> str:
        """What the peer types after the client's name to come here."""
        flags = " --tls" if self.service.tls else ""
        return addresses.joined(self.transport.get_extra_info("sockname")) + flags

    def say(self, lines: bytes) -> None:
        """Add lines to those that leave at the end of this turn of the loop."""
        if not self.waiting:
            self.service.write_soon(self)
        self.waiting.append(lines)
        self.waiting_size += len(lines)
        if self.waiting_size > OUTPUT_MAX:
            self.flush()

    def flush(self) -> None:
        """Send all that waits, in one write; cut a peer that lets too much pile up."""
        if self.veil is None:
            self._write(self._said())
        else:
            self._flush_veiled(self.veil)
        if self.is_open and self.transport.get_write_buffer_size() > OUTPUT_MAX:
            log.info("session %d reads too slowly, cut", self.id)
            self.cut()

    def _flush_veiled(self, veil: Veil) -> None:
        """Send all that waits with TLS around it; before its handshake is done, TLS's own words alone."""
        try:
            self._write(veil.wrap(self._said() if veil.ready else b""))
        except ssl.SSLError:  # a bug or an attack; others have words waiting behind these
            self.cut()

    def _said(self) -> bytes:
        """All that waits; now it waits no more."""
        said = b"".join(self.waiting)
        self.waiting.clear()
        self.waiting_size = 0
        return said

    @property
    def can_speak(self) -> bool:
        """True unless a TLS handshake is still under way."""
        return self.veil is None or self.veil.ready

    def part(self, now: float) -> None:
        """Say what is left to say, and nothing after that."""
        if self.is_open:
            self._close(now)
            self._take_leave()

    def cut(self) -> None:
        """End it at once."""
        self._close(self.service.clock())
        self.waiting.clear()
        self.transport.abort()

    def _close(self, now: float) -> None:
        """Listen no more, and say nothing new."""
        self.is_open, self.parting_since = False, now

    def is_calm(self) -> bool:
        """True if nothing can be overdue: most wires, most of the time, need no more than this look at them."""
        if not self.is_open or self.line_since is not None or (self.veil is not None and not self.veil.ready):
            return False
        return not self.transport.get_write_buffer_size()

    def overdue(self, now: float) -> str | None:
        """Why the wire should be cut, if it should."""
        if not self.is_open:
            return "has been told goodbye" if now - self.parting_since > PARTING else None
        if not self.can_speak and now - self.made_at > TLS_WITHIN:
            return "did not finish its TLS handshake"
        return "does not read" if self._is_stuck(now) else None

    def hold(self, seconds: float, now: float) -> None:
        """Let the clocks stand still for a while in which the host slept; one that began since then is not ahead."""
        self.made_at = min(self.made_at + seconds, now)
        self.taken_since = min(self.taken_since + seconds, now)
        if self.line_since is not None:
            self.line_since = min(self.line_since + seconds, now)

    def is_trickling(self, now: float) -> bool:
        """True if a line was begun long ago and is not complete."""
        return self.is_open and self.line_since is not None and now - self.line_since > MESSAGE_WITHIN

    def _is_stuck(self, now: float) -> bool:
        """True if bytes wait to be read and none has been for a while."""
        waiting = self.transport.get_write_buffer_size()
        taken = self.written - waiting
        if taken != self.taken or not waiting:
            self.taken, self.taken_since = taken, now
        return now - self.taken_since > STUCK_OUTPUT

    def _take_leave(self) -> None:
        """Send the last words and close our side, once they can be sent."""
        self.flush()
        if not self.can_speak:
            return
        if self.veil:
            self._write(self.veil.end())
        try:
            self.transport.write_eof()
        except OSError:  # the peer is gone, and nobody has told us yet
            self.transport.abort()

    def _write(self, chunk: bytes) -> None:
        if chunk:
            self.written += len(chunk)
            self.transport.write(chunk)
