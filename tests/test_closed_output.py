"""Whoever reads a program's output may stop at any time: `gridgames-server status | head -1`, `... | grep -q`."""

import asyncio
import io
import os
import socket
import subprocess
import sys

import pytest

from gridgames_protocol.machine.output import print_line, write_line
from gridgames_protocol.messages import Create
from tests.client.pseudo_terminal import PROGRAMS
from tests.wire import environment, program, run, turn

SERVER, CLIENT = PROGRAMS / "gridgames-server", PROGRAMS / "gridgames-client"
CONFORM = (sys.executable, "-m", "gridgames_protocol.conform")


async def ends(*words, closed=(), **variables):
    """The exit code of a program, and what it writes to the streams whose readers are there; the others are closed."""
    pipes = {name: os.pipe() for name in ("stdout", "stderr")}
    for name in closed:
        os.close(pipes[name][0])  # before the program begins
    process = await asyncio.create_subprocess_exec(
        *map(str, words),
        stdin=subprocess.DEVNULL,
        **{name: write for name, (_, write) in pipes.items()},
        env=environment(GRIDGAMES_SEARCH="none", **variables),
    )
    said = {}
    for _, write in pipes.values():
        os.close(write)
    for name, (read, _) in pipes.items():
        if name not in closed:
            with os.fdopen(read, "rb") as stream:
                said[name] = await asyncio.to_thread(stream.read)
    return await process.wait(), said


async def is_quiet(*words, **variables):
    """A command ends with the same code and without a word if its output is closed, buffered or not."""
    code, said = await ends(*words, **variables)
    assert b"Traceback" not in said["stderr"], said
    assert b"went wrong" not in said["stderr"], said
    assert said["stdout"] or said["stderr"]
    for more in ({}, {"PYTHONUNBUFFERED": "1"}):
        assert await ends(*words, closed=["stdout"], **variables, **more) == (code, {"stderr": said["stderr"]})
    assert (await ends(*words, closed=["stdout", "stderr"], **variables))[0] == code


@pytest.mark.parametrize(
    "words",
    [
        *((program, flag) for program in (SERVER, CLIENT) for flag in ("--help", "--version", "--bogus")),
        *((SERVER, "status", "--help"), (CLIENT, "bot", "--help")),
        *((SERVER, "check", "nowhere"), (SERVER, "replay", "nowhere"), (SERVER, "statsu")),
        *((SERVER, "status", "--store", "nowhere"), (CLIENT, "verify", "nowhere"), (CLIENT, "127.0.0.1:1", "--status")),
        *((CLIENT, "--print-config"), (*CONFORM, "--help"), CONFORM),
    ],
    ids=lambda words: " ".join(str(word).rpartition("/")[2] for word in words),
)
def test_a_command_ends_quietly_if_nobody_reads_what_it_prints(words):
    run(is_quiet(*words), within=60)


@pytest.mark.parametrize("words", [(CLIENT, "--print-config"), (SERVER, "--help")], ids=["client", "server"])
def test_a_full_disk_is_told_and_the_exit_code_is_1(words):
    if not os.path.exists("/dev/full"):
        print("no device here that is always full")
        return
    with open("/dev/full", "wb") as full:
        ended = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (1, "The output can't be written: No space left on device.\n")


@pytest.mark.parametrize("write", [print_line, write_line])
def test_what_an_encoding_lacks_becomes_a_question_mark(write):
    for encoding, shown in (("latin-1", "Zoë ?"), ("ascii", "Zo? ?"), ("utf-8", "Zoë ■")):
        stream = io.TextIOWrapper(io.BytesIO(), encoding, newline="\n")
        write("Zoë ■", stream)
        assert stream.buffer.getvalue().decode(encoding) == f"{shown}\n"


def test_the_commands_for_a_running_server_do_too(tmp_path):
    store = tmp_path / "server.sqlite"

    async def scenario():
        async with program("--store", str(store)) as server:
            ada = await server.guest("Ada")
            await ada.says(Create, game="grid-hunt")
            for command in ("status", "players", "rooms", "undrain"):
                await is_quiet(SERVER, command, GRIDGAMES_STORE=str(store))
            await is_quiet(SERVER, "say", "hello", GRIDGAMES_STORE=str(store))
            await is_quiet(SERVER, "kick", "Nobody", GRIDGAMES_STORE=str(store))
            await is_quiet(SERVER, "pyz", str(tmp_path / "gridgames.pyz"))
            await is_quiet(CLIENT, f"127.0.0.1:{server.port}", "--status")
            assert await ends(SERVER, "backup", tmp_path / "a", "--store", store, closed=["stdout"]) == (
                0,
                {"stderr": b""},
            )
            await is_quiet(SERVER, "backup", tmp_path / "a", "--store", store)
        await is_quiet(SERVER, "check", tmp_path / "a")

    run(scenario(), within=120)


def test_a_door_for_guests_whose_lines_nobody_reads_lets_guests_in(tmp_path):
    async def scenario():
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        read, write = os.pipe()
        os.close(read)
        async with program() as server:
            process = await asyncio.create_subprocess_exec(
                *(CLIENT, "guests", "--listen", f"127.0.0.1:{port}", f"127.0.0.1:{server.port}"),
                stdin=subprocess.DEVNULL,
                stdout=write,
                env=environment(XDG_STATE_HOME=str(tmp_path)),
            )
            os.close(write)
            while process.returncode is None:
                try:
                    reader, writer = await asyncio.open_connection("127.0.0.1", port)
                    break
                except ConnectionRefusedError:
                    await turn()  # it does not listen yet
            await reader.readuntil(b"come back:")
            writer.write_eof()
            await reader.read()
            writer.close()
            process.terminate()
            assert await process.wait() == 0

    run(scenario())


def test_a_server_whose_start_line_nobody_reads_serves():
    """It goes on, since what is lost is one line."""

    async def scenario():
        read, write = os.pipe()
        os.close(read)
        process = await asyncio.create_subprocess_exec(
            *(SERVER, "--host", "127.0.0.1", "--port", "0", "--no-store", "--no-discovery", "--end-with-stdin"),
            stdin=subprocess.PIPE,
            stdout=write,
            stderr=subprocess.PIPE,
            env=environment(),
        )
        os.close(write)
        process.stdin.close()
        logged = await process.stderr.read()
        assert (await process.wait(), b"Traceback" in logged, b"stopped" in logged) == (0, False, True)

    run(scenario())
