"""Asks the terminal for the colour of its page, while what draws is imported."""

import os
import re
import select
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

SIMPLE = ("dumb", "linux", "vt100", "vt220")  # terminals that may print what they do not know
ASK_PAGE = "\x1b]11;?\x1b\\"
ASK_KIND = "\x1b[c"  # every terminal answers this question, also those that do not know the other one
LIMIT = 0.1  # seconds to wait for the answer
PAGE = re.compile(rb"\x1b\]11;rgba?:([0-9a-fA-F]+)/([0-9a-fA-F]+)/([0-9a-fA-F]+)[^\x07\x1b]*(?:\x07|\x1b\\)")
KIND = re.compile(rb"\x1b\[\?[0-9;]*c")


def may_ask(environ: Mapping[str, str]) -> bool:
    """True for a local terminal that can answer. A late answer would look like typed letters."""
    far = "SSH_CONNECTION" in environ or "SSH_TTY" in environ
    return "COLORFGBG" not in environ and not far and environ.get("TERM", "dumb") not in SIMPLE


@contextmanager
def ask_page(source: int, target: int, limit: float = LIMIT) -> Iterator[Callable[[], tuple[str, bytes]]]:
    """Ask the terminal for the colour of its page, and yield a function that reads the answer.

    The function returns a colour such as #ffffff ("" if there is no answer) and what was typed meanwhile. The time
    limit counts from the question: whatever is done between the two makes the wait shorter.
    """
    if sys.platform == "win32":
        yield lambda: ("", b"")
        return
    import termios
    import tty

    before = termios.tcgetattr(source)
    try:
        tty.setcbreak(source, termios.TCSANOW)
        os.write(target, (ASK_PAGE + ASK_KIND).encode())
        ends = time.monotonic() + limit
        yield lambda: split_answer(read_until(source, lambda heard: KIND.search(heard) is not None, ends))
    finally:
        termios.tcsetattr(source, termios.TCSANOW, before)


def split_answer(heard: bytes) -> tuple[str, bytes]:
    """The colour in a terminal's answer, and what was typed meanwhile."""
    return read_colour(heard), KIND.sub(b"", PAGE.sub(b"", heard))


def read_until(source: int, enough: Callable[[bytes], bool], ends: float) -> bytes:
    """What comes until it is enough or the time is up; what is there already is read in any case."""
    heard = b""
    while not enough(heard):
        if not select.select([source], [], [], max(0.0, ends - time.monotonic()))[0]:
            break
        part = os.read(source, 1_024)
        if not part:
            break
        heard += part
    return heard


def read_colour(heard: bytes) -> str:
    """The colour in a terminal's answer; "" if there is none."""
    found = PAGE.search(heard)
    if found is None:
        return ""
    parts = [part.decode() for part in found.groups()]
    return "#" + "".join(f"{round(int(part, 16) * 255 / (16 ** len(part) - 1)):02x}" for part in parts)
