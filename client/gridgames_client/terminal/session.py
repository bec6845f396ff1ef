"""One sitting: a player, a desk, and the line to a server, until one of them has had enough."""

import argparse
import asyncio
import contextlib
import getpass
import os
import signal
import sys
import time
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from gridgames_client import identity, where
from gridgames_client.address import Address, Refused
from gridgames_client.connection import ADVICE, NAMELESS, Connection, Listener, WrongPassword
from gridgames_client.desk import Desk
from gridgames_client.local import Home, local_server
from gridgames_client.model import Model
from gridgames_client.plain import Plain
from gridgames_client.search import searching
from gridgames_client.servers import Picked, Server
from gridgames_client.teletype import Echo, read_lines, write_line
from gridgames_client.where import Lines, Teller, password_on_screen
from gridgames_protocol.messages import Bye, Lobby, Push
from gridgames_protocol.text import harmless

if TYPE_CHECKING:
    from gridgames_client.app import App

T = TypeVar("T")

HOME = "local"  # what a server of one's own is called where names and tokens are kept
FLEETING = "local-not-kept"  # and one that keeps no games: its tokens must not take the place of those that bring back
GOODBYE_WITHIN = 0.5
PASSWORDS_ASKED = 3  # times; whoever does not know it then will not guess it
PASSWORD_MAX = 256  # characters: `hello` carries no more
SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT")  # not every system has all of them


async def play(options: argparse.Namespace) -> None:
    """Play on a server, or on one that is started here."""
    if options.address is not None:
        await knock(options.address, options)
        return
    lines: Lines | None = None
    async with AsyncExitStack() as here:
        search = await here.enter_async_context(searching(where.places(options.search)))
        home: Home | Refused
        try:
            home = await here.enter_async_context(local_server())  # while others have time to answer
        except Refused as refused:
            home = refused
        found = await search.found()
        if found and asks_in_lines(options):
            lines = asyncio.Queue()
            read_lines(lines.put_nowait)
        picked = await pick(found, options, lines) if found else Picked(None)
        if picked is None:
            return
        if picked.server is None:
            if isinstance(home, Refused):
                raise home
            await play_at(home.address, FLEETING if home.not_kept else HOME, options, lines, home, eager=bool(found))
            return
    address = Address(picked.server.host, picked.server.answer.port)
    options.tls, options.password = picked.server.answer.tls, picked.password or options.password
    if not options.tls:
        refuse_stripped(address)
    await knock(address, options, lines)


async def knock(address: Address, options: argparse.Namespace, lines: Lines | None = None) -> None:
    """Play on a server; where it wants a password, somebody at a terminal is asked for it a few times."""
    for _ in range(PASSWORDS_ASKED):
        try:
            await play_at(address, str(address), options, lines)
            return
        except WrongPassword as wrong:
            if lines is None and asks_in_lines(options):
                lines = asyncio.Queue()
                read_lines(lines.put_nowait)
            options.password = await ask_password(wrong, options, lines)
    await play_at(address, str(address), options, lines)


async def ask_password(wrong: WrongPassword, options: argparse.Namespace, lines: Lines | None) -> str:
    """Ask for a server's password; the refusal stands where there is nobody to ask, or nothing is said."""
    if lines is None and not may_draw(options):
        raise wrong
    write_line(harmless(str(wrong).removesuffix(ADVICE["password"])))
    typed = await (password_on_screen() if lines is None else Teller(lines, write_line, Echo().show).password())
    if not typed:
        raise wrong
    return typed[:PASSWORD_MAX]


def refuse_stripped(address: Address) -> None:
    """Stay away from a server that is said to have stopped encrypting: anybody can answer a search in its name."""
    file = identity.known_certificate(str(address))
    if file is not None:
        raise Refused(
            f"{address} has used TLS before, and now a search says that it does not: somebody may want to listen in. "
            f"If its host really has stopped using TLS, delete {file}."
        )


async def pick(found: tuple[Server, ...], options: argparse.Namespace, lines: Lines | None) -> Picked | None:
    """Let the player choose among servers; None if they want to leave. A script is told of them, and not asked."""
    if lines is not None:
        return await Teller(lines, write_line, Echo().show).pick(found, options.password is not None)
    if may_draw(options):
        return await where.pick_on_screen(found, options)
    for server in found:
        write_line(f"On your network: {server.name}, {server.place}: {server.facts}.")
    return Picked(None)


def asks_in_lines(options: argparse.Namespace) -> bool:
    """True where somebody sits at a terminal and plays in plain lines."""
    return not may_draw(options) and bool(sys.stdin) and sys.stdin.isatty()


async def play_at(
    address: Address,
    server: str,
    options: argparse.Namespace,
    lines: Lines | None = None,
    home: Home | None = None,
    eager: bool = False,
) -> None:
    """Play until the player leaves; lines may have been read already, and one who is eager is asked for a game."""
    who = identity.take(server, options.name)
    who.name = who.name or usual_name()
    model = Model(str(address), home=home is not None, tls=options.tls, bell=not options.no_bell)
    desk = Desk(model, ask=lambda request: None, tell=lambda what: None, save=save, clock=time.monotonic, when=when)
    app = full_screen(desk, options)
    tell = write_line if app is None else desk.model.say
    if home is not None and home.not_kept:
        tell(home.not_kept)
    connect = partial(
        Connection,
        address,
        who,
        name=options.name,
        password=options.password,
        tls=options.tls,
        distrust=partial(distrusted, server, tell),
    )
    try:
        if app is not None:
            await until_goodbye(connect(Ear(desk, desk if eager else None)), desk, app.run())
        else:
            await in_plain_lines(connect, desk, lines)
    finally:
        who.close()


def distrusted(server: str, tell: Callable[[str], None], fingerprint: str) -> Path | None:
    """The file that remembers another certificate of a server; the first one is remembered, and shown for comparing."""
    before = remembered()
    other = identity.other_certificate(server, fingerprint)
    if remembered() > before:
        tell(f"The server's certificate is remembered from now on. Ask its host whether it is {fingerprint}")
    return other


def remembered() -> int:
    """How many certificates are remembered."""
    with contextlib.suppress(OSError):
        return len(list(identity.private_folder("certificates").iterdir()))
    return 0


class Ear:
    """Passes on what the server says, and knows what concerns the whole sitting.

    One whom the host has sent away does not come back by itself; one who is eager is asked for a game at once.
    """

    def __init__(self, listener: Listener, eager: Desk | None = None) -> None:
        self.listener, self.eager = listener, eager
        self.line_is, self.answered, self.unanswered = listener.line_is, listener.answered, listener.unanswered

    def heard(self, message: Push) -> None:
        """The server has said something."""
        if isinstance(message, Bye) and message.code == "kicked":
            raise Refused(message.text)
        self.listener.heard(message)
        if isinstance(message, Lobby) and self.eager is not None:
            self.eager.new_room()
            self.eager = None


async def in_plain_lines(connect: Callable[[Listener], Connection], desk: Desk, lines: Lines | None) -> None:
    """Play with lines of text."""
    echo = Echo()
    table = Plain(desk, write_line, echo.show)
    connection = connect(Ear(table))
    try:
        await until_goodbye(connection, desk, until_ended(table, connection, lines))
    finally:
        echo.show(True)


def usual_name() -> str:
    """The name of this machine's user, as far as it can be a player's."""
    with contextlib.suppress(Exception):  # a user without a name raises whatever the platform likes
        return "".join(char for char in getpass.getuser() if char.isalnum() or char in "-_.")[:16] or NAMELESS
    return NAMELESS


async def until_goodbye(connection: Connection, desk: Desk, playing: Coroutine[object, object, None]) -> None:
    """Keep the line up while somebody plays; whichever ends first ends the other, and so does a bug."""
    loop = asyncio.get_running_loop()
    bug: asyncio.Future[None] = loop.create_future()

    def struck(loop: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
        error = context.get("exception")
        if isinstance(error, Exception) and not bug.done():
            bug.set_exception(error)

    loop.set_exception_handler(struck)
    desk.ask = connection.ask
    line, seat = loop.create_task(connection.run()), loop.create_task(playing)
    try:
        ended, _ = await asyncio.wait({line, seat, bug}, return_when=asyncio.FIRST_COMPLETED)
        for one in ended:
            one.result()
        if connection.greeted:
            desk.farewell()
            await asyncio.wait({line}, timeout=GOODBYE_WITHIN)
    finally:
        for one in (line, seat, bug):
            one.cancel()
        await asyncio.gather(line, seat, return_exceptions=True)


def may_draw(options: argparse.Namespace) -> bool:
    """True where the whole terminal is wanted, and there is one."""
    term = os.environ.get("TERM") or ("" if sys.platform == "win32" else "dumb")
    terminal = all(stream and stream.isatty() for stream in (sys.stdin, sys.stdout))
    return not options.plain and terminal and term != "dumb"


def full_screen(desk: Desk, options: argparse.Namespace) -> "App | None":
    """The whole terminal to play on, where that is wanted and possible."""
    if not may_draw(options):
        return None
    from gridgames_client.app import App  # takes its time, and is not needed for plain lines

    return unless_no_console(lambda: App(desk, options.ascii, not options.no_color))


def unless_no_console(make: Callable[[], T]) -> T | None:
    """What is made, or None on a Windows terminal that programs can't draw on."""
    try:
        return make()
    except Exception as error:
        if type(error).__name__ != "NoConsoleScreenBufferError":  # which other systems can't import
            raise
        return None


async def until_ended(table: Plain, connection: Connection, lines: Lines | None) -> None:
    """Pass on what is typed until that ends, or a signal says so."""
    loop = asyncio.get_running_loop()
    for name in SIGNALS:
        with contextlib.suppress(AttributeError, NotImplementedError):
            loop.add_signal_handler(getattr(signal, name), table.ended.set)
    async with asyncio.TaskGroup() as tasks:
        typing = tasks.create_task(type_lines(table, connection, lines))
        await table.ended.wait()
        typing.cancel()


async def type_lines(table: Plain, connection: Connection, lines: Lines | None) -> None:
    """Hand over what is typed; a line waits until what came before it has been answered, so that scripts work too."""
    await table.welcomed.wait()
    if lines is None:
        lines = asyncio.Queue()
        read_lines(lines.put_nowait)
    while (line := await lines.get()) is not None:
        table.typed(line)
        while not connection.settled.is_set():  # an answer may lead to the next request at once
            await connection.settled.wait()
    table.ended.set()


def save(path: str, text: str) -> str:
    """Write a game to a file that is not there yet, and say so."""
    try:
        with open(os.path.expanduser(path), "x", encoding="utf-8") as file:
            file.write(text + "\n")
    except (OSError, ValueError) as error:
        return f"Not saved: {path}: {getattr(error, 'strerror', 'that is no name of a file')}."
    name = f'"{os.path.expanduser(path)}"' if " " in path else path
    return f"Saved to {path}. To check it: gridgames-client verify {name}"


def when(seconds: int) -> str:
    """A time since 1970 as the clocks of this machine show it."""
    try:
        return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))
    except (OverflowError, ValueError, OSError):  # no calendar goes that far
        return "once"
