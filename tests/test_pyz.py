"""`gridgames.pyz`, the one file for a friend: everything works from it, with a Python that has no packages."""

import asyncio
import hashlib
import json
import subprocess
import venv
from contextlib import asynccontextmanager
from http.client import HTTPConnection

import pytest

from tests.client.client_process import Child
from tests.client.pseudo_terminal import PROGRAMS
from tests.wire import LOCAL, environment, program, run

PIPE = asyncio.subprocess.PIPE
SCRIPT = "create grid-hunt bot=easy first=host\nHIDE 2 3\n/resign\ny\n/save {}\n/leave\nquit\n"


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """The file as a host writes it to a USB stick, beside a Python without packages."""
    folder = tmp_path_factory.mktemp("stick")
    venv.create(folder / "bare", with_pip=False)
    subprocess.run([PROGRAMS / "gridgames-server", "pyz", folder / "gridgames.pyz"], check=True, capture_output=True)
    return folder / "gridgames.pyz"


def command(file, *words):
    return [str(word) for word in (file.with_name("bare") / "bin" / "python", "-I", file, *words)]


def run_file(file, *words, typed="", **variables):
    """What the file prints, after it has ended well."""
    told = {"GRIDGAMES_SEARCH": "none", "XDG_STATE_HOME": str(file.parent), **variables}
    ended = subprocess.run(
        command(file, *words), input=typed, capture_output=True, text=True, env=environment(**told), cwd=file.parent
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    return ended.stdout


@asynccontextmanager
async def start(file, *words, **variables):
    """A program of the file, as it runs."""
    told = environment(**{"XDG_STATE_HOME": str(file.parent), **variables})
    process = await asyncio.create_subprocess_exec(
        *command(file, *words), stdin=PIPE, stdout=PIPE, stderr=PIPE, env=told
    )
    try:
        yield Child(process)
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


def test_that_python_has_no_packages(file):
    asked = [file.with_name("bare") / "bin" / "python", "-I", "-c", "import msgpack"]
    assert b"No module named 'msgpack'" in subprocess.run(asked, capture_output=True).stderr


def test_a_game_is_played_alone_saved_and_verified(file, tmp_path):
    saved = tmp_path / "game.json"
    said = run_file(file, "--plain", typed=SCRIPT.format(saved), XDG_STATE_HOME=str(tmp_path))
    assert "has resigned" in said
    assert "not kept" not in said, "its server has a store"
    assert json.loads(saved.read_text())["game"] == "grid-hunt"
    assert "The sealed secret fits." in run_file(file, "verify", saved)
    assert "All answers in this game are right." in run_file(file, "server", "replay", saved)


def test_the_server_is_found_asked_and_played_on(file):
    async def scenario():
        async with program("--name", "attic") as server:
            place = f"{LOCAL}:{server.port}"
            status = await asyncio.to_thread(run_file, file, place, "--status")
            assert status.startswith("server: attic\n")
            async with start(file, GRIDGAMES_SEARCH=place) as ada:
                await ada.reads(f"On your network: attic, {place}: ")
            async with start(file, place, "--plain") as ada:
                ada.types("create grid-hunt")
                assert await ada.reads("The second player types: ") == (
                    f"The second player types: python3 {file} {place}"
                )

    run(scenario())


def test_a_server_from_the_file_hands_the_same_file_on(file, tmp_path):
    def fetch(port):
        there = HTTPConnection(LOCAL, port)
        there.request("GET", "/gridgames.pyz")
        return there.getresponse().read()

    async def scenario():
        flags = ("--host", LOCAL, "--port", "0", "--store", tmp_path / "server.sqlite")
        async with start(file, "server", *flags) as server:
            announced = await server.reads("gridgames ")
            port = int(announced.rpartition(":")[2].split()[0])
            handed = await asyncio.to_thread(fetch, port)
            assert hashlib.sha256(handed).digest() == hashlib.sha256(file.read_bytes()).digest()
            status = await asyncio.to_thread(run_file, file, "server", "status", "--store", tmp_path / "server.sqlite")
            assert status.startswith("server: gridgames\n")

    run(scenario())
