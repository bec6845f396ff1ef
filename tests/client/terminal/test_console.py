"""Lines typed at a Windows console, with a keyboard in the place of `msvcrt`."""

import signal

import pytest

from gridgames_client.terminal import stdio
from gridgames_client.terminal.stdio import Console, Echo, read_lines
from tests.wire import run, until


class Keyboard:
    """Keys that are typed, and what the console shows."""

    def __init__(self, keys):
        self.keys, self.shown = iter(keys), ""

    def getwch(self):
        return next(self.keys)

    def putwch(self, char):
        self.shown += char


class Terminal:
    """A standard input that is a terminal."""

    def isatty(self):
        return True


@pytest.mark.parametrize(
    ("keys", "line", "shown"),
    [
        ("DIG 2 3\r", "DIG 2 3", "DIG 2 3\r\n"),
        ("aü\b€\r", "a€", "aü\b \b€\r\n"),
        ("\b\r", "", "\r\n"),
        ("a\xe0Hb\x00;\r", "ab", "ab\r\n"),
        ("a\x1a\x1bb\r", "ab", "ab\r\n"),
        ("\x1a", None, ""),
    ],
)
def test_a_line_is_read_key_by_key_and_shown(keys, line, shown):
    keyboard = Keyboard(keys)
    assert Console(keyboard).read_line() == line
    assert keyboard.shown == shown


def test_without_echo_only_the_end_of_a_line_is_shown():
    keyboard = Keyboard("sesamo\be\rmore\r")
    console = Console(keyboard)
    console.echoes = False
    assert console.read_line() == "sesame"
    assert keyboard.shown == "\r\n"
    console.echoes = True
    assert console.read_line() == "more"
    assert keyboard.shown == "\r\nmore\r\n"


def test_ctrl_c_interrupts():
    heard = []
    before = signal.signal(signal.SIGINT, lambda number, frame: heard.append(number))
    try:
        assert Console(Keyboard("a\x03b\r")).read_line() == "ab"
    finally:
        signal.signal(signal.SIGINT, before)
    assert heard == [signal.SIGINT]


def test_typed_lines_come_from_the_console_and_the_echo_is_switched_there(monkeypatch):
    async def scenario():
        keyboard, lines = Keyboard("sesame\r\x1a"), []
        console = Console(keyboard)
        monkeypatch.setattr(stdio, "CONSOLE", console)
        monkeypatch.setattr(stdio, "termios", None)
        monkeypatch.setattr(stdio.sys, "stdin", Terminal())
        echo = Echo()
        assert echo.show(False)
        assert not echo.show(False)
        read_lines(lines.append)
        await until(lambda: lines == ["sesame", None])
        assert keyboard.shown == "\r\n"
        assert echo.show(True)
        assert console.echoes

    run(scenario())


def test_lines_of_an_input_that_is_closed_are_at_their_end(monkeypatch, tmp_path):
    async def scenario():
        with (tmp_path / "input").open("x+") as closed:
            pass
        lines = []
        monkeypatch.setattr(stdio.sys, "stdin", closed)
        read_lines(lines.append)
        await until(lambda: lines == [None])

    run(scenario())
