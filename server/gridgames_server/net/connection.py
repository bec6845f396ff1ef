"""One client's connection: its bytes in both directions, TLS, flow control and deadlines.

It does not know the hub. It calls its owner, and the owner queues lines on it.
"""

import asyncio
import logging
import ssl
from collections.abc import Sequence
from typing import Protocol, cast

from gridgames_protocol.errors import WireError
from gridgames_protocol.framing import CLIENT_LINE_MAX, Splitter
from gridgames_server.core.limits import (
    MESSAGE_WITHIN,
    OUTPUT_CAP,
    OUTPUT_MAX,
    OUTPUT_PROGRESS,
    READ_SIZE,
    STUCK_OUTPUT,
    TLS_WITHIN,
)
from gridgames_server.net import addresses, wrong_protocol
from gridgames_server.net.output_queue import OutputQueue
from gridgames_server.net.session_log import SessionLog
from gridgames_server.net.tls import HELLO, TlsEngine

log = logging.getLogger("gridgames")

# Closing a socket with unread input makes the system discard lines that the peer has not read yet. So a closing
# connection sends what is queued, ends its own side, and keeps reading until the peer has closed too or has taken
# nothing for PARTING seconds.
PARTING = 2.0
PARTING_MAX = 60.0  # seconds for the whole close

READ_BUFFER = memoryview(bytearray(READ_SIZE))  # shared: each chunk is copied before the next one is read


class Owner(Protocol):
    """What a connection calls on the server."""

    session_log: SessionLog

    def clock(self) -> float:
        """Return the time."""

    def connection_opened(self, connection: "Connection") -> None:
        """Called for a new connection."""

    def handshake_wanted(self, connection: "Connection", is_first: bool) -> None:
        """Called for a part of a TLS handshake. The owner calls `continue_handshake` when there is time."""

    def input_arrived(self, connection: "Connection") -> None:
        """Called for input. The owner calls `handle_input` when there is time."""

    def lines_received(
        self, connection: "Connection", lines: Sequence[bytes | WireError], size: int, parts: int
    ) -> None:
        """Called for each chunk of `size` bytes, with its lines, and the number of reads and records without one."""

    def wrong_protocol_found(self, connection: "Connection", help: bytes, why: str = "is no client") -> None:
        """Called if the peer speaks another protocol. `help` is the answer to it."""

    def answers_http(self) -> bool:
        """True if browsers get more than one line of help."""

    def http_requested(self, connection: "Connection", line: bytes) -> None:
        """Called with the first line of a browser's request."""

    def connection_ended(self, connection: "Connection") -> None:
        """Called at the end of the peer's input."""

    def connection_closed(self, connection: "Connection") -> None:
        """Called once the connection is closed."""

    def flush_soon(self, connection: "Connection") -> None:
        """Call `flush` at the end of this turn of the loop, or before."""


class Connection(asyncio.BufferedProtocol):
    """A connection is open, then closing (its last lines are sent), then closed."""

    __slots__ = (
        *("id", "address", "transport", "is_open", "_is_aborted", "_owner"),
        *("_tls", "_engine", "_tls_since", "_waiting_input", "_waiting_since", "_has_input_ended"),
        *("_splitter", "_first_bytes", "_opening", "_is_http", "_line_since", "_is_reading", "_is_held"),
        *("_output", "_written", "_is_writing_paused", "_is_output_ended"),
        *("_progress", "_progress_at", "_patience", "_closing_until"),
    )

    def __init__(self, owner: Owner, id: int, tls: ssl.SSLContext | None = None) -> None:
        self._owner, self.id, self._tls = owner, id, tls
        self._engine = TlsEngine(tls) if tls else None
        self._waiting_input = b""  # until its turn has come
        self._has_input_ended = False  # the peer has closed its side, and input waits
        self._splitter = Splitter(CLIENT_LINE_MAX)
        self._first_bytes = True  # only LFs have been read so far
        self._opening = b""  # the beginning of an HTTP method; its rest has not arrived
        self._is_http = False  # the peer is a browser
        self._line_since: float | None = None  # when an unfinished line began
        self.is_open, self._is_aborted = True, False
        self._is_reading, self._is_held = True, False
        self._output = OutputQueue()
        self._written = 0  # bytes given to the transport
        self._is_writing_paused = False  # the transport's buffer is full
        self._is_output_ended = False
        # How many bytes the peer had taken at the last progress, and when that was. None: nothing waits.
        self._progress, self._progress_at = 0, cast("float | None", None)
        self._patience, self._closing_until = float(STUCK_OUTPUT), 0.0

    # Called by the event loop -----------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        self.address = addresses.make_limit_key(transport.get_extra_info("peername"))
        self._tls_since = self._waiting_since = self._owner.clock()
        self._owner.connection_opened(self)

    def get_buffer(self, sizehint: int) -> memoryview:
        return READ_BUFFER

    def buffer_updated(self, nbytes: int) -> None:
        chunk, waits_already = bytes(READ_BUFFER[:nbytes]), bool(self._waiting_input)
        if self._engine is not None and self._engine.is_fresh and not waits_already and chunk[0] != HELLO:
            self._engine = None  # a peer without TLS is answered without TLS
            help = wrong_protocol.make_help_without_tls(chunk, self.typed_address())
            self._owner.wrong_protocol_found(self, help, "does not use TLS")
            return
        self._waiting_input += chunk
        if not waits_already:
            if self._engine is not None and not self._engine.is_ready:
                self._waiting_since = self._owner.clock()
                self._owner.handshake_wanted(self, self._engine.is_fresh)
            else:
                self._owner.input_arrived(self)
        if self._waiting_input:
            self._update_reading()

    def eof_received(self) -> bool:
        self._has_input_ended = bool(self._waiting_input) and (self._engine is None or self._engine.is_ready)
        if not self._has_input_ended:
            self._end_input()
        return self._has_input_ended  # True keeps the transport open

    def connection_lost(self, exc: Exception | None) -> None:
        self.is_open, self._is_aborted = False, True
        self._owner.connection_closed(self)

    def pause_writing(self) -> None:
        self._is_writing_paused = True

    def resume_writing(self) -> None:
        self._is_writing_paused = False
        self.flush()

    # Input ------------------------------------------------------------------------------------------------------------

    def continue_handshake(self) -> None:
        """Do the next step of the TLS handshake. A closed connection does nothing."""
        self._tls_since += self._owner.clock() - self._waiting_since  # the peer is not to blame for the wait
        self.handle_input()

    def handle_input(self) -> None:
        """Handle what was received. A closed connection does nothing."""
        chunk, self._waiting_input = self._waiting_input, b""
        if self._is_aborted:
            return
        if self._engine is not None:
            self._receive_tls(self._engine, chunk)
        else:
            self._receive(chunk, len(chunk), 1)
        self._update_reading()
        if self._has_input_ended:
            self._end_input()
            self.transport.close()

    def _receive_tls(self, engine: TlsEngine, chunk: bytes) -> None:
        if not self.is_open and engine.is_ready:
            return  # closing: input is dropped
        was_ready = engine.is_ready
        try:
            plain = engine.unwrap(chunk)
        except ssl.SSLError:
            self._owner.session_log.log_event(self.id, "broke TLS")
            self._write(engine.wrap(b""))  # the TLS alert
            self._engine = None
            self._output.clear()
            self._owner.connection_ended(self)
            return
        if not was_ready:
            self.flush()  # the handshake's bytes, and lines that were queued during it
            self._receive(plain, 0, 0)
        else:
            self._receive(plain, len(chunk), max(1, engine.parts))
        if engine.is_ended:
            self._end_input()

    def _end_input(self) -> None:
        """The peer sends nothing more. One that began like a browser and stopped gets the line of help."""
        help = wrong_protocol.make_help(self._opening, self.typed_address()) if self._opening else None
        if help and self.is_open:
            self._owner.wrong_protocol_found(self, help)
        else:
            self._owner.connection_ended(self)

    def _receive(self, chunk: bytes, size: int, parts: int) -> None:
        """Handle bytes for which the peer pays: for `size` bytes in so many reads or TLS records."""
        if not self.is_open:
            return
        if not chunk:
            self._owner.lines_received(self, (), size, parts)
            return
        if self._first_bytes:
            chunk, self._opening = self._opening + chunk, b""
            if wrong_protocol.may_become_http(chunk) and self._owner.answers_http():
                self._opening = chunk
                if self._line_since is None:
                    self._line_since = self._owner.clock()
                return
            self._first_bytes = not chunk.strip(b"\n")
            help = wrong_protocol.make_help(chunk, self.typed_address())
            if wrong_protocol.is_http(chunk) and self._owner.answers_http():
                self._is_http = True
            elif help:
                self._owner.wrong_protocol_found(self, help)
                return
        lines = self._splitter.feed(chunk)
        if not self._splitter.pending:
            self._line_since = None
        elif self._line_since is None or b"\n" in chunk:
            self._line_since = self._owner.clock()
        if self._is_http:
            if lines:
                self._line_since = None
                self.hold_input()  # until the answer: the rest of the request must not be taken for another one
                self._owner.http_requested(self, lines[0] if isinstance(lines[0], bytes) else b"")
            return
        self._owner.lines_received(self, lines, size, max(0, parts - len(lines)))

    @property
    def has_tls(self) -> bool:
        """True if the server uses TLS."""
        return self._tls is not None

    def typed_address(self) -> str:
        """Return the arguments with which gridgames-client connects to this server."""
        return addresses.format_address(self.transport.get_extra_info("sockname")) + (" --tls" if self._tls else "")

    def hold_input(self) -> None:
        """Stop reading until `release_input`."""
        self._is_held = True
        self._update_reading()

    def release_input(self) -> None:
        """Read again."""
        self._is_held = False
        self._update_reading()

    @property
    def is_reading(self) -> bool:
        """False while reading is paused. The peer is then not to blame for its silence."""
        return self._is_reading

    def _update_reading(self) -> None:
        """Pause reading while input is held, while too much output waits, and while a whole read waits for its turn."""
        wanted = not self.is_open or (not self._is_held and self.unsent <= OUTPUT_MAX)
        wanted = wanted and len(self._waiting_input) < READ_SIZE
        if wanted != self._is_reading:
            self._is_reading = wanted
            if wanted:
                self.transport.resume_reading()
            else:
                self.transport.pause_reading()

    # Output -----------------------------------------------------------------------------------------------------------

    @property
    def unsent(self) -> int:
        """Number of bytes that were not yet given to the system."""
        return self._output.size + self.transport.get_write_buffer_size()

    def queue(self, lines: bytes) -> None:
        """Send these lines after all others, by the end of this turn of the loop or when the peer reads."""
        is_first = not self._output
        self._output.put(lines)
        if is_first:
            self._owner.flush_soon(self)
        self._send_if_much()

    def queue_latest(self, line: bytes) -> None:
        """Like `queue`, but only the last of several such lines in a row is sent if the peer reads slowly."""
        is_first = not self._output
        self._output.put_latest(line)
        if is_first:
            self._owner.flush_soon(self)
        self._send_if_much()

    def _send_if_much(self) -> None:
        if self._output.size > OUTPUT_MAX:
            self.flush()
            if self.is_open and self.unsent > OUTPUT_CAP:
                self._owner.session_log.log_event(self.id, "is too far behind, closed")
                self.abort()

    def flush(self) -> None:
        """Send what is queued, in pieces, until the transport's buffer is full."""
        try:
            if self._engine is not None and not self._engine.is_ready:
                self._write(self._engine.wrap(b""))
                return
            while self._output and not self._is_writing_paused:
                piece = self._output.take()
                self._write(piece if self._engine is None else self._engine.wrap(piece))
        except ssl.SSLError:  # a bug or an attack; other connections must still be flushed
            self.abort()
            return
        if not self.is_open and not self._output:
            self._end_output()
        if not self._is_reading:
            self._update_reading()

    def _write(self, chunk: bytes) -> None:
        if chunk:
            self._written += len(chunk)
            self.transport.write(chunk)

    # The end ----------------------------------------------------------------------------------------------------------

    def close_gracefully(self, patience: float = PARTING, within: float = PARTING_MAX, last_bytes: bytes = b"") -> None:
        """Send what is queued and `last_bytes`, then close. Input is dropped from now on.

        The peer must take some bytes every `patience` seconds, and all bytes `within` seconds. OUTPUT_CAP does not hold
        for the last bytes.
        """
        if self.is_open:
            self.is_open = False
            now = self._owner.clock()
            self._patience, self._closing_until = patience, now + within
            if last_bytes:
                self._output.put(last_bytes)
            self.flush()
            self._progress, self._progress_at = self._count_taken(), now
            self._update_reading()

    def abort(self) -> None:
        """Close at once. What is queued is lost."""
        self.is_open, self._is_aborted = False, True
        self._output.clear()
        self.transport.abort()

    @property
    def is_closing(self) -> bool:
        """True while the last lines are sent, and until the peer has closed too."""
        return not (self.is_open or self._is_aborted)

    def _end_output(self) -> None:
        """Close our side after everything is sent. Later calls do nothing."""
        if self._is_output_ended:
            return
        self._is_output_ended = True
        self._patience = PARTING
        if self._engine is not None:
            self._write(self._engine.end())
        try:
            self.transport.write_eof()
        except OSError:  # the peer is gone, and the loop has not noticed yet
            self.transport.abort()

    # Deadlines --------------------------------------------------------------------------------------------------------

    def find_overdue(self, now: float) -> str | None:
        """Return why the connection should be aborted now, or None."""
        if not self.is_open:
            return "is closed" if self._is_stuck(now) or now > self._closing_until else None
        if self._engine is not None and not self._engine.is_ready:
            is_late = not self._waiting_input and now - self._tls_since > TLS_WITHIN
            return "did not finish its TLS handshake" if is_late else None
        return "does not read" if self._is_stuck(now) else None

    def is_trickling(self, now: float) -> bool:
        """True if a line was begun long ago and is not complete."""
        return self.is_open and self._line_since is not None and now - self._line_since > MESSAGE_WITHIN

    def input_was_held(self, now: float) -> None:
        """Restart the time for an unfinished line: reading was paused, so its rest could not be read."""
        if self._line_since is not None:
            self._line_since = now

    def _is_stuck(self, now: float) -> bool:
        """True if the peer has taken too few bytes for too long. The more waits, the more it must take."""
        unsent = self.unsent
        if not unsent and self.is_open:
            self._progress_at = None
            return False
        taken, wanted = self._count_taken(), OUTPUT_PROGRESS if unsent > OUTPUT_MAX else 1
        if self._progress_at is None or taken - self._progress >= wanted:
            self._progress, self._progress_at = taken, now
        return now - self._progress_at > self._patience

    def _count_taken(self) -> int:
        """Return the number of bytes that have left the transport."""
        return self._written - self.transport.get_write_buffer_size()
