"""A real pseudo-terminal with a program in it, and the little of a terminal that reading its screen takes.

    async with terminal("gridgames-client", "127.0.0.1:4743") as ada:
        await ada.shows("Play now")
        ada.press("+")

Whatever a terminal would not expect here (an unknown sequence, a stray control byte) lands in `strange`.
"""

import asyncio
import codecs
import contextlib
import fcntl
import os
import re
import signal
import struct
import sys
import termios
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from gridgames_protocol.safe_text import columns
from tests.wire import environment

PATIENCE = 10.0  # seconds; what does not come within them never does
PROGRAMS = Path(sys.executable).parent
ALTERNATE, CURSOR, WRAP = 1049, 25, 7  # private modes of a terminal: its other screen, a cursor in sight, long lines
KEYS = {
    "enter": "\r", "escape": "\x1b", "tab": "\t", "backspace": "\x7f", "space": " ",
    "up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D", "pageup": "\x1b[5~", "pagedown": "\x1b[6~",
    "home": "\x1b[H", "end": "\x1b[F",
    "f1": "\x1bOP", "f2": "\x1bOQ", "f3": "\x1bOR", "f4": "\x1bOS", "f5": "\x1b[15~", "f6": "\x1b[17~",
    "f7": "\x1b[18~", "f8": "\x1b[19~", "f9": "\x1b[20~",
    "ctrl-c": "\x03", "ctrl-d": "\x04", "ctrl-l": "\x0c", "ctrl-q": "\x11",
}  # fmt: skip

COLOUR = "11;?"  # asks for the colour of the page; this terminal does not know it
_SEQUENCE = re.compile(
    r"\x1b(?:\[(?P<private>\??)(?P<numbers>[0-9;]*)(?P<final>[A-Za-z])|\](?P<title>[^\x07\x1b]*)(?:\x07|\x1b\\))"
)
_UNFINISHED = re.compile(r"\x1b(?:\[\??[0-9;]*|\][^\x07\x1b]*\x1b?)?")


@dataclass
class Screen:
    """What a terminal shows, from the bytes that it is sent."""

    rows: int = 24
    cols: int = 80
    modes: dict[int, bool] = field(default_factory=dict)  # the private ones that were switched
    titles: list[str] = field(default_factory=list)
    bells: int = 0
    strange: list[str] = field(default_factory=list)
    questions: int = 0  # where is the cursor?
    kind_questions: int = 0  # which kind of terminal is this?
    _held: str = ""

    def __post_init__(self):
        self.cells = [[" "] * self.cols for _ in range(self.rows)]
        self.other = [[" "] * self.cols for _ in range(self.rows)]  # the screen that is not in sight
        self.row = self.col = 0

    def text(self):
        """The screen as lines."""
        return "\n".join("".join(line).rstrip() for line in self.cells)

    def feed(self, text):
        """Take in some output."""
        text, self._held = self._held + text, ""
        while text:
            found = _SEQUENCE.match(text)
            if found:
                self._obey(found)
                text = text[found.end() :]
            elif _UNFINISHED.fullmatch(text):
                self._held, text = text, ""
            else:
                self._put(text[0])
                text = text[1:]

    def _put(self, char):
        match char:
            case "\r":
                self.col = 0
            case "\n":
                self._line_feed()
            case "\b":
                self.col = max(0, self.col - 1)
            case "\x07":
                self.bells += 1
            case _ if not char.isprintable():
                self.strange.append(char)
            case _:
                self._write(char)

    def _write(self, char):
        width = columns(char)
        if not width:  # it is drawn into the one before it
            return
        if self.col + width > self.cols:
            self.col = 0
            self._line_feed()
        self.cells[self.row][self.col : self.col + width] = [char, *[""] * (width - 1)]
        self.col += width

    def _line_feed(self):
        if self.row + 1 < self.rows:
            self.row += 1
        else:
            self.cells = [*self.cells[1:], [" "] * self.cols]

    def _obey(self, found):
        if found["title"] is not None:
            if found["title"] != COLOUR:
                self.titles.append(found["title"])
            return
        numbers = [int(number or 0) for number in found["numbers"].split(";")]
        one = max(1, numbers[0])
        match found["private"], found["final"]:
            case "?", "h" | "l" as switch:
                self.modes.update(dict.fromkeys(numbers, switch == "h"))
                if ALTERNATE in numbers:
                    self.cells, self.other = self.other, self.cells
            case "", "H":
                self.row, self.col = one - 1, max(1, numbers[-1] if len(numbers) > 1 else 1) - 1
            case "", "A":
                self.row = max(0, self.row - one)
            case "", "B":
                self.row = min(self.rows - 1, self.row + one)
            case "", "C":
                self.col = min(self.cols - 1, self.col + one)
            case "", "D":
                self.col = max(0, self.col - one)
            case "", "K":
                self.cells[self.row][self.col :] = [" "] * (self.cols - self.col)
            case "", "J":
                self._erase(numbers[0])
            case "", "n" if numbers == [6]:
                self.questions += 1
            case "", "c":
                self.kind_questions += 1
            case "", "m":
                pass
            case _:
                self.strange.append(found[0])

    def _erase(self, how):
        if how == 2:
            self.cells = [[" "] * self.cols for _ in range(self.rows)]
        else:
            self.cells[self.row][self.col :] = [" "] * (self.cols - self.col)
            for row in range(self.row + 1, self.rows):
                self.cells[row] = [" "] * self.cols


@dataclass
class Terminal:
    """A program in a pseudo-terminal, and whoever sits before it."""

    process: asyncio.subprocess.Process
    master: int
    screen: Screen
    raw: bytearray = field(default_factory=bytearray)  # everything that was ever sent to it
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    closed: asyncio.Event = field(default_factory=asyncio.Event)
    decoder: codecs.IncrementalDecoder = field(default_factory=codecs.getincrementaldecoder("utf-8"))

    def readable(self):
        """Take in what the program has written."""
        try:
            chunk = os.read(self.master, 65_536)
        except OSError:  # nobody has the other end any more
            chunk = b""
        if not chunk:
            asyncio.get_running_loop().remove_reader(self.master)
            self.closed.set()
        self.raw += chunk
        self.screen.feed(self.decoder.decode(chunk))
        while self.screen.questions:
            self.screen.questions -= 1
            self.types(f"\x1b[{self.screen.row + 1};{self.screen.col + 1}R")
        while self.screen.kind_questions:
            self.screen.kind_questions -= 1
            self.types("\x1b[?6c")
        self.changed.set()

    def types(self, text):
        """Type some characters."""
        os.write(self.master, text.encode())

    def press(self, *keys):
        """Press keys by their names; one that has none is typed."""
        for key in keys:
            self.types(KEYS.get(key, key))

    def enters(self, line):
        """Type a line and Enter."""
        self.types(line + "\r")

    def text(self):
        return self.screen.text()

    async def until(self, true, what):
        """Wait for the screen to become so; show it if it never does."""
        try:
            async with asyncio.timeout(PATIENCE):
                while not true():
                    self.changed.clear()
                    await self.changed.wait()
        except TimeoutError:
            raise AssertionError(f"waited for {what}, and the screen shows:\n{self.text()}") from None

    async def shows(self, *texts):
        """Wait until all of these are on the screen."""
        await self.until(lambda: all(text in self.text() for text in texts), f"{texts!r}")

    async def shows_no_more(self, text):
        """Wait until this has gone from the screen."""
        await self.until(lambda: text not in self.text(), f"{text!r} to go")

    def resize(self, rows, cols):
        """Give the window another size."""
        self.screen.rows, self.screen.cols = rows, cols
        self.screen.__post_init__()
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))

    async def ends(self, by=None):
        """The exit code, after a signal if one is given; everything that it wrote has been read then."""
        if by:
            self.process.send_signal(by)
        async with asyncio.timeout(PATIENCE):
            code = await self.process.wait()
            await self.closed.wait()
        return code

    def hang_up(self):
        """Close the window."""
        asyncio.get_running_loop().remove_reader(self.master)
        os.close(self.master)
        self.master = -1

    def is_restored(self):
        """True if the terminal has been left as it was found: no other screen, no mouse, the cursor to be seen."""
        on = {mode for mode, switched in self.screen.modes.items() if switched}
        return on <= {CURSOR, WRAP} and self.screen.modes.get(CURSOR, True)


@asynccontextmanager
async def terminal(program, *arguments, rows=24, cols=80, term="xterm-256color", **variables):
    """Run a program of the project in a pseudo-terminal until the story ends."""
    master, slave = os.openpty()
    fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))
    process = await asyncio.create_subprocess_exec(
        PROGRAMS / program,
        *map(str, arguments),
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env=environment(**{"TERM": term, "GRIDGAMES_SEARCH": "none", **variables}),
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    )
    os.close(slave)
    found = Terminal(process, master, Screen(rows, cols))
    loop = asyncio.get_running_loop()
    loop.add_reader(master, found.readable)
    try:
        yield found
    finally:
        if found.master >= 0:
            loop.remove_reader(master)
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.send_signal(signal.SIGKILL)
            await process.wait()
        if found.master >= 0:
            os.close(master)
