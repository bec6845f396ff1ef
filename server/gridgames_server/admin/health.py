"""How the shell around the hub is. The host may know it all, anybody else only the version."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StoreHealth:
    """How the store is."""

    age: int  # seconds since the last write, or since the start
    size: int  # bytes
    free: int  # bytes left on its disk


@dataclass(frozen=True, slots=True)
class Vitals:
    """What the shell measures of itself."""

    version: str | None = None
    lag: int | None = None  # milliseconds that things have waited for their turn, at the worst of the last minutes
    store: StoreHealth | None = None


class Worst:
    """The worst of the last minutes: of the one that runs, and of the one before it."""

    __slots__ = ("_before", "_now", "_since")

    def __init__(self, now: float) -> None:
        self._before = self._now = 0.0
        self._since = now

    def note(self, value: float, now: float) -> None:
        """Take in a value."""
        if now - self._since >= 60:
            self._before, self._now, self._since = self._now, 0.0, now
        self._now = max(self._now, value)

    def __call__(self) -> float:
        """The worst so far."""
        return max(self._before, self._now)
