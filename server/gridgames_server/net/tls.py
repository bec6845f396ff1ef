"""TLS for one connection, as bytes in and bytes out, and the queue of handshakes.

asyncio's own TLS is not used for two reasons. It hides a connection until the handshake is done, so no limit could
count it. And it can't answer in plain text to a peer that does not use TLS.
"""

import hashlib
import re
import ssl
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Generic

from gridgames_server.core.fair_queue import FairQueue, P
from gridgames_server.core.limits import HANDSHAKE_PAUSE, PARTS_PER_REQUEST

HELLO = 0x16  # the first byte of every TLS connection
RECORD = 16_384  # the most that one TLS record holds
HEADER = 5  # bytes of a record's header; its last two are the length of the rest
RECORD_MAX = HEADER + RECORD + 2_048  # bytes of the longest record: OpenSSL refuses a longer one by its header


def compute_fingerprint(pem: str) -> str:
    """Return the SHA-256 of the first certificate in a PEM file, as players see it."""
    found = re.search("-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----", pem, re.DOTALL)
    return hashlib.sha256(ssl.PEM_cert_to_DER_cert(found[0])).hexdigest() if found else "unreadable"


class TlsEngine:
    """The server's side of TLS on one connection."""

    def __init__(self, context: ssl.SSLContext) -> None:
        self._arriving, self._leaving = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._arriving, self._leaving, server_side=True)
        self.is_fresh = True  # nothing has arrived yet
        self.is_ready = False  # the handshake is done
        self.is_ended = False  # the peer has closed its side
        self._unfinished = b""  # the beginning of a record
        # What the last chunk cost to decrypt, in records. One without content is a change of keys, which takes 25 to
        # 50 µs: it counts as much as a request.
        self.parts = 0

    def unwrap(self, chunk: bytes) -> bytes:
        """Decrypt what the peer has sent. Raise `ssl.SSLError` if it is not valid TLS."""
        self.is_fresh, self.parts = False, 0
        said: list[bytes] = []
        for record in self._cut_into_records(chunk):
            was_ready, parts_before = self.is_ready, len(said)
            self._arriving.write(record)
            with suppress(ssl.SSLWantReadError):
                if not self.is_ready:
                    self._tls.do_handshake()
                    self.is_ready = True
                while part := self._tls.read(RECORD):
                    said.append(part)
                self.is_ended = True
            self.parts += PARTS_PER_REQUEST if was_ready and len(said) == parts_before else 1
        return b"".join(said)

    def _cut_into_records(self, chunk: bytes) -> Iterator[bytes]:
        """Yield the records that a chunk completes. The rest is kept."""
        arrived, at = self._unfinished + chunk, 0
        while at + HEADER <= len(arrived):
            end = at + HEADER + int.from_bytes(arrived[at + 3 : at + HEADER], "big")
            if end > len(arrived) and end - at <= RECORD_MAX:
                break
            yield arrived[at:end]
            at = end
        self._unfinished = arrived[at:]

    def wrap(self, said: bytes) -> bytes:
        """Encrypt bytes to send. TLS's own pending bytes come first."""
        left = memoryview(said)
        while left:
            left = left[self._tls.write(left) :]
        return self._leaving.read()

    def end(self) -> bytes:
        """Return the bytes that close our side of TLS."""
        with suppress(ssl.SSLError):  # raised because we do not wait for the peer to close its side
            self._tls.unwrap()
        return self._leaving.read()


# Handshakes -----------------------------------------------------------------------------------------------------------


CallLater = Callable[[float, Callable[[], None]], object]  # the loop's


class HandshakeQueue(Generic[P]):
    """Does handshakes in small steps, so that a flood of them does not make moves wait.

    A step is one chunk of a peer's handshake. It can take 5 ms of the loop with an RSA key of 4096 bits, 0.3 ms with an
    EC key. Steps are done one at a time with a pause between them, and the addresses take turns.
    """

    def __init__(self, handle: Callable[[P], None], call_later: CallLater, clock: Callable[[], float]) -> None:
        self._handle = handle  # does a connection's next step; never raises
        self._call_later, self._clock = call_later, clock
        self._waiting: FairQueue[P] = FairQueue()
        self._is_paused = False

    def put(self, connection: P) -> None:
        """Do the connection's next step now or later."""
        self._waiting.put(connection)
        if not self._is_paused:
            self._next()

    def _next(self) -> None:
        self._is_paused = bool(self._waiting)
        if not self._waiting:
            return
        began = self._clock()
        self._handle(self._waiting.take())
        self._call_later(max(HANDSHAKE_PAUSE, 2 * (self._clock() - began)), self._next)
