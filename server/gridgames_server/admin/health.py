"""Measurements of the server. Only the host sees them; players see the version."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StoreHealth:
    """Measurements of the store."""

    age: int  # seconds since the last write, or since the start
    size: int  # bytes
    free: int  # bytes left on its disk
    is_full: bool = False  # the last write found no space


@dataclass(frozen=True, slots=True)
class Health:
    """Measurements of the running program."""

    version: str | None = None
    lag: int | None = None  # milliseconds; the longest delay of the event loop in the last two minutes
    store: StoreHealth | None = None


class RecentMaximum:
    """The largest value of the current minute and the minute before it."""

    __slots__ = ("_before", "_now", "_since")

    def __init__(self, now: float) -> None:
        self._before = self._now = 0.0
        self._since = now

    def add(self, value: float, now: float) -> None:
        """Add a value."""
        if now - self._since >= 60:
            self._before, self._now, self._since = self._now, 0.0, now
        self._now = max(self._now, value)

    def __call__(self) -> float:
        """Return the largest value."""
        return max(self._before, self._now)
