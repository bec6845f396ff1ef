"""Prints lines for people and scripts, who may stop reading at any time: `gridgames-server status | head -1`."""

import argparse
import errno
import os
import sys
from typing import Any, TextIO

from gridgames_protocol.safe_text import harmless

CLOSED = (errno.EPIPE, errno.EINVAL)  # nobody reads any more; the second one is Windows' number for it


def write_line(text: str, to: TextIO | None = None, end: str = "\n") -> None:
    """Write a line to stdout or another stream at once; a character that the stream lacks becomes a question mark.

    Raises OSError if it can't be written. What follows is dropped then.
    """
    stream = to or sys.stdout
    if stream is None:  # a program without a terminal on Windows
        return
    encoding = stream.encoding or "utf-8"
    try:
        print(text.encode(encoding, "replace").decode(encoding), end=end, file=stream, flush=True)
    except OSError:  # the interpreter would fail at its end when it flushes what is left
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
        raise


def print_line(text: str, to: TextIO | None = None, end: str = "\n") -> None:
    """Write a line for whoever may have stopped reading: nothing happens then. A full disk ends the program."""
    try:
        write_line(text, to, end)
    except OSError as error:
        if error.errno not in CLOSED and to is not sys.stderr:
            raise SystemExit(f"The output can't be written: {error.strerror}.") from None


class Parser(argparse.ArgumentParser):
    """A parser whose help and errors may go to a closed pipe, and quote an argument safely."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.color = False  # from Python 3.14 on the help would hold escape sequences, which are made harmless here

    def _print_message(self, message: str, file: Any = None) -> None:
        quoted = "\n".join(map(harmless, message.split("\n")))  # it may quote an argument
        print_line(quoted, file or sys.stderr, end="")
