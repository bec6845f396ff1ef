"""How the shell around the hub is, as far as anybody may know it."""

from dataclasses import dataclass

from gridgames_protocol.messages import StoreHealth


@dataclass(frozen=True, slots=True)
class Vitals:
    """What the shell measures of itself."""

    version: str | None = None
    lag: int | None = None  # milliseconds
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
