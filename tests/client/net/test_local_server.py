"""A server of one's own: it is there with the client, and gone with it, however it goes."""

import asyncio
import os
import signal
import sys
import zipfile

import pytest

from gridgames_client.net.address import Refused
from gridgames_client.net.local_server import ELSEWHERE, PAUSES, find_other_local_server, run_local_server
from gridgames_client.net.server_process import END_WITHIN, start_keeping
from gridgames_client.net.server_status import ask_status
from gridgames_client.net.start_commands import client_command, server_command
from tests.client.client_process import child
from tests.client.pseudo_terminal import terminal
from tests.wire import LOCAL, program, run, turn, until


async def at_a_table(ada):
    """Open a room, and read from it where the server listens."""
    ada.types("create grid-hunt")
    address = (await ada.reads("The second player types: ")).rpartition(" ")[2]
    return int(address.rpartition(":")[2])


async def refuses(port):
    """Wait until nothing listens there any more."""
    while True:
        try:
            _, writer = await asyncio.open_connection(LOCAL, port)
        except ConnectionRefusedError:
            return
        except ConnectionResetError:  # it was closing just then
            continue
        writer.close()


async def answers(address):
    """Wait until a server answers there."""
    while True:
        try:
            return await ask_status(address)
        except Refused:
            await turn()


def test_without_an_address_a_server_is_started_that_others_can_join(tmp_path):
    async def scenario():
        async with child("--name", "Ada", state=tmp_path) as ada:
            port = await at_a_table(ada)
            code = (await ada.reads("Then: join ")).split()[-1]
            async with child(f"{LOCAL}:{port}", "--name", "Bob", state=tmp_path) as bob:
                bob.types(f"join {code}")
                await bob.reads("Welcome to Grid Hunt!")
            await ada.reads("Player 2 is away, and can return.")

    run(scenario())


def test_in_plain_lines_one_at_home_is_told_how_to_play_the_computer(tmp_path):
    async def scenario():
        async with child("--name", "Ada", state=tmp_path) as ada:
            await ada.reads("You are in the lobby. Type play and a game to play the computer, create and a game,")
            ada.types("create grid-hunt bot=easy")
            await ada.reads("Player 2 is Bot (easy).")

    run(scenario())


# What is kept ---------------------------------------------------------------------------------------------------------


async def plays(ada):
    """Lose a game against the computer."""
    ada.types("create grid-hunt bot=easy", "/resign", "yes")
    await ada.reads("Score: 0-1.")


async def remembers(ada):
    """See that game in the list of one's games."""
    ada.types("/leave", "/history")  # with a slash: the line may be read before the room is left
    await ada.reads("Game 1: Grid Hunt against Bot (easy), lost")


def store(state):
    """Where the games at home are kept."""
    return state / "gridgames" / "home" / "games.sqlite"


def test_what_was_played_at_home_is_there_the_next_time(tmp_path):
    async def scenario():
        async with child("--name", "Ada", state=tmp_path) as ada:
            await plays(ada)
            assert (await ada.ends())[0] == 0
        async with child("--name", "Ada", state=tmp_path) as ada:
            await remembers(ada)

    run(scenario())


def test_a_client_killed_and_restarted_at_once_has_the_same_player_and_games(tmp_path):
    async def scenario():
        async with child("--name", "Ada", state=tmp_path) as ada:
            await plays(ada)
            ada.process.kill()
            async with child(state=tmp_path) as again:
                await again.reads("Connected to gridgames as Ada.")
                await remembers(again)

    run(scenario())


def test_a_server_that_dies_is_started_again_when_there_is_a_thread_for_it(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    real, failures = asyncio.to_thread, [RuntimeError("can't start new thread")]

    async def fail_once(call):
        if call.__name__ == "end" and failures:
            raise failures.pop()
        return await real(call)

    async def scenario():
        monkeypatch.setattr(asyncio, "to_thread", fail_once)
        process = start_keeping()
        async with run_local_server(process) as home:
            process.child.kill()
            await until(lambda: not failures)
            await answers(home.address)

    run(scenario())


def test_a_server_that_is_still_ending_is_waited_for(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))

    async def scenario():
        async with program("--store", str(store(tmp_path))) as other:

            async def until_it_has_ended(seconds):
                other.process.terminate()
                await other.process.wait()

            async with run_local_server(pause=until_it_has_ended) as home:
                assert home.why_not_stored == ""

    run(scenario())


def test_a_server_that_goes_on_is_not_waited_for_long(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    waited = []

    async def noting(seconds):
        waited.append(seconds)

    async def scenario():
        async with program("--store", str(store(tmp_path))), run_local_server(pause=noting) as home:
            assert home.why_not_stored == ELSEWHERE
            await ask_status(home.address)

    run(scenario())
    assert tuple(waited) == PAUSES
    assert sum(waited) <= 1.0, "starting takes time as well"


def test_who_finds_the_games_at_home_in_use_has_them_the_next_time(tmp_path):
    async def scenario():
        async with child("--name", "Ada", state=tmp_path) as ada:
            await plays(ada)
            assert (await ada.ends())[0] == 0
        async with program("--store", str(store(tmp_path))), child("--name", "Ada", state=tmp_path) as ada:
            await ada.reads(ELSEWHERE)
            ada.types("history")
            await ada.reads("No finished games yet.")
            assert (await ada.ends())[0] == 0
        async with child("--name", "Ada", state=tmp_path) as ada:
            await remembers(ada)

    run(scenario())


def test_damaged_games_at_home_are_reported_and_are_back_when_restored(tmp_path):
    async def scenario():
        async with child("--name", "Ada", state=tmp_path) as ada:
            await plays(ada)
            assert (await ada.ends())[0] == 0
        backup = store(tmp_path).read_bytes()
        store(tmp_path).write_bytes(b"no database " * 1_000)
        async with child("--name", "Ada", state=tmp_path) as ada:
            told = await ada.reads("What you play now is not kept: ")
            assert f"the store {store(tmp_path)} is damaged" in told
            assert told.endswith(": restore a backup, or move it away.")
            await plays(ada)
            assert (await ada.ends())[0] == 0
        store(tmp_path).write_bytes(backup)
        async with child("--name", "Ada", state=tmp_path) as ada:
            await remembers(ada)

    run(scenario())


def test_one_who_has_no_folder_for_games_is_told_so_and_plays(tmp_path):
    (tmp_path / "gridgames").write_text("in the way")

    async def scenario():
        async with child("--name", "Ada", state=tmp_path) as ada:
            await ada.reads("What you play now is not kept: file exists.")
            await plays(ada)

    run(scenario())


def test_two_clients_of_one_user_can_both_be_at_home(tmp_path):
    async def scenario():
        async with child("--name", "Ada", state=tmp_path) as ada:
            port = await at_a_table(ada)
            async with child("--name", "Bob", state=tmp_path) as bob:
                await bob.reads(ELSEWHERE)
                assert await at_a_table(bob) != port
            flags = {"XDG_STATE_HOME": str(tmp_path), "GRIDGAMES_SEARCH": "none"}
            async with terminal("gridgames-client", "--name", "Eve", **flags) as eve:
                await eve.shows("against the computer", ELSEWHERE)

    run(scenario())


# How it ends ----------------------------------------------------------------------------------------------------------


def test_who_sat_at_a_second_terminal_comes_back_to_the_seat_when_the_server_does(tmp_path):
    async def scenario():
        async with child("--name", "Ada", state=tmp_path) as ada:
            port = await at_a_table(ada)
            code = (await ada.reads("Then: join ")).split()[-1]
            async with child(f"{LOCAL}:{port}", "--name", "Bob", state=tmp_path) as bob:
                bob.types(f"join {code}")
                await bob.reads("Welcome to Grid Hunt!")
                await ada.reads("Welcome to Grid Hunt!")
                ada.types("/quit", "yes")
                await ada.process.wait()
                async with child("--name", "Ada", state=tmp_path) as ada_again:
                    await ada_again.reads("Player 2 is back.")

    run(scenario())


@pytest.mark.parametrize("words", ["", "no number", "0x50", "99999999", "-1"])
def test_a_port_that_can_not_be_taken_again_is_no_reason_not_to_play(tmp_path, words):
    folder = tmp_path / "gridgames" / "home"
    folder.mkdir(parents=True)
    (folder / "port").write_text(words)

    async def scenario():
        async with child(state=tmp_path) as ada:
            assert await at_a_table(ada) > 0

    run(scenario())


WAYS_OUT = {
    "it is told to quit": lambda ada: ada.types("/quit"),
    "it gets a signal": lambda ada: ada.process.send_signal(signal.SIGTERM),
    "it is killed": lambda ada: ada.process.kill(),
}


@pytest.mark.parametrize("way_out", WAYS_OUT.values(), ids=WAYS_OUT)
def test_the_server_ends_with_its_client_when(tmp_path, way_out):
    async def scenario():
        async with child(state=tmp_path) as ada:
            port = await at_a_table(ada)
            way_out(ada)
            await ada.process.wait()
            await refuses(port)

    run(scenario())


def test_the_server_ends_by_itself_when_its_input_does(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))

    async def scenario():
        now = asyncio.get_running_loop().time
        async with run_local_server() as home:
            await ask_status(home.address)
            left_at = now()
        assert now() - left_at < END_WITHIN, "it was told, not killed"
        await refuses(home.address.port)

    run(scenario())


def plant_server(folder, words):
    """Put a server into a folder that says something and ends."""
    package = folder / "gridgames_server"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "__main__.py").write_text(f"raise SystemExit({words!r})")


def test_settings_for_a_real_server_and_files_that_lie_about_are_not_taken(tmp_path):
    plant_server(tmp_path, "not me")

    async def scenario():
        async with child(state=tmp_path, cwd=tmp_path, GRIDGAMES_TLS_CERT="/nowhere", GRIDGAMES_PORT="1") as ada:
            await ada.reads("You are in the lobby.")

    run(scenario())


def test_a_server_that_can_not_start_is_told_in_its_own_words(tmp_path):
    plant_server(tmp_path, "gridgames-server: no luck")

    async def scenario():
        async with child(state=tmp_path, PYTHONPATH=str(tmp_path)) as ada:
            assert await ada.ends() == (
                1,
                "gridgames-client: No server could be started on this machine. gridgames-server: no luck\n",
            )

    run(scenario())


def test_a_server_that_is_killed_comes_back_at_the_same_address_with_the_same_games(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))

    async def scenario():
        first = start_keeping()
        async with run_local_server(first) as home:
            assert (await ask_status(home.address)).rooms == 0
            first.child.kill()
            first.child.wait()
            assert (await answers(home.address)).games == 0
            assert store(tmp_path).exists()
        await refuses(home.address.port)

    run(scenario())


# The other client of the same user ------------------------------------------------------------------------------------


def test_the_second_client_on_a_machine_finds_the_server_of_the_first(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))

    async def story():
        first = start_keeping()
        assert first.neighbour == 0
        async with run_local_server(first) as home:
            second = start_keeping()
            (found,) = await find_other_local_server(second.neighbour)
            assert (found.address_text, found.is_compatible, found.name) == (
                str(home.address),
                True,
                "your other client",
            )
            second.end()
        assert await find_other_local_server(second.neighbour) == ()

    run(story())


def test_the_server_is_started_from_the_archive_that_the_client_runs_from(tmp_path, monkeypatch):
    assert server_command()[-2:] == ["-m", "gridgames_server"]
    archive = tmp_path / "gridgames.pyz"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("__main__.py", "")
    place = str(archive / "gridgames_client/net/start_commands.py")
    monkeypatch.setattr("gridgames_client.net.start_commands.__file__", place)
    assert server_command()[-2:] == [str(archive), "server"]
    assert client_command("gridgames.pyz") == "python3 gridgames.pyz"


def test_a_friend_is_told_the_command_that_was_really_typed(tmp_path, monkeypatch):
    for folder in ("on the path", "elsewhere"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "gridgames-client").touch()
    monkeypatch.setenv("PATH", f"/nowhere{os.pathsep}{tmp_path / 'on the path'}")
    monkeypatch.chdir(tmp_path)
    assert client_command(str(tmp_path / "on the path" / "gridgames-client")) == "gridgames-client"
    assert client_command(".venv/bin/gridgames-client") == ".venv/bin/gridgames-client"
    assert client_command("elsewhere/gridgames-client") == "elsewhere/gridgames-client"
    assert client_command("a folder/gridgames-client") == '"a folder/gridgames-client"'
    assert client_command("gridgames_client/__main__.py") == f"{sys.executable} -m gridgames_client"
