"""Players who type plain lines and read what is printed, at a server in the same process.

async with serving() as server, plain_player(server, "Ada") as ada, plain_player(server, "Bob") as bob:
    await two_at_a_table(ada, bob, "grid-hunt first=host")
    await ada.reads("Welcome to Grid Hunt!")
    ada.types("HIDE 2 3")
"""

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from gridgames_client.net.address import Address
from gridgames_client.net.connection import Connection
from gridgames_client.net.credentials import Identity
from gridgames_client.state.controllers.controller import Controller
from gridgames_client.state.model import Model
from gridgames_client.terminal.plain.plain_app import Plain
from gridgames_server.games import GAMES
from tests.client.scripted_server import SOON
from tests.wire import run, serving, until

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
            self.table.take_line(line)

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


class Reader:
    """A player at a table without wires, in plain lines."""

    def __init__(self, table, seat=1):
        self.seat, self.printed = table.seats[seat], []
        self.plain = Plain(self.seat.controller, self.printed.append)

    def types(self, *typed):
        """What is printed after some lines."""
        before = len(self.printed)
        for line in typed:
            self.plain.take_line(line)
        return self.printed[before:]


@asynccontextmanager
async def plain_player(server, name, address=None, **options):
    """A player at a plain terminal, connected."""
    printed: list[str] = []
    address = address or Address(server.host, server.port)
    controller = Controller(
        Model(str(address)), ask=lambda request: None, notify=lambda what: None, save=save, clock=lambda: 0.0
    )
    controller.guide.known_games = {game.card.slug for game in GAMES}
    table = Plain(controller, printed.append, later=asyncio.get_running_loop().call_soon, **options)
    connection = Connection(address, Identity(name), controller, timeouts=SOON)
    controller.ask = connection.ask
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


async def two_at_a_table(one, two, room):
    """The first opens a room, the second joins it; the room's code."""
    one.types(f"create {room}")
    then = await one.reads_like("Then: join ")
    code = then.split()[-1]
    two.types(f"join {code}")
    for player in (one, two):
        await player.reads_like("Welcome to ")
    return code


def table_of(server, code):
    """The secrets of a game, as only the server knows them."""
    return server.service.hub.rooms.by_code[code].match.state


def scenario(room):
    """Run a story of two players at a table."""

    def play(story):
        async def whole():
            async with serving() as server, plain_player(server, "Ada") as ada, plain_player(server, "Bob") as bob:
                code = await two_at_a_table(ada, bob, room)
                await story(server, code, ada, bob)

        def test():
            run(whole())

        test.__name__ = story.__name__
        return test

    return play


BOARD = [
    "     1     2     3     4     5",
    "1 |     |     |     |     |     |",
    "2 |     |     |     |     |     |",
    "3 |     |     |     |     |     |",
    "4 |     |     |     |     |     |",
    "5 |     |     |     |     |     |",
]


def menu(left):
    if not left:
        return ("Choose an action:", "2. Dig (0 Scans remaining)", "Enter your choice (2):")
    return ("Choose an action:", f"1. Scan ({left} Scans remaining)", "2. Dig", "Enter your choice (1 or 2):")
