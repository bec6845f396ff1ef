"""Time and wires for a real service: no thread, no socket, no waiting. Every write is put down with its moment."""

from collections import deque
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count
from typing import Any, NamedTuple

from gridgames_server.net.connection import Connection
from gridgames_server.net.thread_work import think

HERE, THERE = ("192.168.1.2", 4743), ("192.168.1.20", 50000)  # everybody comes from one server
RUNG_MAX = 1_000  # timers at one moment
END = b""  # put down where the server closes its side


class Written(NamedTuple):
    """What left a connection in one write, and when."""

    at: float
    who: str
    chunk: bytes


class Loop:
    """What the event loop is to the service. Its time moves when it is told to, and then from timer to timer."""

    def __init__(self) -> None:
        self.now = 0.0
        self._soon: deque[tuple[Callable[..., object], tuple[Any, ...]]] = deque()
        self._timers: list[tuple[float, int, Timer]] = []
        self._turns = count()

    def call_soon(self, call: Callable[..., object], *given: Any) -> None:
        self._soon.append((call, given))

    def call_later(self, seconds: float, call: Callable[..., object], *given: Any) -> "Timer":
        timer = Timer(call, given)
        heappush(self._timers, (self.now + seconds, next(self._turns), timer))
        return timer

    def call_at(self, when: float, call: Callable[..., object], *given: Any) -> "Timer":
        return self.call_later(when - self.now, call, *given)

    def time(self) -> float:
        return self.now

    def run_in_executor(self, _: None, work: Callable[..., object], *given: Any) -> "Done":
        if work is think:  # a bot draws from the same bytes in every world
            given = (given[0], bytes(32))
        return Done(self, work(*given))

    def settle(self) -> None:
        """Let everything happen that is to happen now."""
        while self._soon:
            call, given = self._soon.popleft()
            call(*given)

    def pass_until(self, then: float) -> None:
        """Let time pass, with all that happens in it."""
        self.settle()
        rung = 0
        while self._timers and self._timers[0][0] <= then:
            at, _, timer = heappop(self._timers)
            rung = rung + 1 if at <= self.now else 0
            assert rung < RUNG_MAX, "time stands still"
            self.now = max(self.now, at)
            timer.ring()
            self.settle()
        self.now = max(self.now, then)

    def forget(self) -> None:
        """The process is no more, nor what it was about to do."""
        self._soon.clear()
        self._timers.clear()

    def sleep(self, seconds: float) -> None:
        """The host sleeps: time has passed, and nothing has happened in it."""
        self.now += seconds


class Timer:
    """A call that is yet to come."""

    def __init__(self, call: Callable[..., object], given: tuple[Any, ...]) -> None:
        self.call, self.given = call, given
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True

    def ring(self) -> None:
        if not self.cancelled:
            self.call(*self.given)


class Done:
    """Work for another thread that is done already."""

    def __init__(self, loop: Loop, found: object) -> None:
        self.loop, self.found = loop, found

    def result(self) -> object:
        return self.found

    def cancelled(self) -> bool:
        return False

    def add_done_callback(self, call: Callable[["Done"], object]) -> None:
        self.loop.call_soon(call, self)


class Wire:
    """One client's end of a connection, and the transport under the server's end."""

    def __init__(self, who: str, loop: Loop, paper: list[Written]) -> None:
        self.who, self.loop, self.paper = who, loop, paper
        self.open = True

    def plug_in(self, connection: Connection) -> None:
        """The connection is made."""
        self.connection = connection
        connection.connection_made(self)  # type: ignore[arg-type]

    def send(self, chunk: bytes) -> None:
        """The client sends bytes."""
        if self.open:
            self.connection.get_buffer(-1)[: len(chunk)] = chunk
            self.connection.buffer_updated(len(chunk))

    def break_off(self) -> None:
        """The connection breaks."""
        if self.open:
            self.open = False
            self.connection.connection_lost(None)

    # What the server does ---------------------------------------------------------------------------------------------

    def get_extra_info(self, what: str) -> tuple[str, int]:
        return {"peername": THERE, "sockname": HERE}[what]

    def get_write_buffer_size(self) -> int:
        return 0

    def write(self, chunk: bytes) -> None:
        self.paper.append(Written(self.loop.now, self.who, chunk))

    def write_eof(self) -> None:
        self.write(END)
        self.loop.call_soon(self.break_off)

    def abort(self) -> None:
        self.write_eof()
