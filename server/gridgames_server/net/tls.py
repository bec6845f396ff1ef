"""TLS around one connection, as bytes in and bytes out.

The loop's own TLS would hide a connection until its handshake is done, where no limit counts it, and could not answer
in plain text one who came without TLS.
"""

import hashlib
import re
import ssl
from contextlib import suppress

HELLO = 0x16  # the first byte of every TLS connection
RECORD = 16_384  # the most that one TLS record holds


def fingerprint(pem: str) -> str:
    """What players see of the first certificate in a file: the SHA-256 of its bytes."""
    found = re.search("-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----", pem, re.DOTALL)
    return hashlib.sha256(ssl.PEM_cert_to_DER_cert(found[0])).hexdigest() if found else "not to be read"


class Veil:
    """The server's side of TLS on one connection."""

    def __init__(self, context: ssl.SSLContext) -> None:
        self._arriving, self._leaving = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._arriving, self._leaving, server_side=True)
        self.ready = False  # the handshake is done
        self.ended = False  # the peer has said that it says no more

    def unwrap(self, chunk: bytes) -> bytes:
        """What the peer says with these bytes; `ssl.SSLError` if they are wrong."""
        self._arriving.write(chunk)
        said = []
        with suppress(ssl.SSLWantReadError):
            if not self.ready:
                self._tls.do_handshake()
                self.ready = True
            while part := self._tls.read(RECORD):
                said.append(part)
            self.ended = True
        return b"".join(said)

    def wrap(self, said: bytes) -> bytes:
        """The bytes to send for what we say, behind those that TLS itself has to send."""
        left = memoryview(said)
        while left:
            left = left[self._tls.write(left) :]
        return self._leaving.read()

    def end(self) -> bytes:
        """The bytes that tell the peer that we say no more."""
        with suppress(ssl.SSLError):  # it wants to wait for the peer's own last bytes; we do not
            self._tls.unwrap()
        return self._leaving.read()
