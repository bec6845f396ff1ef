"""A sitting: what is saved, which screen is there, and a bug that ends it all."""

import asyncio
import time

import pytest

from gridgames_client.connection import Connection
from gridgames_client.desk import Desk
from gridgames_client.identity import Identity
from gridgames_client.model import Model
from gridgames_client.sitting import save, unless_no_console, until_goodbye, usual_name, when
from gridgames_protocol.messages import Bye, Farewell, Lobby
from tests.client.line import SOON, pretending
from tests.wire import run, until


def test_a_game_is_saved_to_a_file_that_is_not_there_yet(tmp_path):
    path = str(tmp_path / "game.json")
    assert save(path, "{}") == f"Saved to {path}. To check it: gridgames-client verify {path}"
    assert (tmp_path / "game.json").read_text() == "{}\n"
    assert save(path, "[]") == f"Not saved: {path}: File exists."
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
    assert save(path, "{}") == f"Not saved: {path}: {reason}."


def test_a_tilde_is_the_players_home(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    assert save("~/game.json", "{}") == "Saved to ~/game.json. To check it: gridgames-client verify ~/game.json"
    assert (tmp_path / "game.json").exists()


def test_a_time_is_written_as_the_clocks_here_show_it(monkeypatch):
    monkeypatch.setenv("TZ", "UTC-2")
    time.tzset()
    assert when(1_785_600_000) == "2026-08-01 18:00"
    monkeypatch.undo()
    time.tzset()


def test_a_time_that_no_calendar_has_is_survived():
    assert when(10**30) == "once"


@pytest.mark.parametrize(
    ("user", "name"),
    [
        ("ada", "ada"),
        ("ada.lovelace", "ada.lovelace"),
        ("DOMAIN\\ada", "DOMAINada"),
        ("x" * 40, "x" * 16),
        ("\x1b[31m", "31m"),
        ("$", "Player"),
    ],
)
def test_one_who_gives_no_name_is_called_like_the_user_of_the_machine(monkeypatch, user, name):
    monkeypatch.setenv("LOGNAME", user)
    assert usual_name() == name


def test_a_windows_terminal_that_can_not_be_drawn_on_gets_plain_lines():
    class NoConsoleScreenBufferError(Exception):
        pass

    def no_console():
        raise NoConsoleScreenBufferError

    assert unless_no_console(no_console) is None
    assert unless_no_console(lambda: "a screen") == "a screen"
    with pytest.raises(ZeroDivisionError):
        unless_no_console(lambda: 1 / 0)


# Ends -----------------------------------------------------------------------------------------------------------------


async def staying(peer):
    await peer.welcomes()
    await peer.is_left()


def sitting_at(address, playing):
    """Sit at a server and play somehow."""
    desk = Desk(Model(str(address)), lambda request: None, lambda what: None, save, lambda: 0.0)
    return until_goodbye(Connection(address, Identity("Ada"), desk, patience=SOON), desk, playing(desk))


async def forever(desk):
    await asyncio.Event().wait()


def test_a_bug_in_what_is_played_ends_the_sitting():
    async def playing(desk):
        raise RuntimeError("planted")

    async def evening():
        async with pretending(staying) as address:
            with pytest.raises(RuntimeError, match="planted"):
                await sitting_at(address, playing)

    run(evening())


def test_a_bug_in_a_callback_ends_the_sitting():
    def struck():
        raise RuntimeError("planted")

    async def playing(desk):
        asyncio.get_running_loop().call_soon(struck)
        await forever(desk)

    async def evening():
        async with pretending(staying) as address:
            with pytest.raises(RuntimeError, match="planted"):
                await sitting_at(address, playing)

    run(evening())


def test_a_bug_in_what_is_heard_ends_the_sitting():
    class Broken(Desk):
        def heard(self, message):
            if isinstance(message, Lobby):
                raise RuntimeError("planted")
            super().heard(message)

    async def evening():
        async with pretending(staying) as address:
            desk = Broken(Model(str(address)), lambda request: None, lambda what: None, save, lambda: 0.0)
            connection = Connection(address, Identity("Ada"), desk, patience=SOON)
            with pytest.raises(RuntimeError, match="planted"):
                await until_goodbye(connection, desk, forever(desk))

    run(evening())


def test_one_who_has_played_enough_says_goodbye():
    async def leaving(peer):
        await peer.welcomes()
        await peer.answers(Farewell)
        peer.says(Bye("bye", "Goodbye."))
        said.set()

    said = asyncio.Event()

    async def playing(desk):
        await until(lambda: desk.model.lobby)

    async def evening():
        async with pretending(leaving) as address:
            await sitting_at(address, playing)
            assert said.is_set()

    run(evening())


def test_a_server_that_does_not_say_goodbye_is_not_waited_for_long():
    async def playing(desk):
        await until(lambda: desk.model.lobby)

    async def evening():
        async with pretending(staying) as address:
            async with asyncio.timeout(5):
                await sitting_at(address, playing)

    run(evening())
