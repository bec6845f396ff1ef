"""The queue of effects. They are performed in order, and an effect after a record waits until the record is on disk."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol, cast

from gridgames_protocol.messages import Ok
from gridgames_server.core.effects import Effect, Send
from gridgames_server.core.room_events import RECORDS, Record
from gridgames_server.storage.history_answers import Query, QueryResult


class Storage(Protocol):
    """The place where records are stored."""

    is_disk_full: bool  # nothing new can be kept until there is space

    def save(self, records: list[Record], on_saved: Callable[[], None]) -> None:
        """Write records, then call `on_saved`."""
        ...

    def retry_full_disk(self) -> None:
        """Find out whether a full disk has space again."""
        ...

    def run_query(self, query: Query) -> None:
        """Answer a player's query."""
        ...


class NoStorage:
    """No persistence (`--no-store`)."""

    is_disk_full = False

    def save(self, records: list[Record], on_saved: Callable[[], None]) -> None:
        on_saved()

    def retry_full_disk(self) -> None:
        pass

    def run_query(self, query: Query) -> None:
        query.send(query.build(QueryResult()))


@dataclass(slots=True, eq=False)
class _Batch:
    """The effects of one turn of the loop, and the records to write first. Later effects without records can join."""

    effect_lists: deque[list[Effect]]
    records: list[Record]
    is_saved: bool = False


def call_now(call: Callable[[], object]) -> None:
    """Call immediately. Used in tests, which have no event loop."""
    call()


@dataclass(slots=True)
class Outbox:
    """One queue for all effects, so that no effect overtakes a record that is being written."""

    storage: Storage
    perform: Callable[[list[Effect]], None]
    call_soon: Callable[[Callable[[], object]], object] = call_now  # calls a function at the end of the loop's turn
    waiting: deque[_Batch] = field(default_factory=deque)
    waiting_effects: int = 0  # their number
    turn: _Batch | None = None  # the batch that still accepts records

    def put(self, effects: list[Effect]) -> None:
        """Perform these effects after all earlier ones and after their records are on disk."""
        if type(self.storage) is NoStorage:
            self.perform(effects)
            return
        records = cast("list[Record]", [effect for effect in effects if type(effect) in RECORDS])
        if not records and (not self.waiting or self._is_bare_ok(effects)):
            self.perform(effects)
            return
        self.waiting_effects += len(effects)
        if records and self.turn is None:
            self.waiting.append(_Batch(deque([effects]), records))
            self.turn = self.waiting[-1]
            self.call_soon(self.save_turn)
        else:
            self.waiting[-1].effect_lists.append(effects)
            if records:
                self.waiting[-1].records += records

    def save_turn(self) -> None:
        """Give all records of a turn to the storage at once: waking its thread costs more than writing a record."""
        batch, self.turn = self.turn, None
        if batch is not None:
            self.storage.save(batch.records, lambda: self._on_committed(batch))

    def _is_bare_ok(self, effects: list[Effect]) -> bool:
        """True if the only effect is an Ok and nothing else is queued for that session.

        It may be sent before pending writes finish: a ping is answered even if the disk is slow.
        """
        match effects:
            case [Send(session, (Ok(room=None),))]:
                waiting = (effect for batch in self.waiting for effects in batch.effect_lists for effect in effects)
                return not any(isinstance(effect, Send) and effect.session == session for effect in waiting)
        return False

    def _on_committed(self, batch: _Batch) -> None:
        batch.is_saved = True
        trouble: Exception | None = None
        while self.waiting and self.waiting[0].is_saved:
            if not self.waiting[0].effect_lists:
                self.waiting.popleft()  # not earlier: effects that are put meanwhile must not overtake
                continue
            effects = self.waiting[0].effect_lists.popleft()
            self.waiting_effects -= len(effects)
            try:
                self.perform(effects)
            except Exception as bug:  # the other effects are still performed
                trouble = trouble or bug
        if trouble:
            raise trouble
