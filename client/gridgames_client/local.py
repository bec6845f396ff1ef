"""A server of one's own: a child process on this machine, which ends with the client."""

import asyncio
import re
import sys
from types import TracebackType

from gridgames_client.connection import Address, Refused

READY_WITHIN = 15.0
COMMAND = ("-m", "gridgames_server", "--host", "127.0.0.1", "--port", "0", "--log-level", "error", "--end-with-stdin")


class LocalServer:
    """Started on entering, ended on leaving. Should the client be killed, the pipe to the child closes and ends it."""

    def __init__(self) -> None:
        self.address = Address("127.0.0.1", 0)

    async def __aenter__(self) -> "LocalServer":
        command = (
            "-m",
            "gridgames_server",
            "--host",
            "127.0.0.1",
            "--port",
            "0",
            "--log-level",
            "error",
            "--end-with-stdin",
        )
        self.process = await asyncio.create_subprocess_exec(
            sys.executable,
            *command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True,  # a Ctrl-C in the terminal is for the client alone
        )
        assert self.process.stdout
        try:
            async with asyncio.timeout(READY_WITHIN):
                said = (await self.process.stdout.readline()).decode()
        except TimeoutError:
            said = ""
        found = re.search(r"gridgames-client \S+:(\d+)", said)
        if found is None:
            raise Refused("no server could be started on this machine")
        self.address = Address("127.0.0.1", int(found[1]))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        try:
            async with asyncio.timeout(3):
                await self.process.wait()
        except TimeoutError:
            self.process.kill()
            await self.process.wait()
