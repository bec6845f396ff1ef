"""The output to the terminal."""

import os
import sys
from collections.abc import Callable
from typing import TextIO, cast

from prompt_toolkit.output import Output, create_output


class WholeWrites:
    """Standard output that writes everything it is given.

    A signal can interrupt a write to a slow terminal. Python's buffered output then loses bytes, and the screen stays
    garbled after a resize. Here the rest is written again.
    """

    def __init__(self, stream: TextIO, write: Callable[[int, bytes], int] = os.write) -> None:
        self.stream, self.encoding, self.errors = stream, stream.encoding, stream.errors
        self.buffer = self  # prompt_toolkit encodes, and writes to the buffer
        self._write = write

    def write(self, data: bytes) -> None:
        while data:
            data = data[self._write(self.fileno(), data) :]

    def flush(self) -> None:
        self.stream.flush()

    def fileno(self) -> int:
        return self.stream.fileno()

    def isatty(self) -> bool:
        return self.stream.isatty()


def open_output() -> Output:
    """Return the output to draw on."""
    if sys.platform == "win32" or not sys.stdout.isatty():
        return create_output()
    return create_output(cast(TextIO, WholeWrites(sys.stdout)))
