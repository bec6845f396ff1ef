"""The machine that the server runs on: one life of the server after the other, and what the disk has kept of each."""

from typing import TYPE_CHECKING

from gridgames_server.bots import BOTS
from gridgames_server.core.hub import Hub, ServerConfig
from gridgames_server.games import GAMES
from gridgames_server.net.service import Service
from gridgames_server.storage import restore
from tests.server.stored_hub import Luck
from tests.simulation.invariants import breach
from tests.simulation.simulated_clock import Loop
from tests.simulation.simulated_disk import Disk, StoreShelf
from tests.simulation.simulated_network import Holder, Wire

if TYPE_CHECKING:
    from tests.simulation.world import World

MARK = b"\xca\xfeCANARY"  # begins every token and every game's seed, so that one search finds any of them
TROUBLE = 4  # bytes that the hub draws for nothing but the number of a bug that it has struck
BOT_DELAY = 0.4


class Marked(Luck):
    """Luck whose secrets can be told from everything else."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed << 32)

    def __call__(self, size: int) -> bytes:
        if size == TROUBLE:
            raise breach("shell", "the server draws a number for a bug of its own")
        drawn = super().__call__(size)
        return MARK + drawn[len(MARK) :] if size == 32 else drawn


class Crash(BaseException):
    """The server is no more, from this very point on."""


class Host:
    """Starts the server, and ends it without warning."""

    def __init__(self, world: "World", seed: int) -> None:
        self.world = world
        self.shelf = StoreShelf()
        self.luck = Marked(seed)
        self.wires: list[Wire] = []  # of this life
        self.numbers = 0
        self.lives = 0
        self.up = False
        self.start()

    def start(self) -> None:
        """Begin a life, from what the last one has kept."""
        clock = self.world.clock
        self.loop = Loop(clock, self.luck, self.world.weather)
        self.disk = Disk(self.world, self.shelf, self.loop, self.breaks)
        saved = self.disk.load()
        self.began = self.time_begins(saved.now)
        config = ServerConfig(GAMES, "the house", bots=frozenset(BOTS), has_store=True, has_hints=True)
        self.hub = Hub(config, self.luck, clock.now - self.began)
        self.service = Service(self.hub, self.disk, self.time, BOT_DELAY)
        self.service.loop = self.loop
        left_over = restore.restore(self.hub, saved, self.time())
        self.world.witness.clocks.begins()
        self.up = True
        self.lives += 1
        self.service.tick()
        self.service.outbox.put(left_over)

    def time_begins(self, saved: float) -> float:
        """When the hub's time would have been 0: it goes on where it stood, however long nobody served."""
        return self.world.clock.now - saved

    def time(self) -> float:
        """The hub's time."""
        return self.world.clock.now - self.began

    def breaks(self, error: BaseException) -> None:
        """The disk can't be trusted any more: the program ends."""
        raise Crash

    def crash(self, down: float) -> None:
        """The server is gone, and everything that it had in mind; it is started again after a while."""
        self.up = self.loop.alive = False
        clock = self.world.clock
        clock.gaps.append((clock.now, clock.now + down))
        for wire in self.wires:
            wire.dies()
        self.wires.clear()
        clock.later(down, self.start)

    def connect(self, holder: Holder) -> Wire | None:
        """Somebody connects, if there is a server that has a descriptor left."""
        if not self.up or self.world.weather.no_files:
            return None
        self.numbers += 1
        wire = Wire(self.world, holder, self.service.new_connection(), self.numbers)
        self.wires.append(wire)
        self.world.clock.later(wire.lag, wire.is_made)
        return wire

    def forgets(self) -> None:
        """Wires that are over for the server are nobody's business."""
        self.wires = [wire for wire in self.wires if not wire.server_knows]
