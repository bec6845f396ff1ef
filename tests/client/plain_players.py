"""Players who type plain lines and read what is printed, at a server in the same process.

async with serving() as house, sitting(house, "Ada") as ada, sitting(house, "Bob") as bob:
    await two_at_a_table(ada, bob, "grid-hunt first=host")
    await ada.reads("Welcome to Grid Hunt!")
    ada.types("HIDE 2 3")
"""

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from gridgames_client.address import Address
from gridgames_client.connection import Connection
from gridgames_client.desk import Desk
from gridgames_client.identity import Identity
from gridgames_client.model import Model
from gridgames_client.plain import Plain
from tests.client.line import SOON
from tests.wire import until

PATIENCE = 5.0  # seconds; what does not come within them never does


@dataclass
class Scribe:
    """Somebody at a plain terminal."""

    table: Plain
    printed: list[str]
    read: int = 0  # how many of the lines have been read
    saved: dict[str, str] = field(default_factory=dict)

    @property
    def model(self):
        return self.table.model

    def types(self, *lines):
        for line in lines:
            self.table.typed(line)

    async def waits(self, true, what):
        """Wait for something to be printed; say what was printed instead if it never is."""
        try:
            async with asyncio.timeout(PATIENCE):
                await until(true)
        except TimeoutError:
            unread = "\n".join(self.printed[self.read :])
            raise AssertionError(f"waited for {what!r}, and there is only:\n{unread}") from None

    async def reads(self, *sentences):
        """Read on until each of these lines has come, in this order; everything up to the last is past then."""
        passed = []
        for sentence in sentences:
            await self.waits(lambda sentence=sentence: sentence in self.printed[self.read :], sentence)
            at = self.printed.index(sentence, self.read)
            passed += self.printed[self.read : at]
            self.read = at + 1
        return passed

    async def reads_next(self, *sentences):
        """Read exactly these lines, and nothing between them."""
        await self.waits(lambda: len(self.printed) >= self.read + len(sentences), sentences)
        assert tuple(self.printed[self.read : self.read + len(sentences)]) == sentences
        self.read += len(sentences)

    async def reads_like(self, beginning):
        """The next line that begins like this."""
        await self.waits(lambda: any(line.startswith(beginning) for line in self.printed[self.read :]), beginning)
        while not self.printed[self.read].startswith(beginning):
            self.read += 1
        self.read += 1
        return self.printed[self.read - 1]

    def unread(self):
        """What has been printed and not been read."""
        found, self.read = self.printed[self.read :], len(self.printed)
        return found


@asynccontextmanager
async def sitting(house, name, address=None, **options):
    """A player at a plain terminal, connected."""
    printed: list[str] = []
    address = address or Address(house.host, house.port)
    desk = Desk(Model(str(address)), ask=lambda request: None, tell=lambda what: None, save=save, clock=lambda: 0.0)
    table = Plain(desk, printed.append, **options)
    connection = Connection(address, Identity(name), table, patience=SOON)
    desk.ask = connection.ask
    task = asyncio.create_task(connection.run())
    scribe = Scribe(table, printed)
    try:
        await scribe.reads_like("You are in the lobby.")
        yield scribe
    finally:
        task.cancel()
        await asyncio.wait({task})
        if not task.cancelled():
            task.result()


def save(path, text):
    return f"Saved to {path}."


async def two_at_a_table(one, two, wish):
    """The first opens a room, the second joins it; the room's code."""
    one.types(f"create {wish}")
    then = await one.reads_like("Then: join ")
    code = then.split()[-1]
    two.types(f"join {code}")
    for player in (one, two):
        await player.reads_like("Welcome to ")
    return code
