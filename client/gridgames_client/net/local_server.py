"""Starts a server on this machine: a child process that ends with the client."""

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from gridgames_client.net.address import Address, Refused
from gridgames_client.net.found_servers import Server
from gridgames_client.net.private_files import private_folder
from gridgames_client.net.server_process import HOST, ServerProcess, start_forgetting, start_keeping
from gridgames_client.net.server_status import ask_status
from gridgames_protocol.discovery import NONCE, Answer
from gridgames_protocol.messages import PROTOCOL
from gridgames_protocol.safe_text import harmless

READY_WITHIN = 15.0  # seconds until it listens
NEIGHBOUR_WITHIN = 0.5  # seconds for the status of another server on this machine
PAUSES = (0.3, 0.7)  # seconds between attempts while the store is in use; a killed client's server ends within one
RESTART_PAUSE = 0.3  # seconds between two starts
RESTARTS = 3  # of a server that dies; one that dies more often has something wrong with it
IN_USE = "another server is using it"  # part of the message of a server whose store is in use
ELSEWHERE = "Your other client keeps the games at home; this one's are not kept."


@dataclass(frozen=True, slots=True)
class LocalServer:
    """A started server: its address, and why it stores no games (empty if it does)."""

    address: Address
    why_not_stored: str = ""


class NoServer(Refused):
    """No server could be started on this machine. Its last line of output may say why."""

    def __init__(self, words: str) -> None:
        super().__init__(f"No server could be started on this machine. {words}".strip())
        self.words = words.removeprefix("gridgames-server: ")


@asynccontextmanager
async def run_local_server(
    first: ServerProcess | None = None, pause: Callable[[float], Awaitable[object]] = asyncio.sleep
) -> AsyncIterator[LocalServer]:
    """Run a server until the block ends. `first` may be one that stores games and was started already.

    The server stores its games, unless another client's server uses the store or the store is damaged.
    """
    async with AsyncExitStack() as until_left:
        try:
            home = LocalServer(await _start_with_store(until_left, first, pause))
        except (OSError, NoServer) as error:
            address = await until_left.enter_async_context(_run_server(start_forgetting(), restarts=0))
            home = LocalServer(address, _explain_not_kept(error))
        yield home


async def _start_with_store(
    until_left: AsyncExitStack, first: ServerProcess | None, pause: Callable[[float], Awaitable[object]]
) -> Address:
    """Start a server that stores its games. Tries again while a killed client's server still uses the store."""
    process = first or start_keeping()
    for seconds in PAUSES:
        try:
            return _remember_port(await until_left.enter_async_context(_run_server(process)))
        except NoServer as failed:
            if IN_USE not in failed.words:
                raise
        await pause(seconds)
        process = start_keeping()
    return _remember_port(await until_left.enter_async_context(_run_server(process)))


def _remember_port(address: Address) -> Address:
    """Store the port, so that the next server listens there again."""
    with contextlib.suppress(OSError):
        (private_folder("home") / "port").write_text(str(address.port), "ascii")
    return address


def _explain_not_kept(error: OSError | NoServer) -> str:
    """The message that the games are not stored, and why."""
    words = harmless(error.words if isinstance(error, NoServer) else error.strerror or str(error))
    if IN_USE in words:
        return ELSEWHERE
    words = words.rstrip(".") or "the server that keeps games did not start"
    return f"What you play now is not kept: {words[0].lower()}{words[1:]}."


@asynccontextmanager
async def _run_server(process: ServerProcess, restarts: int = RESTARTS) -> AsyncIterator[Address]:
    """Yield the address of a server when it listens, and end it after the block. One that dies is started again."""
    running = [process]  # the last one is not ended yet
    try:
        address = await _read_address(process)
        if address is not None:
            restarting = asyncio.create_task(_restart(running, address, restarts))
            try:
                yield address
            finally:
                restarting.cancel()
                await asyncio.gather(restarting, return_exceptions=True)
    finally:
        words = await asyncio.to_thread(running[-1].end)
    if address is None:
        raise NoServer(words)


async def _restart(running: list[ServerProcess], address: Address, restarts: int) -> None:
    """When the server has died, start it again with the same games, at the same address or not at all."""
    while len(running) <= restarts:
        with contextlib.suppress(OSError, RuntimeError):  # no descriptor or thread is left: it is tried again
            await asyncio.to_thread(running[-1].child.wait)
            await asyncio.to_thread(running[-1].end)
            running.append(start_keeping())
            if await _read_address(running[-1]) != address:
                await asyncio.to_thread(running[-1].end)
                return
        await asyncio.sleep(RESTART_PAUSE)


async def _read_address(process: ServerProcess) -> Address | None:
    """The address that the server prints when it listens."""
    said = b""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(READY_WITHIN):
            said = await asyncio.to_thread(process.read_line)
    found = re.search(rf"{re.escape(HOST)}:(\d+)", said.decode("utf-8", "replace"))
    return Address(HOST, int(found[1])) if found else None


async def find_other_local_server(port: int) -> tuple[Server, ...]:
    """The server of this user's other client on this machine, if one listens on this port."""
    with contextlib.suppress(OSError, ValueError, Refused):
        status = await ask_status(Address(HOST, port), within=NEIGHBOUR_WITHIN)
        answer = Answer("0" * NONCE, "f" * NONCE, "your other client", port, status.players, status.rooms, False, False,
                        status.version or "0", PROTOCOL)  # fmt: skip
        return (Server(HOST, answer),)
    return ()
