"""Lines that wait to be sent to one peer."""

PIECE = 64 * 1024  # bytes sent at once: the size of the transport's buffer


class OutputQueue:
    """A queue of bytes. Bytes for many peers are stored once: their queues share them."""

    __slots__ = ("_chunks", "_latest", "size")

    def __init__(self) -> None:
        self._chunks: list[bytes | memoryview] = []  # no deque: an empty one takes 760 bytes
        self._latest = b""  # the last chunk, if a newer one of its kind may replace it
        self.size = 0

    def __bool__(self) -> bool:
        return self.size > 0

    def put(self, chunk: bytes) -> None:
        """Append bytes."""
        self._append_latest()
        self._chunks.append(chunk)
        self.size += len(chunk)

    def put_latest(self, chunk: bytes) -> None:
        """Append bytes. They replace the last ones if those were put with this method too and are not sent yet."""
        self.size += len(chunk) - len(self._latest)
        self._latest = chunk

    def take(self) -> bytes:
        """Remove and return the first bytes, at most PIECE."""
        if self.size <= PIECE or not self._chunks:  # what fits goes out in one write
            self._append_latest()
        room, whole = PIECE, 0
        for chunk in self._chunks:
            if len(chunk) > room:
                break
            room -= len(chunk)
            whole += 1
        taken = self._chunks[:whole]
        del self._chunks[:whole]
        if self._chunks and room:
            rest = memoryview(self._chunks[0])
            taken.append(rest[:room])
            self._chunks[0], room = rest[room:], 0
        self.size -= PIECE - room
        return b"".join(taken)

    def clear(self) -> None:
        """Drop everything."""
        self._chunks.clear()
        self._latest = b""
        self.size = 0

    def _append_latest(self) -> None:
        if self._latest:
            self._chunks.append(self._latest)
            self._latest = b""
