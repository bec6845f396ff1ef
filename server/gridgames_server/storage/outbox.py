"""Effects in the order in which they were decided; those behind a record wait until it is on disk."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol, cast

from gridgames_protocol.messages import Ok
from gridgames_server.deeds import RECORDS, Record, Saved
from gridgames_server.effects import Effect, Send
from gridgames_server.history import Found, Question


class Keeper(Protocol):
    """Where records are kept."""

    def keep(self, records: list[Record], kept: Callable[[], None], refused: Callable[[], None]) -> None:
        """Put records on disk, then call `kept`, or `refused` if there is no space for them."""
        ...

    def look(self, question: Question, player: int, answer: Callable[[Found], None]) -> None:
        """Find what a player asks for, then call `answer` with it."""
        ...

    def reload(self) -> Saved:
        """What is on disk, after records were refused; from here on new ones are taken again."""
        ...


class Memory:
    """Keeps nothing: what is told is as true as the process is alive."""

    def keep(self, records: list[Record], kept: Callable[[], None], refused: Callable[[], None]) -> None:
        kept()

    def look(self, question: Question, player: int, answer: Callable[[Found], None]) -> None:
        answer(Found())

    def reload(self) -> Saved:
        raise AssertionError("memory refuses nothing")


@dataclass(slots=True, eq=False)
class _Batch:
    """What a turn of the loop has decided, and what must be on disk first; what needs no record may join it later."""

    decisions: deque[list[Effect]]
    records: list[Record]
    ready: bool = False


def at_once(call: Callable[[], object]) -> None:
    """Call without waiting for the end of a turn: what is no loop has none."""
    call()


@dataclass(slots=True)
class Outbox:
    """One queue for everything, so that nothing overtakes a record that is being written."""

    keeper: Keeper
    perform: Callable[[list[Effect]], None]
    undo: Callable[[list[Effect]], None]  # what was decided can't be kept: take it back
    soon: Callable[[Callable[[], object]], object] = at_once  # calls at the end of the loop's turn
    waiting: deque[_Batch] = field(default_factory=deque)
    behind: int = 0  # decisions that wait
    turn: _Batch | None = None  # the batch that still takes records

    def put(self, effects: list[Effect]) -> None:
        """Perform these effects behind all earlier ones, and once their records are kept."""
        if type(self.keeper) is Memory:
            self.perform(effects)
            return
        records = cast("list[Record]", [effect for effect in effects if type(effect) in RECORDS])
        if not records and (not self.waiting or self._tells_nothing(effects)):
            self.perform(effects)
            return
        self.behind += 1
        if records and self.turn is None:
            self.waiting.append(_Batch(deque([effects]), records))
            self.turn = self.waiting[-1]
            self.soon(self.keep_turn)
        else:
            self.waiting[-1].decisions.append(effects)
            if records:
                self.waiting[-1].records += records

    def keep_turn(self) -> None:
        """Let the keeper have what a turn has brought: to wake it up costs more than to write a record."""
        batch, self.turn = self.turn, None
        if batch is not None:
            self.keeper.keep(batch.records, lambda: self._kept(batch), lambda: self._refused(batch))

    def _tells_nothing(self, effects: list[Effect]) -> bool:
        """True for a bare nod to one who waits for nothing else: a ping is answered however slow the disk is."""
        match effects:
            case [Send(session, (Ok(room=None),))]:
                waiting = (effect for batch in self.waiting for effects in batch.decisions for effect in effects)
                return not any(isinstance(effect, Send) and effect.session == session for effect in waiting)
        return False

    def _kept(self, batch: _Batch) -> None:
        batch.ready = True
        trouble: Exception | None = None
        while self.waiting and self.waiting[0].ready:
            if not self.waiting[0].decisions:
                self.waiting.popleft()  # only now: what is decided meanwhile does not overtake
                continue
            self.behind -= 1
            try:
                self.perform(self.waiting[0].decisions.popleft())
            except Exception as bug:  # behind one decision: it must not keep others from theirs
                trouble = trouble or bug
        if trouble:
            raise trouble

    def _refused(self, batch: _Batch) -> None:
        """Take back everything that waits: what was decided later rests on what could not be kept."""
        if batch in self.waiting:
            effects = [effect for batch in self.waiting for effects in batch.decisions for effect in effects]
            self.waiting.clear()
            self.behind, self.turn = 0, None
            self.undo(effects)
