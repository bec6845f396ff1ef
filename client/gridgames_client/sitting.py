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
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from gridgames_client import identity
from gridgames_client.address import Address
from gridgames_client.connection import NAMELESS, Connection, Listener
from gridgames_client.desk import Desk
from gridgames_client.local import local_server
from gridgames_client.model import Model
from gridgames_client.plain import Plain
from gridgames_client.teletype import Echo, read_lines, write_line

if TYPE_CHECKING:
    from gridgames_client.app import App

T = TypeVar("T")

GOODBYE_WITHIN = 0.5
SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT")  # not every system has all of them


async def play(options: argparse.Namespace) -> None:
    """Play on a server, or on one that is started here."""
    if options.address is not None:
        await play_at(options.address, str(options.address), options)
        return
    async with local_server() as address:
        await play_at(address, "local", options)


async def play_at(address: Address, server: str, options: argparse.Namespace) -> None:
    """Play until the player leaves."""
    who = identity.take(server, options.name)
    who.name = who.name or usual_name()
    model = Model(str(address), bell=not options.no_bell)
    desk = Desk(model, ask=lambda request: None, tell=lambda what: None, save=save, clock=time.monotonic)
    app = full_screen(desk, options)
    connect = partial(
        Connection,
        address,
        who,
        name=options.name,
        password=options.password,
        tls=options.tls,
        distrust=lambda fingerprint: identity.other_certificate(server, fingerprint),
    )
    try:
        if app is not None:
            await until_goodbye(connect(desk), desk, app.run())
        else:
            await in_plain_lines(connect, desk)
    finally:
        who.close()


async def in_plain_lines(connect: Callable[[Listener], Connection], desk: Desk) -> None:
    """Play with lines of text."""
    echo = Echo()
    table = Plain(desk, write_line, echo.show)
    connection = connect(table)
    try:
        await until_goodbye(connection, desk, until_ended(table, connection))
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


def full_screen(desk: Desk, options: argparse.Namespace) -> "App | None":
    """The whole terminal to play on, where that is wanted and possible."""
    term = os.environ.get("TERM") or ("" if sys.platform == "win32" else "dumb")
    terminal = all(stream and stream.isatty() for stream in (sys.stdin, sys.stdout))
    if options.plain or not terminal or term == "dumb":
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


async def until_ended(table: Plain, connection: Connection) -> None:
    """Pass on what is typed until that ends, or a signal says so."""
    loop = asyncio.get_running_loop()
    for name in SIGNALS:
        with contextlib.suppress(AttributeError, NotImplementedError):
            loop.add_signal_handler(getattr(signal, name), table.ended.set)
    async with asyncio.TaskGroup() as tasks:
        typing = tasks.create_task(type_lines(table, connection))
        await table.ended.wait()
        typing.cancel()


async def type_lines(table: Plain, connection: Connection) -> None:
    """Hand over what is typed; a line waits until what came before it has been answered, so that scripts work too."""
    lines: asyncio.Queue[str | None] = asyncio.Queue()
    await table.welcomed.wait()
    read_lines(lines.put_nowait)
    while (line := await lines.get()) is not None:
        table.typed(line)
        await connection.settled.wait()
    table.ended.set()


def save(path: str, text: str) -> str:
    """Write a game to a file that is not there yet, and say so."""
    try:
        with open(os.path.expanduser(path), "x", encoding="utf-8") as file:
            file.write(text + "\n")
    except (OSError, ValueError) as error:
        return f"Not saved: {path}: {getattr(error, 'strerror', 'that is no name of a file')}."
    return f"Saved to {path}."
