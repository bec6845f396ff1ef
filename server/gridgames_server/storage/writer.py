"""The thread that writes the log.

Records that arrive during a commit form the next commit. So the event loop never waits for the disk, and a slow disk
gets fewer and larger commits. Archiving and compaction run in short steps between commits.
"""

import logging
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from gridgames_server.core.room_events import GameOver, PlayerForgotten, PlayerNamed, Record, Snapshot
from gridgames_server.errors import SEE_LOG, locate
from gridgames_server.storage.compaction import compact
from gridgames_server.storage.finished_games import (
    archive_games,
    prune_games,
    read_last_game,
    read_last_player,
    rename_player,
)
from gridgames_server.storage.history_answers import Query
from gridgames_server.storage.log_reader import Ledger, read_log
from gridgames_server.storage.packing import join_room_numbers, pack
from gridgames_server.storage.query_thread import Queries
from gridgames_server.storage.side_files import Reserve, resolve, side_path
from gridgames_server.storage.store import (
    KEEP_ALL,
    KeepLimits,
    StoreError,
    append_row,
    connect,
    connect_reader,
    count_lost_writes,
    explain_error,
    is_full,
    make_row,
    read_note,
    transaction_without_sync,
    write_copy,
)

GROUP_MAX = 500  # records in one commit, which then takes a few milliseconds
# A commit writes a block of 4,096 bytes, however short it is. So after a commit of at least BUSY_AT records the next
# one comes COMMIT_EVERY seconds later: more lines share it. Where few play, nobody waits.
BUSY_AT, COMMIT_EVERY = 4, 0.003
ARCHIVE_AT = 200  # finished games; archiving many at once is cheaper
COMPACT_AT = 2 * 2**20  # bytes of records in the log; a restart reads them in 0.1 seconds
TIDY_AT = 256 * 2**10  # the same at the start, when nobody waits
PAUSE_EVERY, PAUSE = 20, 0.001  # rows, seconds: reading for compaction pauses to let other threads run
BACKUP_REST = 0.002  # seconds, after each step of a backup
FAULTS_TOLD = 20  # faults of a damaged store that are logged
WENT_BACK = "The server's disk has lost what was written last. This room may have gone back by some moves. Sorry."

log = logging.getLogger("gridgames")


class Entry(NamedTuple):
    """Some records, and the function to call when they are on disk."""

    records: list[Record]
    on_saved: Callable[[], None]


Task = Callable[[], None]


class Writer:
    """Writes records in groups, in its own thread.

    When the disk fills up, the writer frees the reserve file for the records that are on their way. The hub accepts
    nothing new until the reserve could be made again. So nothing that was accepted is ever taken back.
    """

    def __init__(
        self,
        path: Path,
        call: Callable[[Callable[[], object]], object],
        on_error: Callable[[BaseException], None],
        keep: KeepLimits = KEEP_ALL,
        give_up: int = 0,
    ) -> None:
        self.path = path = resolve(path)
        self.store = connect(path)
        self.give_up = give_up  # number of writes after a backup that the host agrees to lose
        self.keep_games = keep
        self.call = call  # runs a function on the loop's thread
        self.on_error = on_error  # called on that thread after a write error other than a full disk
        self.seq, self.link = 0, b""  # of the last row of the log
        self.unsaved: list[Entry] = []  # they did not fit, not even into the space of the reserve
        self.reserve = Reserve(side_path(path, "reserve"))
        self.names: dict[int, str] = {}  # current names of all players
        self.unarchived_games: list[tuple[int, int, GameOver]] = []  # not archived yet
        self.unarchived_names: dict[int, str] = {}  # new names that are not archived yet
        self.log_size = self.base_size = 0  # bytes of records in the log and in the base
        self.is_compacting = False
        self.compact_at = COMPACT_AT  # the size of the log at which the next compaction begins
        self.is_disk_full = False
        self.waiting: queue.SimpleQueue[Entry | Task | None] = queue.SimpleQueue()
        self.thread = threading.Thread(target=self._write_all, name="writer", daemon=True)
        self.closed = threading.Event()
        self.backups: list[threading.Thread] = []  # that run
        self.compaction: threading.Thread | None = None  # the last one that has read the log
        self.queries = Queries(path, call)

    def start(self) -> None:
        """Start the writer's thread."""
        self._note_last_write()
        if not self.reserve.make():
            self._disk_is_full()
        self.thread.start()

    def close(self) -> None:
        """Write waiting records, give up running backups, and close the files."""
        self.closed.set()
        if self.thread.is_alive():
            self.waiting.put(None)
            self.thread.join()
            self._run(self._archive)
        for reading in (*self.backups, *([self.compaction] if self.compaction else [])):
            reading.join()
        if self.unsaved:
            log.error("%d requests could not be saved; nobody has seen their effects", len(self.unsaved))
        self.queries.close()
        self.store.close()

    def save(self, records: list[Record], on_saved: Callable[[], None]) -> None:
        """Write records, then call `on_saved`."""
        self.waiting.put(Entry(records, on_saved))

    def retry_full_disk(self) -> None:
        """Try to write what did not fit on the disk, and to make the reserve again."""
        self.waiting.put(self._retry_full_disk)

    def run_query(self, query: Query) -> None:
        """Answer a player's query. It sees every game that was saved before."""
        if self.unarchived_games or self.unarchived_names:
            self.waiting.put(partial(self._run_query, query))
        else:  # a task would cut a group in two, and cost a commit
            self.queries.ask(query)

    def backup(self, path: str, done: Callable[[str], None]) -> None:
        """Copy the store to a new file, then call `done` with "" or the error. Moves hardly wait for it."""
        backup = threading.Thread(target=self._back_up, args=(path, done), name="backup", daemon=True)
        backup.start()
        self.backups = [*(running for running in self.backups if running.is_alive()), backup]

    def load(self) -> Snapshot:
        """Read the open rooms and the players, and tidy up the store. This comes before `start`."""
        try:
            ledger = read_whole_log(self.store)
            self.seq, self.link = ledger.seq, ledger.link
            self.names = {player.player: player.name for player in ledger.players.values()}
            snapshot = replace(ledger.make_snapshot(), notice=self._check_for_loss())
            self._run(lambda: self._tidy_up(ledger))
        except (sqlite3.Error, ValueError) as error:
            raise explain_error(self.path, error) from None
        return snapshot

    def _check_for_loss(self) -> str:
        """Return the notice for players if written rows are missing, or ""."""
        lost = count_lost_writes(self.path, self.seq)
        what = (
            "is a backup, and {} later" if read_note(self.store, "backup") else "" if self.seq else "is empty, and {}"
        )
        if lost and what and lost != self.give_up:
            raise StoreError(
                f"the store {self.path} {what.format(lost)} writes are not in it. "
                f"To lose them, start once with --give-up {lost}"
            )
        if self.give_up and not (lost or self.seq):  # probably not the store that the host means
            raise StoreError(f"the store {self.path} is empty and lacks no writes: start without --give-up")
        if not lost:
            return ""
        log.warning("the store has lost the last %d writes: rooms continue from the writes before them", lost)
        return WENT_BACK

    def _tidy_up(self, ledger: Ledger) -> None:
        """Archive, and compact a long or damaged log. After the start this is done in short steps."""
        for fault in ledger.faults[:FAULTS_TOLD]:
            log.warning("the store is damaged: %s", fault)
        self.unarchived_games = ledger.finished
        self.unarchived_names = dict(self.names) if self.unarchived_games else {}
        self._archive()
        self.log_size = self._size_of("log")
        if ledger.faults or self.log_size > TIDY_AT:
            try:
                for _ in compact(self.store, ledger):
                    pass
                self.log_size = 0
            except sqlite3.OperationalError:
                raise
            except sqlite3.DatabaseError as error:  # the server starts with what can be read
                log.warning("the store is damaged, and can't be tidied up: %s", error)
        self._set_base_size()

    def _set_base_size(self) -> None:
        self.base_size = self._size_of("base")
        self.compact_at = max(COMPACT_AT, 2 * self.base_size)

    def _size_of(self, table: str) -> int:
        (size,) = self.store.execute(f"SELECT coalesce(sum(length(records)), 0) FROM {table}").fetchone()
        return int(size)

    def _back_up(self, path: str, done: Callable[[str], None]) -> None:
        try:
            with closing(sqlite3.connect(self.path, timeout=5, isolation_level=None)) as reader:
                why = write_copy(reader, path, lambda: self.closed.wait(BACKUP_REST))
        except sqlite3.Error as error:
            why = f"can't read the store: {error}"
        except Exception as bug:  # the host waits for the answer
            log.error("bug in a backup: %s", locate(bug))
            why = SEE_LOG
        self.call(lambda: done(why))

    # The writer's thread ----------------------------------------------------------------------------------------------

    def _write_all(self) -> None:
        going_on = True
        while going_on:
            try:
                group, task, going_on = self._next_group()
                next_at = time.monotonic() + COMMIT_EVERY
                self._save(group)
                if task:
                    self._run(task)
                if sum(len(entry.records) for entry in group) >= BUSY_AT:
                    time.sleep(max(0.0, next_at - time.monotonic()))
            except Exception as error:
                self.call(partial(self.on_error, error))
                return

    def _next_group(self) -> tuple[list[Entry], Task | None, bool]:
        """Return the entries for the next commit, a task to run after it, and False if the writer is to end."""
        group: list[Entry] = []
        size = 0
        while not group or (size < GROUP_MAX and not self.waiting.empty()):
            entry = self.waiting.get()
            if entry is None:
                return group, None, False
            if not isinstance(entry, Entry):
                return group, entry, True  # the group is written before the task
            group.append(entry)
            size += len(entry.records)
        return group, None, True

    def _save(self, group: list[Entry]) -> None:
        """Write a group, if need be into the space of the reserve. What does not fit waits for the next attempt."""
        self.unsaved += group
        records = [record for entry in self.unsaved for record in entry.records]
        if not self._run(partial(self._commit, records)):
            self._disk_is_full()
            self.reserve.free()
            if not self._run(partial(self._commit, records)):
                return
        saved, self.unsaved = self.unsaved, []
        if saved:
            self.call(partial(call_all, [entry.on_saved for entry in saved]))

    def _disk_is_full(self) -> None:
        if not self.is_disk_full:
            log.error("the disk is full: nothing new is accepted until there is space")
        self.is_disk_full = True

    def _retry_full_disk(self) -> None:
        if self.is_disk_full and not self.unsaved and self.reserve.make():
            self.is_disk_full = False
            log.warning("the disk has space again")

    def _commit(self, records: list[Record]) -> None:
        """Write one row of the log. A single statement commits by itself."""
        if not records:
            return
        self.store.check_place(self.path)
        at = int(time.time())
        row = make_row(self.link, self.seq + 1, at, join_room_numbers(records), pack(records))
        append_row(self.store, "log", row)
        self.seq, self.link = row.seq, row.link
        self._note_last_write()
        self._collect_for_archive(records, row.seq, at)
        self.log_size += len(row.records)
        if len(self.unarchived_games) >= ARCHIVE_AT:
            self.waiting.put(self._archive)
        if self.log_size > self.compact_at:
            self.compact_at = self.log_size + TIDY_AT  # if this attempt fails, the next one comes then
            self.waiting.put(self._begin_compaction)

    def _note_last_write(self) -> None:
        with suppress(OSError):  # the file may lag behind the log
            self.store.last_write.write(self.seq, self.link)

    def _collect_for_archive(self, records: list[Record], seq: int, at: int) -> None:
        """Collect finished games and new names for the archive."""
        for record in records:
            if isinstance(record, GameOver):
                self.unarchived_games.append((seq, at, record))
            elif isinstance(record, PlayerNamed):
                if record.player in self.names:
                    self.unarchived_names[record.player] = record.name
                self.names[record.player] = record.name
            elif isinstance(record, PlayerForgotten):
                self.names.pop(record.player, None)

    # Tasks between two commits ----------------------------------------------------------------------------------------

    def _run(self, task: Task) -> bool:
        """Run a task. Return False if it has failed because the disk is full; it can be run again later."""
        try:
            task()
        except sqlite3.OperationalError as error:
            if not is_full(error):
                raise
            return False
        return True

    def _run_query(self, query: Query) -> None:
        """Update the archive, then run a query."""
        self._run(self._archive)
        self.queries.ask(query)

    def _archive(self) -> None:
        """Add finished games and new names to the archive."""
        if not (self.unarchived_games or self.unarchived_names):
            return
        try:
            with transaction_without_sync(self.store):
                for number, name in self.unarchived_names.items():
                    rename_player(self.store, number, name)
                archive_games(self.store, self.unarchived_games, self.seq, self.names)
                prune_games(self.store, self.keep_games, self.names)
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError as error:  # damage in old games must not stop new ones
            log.error("the history is damaged and misses %d finished games: %s", len(self.unarchived_games), error)
        self.unarchived_games, self.unarchived_names = [], {}

    def _begin_compaction(self) -> None:
        """Start a thread that reads the log up to here. Compaction follows when it has finished."""
        if self.is_compacting:
            return
        self._archive()
        reading = threading.Thread(target=self._read_for_compaction, args=(self.seq,), name="compaction", daemon=True)
        self.is_compacting = True
        try:
            reading.start()
            self.compaction = reading
        except RuntimeError as error:  # the system allows no more threads
            log.error("the log can't be compacted now: %s", error)
            self.is_compacting = False

    def _read_for_compaction(self, upto: int) -> None:
        try:
            ledger = self._read_slowly(upto)
        except Exception as error:  # there may be no file descriptors
            if not self.closed.is_set():
                why = error if isinstance(error, sqlite3.OperationalError) else locate(error)
                log.error("the log can't be compacted now: %s", why)
            self.is_compacting = False
            return
        if ledger.faults:  # the state in memory is right; the next start repairs the store
            log.error("the store is damaged and is not compacted: %s", ledger.faults[0])
            return
        self.waiting.put(partial(self._compact, compact(self.store, ledger), self.log_size))

    def _read_slowly(self, upto: int) -> Ledger:
        rows = iter(range(1, 2**62))

        def pause() -> None:
            if next(rows) % PAUSE_EVERY == 0 and self.closed.wait(PAUSE):
                raise sqlite3.OperationalError("the server stops")

        with closing(connect_reader(self.path)) as reader:
            return read_whole_log(reader, upto, pause)

    def _compact(self, steps: Iterator[None], grown: int) -> None:
        """Do one step of a compaction, and queue the next step."""
        try:
            next(steps)
        except StopIteration:
            self.is_compacting = False
            self.log_size -= grown
            self._set_base_size()
        except sqlite3.OperationalError:  # the disk may be full; a later compaction begins anew
            self.is_compacting = False
            raise
        else:
            self.waiting.put(partial(self._compact, steps, grown))


def read_whole_log(store: sqlite3.Connection, upto: int = 2**62, pause: Callable[[], object] = lambda: None) -> Ledger:
    """Read the log in one transaction: rows that are written meanwhile are not seen."""
    store.execute("BEGIN")
    try:
        ledger = read_log(store, upto, pause)
        ledger.next_player = max(ledger.next_player, 1 + read_last_player(store))
        ledger.last_game = max(ledger.last_game, read_last_game(store))
        return ledger
    finally:
        store.execute("ROLLBACK")


def call_all(answers: Iterable[Callable[[], None]]) -> None:
    """Call all callbacks of a group. One call for the group wakes the event loop only once."""
    rest = iter(answers)
    try:
        for answer in rest:
            answer()
    except BaseException:  # the other callbacks are still called
        call_all(rest)
        raise
