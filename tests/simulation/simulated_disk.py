"""A disk in memory, under the real writer: its groups, its rows, its compaction, and what it does on a full disk."""

import sqlite3
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from threading import Event, Lock
from typing import TYPE_CHECKING, Any

from gridgames_server.core.fair_queue import FairQueue
from gridgames_server.core.room_events import Record, Snapshot
from gridgames_server.storage import compaction, writer
from gridgames_server.storage.finished_games import read_games, run_query
from gridgames_server.storage.history_answers import FinishedGame, Query, QueryResult
from gridgames_server.storage.query_thread import Queries
from gridgames_server.storage.store import TABLES, Store
from gridgames_server.storage.writer import Writer, read_whole_log
from tests.server.stored_hub import Shelf
from tests.simulation.invariants import breach
from tests.simulation.simulated_clock import Loop

if TYPE_CHECKING:
    from tests.simulation.world import World

USUAL_LATENCY = 0.01
COMPACT_SHARE = 0.4  # of the starts
HEARS_WITHIN = 0.03  # a busy loop hears late of what is on disk, and decides things in between


class Queue:
    """What the writer has to do. It ends its shift, as if told to close, when it has taken as much as it may."""

    def __init__(self, plan: Callable[[], None]) -> None:
        self.waiting: deque[Any] = deque()
        self.plan = plan  # told when there is something to do
        self.budget = 0

    def put(self, entry: Any) -> None:
        self.waiting.append(entry)
        self.plan()

    def get(self) -> Any:
        if self.empty():
            return None
        self.budget -= 1
        return self.waiting.popleft()

    def empty(self) -> bool:
        return not (self.waiting and self.budget)


@contextmanager
def without_files_and_threads(shelf: "StoreShelf") -> Iterator[None]:
    """Let a writer be made that opens no file and starts no thread."""
    parts = writer.connect, writer.Queries
    writer.connect, writer.Queries = (lambda path: shelf.store), Reader
    try:
        yield
    finally:
        writer.connect, writer.Queries = parts


class Reader(Queries):
    """Answers questions about finished games on the simulated loop, from the store in memory."""

    world: "World"
    loop: Loop

    def __init__(self, path: Path, call: Callable[[Callable[[], object]], object]) -> None:
        self.call, self.waiting, self.lock = call, FairQueue(), Lock()
        self.closed = Event()
        self.closed.set()  # it does not rest
        self.reader, self.is_failing = None, False

    def ask(self, query: Query) -> None:
        self.waiting.put(query)
        self.loop.call_later(self.world.rnd.random() * self.world.weather.latency, self._answer_next)

    def _read(self, query: Query) -> QueryResult:
        if self.world.weather.no_files:
            self.world.failed_queries += 1
            raise _error("unable to open database file", sqlite3.SQLITE_CANTOPEN)
        found = run_query(self.world.host.shelf.store, query.question, query.player)
        return replace(found, games=tuple(game._replace(ended=0.0) for game in found.games))  # it was a real time


class SideFile:
    """The number of the last row. The server may crash before it is written."""

    def __init__(self) -> None:
        self.seq = 0
        self.before: Callable[[], None] = lambda: None

    def write(self, seq: int, link: bytes) -> None:
        self.before()
        self.seq = seq


class StoreShelf(Shelf):
    """The files of the host, which outlive the server: a store in memory, and every record that was written to it."""

    def __init__(self) -> None:
        super().__init__()
        self.store = sqlite3.connect(":memory:", isolation_level=None, factory=Store)
        for statement in TABLES.split(";\n"):
            self.store.execute(statement)
        self.last_write = self.store.last_write = SideFile()
        self.store.check_place = lambda path: None  # nobody moves what is in memory
        self.starts = 0


class Reserve:
    """Space that is freed when the disk is full. Now and then somebody else takes it at once."""

    def __init__(self, world: "World") -> None:
        self.world, self.helps = world, False

    def make(self) -> bool:
        self.helps = False
        return not self.world.weather.full

    def free(self) -> None:
        self.helps = self.world.rnd.random() < 0.7


class Disk(Writer):
    """The store of one life of a server; what it has committed is on the shelf for the next."""

    def __init__(self, world: "World", shelf: StoreShelf, loop: Loop, broken: Callable[[BaseException], None]) -> None:
        with without_files_and_threads(shelf):
            super().__init__(Path("no file"), self._call_in_order, broken)
        self.queries.world, self.queries.loop = world, loop
        shelf.last_write.before = world.reaches_a_point
        self.world, self.shelf, self.loop = world, shelf, loop
        self.waiting = Queue(self._plan)
        self.reserve = Reserve(world)
        self.planned = False
        self.told_at = 0.0  # when the loop has heard all that it was told

    def save(self, records: list[Record], kept: Callable[[], None]) -> None:
        super().save(records, kept)
        self.world.reaches_a_point()

    def load(self) -> Snapshot:
        """Read the log; now and then it is compacted, and the server may crash between two steps of that."""
        saved = super().load()
        self.shelf.last_write.seq = self.seq  # `start` does this, which is not called: it starts a thread
        self.shelf.starts += 1
        luck = Random(self.world.seed * 1_000 + self.shelf.starts)
        if self.seq and luck.random() < COMPACT_SHARE:
            self.world.fuse = luck.randrange(1, 12)
            for _ in compaction.compact(self.store, read_whole_log(self.store)):
                self.world.reaches_a_point()
            self.world.fuse = 0
        return saved

    def _check_for_loss(self) -> str:
        noted = self.shelf.last_write.seq
        if noted > self.seq:
            raise breach("side file", f"row {noted} is noted, and the log ends with {self.seq}")
        if noted < self.seq - 1:
            raise breach("side file", f"the log ends with row {self.seq}, and only {noted} is noted")
        return ""

    def _begin_compaction(self) -> None:
        raise AssertionError("an evening is too short for that")

    def _call_in_order(self, call: Callable[[], object]) -> None:
        clock = self.world.clock
        self.told_at = max(self.told_at, clock.now + self.world.rnd.random() * HEARS_WITHIN)
        self.loop.call_at(self.told_at, call)

    def _plan(self) -> None:
        if not self.planned:
            self.planned = True
            self.loop.call_later(self.world.rnd.random() * self.world.weather.latency, self._shift)

    def _shift(self) -> None:
        """The writer's thread gets to run for a while."""
        self.planned = False
        self.waiting.budget = self.world.rnd.choice((1, 2, 50))
        self._write_all()
        if self.waiting.waiting:
            self._plan()

    def _commit(self, records: list[Record]) -> None:
        if not records:
            return
        self.world.reaches_a_point()
        if self.world.weather.failing:
            raise _error("disk I/O error", sqlite3.SQLITE_IOERR)
        if self.world.weather.full and not self.reserve.helps:
            raise _error("database or disk is full", sqlite3.SQLITE_FULL)
        for record in records:
            self.world.witness.sees_kept(record)
        self.shelf.records += records
        super()._commit(records)
        self.world.reaches_a_point()

    def list_finished_games(self) -> tuple[FinishedGame, ...]:
        """Return the games that have ended in all lives of the server."""
        self._archive()
        return read_games(self.store, "1", {})


def _error(text: str, code: int) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError(text)
    error.sqlite_errorcode = code
    return error
