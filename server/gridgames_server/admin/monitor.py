"""The server's pulse: once a second it feels how late the loop is, once a minute it writes to the log what is new."""

import asyncio
import logging
import os
import shutil
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from gridgames_server.hub import Hub
from gridgames_server.journal import Journal
from gridgames_server.notify import notify, watched_every
from gridgames_server.vitals import StoreHealth, Vitals, Worst

log = logging.getLogger("gridgames")

BEAT = 1.0
MEASURE_EVERY = 10.0  # seconds between two looks at the disk
TELL_EVERY = 60.0  # seconds between two lines in the log


class Pulse:
    """Beats until it is stopped; `beaten` is called at every beat."""

    def __init__(self, hub: Hub, journal: Journal | None, version: str, beaten: Callable[[], object]) -> None:
        self.hub, self.journal, self.version, self.beaten = hub, journal, version, beaten
        self.loop = asyncio.get_running_loop()
        self.began = self.measured = self.told = self.watched = self.loop.time()
        self.lag = Worst(self.began)
        self.size = self.free = 0
        self.look_at_disk()
        self.counted = self.counts()
        self.watch_every = watched_every()
        self.timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Beat from now on."""
        self.due = self.loop.time() + BEAT
        self.timer = self.loop.call_at(self.due, self.beat)

    def stop(self) -> None:
        """Beat no more."""
        if self.timer:
            self.timer.cancel()

    def beat(self) -> None:
        """Feel, measure, tell. The next beat is set first: whatever this one meets, the pulse goes on."""
        now = self.loop.time()
        self.lag.note(now - self.due, now)
        self.start()
        if now - self.measured >= MEASURE_EVERY:
            self.measured = now
            self.look_at_disk()
        if now - self.told >= TELL_EVERY:
            self.told = now
            self.tell()
        if self.watch_every and now - self.watched >= self.watch_every / 3:
            self.watched = now
            notify("WATCHDOG=1")
        self.beaten()

    def look_at_disk(self) -> None:
        """Measure the store; where that can't be done, what was last seen stands."""
        if self.journal:
            with suppress(OSError):
                self.size, self.free = measure(self.journal.path)

    def tell(self) -> None:
        """Write to the log how things are, unless they are as they were."""
        counts = self.counts()
        if counts != self.counted:
            self.counted = counts
            facts = {**counts, "lag": self.vitals().lag}
            log.info(", ".join(f"{what} {number}" for what, number in facts.items()), extra={"facts": facts})

    def counts(self) -> dict[str, int]:
        """How many of everything there are."""
        rooms = self.hub.rooms.by_code.values()
        playing = sum(room.state == "playing" for room in rooms)
        return {"players": self.hub.online(), "rooms": len(rooms), "games": playing, "moves": self.hub.moves}

    def age(self, path: Path) -> int:
        """Seconds since something was last put into the store, or since the start."""
        return max(0, int(min(time.time() - written_at(path), self.loop.time() - self.began)))

    def vitals(self) -> Vitals:
        """What the shell can say of itself."""
        store = StoreHealth(self.age(self.journal.path), self.size, self.free) if self.journal else None
        return Vitals(self.version[:32], round(self.lag() * 1_000), store)


def written_at(path: Path) -> float:
    """When something was last put into a store: a commit writes to the file beside it, or to itself."""
    return max(stat.st_mtime if (stat := stat_of(file)) else 0.0 for file in (path, path.with_name(path.name + "-wal")))


def measure(path: Path) -> tuple[int, int]:
    """How many bytes a store takes, its side files included, and how many are left on its disk."""
    found = (stat_of(path.with_name(path.name + tail)) for tail in ("", "-wal", "-shm"))
    return sum(stat.st_size for stat in found if stat), shutil.disk_usage(path.parent).free


def stat_of(path: Path) -> os.stat_result | None:
    """What the system says of a file; nothing if it is not there."""
    try:
        return path.stat()
    except OSError:
        return None
