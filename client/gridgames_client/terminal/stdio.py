"""Lines from standard input and to standard output, and the terminal's echo between them."""

import asyncio
import contextlib
import os
import sys
import threading
from collections.abc import Callable
from typing import Any

try:
    import termios
except ImportError:  # a system whose terminals have no such switch
    termios = None  # type: ignore[assignment]

LINE_MAX = 10_000  # bytes; the longest line that means anything is a chat of 300 characters
LOCAL = 3  # where a terminal's modes hold what it does with typed lines


def read_lines(typed: Callable[[str | None], None]) -> None:
    """Pass on what is typed, line by line, and None at its end, from a thread that nobody has to wait for."""
    loop = asyncio.get_running_loop()

    def reading() -> None:
        held = b""
        # Not through sys.stdin: a thread that is stopped inside its lock would take the interpreter's end with it.
        while sys.stdin and (chunk := os.read(sys.stdin.fileno(), 65_536)):
            *lines, held = (held + chunk).split(b"\n")
            for line in lines:
                loop.call_soon_threadsafe(typed, line[:LINE_MAX].decode("utf-8", "replace"))
            held = held[:LINE_MAX]
        if held:
            loop.call_soon_threadsafe(typed, held.decode("utf-8", "replace"))

    def guarded() -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody listens any more
            with contextlib.suppress(OSError):  # a terminal that is gone ends what is typed on it
                reading()
            loop.call_soon_threadsafe(typed, None)

    threading.Thread(target=guarded, daemon=True).start()


def write_line(text: str) -> None:
    """Print a line at once; an OSError if nobody can read it any more."""
    if sys.stdout:
        # Not through sys.stdout: what stays in its buffer when a pipe breaks would complain at the interpreter's end.
        line = f"{text}\n".encode(sys.stdout.encoding or "ascii", "replace")
        while line:
            line = line[os.write(sys.stdout.fileno(), line) :]


class Echo:
    """Whether the terminal shows what is typed on it; nothing where standard input is no terminal."""

    def __init__(self) -> None:
        self.before: list[Any] | None = None
        self.shown = True
        if termios is not None and sys.stdin and sys.stdin.isatty():
            with contextlib.suppress(termios.error):
                self.before = termios.tcgetattr(sys.stdin)

    def show(self, shown: bool) -> bool:
        """Let what is typed from now on be seen, or not, but always the end of a line. True if that is a change."""
        if self.before is None or shown == self.shown:
            return False
        self.shown = shown
        modes = list(self.before)
        if not shown:
            modes[LOCAL] = modes[LOCAL] & ~termios.ECHO | termios.ECHONL
        with contextlib.suppress(termios.error):  # the terminal is gone
            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, modes)
        return True
