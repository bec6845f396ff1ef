"""Bytes to lines and back: a message's bytes never hold an LF, so an LF always ends a line.

Stuffing spends two bytes on each LF (`C1 01`) and on each `C1` (`C1 00`). `C1` starts no MessagePack value and
occurs in no UTF-8 text, so stuffing rarely adds a byte. A reader that lost its place starts again at the next LF.
"""

import re

from gridgames_protocol.errors import BadLine, TooLong

CLIENT_LINE_MAX = 4_096  # a request is one typed line and a few words: a page of memory is plenty
SERVER_LINE_MAX = 65_536  # `welcome` with every game's rules must fit, and an `over` part with a long game's moves

EMPTY_LINES = re.compile(rb"\n{2,}")


def stuff(payload: bytes) -> bytes:
    """Stuff bytes and end them with an LF."""
    return payload.replace(b"\xc1", b"\xc1\x00").replace(b"\n", b"\xc1\x01") + b"\n"


def unstuff(line: bytes) -> bytes:
    """Undo the stuffing of a line, without its LF."""
    marks = line.count(b"\xc1")
    if not marks:
        return line
    if marks != line.count(b"\xc1\x00") + line.count(b"\xc1\x01"):
        raise BadLine("a C1 byte is followed by neither 00 nor 01")
    return line.replace(b"\xc1\x01", b"\n").replace(b"\xc1\x00", b"\xc1")


class Splitter:
    """Cuts a stream of chunks into lines; holds at most one unfinished line of the limit's size."""

    __slots__ = ("_dropping", "_held", "limit", "pending")

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._held = b""
        self._dropping = False
        self.pending = False  # bytes of an unfinished line have arrived

    def feed(self, chunk: bytes) -> list[bytes | TooLong]:
        """The non-empty lines that this chunk completes, without their LFs; `TooLong` where one was dropped."""
        arrived = self._held + chunk
        if b"\n\n" in arrived:  # each empty line would be an object in a list
            arrived = EMPTY_LINES.sub(b"\n", arrived)
        *ended, rest = arrived.split(b"\n")
        found: list[bytes | TooLong] = []
        for line in ended:
            if self._dropping:
                self._dropping = False
            elif len(line) >= self.limit:
                found.append(TooLong(self.limit))
            elif line:
                found.append(line)
        if self._dropping:
            rest = b""
        elif len(rest) >= self.limit:
            # Report it now: the line may never end.
            found.append(TooLong(self.limit))
            self._dropping, rest = True, b""
        self._held = rest
        self.pending = self._dropping or bool(rest)
        return found
