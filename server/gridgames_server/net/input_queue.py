"""Input that waits for its turn: one turn of the loop handles only so much, and the addresses take turns."""

from collections.abc import Callable
from typing import Generic

from gridgames_server.core.fair_queue import FairQueue, P
from gridgames_server.core.limits import TURN_WORK


class InputQueue(Generic[P]):
    """Handles input for at most TURN_WORK seconds in one turn of the loop, and at least one connection's."""

    def __init__(
        self, handle: Callable[[P], None], call_soon: Callable[[Callable[[], None]], object], clock: Callable[[], float]
    ) -> None:
        self._handle = handle  # what a connection has received; never raises
        self._call_soon, self._clock = call_soon, clock  # the first calls a function in the loop's next turn
        self._waiting: FairQueue[P] = FairQueue()
        self._work_until: float | None = None  # None: nothing was handled in this turn

    def put(self, connection: P) -> None:
        """Handle a connection's input now or in a later turn."""
        if self._work_until is None:
            self._begin_turn()
        if self._waiting or self._is_turn_used():
            self._waiting.put(connection)
        else:
            self._handle(connection)

    def _begin_turn(self) -> None:
        self._work_until = self._clock() + TURN_WORK
        self._call_soon(self._end_turn)

    def _end_turn(self) -> None:
        """Called at the beginning of the next turn, before anything is read in it."""
        self._work_until = None
        if self._waiting:
            self._begin_turn()
        while self._waiting and not self._is_turn_used():
            self._handle(self._waiting.take())

    def _is_turn_used(self) -> bool:
        assert self._work_until is not None
        return self._clock() >= self._work_until
