"""A server of one's own: a child process on this machine, which ends with the client."""

import asyncio
import contextlib
import os
import re
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import IO

from gridgames_client.address import Address, Refused
from gridgames_client.identity import private_folder

READY_WITHIN = 15.0
END_WITHIN = 3.0
HOST = "127.0.0.1"
COMMAND = (
    *("-P", "-m", "gridgames_server"),  # -P: what lies about in the current folder is not taken for a module
    *("--host", HOST, "--port", "0", "--no-discovery", "--log-level", "error", "--end-with-stdin"),
)


@asynccontextmanager
async def local_server() -> AsyncIterator[Address]:
    """Start a server, and end it on leaving. Should the client be killed, the pipe to the child closes and ends it.

    It keeps its games for the next time, unless another client of this user is at home already.
    """
    with tempfile.TemporaryFile() as errors:
        process = await _start(errors, *_store())
        address = await _announced(process)
        if address is None:
            await _end(process)
            process = await _start(errors, "--no-store")
        try:
            yield address or await _announced(process) or _refuse(errors)
        finally:
            await _end(process)


def _store() -> tuple[str, ...]:
    try:
        return "--store", str(private_folder("home") / "games.sqlite")
    except OSError:
        return ("--no-store",)


async def _start(errors: IO[bytes], *flags: str) -> asyncio.subprocess.Process:
    errors.truncate(0)
    return await asyncio.create_subprocess_exec(
        sys.executable,
        *COMMAND,
        *flags,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=errors,
        env={name: value for name, value in os.environ.items() if not name.startswith("GRIDGAMES_")},
        start_new_session=True,  # a Ctrl-C in the terminal is for the client alone
    )


async def _announced(process: asyncio.subprocess.Process) -> Address | None:
    """Where the server says that it listens."""
    assert process.stdout
    said = b""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(READY_WITHIN):
            said = await process.stdout.readline()
    found = re.search(rf"{re.escape(HOST)}:(\d+)", said.decode("utf-8", "replace"))
    return Address(HOST, int(found[1])) if found else None


def _refuse(errors: IO[bytes]) -> Address:
    """Say why there is no server, in its own words if it has any."""
    errors.seek(0)
    *_, reason = errors.read().decode("utf-8", "replace").strip().split("\n")
    raise Refused(f"No server could be started on this machine. {reason}".strip())


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
