"""The running server's ear for its host: a socket in the file system that only the host's own user can open.

One command is said on a connection, up to its end; what comes back is an exit code of one digit, and words.
"""

import asyncio
import logging
import os
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path

from gridgames_server import hosting
from gridgames_server.effects import Effect, Tell
from gridgames_server.games.game import Refusal
from gridgames_server.hub import Hub
from gridgames_server.journal import Journal
from gridgames_server.service import Service
from gridgames_server.store import StoreError

ASK_WITHIN = 60.0

log = logging.getLogger("gridgames")

Command = Callable[[str], Awaitable[str]]  # what is said behind its word -> what is answered; or a Refusal


def socket_of(store: Path) -> Path:
    """Where the host's own commands reach the server that uses a store."""
    return store.with_name(store.name + ".sock")


async def ask_server(path: Path, command: str) -> tuple[int, str]:
    """Say a command to the running server; an exit code, and what it says."""
    async with asyncio.timeout(ASK_WITHIN):
        reader, writer = await asyncio.open_unix_connection(path)
        try:
            writer.write(os.fsencode(command))
            writer.write_eof()  # and no LF, which may stand in a file's name
            answer = os.fsdecode(await reader.read())
        finally:
            writer.close()
    return (int(answer[0]), answer[1:]) if answer[:1].isdecimal() else (1, "the server has not answered")


@asynccontextmanager
async def listening(path: Path, commands: Mapping[str, Command]) -> AsyncIterator[None]:
    """Take the host's commands, from this user alone."""
    with _bound(path) as ear:
        server = await asyncio.start_unix_server(_answering(commands), sock=ear)
        try:
            yield
        finally:
            server.close()


@asynccontextmanager
async def listening_if_possible(path: Path, commands: Mapping[str, Command]) -> AsyncIterator[None]:
    """Take the host's commands where nobody has asked for that: games can be played without it."""
    async with AsyncExitStack() as until_the_end:
        try:
            await until_the_end.enter_async_context(listening(path, commands))
        except StoreError as error:
            log.warning("the host's commands can't come in: %s", error)
        yield


@contextmanager
def _bound(path: Path) -> Iterator[socket.socket]:
    """A socket at a place in the file system, and no trace of it afterwards."""
    ear = socket.socket(socket.AF_UNIX)
    try:
        if path.is_socket() and _is_stale(path):
            path.unlink(missing_ok=True)
        ear.bind(str(path))  # nobody else's from the first moment, by the umask of the program
        path.chmod(0o600)
    except OSError as error:
        ear.close()
        raise StoreError(f"can't listen at {path}: {error.strerror or error}") from None
    try:
        yield ear
    finally:
        path.unlink(missing_ok=True)


def _is_stale(path: Path) -> bool:
    """True for what a server that was killed has left."""
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            return True
    return False


def _answering(
    commands: Mapping[str, Command],
) -> Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(ASK_WITHIN):
                word, _, rest = os.fsdecode(await reader.read()).partition(" ")
                writer.write(os.fsencode(await _answer(commands, word, rest)))
                await writer.drain()
        except (OSError, TimeoutError):
            pass  # whoever asked is gone
        finally:
            writer.close()

    return serve


async def _answer(commands: Mapping[str, Command], word: str, rest: str) -> str:
    command = commands.get(word)
    if command is None:
        return "1that is no command"
    try:
        return "0" + await command(rest)
    except Refusal as refusal:
        return "1" + refusal.text


# What can be said -----------------------------------------------------------------------------------------------------


def commands(service: Service, journal: Journal | None) -> dict[str, Command]:
    """Everything that a host can say to a running server."""
    hub = service.hub

    async def status(rest: str) -> str:
        return "\n".join(hosting.status(hub, service.clock()))

    async def players(rest: str) -> str:
        return "\n".join(hosting.players(hub))

    async def rooms(rest: str) -> str:
        return "\n".join(hosting.rooms(hub))

    async def backup(rest: str) -> str:
        if journal is None or not rest:
            raise Refusal("not_now", "that is no command" if journal else "there is no store: games are in memory only")
        await _done(partial(journal.backup, rest))
        return ""

    async def drain(rest: str) -> str:
        service.do(hosting.drain(hub, service.clock()))  # nothing of it is kept: there is nothing to wait for
        return "No new game begins; the last one ends it."

    def doing(deed: Callable[[Hub, str, float], list[Effect]], said: str) -> Command:
        async def do(rest: str) -> str:
            effects = deed(hub, rest, service.clock())
            await _done(lambda tell: service.do([*effects, Tell(tell)]))
            return said

        return do

    return {
        "status": status,
        "players": players,
        "rooms": rooms,
        "backup": backup,
        "say": doing(hosting.say, "Said to everybody."),
        "kick": doing(hosting.kick, "Sent away."),
        "drain": drain,
    }


async def _done(begin: Callable[[Callable[[str], object]], object]) -> None:
    """Begin something, and wait until it tells that it is done; a Refusal if it tells why it is not."""
    done: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def tell(why: str) -> None:
        if not done.done():  # whoever asked may have given up
            done.set_result(why)

    begin(tell)
    if why := await done:
        raise Refusal("not_now", why)
