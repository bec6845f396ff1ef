"""Prints lines for people and scripts, who may stop reading at any time: `gridgames-server status | head -1`."""

import argparse
import os
import sys
from typing import IO, Any

from gridgames_protocol.safe_text import harmless


def print_line(text: str, to: IO[str] | None = None, end: str = "\n") -> None:
    """Print a line to stdout or another stream. If its reader has closed the pipe, all that follows is dropped."""
    stream = to or sys.stdout
    if stream is None:  # a program without a terminal on Windows
        return
    try:
        print(text, end=end, file=stream, flush=True)
    except OSError:  # the interpreter would fail at its end when it flushes what is left
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


class Parser(argparse.ArgumentParser):
    """A parser whose help and errors may go to a closed pipe."""

    def _print_message(self, message: str, file: Any = None) -> None:
        quoted = "\n".join(map(harmless, message.split("\n")))  # it may quote an argument
        print_line(quoted, file or sys.stderr, end="")
