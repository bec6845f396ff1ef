"""Reads lines from standard input, rings the bell, and switches the terminal's echo."""

import asyncio
import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, Protocol, TypeVar, cast

from gridgames_protocol.machine.signals import call_on_signals, stop_calling

try:
    import termios
except ImportError:  # not on Windows
    termios = None  # type: ignore[assignment]

T = TypeVar("T")

LINE_MAX = 10_000  # bytes; the longest line that means anything is a chat of 300 characters
SIGNALS = ("SIGTERM", "SIGHUP", "SIGINT")  # they end a question
LOCAL = 3  # index of the local modes in a terminal's attributes
CTRL_C, CTRL_Z, PREFIXES = "\x03", "\x1a", "\x00\xe0"  # a prefix announces the code of a key without a character


class Keyboard(Protocol):
    """The part of `msvcrt` that is used."""

    def getwch(self) -> str: ...

    def putwch(self, char: str, /) -> None: ...


class Console:
    """A Windows console. It is read key by key, so that the echo can be switched while somebody types."""

    def __init__(self, keyboard: Keyboard) -> None:
        self.keyboard = keyboard
        self.echoes = True

    def read_line(self) -> str | None:
        """Return the next line, or None at the end of the input (Ctrl-Z)."""
        typed: list[str] = []
        while (key := self.keyboard.getwch()) not in ("\r", "\n"):
            if key == CTRL_C:
                signal.raise_signal(signal.SIGINT)
            elif key == CTRL_Z and not typed:
                return None
            elif key in PREFIXES:
                self.keyboard.getwch()
            elif key == "\b":
                if typed:
                    self._echo("\b \b")
                    typed.pop()
            elif key.isprintable():
                typed.append(key)
                self._echo(key)
        for char in "\r\n":
            self.keyboard.putwch(char)
        return "".join(typed)

    def _echo(self, text: str) -> None:
        for char in text if self.echoes else "":
            self.keyboard.putwch(char)


def find_console() -> Console | None:
    """Return the console on Windows; None on other systems."""
    try:
        import msvcrt
    except ImportError:
        return None
    return Console(cast("Keyboard", msvcrt)) if hasattr(msvcrt, "getwch") else None


CONSOLE = find_console()


def read_lines(typed: Callable[[str | None], None]) -> None:
    """Pass typed lines on, then None. A daemon thread reads them."""
    loop = asyncio.get_running_loop()

    def reading() -> None:
        if CONSOLE is not None and sys.stdin and sys.stdin.isatty():
            while (text := CONSOLE.read_line()) is not None:
                loop.call_soon_threadsafe(typed, text[:LINE_MAX])
            return
        held = b""
        # Not through sys.stdin: a thread that is stopped inside its lock would block the interpreter's end.
        while sys.stdin and (chunk := os.read(sys.stdin.fileno(), 65_536)):
            *lines, held = (held + chunk).split(b"\n")
            for line in lines:
                loop.call_soon_threadsafe(typed, line[:LINE_MAX].decode("utf-8", "replace"))
            held = held[:LINE_MAX]
        if held:
            loop.call_soon_threadsafe(typed, held.decode("utf-8", "replace"))

    def guarded() -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed
            try:
                with contextlib.suppress(OSError, ValueError):  # the terminal is gone, or stdin is closed
                    reading()
            finally:
                loop.call_soon_threadsafe(typed, None)

    threading.Thread(target=guarded, daemon=True).start()


def ring_bell() -> None:
    """Ring the terminal's bell."""
    with contextlib.suppress(OSError):
        os.write(sys.stdout.fileno(), b"\a")


def format_time(seconds: int) -> str:
    """A time since 1970 as local date and time."""
    try:
        return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))
    except (OverflowError, ValueError, OSError):  # out of the calendar's range
        return "once"


class Echo:
    """The terminal's echo. Does nothing if standard input is no terminal."""

    def __init__(self) -> None:
        self.before: list[Any] | None = None
        self.shown = True
        if termios is not None and sys.stdin and sys.stdin.isatty():
            with contextlib.suppress(termios.error):
                self.before = termios.tcgetattr(sys.stdin)

    def show(self, shown: bool) -> bool:
        """Switch the echo; line ends are always echoed. True if it was switched."""
        if CONSOLE is not None and shown != CONSOLE.echoes and sys.stdin and sys.stdin.isatty():
            CONSOLE.echoes = shown
            return True
        if self.before is None or shown == self.shown:
            return False
        self.shown = shown
        modes = list(self.before)
        if not shown:
            modes[LOCAL] = modes[LOCAL] & ~termios.ECHO | termios.ECHONL
        with contextlib.suppress(termios.error):  # the terminal is gone
            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, modes)
        return True


class EndedBySignal(Exception):
    """A signal has ended a question: the program ends."""


async def ask_until_signal(asking: Coroutine[object, object, T]) -> T:
    """The answer to a question; EndedBySignal after a signal to end. The question restores the terminal."""
    question = asyncio.create_task(asking)
    signals: list[str] = []

    def end(name: str) -> None:
        signals.append(name)
        question.cancel()

    # The handlers of an ended screen are still there, and do nothing.
    for name in SIGNALS:
        call_on_signals((name,), partial(end, name))
    try:
        await asyncio.wait({question})
    finally:
        question.cancel()
        stop_calling(SIGNALS)
    if "SIGINT" in signals:
        raise KeyboardInterrupt
    if signals:
        raise EndedBySignal
    return question.result()
