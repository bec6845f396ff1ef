"""The control socket: the host's commands come through it. Only the host's own user can open it.

A connection carries one command, which ends where the input ends. The answer is an exit code of one digit and a text.
"""

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path

from gridgames_server.admin import commands, portability
from gridgames_server.admin.health import Health
from gridgames_server.core.effects import AnswerHost, Effect
from gridgames_server.core.hub import Hub
from gridgames_server.errors import SEE_LOG, Refusal, locate
from gridgames_server.net.service import Service
from gridgames_server.storage.side_files import resolve
from gridgames_server.storage.store import StoreError
from gridgames_server.storage.writer import Writer

ASK_WITHIN = 60.0  # seconds
BACKUP_WITHIN = 3_600.0  # seconds; a backup beside moves takes 45 seconds for each GB

log = logging.getLogger("gridgames")

Command = Callable[[str], Awaitable[str]]  # takes the arguments, returns the answer or raises a Refusal


def default_socket(store: Path) -> Path:
    """Return the default path of the control socket for a store."""
    store = resolve(store)
    return store.with_name(store.name + ".sock")


async def ask_server(path: Path, command: str, within: float | None = None) -> tuple[int, str]:
    """Send a command to the running server. Return the exit code and the answer."""
    async with asyncio.timeout(within or ASK_WITHIN):
        reader, writer = await portability.connect(path)
        try:
            writer.write(os.fsencode(command))
            writer.write_eof()  # an LF can't end the command: it may be part of a file name
            answer = remove_escapes(os.fsdecode(await reader.read()))
        finally:
            writer.close()
    return (int(answer[0]), answer[1:]) if answer[:1].isdecimal() else (1, "the server did not answer")


def remove_escapes(text: str) -> str:
    """Replace control characters: the socket may belong to another program."""
    return "".join(sign if sign in "\n\t" or sign.isprintable() else "?" for sign in text)


@asynccontextmanager
async def listen(path: Path, commands: Mapping[str, Command]) -> AsyncIterator[None]:
    """Accept the host's commands on a socket that only this user can open."""
    async with AsyncExitStack() as until_the_end:
        try:
            await until_the_end.enter_async_context(portability.listen(path, _make_handler(commands)))
        except OSError as error:
            raise StoreError(f"can't listen at {path}: {error.strerror or error}") from None
        yield


@asynccontextmanager
async def listen_for_host(
    socket: str | None, store: Path | None, commands: Mapping[str, Command]
) -> AsyncIterator[None]:
    """Listen on the socket that the host has chosen. The default is beside the store; if it fails, log a warning."""
    async with AsyncExitStack() as until_the_end:
        if socket:
            await until_the_end.enter_async_context(listen(Path(socket), commands))
        elif store:
            try:
                await until_the_end.enter_async_context(listen(default_socket(store), commands))
            except StoreError as error:
                log.warning("the host's commands can't be received: %s", error)
        yield


def _make_handler(
    commands: Mapping[str, Command],
) -> Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(ASK_WITHIN):
                word, _, rest = os.fsdecode(await reader.read()).partition(" ")
            async with asyncio.timeout(BACKUP_WITHIN):
                writer.write(os.fsencode(await _answer(commands, word, rest)))
                await writer.drain()
        except (OSError, TimeoutError):
            pass  # the host has closed the connection
        finally:
            writer.close()

    return serve


async def _answer(commands: Mapping[str, Command], word: str, rest: str) -> str:
    command = commands.get(word)
    if command is None:
        return "1unknown command"
    try:
        return "0" + await command(rest)
    except Refusal as refusal:
        return "1" + refusal.text
    except Exception as bug:
        log.error("bug in a command of the host: %s", locate(bug))
        return "1" + SEE_LOG


# The commands ---------------------------------------------------------------------------------------------------------


def make_command_table(
    service: Service, storage: Writer | None, health: Callable[[], Health] = Health
) -> dict[str, Command]:
    """Return every command for a running server."""
    hub = service.hub

    async def status(rest: str) -> str:
        more = await service.http_download.list_facts(service.loop) if service.http_download else {}
        if rest == "--json":
            return commands.format_status_json(hub, service.clock(), health(), more)
        return "\n".join(commands.format_status(hub, service.clock(), health(), more))

    async def players(rest: str) -> str:
        return "\n".join(commands.list_players(hub))

    async def rooms(rest: str) -> str:
        return "\n".join(commands.list_rooms(hub))

    async def backup(rest: str) -> str:
        if storage is None or not rest:
            raise Refusal("not_now", "unknown command" if storage else "there is no store: games are in memory only")
        await _wait_for(partial(storage.backup, rest))
        return ""

    async def undrain(rest: str) -> str:
        service.do(commands.undrain(hub, service.clock()))
        return "New games can begin."

    async def drain(rest: str) -> str:
        service.do(commands.drain(hub, rest, service.clock()))  # it is not stored, so there is nothing to wait for
        latest = f", in {commands.tell_minutes(rest.split()[1])} at the latest" if rest else ""
        return f"No new game begins. The server stops when the last game is over{latest}."

    def make_command(act: Callable[[Hub, str, float], list[Effect]], answer: str) -> Command:
        async def do(rest: str) -> str:
            effects = act(hub, rest, service.clock())
            await _wait_for(lambda tell: service.do([*effects, AnswerHost(tell)]))
            return answer

        return do

    return {
        "status": status,
        "players": players,
        "rooms": rooms,
        "backup": backup,
        "say": make_command(commands.say, "Sent to everybody."),
        "kick": make_command(commands.kick, "Kicked."),
        "ban": make_command(commands.ban, "Banned."),
        "drain": drain,
        "undrain": undrain,
    }


async def _wait_for(begin: Callable[[Callable[[str], object]], object]) -> None:
    """Call `begin`, and wait until it calls back with "" or an error. An error is raised as a Refusal."""
    done: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def tell(why: str) -> None:
        if not done.done():  # the wait may have been cancelled
            done.set_result(why)

    begin(tell)
    if why := await done:
        raise Refusal("not_now", why)
