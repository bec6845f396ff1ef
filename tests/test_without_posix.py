"""Client, solo play and server where a system has no POSIX calls, as on Windows."""

import asyncio
import re
import signal
import socket
import stat
import subprocess
from contextlib import asynccontextmanager

import pytest

from gridgames_protocol.discovery import Call, decode_answer, encode_call
from gridgames_server.admin.portability import LOOPBACK
from tests.client.client_process import Child
from tests.client.pseudo_terminal import PROGRAMS
from tests.server.tcp_tables import sit_down
from tests.wire import Place, run, serving
from tests.without_posix import environment_without_posix

PIPE = asyncio.subprocess.PIPE
SCRIPT = "create grid-hunt bot=easy first=host\nHIDE 2 3\n/rules\n/resign\ny\n/moves\n/leave\nquit\n"
SAID = (b"Player 1 has hidden a treasure.", b"has resigned", b"you typed HIDE 2 3.")


@asynccontextmanager
async def start(folder, name, *words, **variables):
    """A program in a world without POSIX calls."""
    process = await asyncio.create_subprocess_exec(
        *(PROGRAMS / name, *map(str, words)),
        stdin=PIPE,
        stdout=PIPE,
        stderr=PIPE,
        env=environment_without_posix(folder, **variables),
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


@asynccontextmanager
async def start_server(folder, *flags):
    """A server there, and its place."""
    async with start(folder, "gridgames-server", "--host", "127.0.0.1", "--port", "0", *flags) as process:
        announced = (await process.stdout.readline()).decode()
        found = re.search(r":(\d+)", announced)
        assert found, announced
        place = Place(int(found[1]))
        try:
            yield process, place
        finally:
            place.clear()


async def command(folder, *words):
    """What a host's command prints there, and its exit code."""
    async with start(folder, "gridgames-server", *words) as process:
        said, wrong = await process.communicate()
        return process.returncode, (said or wrong).decode().rstrip("\n")


# The world ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("call", ["import fcntl", "import termios", "socket.AF_UNIX", "signal.SIGHUP", "os.fchmod"])
def test_the_world_lacks_what_windows_lacks(call, tmp_path):
    asked = [PROGRAMS / "python", "-P", "-c", f"import os, signal, socket; {call}"]
    said = subprocess.run(asked, env=environment_without_posix(tmp_path), capture_output=True, text=True)
    assert re.search("ModuleNotFoundError|AttributeError", said.stderr)


# The client -----------------------------------------------------------------------------------------------------------


def test_a_game_is_played_in_plain_lines(tmp_path):
    async def scenario():
        async with (
            serving() as server,
            start(tmp_path, "gridgames-client", f"{server.host}:{server.port}", "--plain") as process,
        ):
            said, wrong = await process.communicate(SCRIPT.encode())
            assert (process.returncode, wrong) == (0, b"")
            for words in SAID:
                assert words in said

    run(scenario())


def test_ctrl_c_ends_the_client_cleanly(tmp_path):
    async def scenario():
        async with (
            serving() as server,
            start(tmp_path, "gridgames-client", f"{server.host}:{server.port}", "--plain") as process,
        ):
            while b"You are in the lobby." not in await process.stdout.readline():
                pass
            process.send_signal(signal.SIGINT)
            _, wrong = await process.communicate()
            assert (process.returncode, wrong) == (130, b"")

    run(scenario())


def test_two_clients_of_one_user_are_two_players(tmp_path):
    async def scenario():
        async with serving() as server:
            words = ("gridgames-client", f"{server.host}:{server.port}", "--plain")
            async with start(tmp_path, *words) as first, start(tmp_path, *words) as second:
                names = [await Child(one).reads("Connected to ") for one in (first, second)]
                assert names[0] != names[1]

    run(scenario())


# Solo play ------------------------------------------------------------------------------------------------------------


def test_a_game_is_played_against_the_computer_and_kept(tmp_path):
    async def scenario():
        async with start(tmp_path, "gridgames-client", "--plain") as process:
            said, wrong = await process.communicate(SCRIPT.encode())
            assert (process.returncode, wrong) == (0, b"")
            for words in SAID:
                assert words in said
            assert b"not kept" not in said
        async with start(tmp_path, "gridgames-client", "--plain") as process:
            ada = Child(process)
            ada.types("history")
            await ada.reads("Game 1: Grid Hunt against Bot")
            assert await ada.ends() == (0, "")

    run(scenario())


def test_a_server_of_ones_own_ends_with_a_killed_client(tmp_path):
    async def scenario():
        async with start(tmp_path, "gridgames-client", "--plain") as process:
            ada = Child(process)
            ada.types("create grid-hunt")
            address = (await ada.reads("The second player types: ")).rpartition(" ")[2]
            await ada.ends(signal.SIGKILL)
        while True:
            try:
                _, writer = await asyncio.open_connection(LOOPBACK, int(address.rpartition(":")[2]))
            except OSError:
                return
            writer.close()

    run(scenario())


# The server -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_server_cleanly_and_a_game_is_kept(by, tmp_path):
    store = tmp_path / "server.sqlite"

    async def scenario():
        async with start_server(tmp_path, "--store", store) as (process, place):
            table = await sit_down(place, "grid-hunt")
            await table.types(1, "HIDE 2 3")
            token = table.seats[1].token
            process.send_signal(by)
            await table.seats[1].last_words()
            place.clear()
            _, log = await process.communicate()
            assert process.returncode == 0, log
        async with start_server(tmp_path, "--store", store) as (_, place):
            back = await place.connection()
            assert (await back.hello("again", token=token)).room == table.room

    run(scenario())


def test_the_host_commands_the_server_through_a_port_and_a_token(tmp_path):
    store = tmp_path / "server.sqlite"
    file = tmp_path / "server.sqlite.sock"

    async def scenario():
        async with start_server(tmp_path, "--store", store, "--name", "attic") as (process, place):
            await place.guest("Ada")
            assert stat.S_IMODE(file.stat().st_mode) == 0o600
            code, said = await command(tmp_path, "status", "--store", store)
            assert (code, said.splitlines()[0]) == (0, "server: attic")
            assert await command(tmp_path, "players", "--store", store) == (0, "Ada  127.0.0.1  lobby")
            copy = tmp_path / "copy.sqlite"
            assert await command(tmp_path, "backup", copy, "--store", store) == (0, f"Backed up to {copy}.")
            assert (await command(tmp_path, "check", copy))[0] == 0
            assert (await command(tmp_path, "drain", "--store", store))[0] == 0
            place.clear()
            await process.communicate()
            assert process.returncode == 0
        assert not file.exists()

    run(scenario())


@pytest.mark.parametrize("said", [b"", b"status", b"0" * 32 + b"status"])
def test_nobody_without_the_token_commands_the_server(said, tmp_path):
    store = tmp_path / "server.sqlite"

    async def scenario():
        async with start_server(tmp_path, "--store", store):
            port = int((tmp_path / "server.sqlite.sock").read_text().split()[0])
            reader, writer = await asyncio.open_connection(LOOPBACK, port)
            writer.write(said)
            writer.write_eof()
            assert await reader.read() == b""
            writer.close()

    run(scenario())


def test_a_killed_server_leaves_a_file_that_the_next_one_takes_over(tmp_path):
    file = tmp_path / "host.sock"

    async def scenario():
        async with start_server(tmp_path, "--no-store", "--socket", file) as (process, _):
            process.kill()
            await process.wait()
        assert await command(tmp_path, "players", "--socket", file) == (1, f"no server answers at {file}")
        async with start_server(tmp_path, "--no-store", "--socket", file):
            assert await command(tmp_path, "players", "--socket", file) == (0, "")
            second = await command(tmp_path, "--port", "0", "--no-store", "--socket", file)
            assert second == (5, f"gridgames-server: can't listen at {file}: File exists")

    run(scenario())


def test_the_server_is_found_on_the_network(tmp_path):
    async def scenario():
        async with start_server(tmp_path, "--no-store", "--name", "attic") as (_, place):
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as caller:
                caller.setblocking(False)
                caller.connect((LOOPBACK, place.port))
                caller.send(encode_call(Call("c0ffee00c0ffee00", 1)))
                answer = await asyncio.get_running_loop().sock_recv(caller, 2_000)
                assert decode_answer(answer).server == "attic"
            async with start(tmp_path, "gridgames-client", GRIDGAMES_SEARCH=f"127.0.0.1:{place.port}") as client:
                await Child(client).reads("On your network: attic, ")

    run(scenario())
