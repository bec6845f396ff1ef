"""The window: focus, notifications, and whole frames."""

import asyncio

import pytest
from prompt_toolkit.output import DummyOutput

from gridgames_client.terminal.window import FOCUS_OFF, FOCUS_ON, FRAME_BEGIN, FRAME_END, Window, choose_notification
from tests.client.piped_app import playing
from tests.client.seated_controllers import Scenario
from tests.wire import run, until


class Recorder(DummyOutput):
    """Output that keeps what is written raw, and counts bells."""

    def __init__(self) -> None:
        self.raw, self.bells = "", 0

    def write_raw(self, data: str) -> None:
        self.raw += data

    def bell(self) -> None:
        self.bells += 1


@pytest.mark.parametrize(
    ("environ", "begins"),
    [
        ({"TERM_PROGRAM": "iTerm.app"}, "\x1b]9;"),
        ({"TERM": "xterm-256color", "VTE_VERSION": "7600"}, "\x1b]777;notify;"),
        ({"TERM": "foot"}, "\x1b]777;notify;"),
        ({"TERM": "xterm-kitty"}, "\x1b]99;;"),
        ({"TERM": "xterm"}, ""),
    ],
)
def test_a_notification_is_sent_where_the_terminal_is_known_to_show_it(environ, begins):
    assert choose_notification(environ).startswith(begins)
    assert bool(choose_notification(environ)) == bool(begins)


def test_only_one_who_does_not_look_is_notified_and_the_bell_rings_as_set():
    window = Window(Recorder(), {"TERM": "foot"})
    window.tell_turn(bell=True)
    assert (window.output.raw, window.output.bells) == ("", 1)
    window.focused = False
    window.tell_turn(bell=False)
    assert ("777" in window.output.raw, window.output.bells) == (True, 1)
    silent = Window(Recorder(), {"TERM": "foot"}, notifies=False)
    silent.focused = False
    silent.tell_turn(bell=False)
    assert silent.output.raw == ""


def test_frames_are_whole_and_a_simple_terminal_is_told_nothing():
    window = Window(Recorder(), {"TERM": "xterm"})
    window.open()
    window.begin_frame()
    window.end_frame()
    window.close()
    assert window.output.raw == FOCUS_ON + FRAME_BEGIN + FRAME_END + FOCUS_OFF
    simple = Window(Recorder(), {"TERM": "linux"})
    simple.open()
    simple.begin_frame()
    simple.end_frame()
    simple.close()
    assert simple.output.raw == ""


def test_the_terminal_tells_whether_the_window_is_in_focus():
    async def scenario():
        async with playing(Scenario("grid-hunt").controllers[1]) as player:
            player.pipe.send_text("\x1b[O")
            await until(lambda: not player.app.window.focused)
            player.pipe.send_text("\x1b[I")
            await until(lambda: player.app.window.focused)
            assert player.typed == ""
            await asyncio.sleep(0)

    run(scenario())
