"""The colour of the terminal's page is asked for once, and typing is not lost by it."""

import os
from select import select

import pytest

from gridgames_client.terminal.background import ASK_KIND, ASK_PAGE, ask_page, may_ask, read_colour

KIND = b"\x1b[?62;22c"


def answer(heard: bytes, limit: float = 5.0) -> tuple[str, bytes, bytes]:
    """What is learnt from a terminal that says something, and what it was asked."""
    terminal, program = os.openpty()
    try:
        os.write(terminal, heard)
        with ask_page(program, program, limit) as read_answer:
            page, typed = read_answer()
        asked = b""  # after the echo of what was said before the echo was off
        while not asked.endswith(ASK_KIND.encode()) and select([terminal], [], [], 5)[0]:
            asked += os.read(terminal, 1_024)
        return page, typed, asked
    finally:
        os.close(terminal)
        os.close(program)


def test_a_terminal_that_answers_tells_its_colour():
    page, typed, asked = answer(b"\x1b]11;rgb:ffff/fafa/f0f0\x1b\\" + KIND)
    assert (page, typed) == ("#fffaf0", b"")
    assert asked.endswith((ASK_PAGE + ASK_KIND).encode())


def test_a_terminal_without_that_answer_is_not_waited_for():
    assert answer(KIND)[:2] == ("", b"")


def test_a_terminal_that_says_nothing_is_left_alone_when_the_time_is_up():
    assert answer(b"", limit=0.0)[:2] == ("", b"")


def test_an_answer_that_is_there_counts_although_the_time_is_up():
    assert answer(b"\x1b]11;rgb:ff/ff/ff\x07" + KIND, limit=0.0)[:2] == ("#ffffff", b"")


def test_what_is_typed_meanwhile_is_kept():
    assert answer(b"n\x1b]11;rgb:00/00/00\x07\x1b[A" + KIND)[:2] == ("#000000", b"n\x1b[A")


@pytest.mark.parametrize(
    ("heard", "colour"),
    [
        (b"\x1b]11;rgb:0/8/f\x07", "#0088ff"),
        (b"\x1b]11;rgba:1212/3434/5656/ffff\x1b\\", "#123456"),
        (b"\x1b]11;white\x07", ""),
        (b"", ""),
    ],
)
def test_colours_are_read_in_every_length(heard, colour):
    assert read_colour(heard) == colour


@pytest.mark.parametrize(
    ("environ", "asks"),
    [
        ({"TERM": "xterm-256color"}, True),
        ({"TERM": "xterm", "COLORFGBG": "15;0"}, False),
        ({"TERM": "xterm", "SSH_CONNECTION": "1 2 3 4"}, False),
        ({"TERM": "linux"}, False),
        ({}, False),
    ],
)
def test_only_a_terminal_that_is_near_and_can_answer_is_asked(environ, asks):
    assert may_ask(environ) is asks
