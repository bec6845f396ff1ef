"""Passes the lines of standard input to plain mode, until the input ends or a signal arrives."""

import asyncio
import sys

from gridgames_client.net.connection import Connection
from gridgames_client.terminal.plain.plain_app import Plain
from gridgames_client.terminal.stdio import read_lines
from gridgames_protocol.machine.signals import call_on_signals

Lines = asyncio.Queue[str | None]  # typed lines, then None
SIGNALS = ("SIGTERM", "SIGHUP", "SIGQUIT")  # not every system has all of them


async def run_until_ended(table: Plain, connection: Connection, lines: Lines | None, waits: bool = False) -> None:
    """Pass typed lines on, until the input ends or a signal arrives."""
    call_on_signals(SIGNALS, table.end)
    call_on_signals(("SIGINT",), lambda: interrupt(table))
    async with asyncio.TaskGroup() as tasks:
        typing = tasks.create_task(type_lines(table, connection, lines, waits))
        await table.ended.wait()
        typing.cancel()


def interrupt(table: Plain) -> None:
    """End after Ctrl-C. A terminal that echoes has shown ^C without ending its line."""
    if sys.stdin and sys.stdin.isatty() and not table.hides_typing:
        table.say("")
    table.is_interrupted = True
    table.end("Goodbye.")


async def type_lines(table: Plain, connection: Connection, lines: Lines | None, waits: bool = False) -> None:
    """Submit typed lines. Each waits until the requests before it are answered, so that scripts work too."""
    await table.welcomed.wait()
    if lines is None:
        lines = asyncio.Queue()
        read_lines(lines.put_nowait)
    while (line := await lines.get()) is not None:
        if waits and not line.strip().startswith("/"):
            await table.can_type.wait()
        table.take_line(line)
        while not connection.all_answered.is_set():  # an answer may cause another request
            await connection.all_answered.wait()
    table.end()
