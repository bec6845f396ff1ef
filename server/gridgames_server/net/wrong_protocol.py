"""Answers to peers that speak another protocol: a browser, TLS, a person with netcat."""

from gridgames_protocol.codec import encode
from gridgames_protocol.messages import Bye

HTTP_METHODS = (b"GET ", b"POST ", b"HEAD ", b"PUT ", b"OPTIONS ", b"DELETE ", b"PATCH ", b"CONNECT ", b"TRACE ")
TLS_HANDSHAKE = 0x16


def make_help(opening: bytes, here: str) -> bytes | None:
    """Return a line of help for a peer whose first bytes are `opening`, or None if it may be a client."""
    first = opening.lstrip(b"\n")[:16]
    if not first or not (_is_text(first[0]) or _is_tls(first)):
        return None
    line = f"This is a gridgames server; play with: gridgames-client {here}\n".encode()
    if not is_http(opening):
        return line
    # A browser shows the line only in an HTTP response.
    head = f"HTTP/1.0 400 Bad Request\r\nContent-Type: text/plain\r\nContent-Length: {len(line)}\r\n"
    return head.encode() + b"Connection: close\r\n\r\n" + line


def is_http(opening: bytes) -> bool:
    """True if the first bytes are an HTTP request."""
    return opening.lstrip(b"\n").startswith(HTTP_METHODS)


def may_become_http(opening: bytes) -> bool:
    """True if the first bytes are the beginning of an HTTP method, so that the next packet decides."""
    first = opening.lstrip(b"\n")
    return bool(first) and any(method.startswith(first) and method != first for method in HTTP_METHODS)


def make_help_without_tls(opening: bytes, here: str) -> bytes:
    """Return the help for a peer without TLS on a server with TLS. It may be a client."""
    text = f"This server speaks TLS only; play with: gridgames-client {here}"
    return make_help(opening, here) or encode(Bye("protocol", text))


def _is_text(byte: int) -> bool:
    return 0x20 <= byte < 0x7F or byte in b"\r\t"


def _is_tls(first: bytes) -> bool:
    return first[0] == TLS_HANDSHAKE and first[1:2] in (b"", b"\x03")
