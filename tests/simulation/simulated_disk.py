"""A disk that is a list, under the real journal's own logic of groups, epochs and refusals."""

import json
import sqlite3
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gridgames_server import journal
from gridgames_server.deeds import GameOver, Record, Saved
from gridgames_server.history import PAGE, AskReplay, Found, Kept
from gridgames_server.journal import Asked, Journal
from tests.server.kept import Shelf
from tests.simulation.clock import Loop

if TYPE_CHECKING:
    from tests.simulation.world import World

USUAL_LATENCY = 0.01
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
def without_a_file() -> Iterator[None]:
    """Let a journal be made that opens nothing."""
    connect, journal.connect = journal.connect, lambda path: None
    try:
        yield
    finally:
        journal.connect = connect


class Disk(Journal):
    """The journal of one life of a server; what it has committed is on the shelf for the next."""

    def __init__(self, world: "World", shelf: Shelf, loop: Loop, broken: Callable[[BaseException], None]) -> None:
        with without_a_file():
            super().__init__(Path(), self._call_in_order, broken)
        self.world, self.shelf, self.loop = world, shelf, loop
        self.waiting = Queue(self._plan)
        self.planned = False
        self.told_at = 0.0  # when the loop has heard all that it was told

    def keep(self, records: list[Record], kept: Callable[[], None], refused: Callable[[], None]) -> None:
        super().keep(records, kept, refused)
        self.world.reaches_a_point()

    def load(self) -> Saved:
        return self.shelf.saved()

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
        if self.world.weather.full:
            raise _error("database or disk is full", sqlite3.SQLITE_FULL)
        for record in records:
            self.world.witness.sees_kept(record)
        self.shelf.records += records
        self.world.reaches_a_point()

    def _find(self, asked: Asked) -> Found:
        over = [record for record in self.shelf.records if isinstance(record, GameOver)]
        games = [_as_kept(number, game) for number, game in enumerate(over, 1) if asked.player in game.players]
        if isinstance(asked.question, AskReplay):
            return Found(games=tuple(game for game in games if game.number == asked.question.game))
        return Found(games=tuple(games[::-1][: PAGE + 1]))


def _as_kept(number: int, over: GameOver) -> Kept:
    return Kept(
        number, over.game, over.edition, over.seed, over.first, over.players, over.names, json.dumps(over.lines),
        over.winner, over.reason, over.text, 0.0,
    )  # fmt: skip


def _error(text: str, code: int) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError(text)
    error.sqlite_errorcode = code
    return error
