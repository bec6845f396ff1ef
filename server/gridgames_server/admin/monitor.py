"""The monitor: measures the delay of the event loop every second, and logs counts every minute."""

import asyncio
import logging
import os
import shutil
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from gridgames_server.admin.health import Health, RecentMaximum, StoreHealth
from gridgames_server.admin.systemd import notify, read_watchdog_interval
from gridgames_server.core.hub import Hub
from gridgames_server.storage.writer import Writer

log = logging.getLogger("gridgames")

BEAT = 1.0  # seconds
MEASURE_EVERY = 10.0  # seconds between two measurements of the disk
TELL_EVERY = 60.0  # seconds between two log lines


class Monitor:
    """Runs every second until it is stopped. `each_beat` is called every time."""

    def __init__(self, hub: Hub, writer: Writer | None, version: str, each_beat: Callable[[], object]) -> None:
        self.hub, self.writer, self.version, self.each_beat = hub, writer, version, each_beat
        self.loop = asyncio.get_running_loop()
        self.started_at = self.measured_at = self.logged_at = self.notified_at = self.loop.time()
        self.lag = RecentMaximum(self.started_at)
        self.size = self.free = 0
        self.measure_disk()
        self.logged_counts = self.count()
        self.watch_every = read_watchdog_interval()
        self.timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Plan the next beat."""
        self.due = self.loop.time() + BEAT
        self.timer = self.loop.call_at(self.due, self.beat)

    def stop(self) -> None:
        """Cancel the next beat."""
        if self.timer:
            self.timer.cancel()

    def beat(self) -> None:
        """Measure and log. The next beat is planned first, so an exception does not end the monitor."""
        now = self.loop.time()
        self.lag.add(now - self.due, now)
        self.start()
        if now - self.measured_at >= MEASURE_EVERY:
            self.measured_at = now
            self.measure_disk()
        if now - self.logged_at >= TELL_EVERY:
            self.logged_at = now
            self.log_counts()
        if self.watch_every and now - self.notified_at >= self.watch_every / 3:
            self.notified_at = now
            notify("WATCHDOG=1")
        self.each_beat()

    def measure_disk(self) -> None:
        """Measure the store. If that fails, the last values stay."""
        if self.writer:
            with suppress(OSError):
                self.size, self.free = measure_store(self.writer.path)

    def log_counts(self) -> None:
        """Log the counts if they have changed."""
        counts = self.count()
        if counts != self.logged_counts:
            self.logged_counts = counts
            facts = {**counts, "lag": self.make_health().lag}
            log.info(", ".join(f"{what} {number}" for what, number in facts.items()), extra={"facts": facts})

    def count(self) -> dict[str, int]:
        """Return the numbers of players, rooms, games and moves."""
        rooms = self.hub.rooms.by_code.values()
        playing = sum(room.state == "playing" for room in rooms)
        return {"players": self.hub.state.online, "rooms": len(rooms), "games": playing, "moves": self.hub.state.moves}

    def measure_age(self, path: Path) -> int:
        """Return the seconds since the last write to the store, or since the start."""
        return max(0, int(min(time.time() - read_write_time(path), self.loop.time() - self.started_at)))

    def make_health(self) -> Health:
        """Return the current measurements."""
        store = None
        if self.writer:
            store = StoreHealth(self.measure_age(self.writer.path), self.size, self.free, self.writer.is_disk_full)
        return Health(self.version[:32], round(self.lag() * 1_000), store)


def read_write_time(path: Path) -> float:
    """Return the time of the last write to a store. A commit writes to the store's file or to its -wal file."""
    return max(
        stat.st_mtime if (stat := read_stat(file)) else 0.0 for file in (path, path.with_name(path.name + "-wal"))
    )


def measure_store(path: Path) -> tuple[int, int]:
    """Return the size of a store with its side files, and the free space on its disk, in bytes."""
    found = (read_stat(path.with_name(path.name + tail)) for tail in ("", "-wal", "-shm"))
    return sum(stat.st_size for stat in found if stat), shutil.disk_usage(path.parent).free


def read_stat(path: Path) -> os.stat_result | None:
    """Return the status of a file, or None if it can't be read."""
    try:
        return path.stat()
    except OSError:
        return None
