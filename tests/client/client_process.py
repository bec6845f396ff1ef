"""The real client in a process of its own, with pipes instead of a terminal.

async with child(address, state=tmp_path) as ada:
    await ada.reads("Connected to the server as Ada.")
    ada.types("create grid-hunt")
"""

import asyncio
import contextlib
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from tests.client.pseudo_terminal import PATIENCE, PROGRAMS
from tests.wire import environment

PIPE = asyncio.subprocess.PIPE


@dataclass
class Child:
    """A client behind two pipes."""

    process: asyncio.subprocess.Process
    printed: list[str] = field(default_factory=list)

    def types(self, *lines):
        for line in lines:
            self.process.stdin.write(f"{line}\n".encode())

    async def reads(self, beginning):
        """Read on to the next line that begins like this."""
        try:
            async with asyncio.timeout(PATIENCE):
                while line := (await self.process.stdout.readline()).decode():
                    self.printed.append(line.rstrip("\n"))
                    if line.startswith(beginning):
                        return self.printed[-1]
        except TimeoutError:
            pass
        raise AssertionError(f"waited for {beginning!r}, and read:\n" + "\n".join(self.printed))

    async def ends(self, by=None):
        """The exit code and what was said to stderr, after a signal or else after the end of input."""
        if by:
            self.process.send_signal(by)
        elif self.process.stdin:
            self.process.stdin.close()
        async with asyncio.timeout(PATIENCE):
            rest, errors = await self.process.communicate()
        self.printed += (rest or b"").decode().splitlines()
        return self.process.returncode, errors.decode()


@asynccontextmanager
async def child(*arguments, state, stdin=PIPE, stdout=PIPE, cwd=None, **variables):
    """Run a client until the story ends; what it remembers is kept in a folder of the test's."""
    process = await asyncio.create_subprocess_exec(
        PROGRAMS / "gridgames-client",
        *map(str, arguments),
        stdin=stdin,
        stdout=stdout,
        stderr=PIPE,
        cwd=cwd,
        env=environment(**{"XDG_STATE_HOME": str(state), "GRIDGAMES_SEARCH": "none", **variables}),
    )
    try:
        yield Child(process)
    finally:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.communicate()
