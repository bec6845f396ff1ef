"""Keeping records: one writer thread that commits them in groups.

Records that arrive while a group is being committed make up the next group, so that the loop never waits for the disk
and the disk is never asked more often than it can answer.
"""

import queue
import sqlite3
import threading
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from gridgames_protocol.messages import AskStandings
from gridgames_server.deeds import (
    Deed,
    GameOver,
    Lived,
    PlayerForgotten,
    PlayerNamed,
    Record,
    RoomAside,
    RoomClosed,
    Saved,
)
from gridgames_server.history import Found, Question
from gridgames_server.store import (
    ROWS_MAX,
    Keep,
    StoreError,
    connect,
    copy,
    find,
    is_full,
    load,
    prune,
    refusal,
    transaction,
    write,
    write_time,
)

GROUP_MAX = 500  # records that fill a commit: a few milliseconds, so that nobody waits long behind a crowd
STANDINGS_MAX = 64  # kept until the next game ends: as many as there may be games


KEEP_ALL = Keep()


class Entry(NamedTuple):
    """Some records, and whom to tell what became of them."""

    records: list[Record]
    kept: Callable[[], None]
    refused: Callable[[], None]
    epoch: int


class Asked(NamedTuple):
    """A question about games that are over."""

    question: Question
    player: int
    answer: Callable[[Found], None]


class Backup(NamedTuple):
    """A copy of the store that its host wants."""

    path: str
    done: Callable[[str], None]


class Journal:
    """Keeps records, in groups, off the loop's thread.

    When there is no space, everything that was decided up to then is refused, and the loop goes back to what is on
    disk. What it decides after that belongs to a new epoch: the writer takes no entry of an older one.
    """

    def __init__(
        self,
        path: Path,
        call: Callable[[Callable[[], object]], object],
        broken: Callable[[BaseException], None],
        keep: Keep = KEEP_ALL,
    ) -> None:
        self.path = path
        self.store = connect(path)
        self.keep_games = keep
        self.call = call  # runs a function on the loop's thread
        self.broken = broken  # told, on that thread, when the disk can't be trusted any more
        self.links: dict[int, bytes] = {}  # what each open room's next deed is bound to
        self.epoch = 0  # of what is put in; the loop's thread sets it
        self.oldest = 0  # epoch that is taken out; the writer sets it
        self.standings: dict[str | None, Found] = {}  # by game; going over all games takes a while
        self.latest = 0.0  # the hub's time, as far as it is known from records
        self.waiting: queue.SimpleQueue[Entry | Asked | Backup | None] = queue.SimpleQueue()
        self.writer = threading.Thread(target=self._write_all, name="journal", daemon=True)

    def start(self) -> None:
        """Begin to write."""
        self.writer.start()

    def close(self) -> None:
        """Write what is waiting, and close the file."""
        if self.writer.is_alive():
            self.waiting.put(None)
            self.writer.join()
        self.store.close()

    def keep(self, records: list[Record], kept: Callable[[], None], refused: Callable[[], None]) -> None:
        """Put records on disk, then call `kept`; or `refused`, if there is no space for them."""
        self.waiting.put(Entry(records, kept, refused, self.epoch))

    def look(self, question: Question, player: int, answer: Callable[[Found], None]) -> None:
        """Find what a player asks for, then call `answer` with it."""
        self.waiting.put(Asked(question, player, answer))

    def backup(self, path: str, done: Callable[[str], None]) -> None:
        """Write a consistent copy of the store to a new file, then say how that went."""
        self.waiting.put(Backup(path, done))

    def reload(self) -> Saved:
        """What is on disk, after records were refused; from here on new ones are taken again."""
        self.epoch += 1  # the writer touches nothing until it sees an entry of this one
        try:
            return self.load()
        except StoreError as error:
            self.broken(error)
            raise

    def load(self) -> Saved:
        """Everything that is open."""
        try:
            saved, self.links = load(self.store)
            self.latest = saved.now
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise refusal(self.path, error) from None
        return saved

    # The writer's thread ----------------------------------------------------------------------------------------------

    def _write_all(self) -> None:
        going_on = True
        while going_on:
            try:
                group, wish, going_on = self._next_group()
                answers = self._settle(group)
                if answers:
                    self.call(partial(tell_all, answers))
                if wish:
                    self._serve(wish)
            except Exception as error:
                self.call(partial(self.broken, error))
                return

    def _next_group(self) -> tuple[list[Entry], Asked | Backup | None, bool]:
        """What has come in since the last commit, what is to be done after that, and whether more may come."""
        group: list[Entry] = []
        size = 0
        while not group or (size < GROUP_MAX and not self.waiting.empty()):
            entry = self.waiting.get()
            if entry is None:
                return group, None, False
            if not isinstance(entry, Entry):
                return group, entry, True  # what is decided does not wait for what is asked
            if entry.epoch < self.oldest:
                self.call(entry.refused)
            else:
                group.append(entry)
                size += len(entry.records)
        return group, None, True

    def _serve(self, wish: Asked | Backup) -> None:
        """Do something that takes a while and changes nothing."""
        if isinstance(wish, Backup):
            self.call(partial(wish.done, copy(self.store, wish.path)))
        else:
            self.call(partial(wish.answer, self._find(wish)))

    def _find(self, asked: Asked) -> Found:
        question = asked.question
        if isinstance(question, AskStandings) and question.game in self.standings:
            return self.standings[question.game]
        try:
            found = find(self.store, question, asked.player)
        except (sqlite3.Error, UnicodeDecodeError):  # damage among old games is no reason to stop the new ones
            return Found()
        if isinstance(question, AskStandings):
            if len(self.standings) >= STANDINGS_MAX:
                self.standings.clear()
            self.standings[question.game] = found
        return found

    def _settle(self, group: list[Entry]) -> list[Callable[[], None]]:
        """Put a group on disk, if there is space; whom to tell."""
        try:
            self._commit([record for entry in group for record in entry.records])
        except sqlite3.OperationalError as error:
            if not is_full(error):
                raise
            self.oldest = group[-1].epoch + 1
            return [entry.refused for entry in group]
        return [entry.kept for entry in group]

    def _commit(self, records: list[Record]) -> None:
        if not records:
            return
        self.latest = max([self.latest, *(record.at for record in records if isinstance(record, Deed | Lived))])
        # Should this fail, the links are read anew with everything else.
        if {type(record) for record in records} == {Deed} and len(records) <= ROWS_MAX:
            write(self.store, records, self.links)  # one statement, which commits itself
        else:
            with transaction(self.store):
                write(self.store, records, self.links)
                if any(isinstance(record, GameOver) for record in records):
                    prune(self.store, self.keep_games)
                write_time(self.store, self.latest)  # when a room is closed, the times of its deeds are gone
        for record in records:
            if isinstance(record, RoomClosed | RoomAside):
                del self.links[record.room]
            elif isinstance(record, GameOver | PlayerNamed | PlayerForgotten):
                self.standings.clear()


def tell_all(answers: Iterable[Callable[[], None]]) -> None:
    """Tell everybody in a group at once: waking the loop up costs more than what it is told."""
    rest = iter(answers)
    try:
        for answer in rest:
            answer()
    except BaseException:  # a bug in one answer must not keep the others from theirs
        tell_all(rest)
        raise
