"""Time that only the simulation moves, and the loop that one life of a server believes to run on."""

from collections.abc import Callable
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any

from gridgames_server.core.limits import CLOCK_GAP, TICK
from gridgames_server.net.thread_work import think

if TYPE_CHECKING:
    from tests.simulation.world import Weather

MOMENT = 1e-6  # seconds that pass whatever happens: a loop that goes round at once sees a later time
WORK = 0.01  # seconds that a thread takes for what it is given


class Appointment:
    """Something that will happen at a time, unless it is cancelled."""

    __slots__ = ("call", "given", "number", "when")

    def __init__(self, when: float, number: int, call: Callable[..., object], given: tuple[Any, ...]) -> None:
        self.when, self.number, self.call, self.given = when, number, call, given

    def __lt__(self, other: "Appointment") -> bool:
        return (self.when, self.number) < (other.when, other.number)

    def cancel(self) -> None:
        self.call = _nothing
        self.given = ()


def _nothing() -> None:
    """What a cancelled appointment does."""


class Clock:
    """What will happen, in its order; two things of the same time happen in the order in which they were planned."""

    def __init__(self) -> None:
        self.now = 0.0
        self.steps = 0
        self.gaps: list[tuple[float, float]] = []  # from when to when nobody could play: no server, or a host asleep
        self.pauses: list[tuple[float, float]] = []  # in which the host slept, short ones too
        self._planned: list[Appointment] = []
        self._numbers = 0

    def later(self, seconds: float, call: Callable[..., object], *given: Any) -> Appointment:
        """Plan something for so many seconds from now."""
        return self.at(self.now + seconds, call, *given)

    def at(self, when: float, call: Callable[..., object], *given: Any) -> Appointment:
        """Plan something for a time."""
        self._numbers += 1
        planned = Appointment(when, self._numbers, call, given)
        heappush(self._planned, planned)
        return planned

    def step(self) -> None:
        """Let the next thing happen."""
        planned = heappop(self._planned)
        self.steps += 1
        self.now = max(planned.when, self.now + MOMENT)
        planned.call(*planned.given)

    def leap(self, seconds: float) -> None:
        """Let time pass in which nothing can happen: the host sleeps."""
        self.pauses.append((self.now, self.now + seconds))
        if seconds > CLOCK_GAP:  # a shorter one is a pause that counts
            self.gaps.append((self.now, self.now + seconds))
        self.now += seconds

    def playable(self, since: float, until: float) -> float:
        """How many seconds of a while somebody could play in."""
        return until - since - _overlap(self.gaps, since, until)

    def awake(self, since: float, until: float) -> float:
        """How many seconds the server counts at least: it may take a pause just below CLOCK_GAP for a sleep."""
        return until - since - _overlap(self.pauses, since, until)

    def counted(self, since: float, until: float) -> float:
        """How many seconds of a while the server may count: of each sleep, the time between two ticks."""
        gaps = sum(begin < until and since < end for begin, end in self.gaps)
        return self.playable(since, until) + TICK * gaps


def _overlap(parts: list[tuple[float, float]], since: float, until: float) -> float:
    return sum(max(0.0, min(until, end) - max(since, begin)) for begin, end in parts)


class Loop:
    """What the shell asks of asyncio, for one life of a server: nothing of it happens once that life is over."""

    def __init__(self, clock: Clock, luck: Callable[[int], bytes], weather: "Weather") -> None:
        self.clock, self.luck, self.weather = clock, luck, weather
        self.alive = True
        self.timers: set[Timer] = set()  # those that have not gone off

    def time(self) -> float:
        return self.clock.now

    def call_soon(self, call: Callable[..., object], *given: Any) -> "Timer":
        return self.call_later(0.0, call, *given)

    def call_later(self, seconds: float, call: Callable[..., object], *given: Any) -> "Timer":
        return self.call_at(self.clock.now + seconds, call, *given)

    def call_at(self, when: float, call: Callable[..., object], *given: Any) -> "Timer":
        return Timer(self, when, call, given)

    def run_in_executor(self, _: None, work: Callable[..., Any], *given: Any) -> "Work":
        """Let a thread work; a bot draws from the simulation's luck instead of the system's."""
        if work is think:
            given = (given[0], self.luck(32))
        return Work(self, work, given)


class Timer:
    """An appointment of one life of a server."""

    __slots__ = ("_call", "_given", "_loop", "_planned")

    def __init__(self, loop: Loop, when: float, call: Callable[..., object], given: tuple[Any, ...]) -> None:
        self._loop, self._call, self._given = loop, call, given
        self._planned = loop.clock.at(when, self._go_off)
        loop.timers.add(self)

    def cancel(self) -> None:
        self._loop.timers.discard(self)
        self._planned.cancel()

    def _go_off(self) -> None:
        self._loop.timers.discard(self)
        if self._loop.alive:
            self._call(*self._given)


class Work:
    """What a thread is busy with; it can be asked for its result when it says so."""

    def __init__(self, loop: Loop, work: Callable[..., Any], given: tuple[Any, ...]) -> None:
        self._loop, self._work, self._given = loop, work, given

    def add_done_callback(self, call: Callable[["Work"], object]) -> None:
        self._loop.call_later(WORK, call, self)

    def cancelled(self) -> bool:
        return False

    def result(self) -> Any:
        return self._work(*self._given)
