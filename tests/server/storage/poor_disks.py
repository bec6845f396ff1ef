"""A service on a disk that can be made full, or slow."""

import asyncio
import threading
from contextlib import asynccontextmanager

from gridgames_server.storage.writer import Writer
from tests.server.stored_hub import Luck, Shelf, StoredHub, kept_in, standing
from tests.wire import serving, until

SPACE = 2**30  # pages: as many as there may be


class FakeReserve:
    """A reserve whose space exists only in the numbers of a small writer."""

    def __init__(self, writer):
        self.writer, self.helps = writer, True

    def make(self):
        if self.writer.has_space:
            self.writer.limit_pages(SPACE)
        return self.writer.has_space

    def free(self):
        if self.helps:
            self.writer.limit_pages(SPACE)


class Small(Writer):
    """A writer on a disk that can be made full: every row then needs more pages, and there are none."""

    def __init__(self, *given):
        super().__init__(*given)
        self.reserve, self.has_space = FakeReserve(self), True

    def limit_pages(self, pages):
        self.store.execute(f"PRAGMA max_page_count={pages}")

    def fill(self, reserve_helps=True):
        self.store.execute("CREATE TABLE IF NOT EXISTS ballast (block BLOB)")
        self.store.execute(
            "CREATE TEMP TRIGGER heavy AFTER INSERT ON main.log"
            " BEGIN INSERT INTO ballast VALUES (zeroblob(100000)); END"
        )
        (pages,) = self.store.execute("PRAGMA page_count").fetchone()
        self.limit_pages(pages)
        self.has_space, self.reserve.helps = False, reserve_helps

    def clear(self):
        """There is space again. The next tick finds out."""
        self.store.execute("DROP TRIGGER heavy")
        self.has_space = self.reserve.helps = True


class Stuck(Writer):
    """A store whose disk hangs when it is told to."""

    def __init__(self, *given):
        super().__init__(*given)
        self.free = threading.Event()
        self.free.set()
        self.hanging = threading.Event()

    def _commit(self, records):
        if not self.free.is_set():
            self.hanging.set()
            assert self.free.wait(20)
        super()._commit(records)


async def found_space(server):
    """Time passes until the server has found out that there is space."""
    await server.later(1)
    await until(lambda: not server.storage.is_disk_full)


@asynccontextmanager
async def kept(path, kind=Small, **options):
    """A service with a store; nothing may go wrong with it."""
    wrong = []
    storage = kind(path, asyncio.get_running_loop().call_soon_threadsafe, wrong.append)
    storage.load()
    storage.start()
    async with serving(storage=storage, **options) as server:
        server.storage = storage
        yield server
    storage.close()
    assert wrong == []


def live(server):
    """Every room as the running server has it."""
    return {room.number: standing(room) for room in server.service.hub.rooms.by_code.values()}


def on_disk(path):
    """Every room as a new server would have it."""
    server = StoredHub(Shelf(), kept_in(path), Luck())
    return {room.number: standing(room) for room in server.hub.rooms.by_code.values()}


async def answer(guest):
    """The next reply."""
    while getattr(message := await guest.hears(), "re", None) is None:
        pass
    return message
