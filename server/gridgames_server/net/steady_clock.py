"""The server's clock. It stands still while the host machine sleeps."""

from collections.abc import Callable

from gridgames_server.core.limits import CLOCK_GAP, TICK


class SteadyClock:
    """Reads another clock, and leaves out the time in which the host machine slept.

    A gap is measured from the last tick, not from the last reading: input times are private to one player and must not
    affect what others see. The second between two ticks is counted: it was nearly over when the sleep began.
    """

    __slots__ = ("_read", "_ticked", "gaps", "latest", "left_out")

    def __init__(self, read: Callable[[], float]) -> None:
        self._read = read
        self._ticked = self.latest = read()
        self.left_out = 0.0  # seconds
        self.gaps = 0  # found so far

    def __call__(self) -> float:
        """Return the time."""
        now = self._read()
        gap = now - self._ticked
        if gap > CLOCK_GAP:
            self.left_out += gap - TICK
            self._ticked = now
            self.gaps += 1
        self.latest = max(self.latest, now - self.left_out)
        return self.latest

    def tick(self) -> float:
        """Return the time at a tick."""
        now = self()
        self._ticked = self._read()
        return now
