"""A session: what is saved, which screen is there, and a bug that ends it all."""

import asyncio
import signal
import time

import pytest

from gridgames_client.net.connection import Connection
from gridgames_client.net.credentials import Identity
from gridgames_client.state.controllers.controller import Controller
from gridgames_client.state.model import Model
from gridgames_client.terminal.session import (
    guess_name,
    make_unless_no_console,
    run_until_goodbye,
    save_file,
)
from gridgames_client.terminal.stdio import ask_until_signal, format_time
from gridgames_protocol.messages import Bye, ByeRequest, Lobby
from tests.client.scripted_server import SOON, pretending
from tests.wire import run, until


def test_a_game_is_saved_to_a_file_that_is_not_there_yet(tmp_path):
    path = str(tmp_path / "game.json")
    assert save_file(path, "{}") == f"Saved to {path}. To check it: gridgames-client verify {path}"
    assert (tmp_path / "game.json").read_text() == "{}\n"
    assert save_file(path, "[]") == f"Not saved: {path}: File exists."
    assert (tmp_path / "game.json").read_text() == "{}\n"


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/nowhere/game.json", "No such file or directory"),
        ("/", "File exists"),
        ("a\0b", "that is no name of a file"),
        ("half \ud800", "that is no name of a file"),
    ],
)
def test_a_file_that_can_not_be_written_is_told_so(path, reason):
    assert save_file(path, "{}") == f"Not saved: {path}: {reason}."


def test_a_tilde_is_the_players_home(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    assert save_file("~/game.json", "{}") == "Saved to ~/game.json. To check it: gridgames-client verify ~/game.json"
    assert (tmp_path / "game.json").exists()


def test_a_time_is_written_as_the_clocks_here_show_it(monkeypatch):
    monkeypatch.setenv("TZ", "UTC-2")
    time.tzset()
    assert format_time(1_785_600_000) == "2026-08-01 18:00"
    monkeypatch.undo()
    time.tzset()


def test_a_time_that_no_calendar_has_is_survived():
    assert format_time(10**30) == "once"


@pytest.mark.parametrize(
    ("user", "name"),
    [
        ("ada", "ada"),
        ("ada.lovelace", "ada.lovelace"),
        ("DOMAIN\\ada", "DOMAINada"),
        ("x" * 40, "x" * 16),
        ("\x1b[31m", "31m"),
        ("$", "Guest"),
    ],
)
def test_one_who_gives_no_name_is_called_like_the_user_of_the_machine(monkeypatch, user, name):
    monkeypatch.setenv("LOGNAME", user)
    assert guess_name() == name


def test_a_windows_terminal_that_can_not_be_drawn_on_gets_plain_lines():
    class NoConsoleScreenBufferError(Exception):
        pass

    def no_console():
        raise NoConsoleScreenBufferError

    assert make_unless_no_console(no_console) is None
    assert make_unless_no_console(lambda: "a screen") == "a screen"
    with pytest.raises(ZeroDivisionError):
        make_unless_no_console(lambda: 1 / 0)


# Ends -----------------------------------------------------------------------------------------------------------------


async def staying(peer):
    await peer.welcomes()
    await peer.is_left()


def play_session(address, playing, *beside):
    """Sit at a server and play somehow."""
    controller = Controller(Model(str(address)), lambda request: None, lambda what: None, save_file, lambda: 0.0)
    return run_until_goodbye(
        Connection(address, Identity("Ada"), controller, timeouts=SOON), controller, playing(controller), *beside
    )


async def forever(controller):
    await asyncio.Event().wait()


def test_a_bug_in_what_is_played_ends_the_session():
    async def playing(controller):
        raise RuntimeError("planted")

    async def scenario():
        async with pretending(staying) as address:
            with pytest.raises(RuntimeError, match="planted"):
                await play_session(address, playing)

    run(scenario())


def test_a_bug_beside_what_is_played_ends_the_session():
    async def struck():
        raise RuntimeError("planted")

    async def scenario():
        async with pretending(staying) as address:
            with pytest.raises(RuntimeError, match="planted"):
                await play_session(address, forever, struck())

    run(scenario())


def test_after_a_question_signals_do_again_what_they_did():
    async def answered():
        return "Ada"

    async def scenario():
        assert await ask_until_signal(answered()) == "Ada"
        handlers = [signal.getsignal(name) for name in (signal.SIGTERM, signal.SIGINT)]
        assert handlers == [signal.SIG_DFL, signal.default_int_handler]

    run(scenario())


def test_a_bug_in_a_callback_ends_the_session():
    def struck():
        raise RuntimeError("planted")

    async def playing(controller):
        asyncio.get_running_loop().call_soon(struck)
        await forever(controller)

    async def scenario():
        async with pretending(staying) as address:
            with pytest.raises(RuntimeError, match="planted"):
                await play_session(address, playing)

    run(scenario())


def test_a_bug_in_what_is_heard_ends_the_session():
    class Broken(Controller):
        def on_message(self, message):
            if isinstance(message, Lobby):
                raise RuntimeError("planted")
            super().on_message(message)

    async def scenario():
        async with pretending(staying) as address:
            controller = Broken(Model(str(address)), lambda request: None, lambda what: None, save_file, lambda: 0.0)
            connection = Connection(address, Identity("Ada"), controller, timeouts=SOON)
            with pytest.raises(RuntimeError, match="planted"):
                await run_until_goodbye(connection, controller, forever(controller))

    run(scenario())


def test_one_who_has_played_enough_says_goodbye():
    async def leaving(peer):
        await peer.welcomes()
        await peer.answers(ByeRequest)
        peer.says(Bye("bye", "Goodbye."))
        said.set()

    said = asyncio.Event()

    async def playing(controller):
        await until(lambda: controller.model.lobby)

    async def scenario():
        async with pretending(leaving) as address:
            await play_session(address, playing)
            assert said.is_set()

    run(scenario())


def test_a_server_that_does_not_say_goodbye_is_not_waited_for_long():
    async def playing(controller):
        await until(lambda: controller.model.lobby)

    async def scenario():
        async with pretending(staying) as address:
            async with asyncio.timeout(5):
                await play_session(address, playing)

    run(scenario())
