"""What to say to those who came to the wrong door: a browser, another protocol, a person with netcat."""

from gridgames_protocol.messages import Bye, encode

HTTP_METHODS = (b"GET ", b"POST ", b"HEAD ", b"PUT ", b"OPTIONS ", b"DELETE ", b"PATCH ", b"CONNECT ", b"TRACE ")
TLS_HANDSHAKE = 0x16


def answer(opening: bytes, here: str) -> bytes | None:
    """The line of help for a connection that opens like this, or None if it may be a client."""
    first = opening.lstrip(b"\n")[:16]
    if not first or not (_is_text(first[0]) or _is_tls(first)):
        return None
    line = f"This is a gridgames server; play with: gridgames-client {here}\n".encode()
    if not first.startswith(HTTP_METHODS):
        return line
    # A browser shows nothing but an error unless the line comes in its own wrapping.
    head = f"HTTP/1.0 400 Bad Request\r\nContent-Type: text/plain\r\nContent-Length: {len(line)}\r\n"
    return head.encode() + b"Connection: close\r\n\r\n" + line


def answer_without_tls(opening: bytes, here: str) -> bytes:
    """The help for one who opens without TLS where TLS is spoken; it may well be a client."""
    text = f"This server speaks TLS only; play with: gridgames-client {here}"
    return answer(opening, here) or encode(Bye("protocol", text))


def _is_text(byte: int) -> bool:
    return 0x20 <= byte < 0x7F or byte in b"\r\t"


def _is_tls(first: bytes) -> bool:
    return first[0] == TLS_HANDSHAKE and first[1:2] in (b"", b"\x03")
