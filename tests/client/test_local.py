"""A server of one's own: it is there with the client, and gone with it, however it goes."""

import asyncio
import signal

import pytest

from gridgames_client.local import END_WITHIN, local_server
from gridgames_client.status import ask_status
from tests.client.child import child
from tests.wire import LOCAL, run


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
        writer.close()


def test_without_an_address_a_server_is_started_that_others_can_join(tmp_path):
    async def evening():
        async with child("--name", "Ada", state=tmp_path) as ada:
            port = await at_a_table(ada)
            code = (await ada.reads("Then: join ")).split()[-1]
            async with child(f"{LOCAL}:{port}", "--name", "Bob", state=tmp_path) as bob:
                bob.types(f"join {code}")
                await bob.reads("Welcome to Grid Hunt!")
            await ada.reads("Player 2 is away, and can return.")

    run(evening())


def test_what_was_played_at_home_is_there_the_next_time(tmp_path):
    async def evening():
        async with child("--name", "Ada", state=tmp_path) as ada:
            ada.types("create grid-hunt bot=easy", "/resign", "yes", "/leave", "/quit")
            assert (await ada.ends())[0] == 0
        async with child("--name", "Ada", state=tmp_path) as ada:
            ada.types("history")
            await ada.reads("Game 1: Grid Hunt against Bot (easy), lost")

    run(evening())


def test_two_clients_of_one_user_can_both_be_at_home(tmp_path):
    async def evening():
        async with child("--name", "Ada", state=tmp_path) as ada:
            port = await at_a_table(ada)
            async with child("--name", "Bob", state=tmp_path) as bob:
                assert await at_a_table(bob) != port

    run(evening())


WAYS_OUT = {
    "it is told to quit": lambda ada: ada.types("/quit"),
    "it gets a signal": lambda ada: ada.process.send_signal(signal.SIGTERM),
    "it is killed": lambda ada: ada.process.kill(),
}


@pytest.mark.parametrize("way_out", WAYS_OUT.values(), ids=WAYS_OUT)
def test_the_server_ends_with_its_client_when(tmp_path, way_out):
    async def evening():
        async with child(state=tmp_path) as ada:
            port = await at_a_table(ada)
            way_out(ada)
            await ada.process.wait()
            await refuses(port)

    run(evening())


def test_the_server_ends_by_itself_when_its_input_does(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))

    async def evening():
        now = asyncio.get_running_loop().time
        async with local_server() as address:
            await ask_status(address)
            left_at = now()
        assert now() - left_at < END_WITHIN, "it was told, not killed"
        await refuses(address.port)

    run(evening())


def plant_server(folder, words):
    """Put a server into a folder that says something and ends."""
    package = folder / "gridgames_server"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "__main__.py").write_text(f"raise SystemExit({words!r})")


def test_settings_for_a_real_server_and_files_that_lie_about_are_not_taken(tmp_path):
    plant_server(tmp_path, "not me")

    async def evening():
        async with child(state=tmp_path, cwd=tmp_path, GRIDGAMES_TLS_CERT="/nowhere", GRIDGAMES_PORT="1") as ada:
            await ada.reads("You are in the lobby.")

    run(evening())


def test_a_server_that_can_not_start_is_told_in_its_own_words(tmp_path):
    plant_server(tmp_path, "gridgames-server: no luck")

    async def evening():
        async with child(state=tmp_path, PYTHONPATH=str(tmp_path)) as ada:
            assert await ada.ends() == (
                1,
                "gridgames-client: No server could be started on this machine. gridgames-server: no luck\n",
            )

    run(evening())
