"""A server of one's own: a child process on this machine, which ends with the client."""

import asyncio
import contextlib
import os
import re
import socket
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from gridgames_client.address import Address, Refused
from gridgames_client.identity import private_folder
from gridgames_protocol.text import harmless

READY_WITHIN = 15.0
END_WITHIN = 3.0
PAUSES = (0.3, 0.7)  # seconds between tries for games that are in use; the server of a killed client ends within one
IN_USE = "another server is using it"  # what a server says of such games
ELSEWHERE = "Your other client keeps the games at home; this one's are not kept."
HOST = "127.0.0.1"
COMMAND = (
    *("-P", "-m", "gridgames_server"),  # -P: what lies about in the current folder is not taken for a module
    *("--host", HOST, "--port", "0", "--no-discovery", "--log-level", "error", "--end-with-stdin"),
)


@dataclass(frozen=True, slots=True)
class Home:
    """Where a server of one's own listens, and why what is played there is not kept, if it is not."""

    address: Address
    not_kept: str = ""


class NoServer(Refused):
    """No server could be started on this machine; its last words may say why."""

    def __init__(self, words: str) -> None:
        super().__init__(f"No server could be started on this machine. {words}".strip())
        self.words = words.removeprefix("gridgames-server: ")


@asynccontextmanager
async def local_server(pause: Callable[[float], Awaitable[object]] = asyncio.sleep) -> AsyncIterator[Home]:
    """Start a server, and end it on leaving. Should the client be killed, the pipe to the child closes and ends it.

    It keeps its games for the next time, unless another client of this user is at home already, or they are damaged.
    """
    async with AsyncExitStack() as until_left:
        try:
            home = Home(await _keeping(until_left, pause))
        except (OSError, NoServer) as error:
            home = Home(await until_left.enter_async_context(_running("--no-store")), _told(error))
        yield home


async def _keeping(until_left: AsyncExitStack, pause: Callable[[float], Awaitable[object]]) -> Address:
    """Where a server listens that keeps its games; that of a client that was killed has a moment to let go of them."""
    folder = private_folder("home")
    flags = ("--store", str(folder / "games.sqlite"), "--port", _usual_port(folder))
    for seconds in PAUSES:
        try:
            return _remembered(folder, await until_left.enter_async_context(_running(*flags)))
        except NoServer as failed:
            if IN_USE not in failed.words:
                raise
        await pause(seconds)
    return _remembered(folder, await until_left.enter_async_context(_running(*flags)))


def _usual_port(folder: Path) -> str:
    """The port of the last time if it is free: who sat at a second terminal comes back by the same address."""
    try:
        port = int((folder / "port").read_text("ascii"))
        with socket.create_server((HOST, port)):
            return str(port)
    except (OSError, ValueError, OverflowError):
        return "0"


def _remembered(folder: Path, address: Address) -> Address:
    """An address whose port is taken again the next time."""
    with contextlib.suppress(OSError):
        (folder / "port").write_text(str(address.port), "ascii")
    return address


def _told(error: OSError | NoServer) -> str:
    """What a player is told whose games are not kept."""
    words = harmless(error.words if isinstance(error, NoServer) else error.strerror or str(error))
    if IN_USE in words:
        return ELSEWHERE
    words = words.rstrip(".") or "the server that keeps games did not start"
    return f"What you play now is not kept: {words[0].lower()}{words[1:]}."


@asynccontextmanager
async def _running(*flags: str) -> AsyncIterator[Address]:
    """Run a server, and say where it listens."""
    with tempfile.TemporaryFile() as errors:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *COMMAND,
            *flags,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=errors,
            env={name: value for name, value in os.environ.items() if not name.startswith("GRIDGAMES_")},
            start_new_session=True,  # a Ctrl-C in the terminal is for the client alone
        )
        try:
            address = await _announced(process)
            if address is not None:
                yield address
        finally:
            await _end(process)
        if address is None:
            raise NoServer(_last_words(errors))


async def _announced(process: asyncio.subprocess.Process) -> Address | None:
    """Where the server says that it listens."""
    assert process.stdout
    said = b""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(READY_WITHIN):
            said = await process.stdout.readline()
    found = re.search(rf"{re.escape(HOST)}:(\d+)", said.decode("utf-8", "replace"))
    return Address(HOST, int(found[1])) if found else None


def _last_words(errors: IO[bytes]) -> str:
    """Why there is no server, in its own words if it has any."""
    errors.seek(0)
    *_, words = errors.read().decode("utf-8", "replace").strip().split("\n")
    return words


async def _end(process: asyncio.subprocess.Process) -> None:
    assert process.stdin
    process.stdin.close()
    try:
        async with asyncio.timeout(END_WITHIN):
            await process.wait()
    except TimeoutError:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
