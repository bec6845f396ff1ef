"""Compaction: replaces the old rows of the log by a base, which holds only open rooms and known players.

Every step is a short transaction, so moves can be written between two steps. One step moves the start of the log.
Before it the old rows are valid. After it the base is valid, and the old rows are deleted in steps.
"""

import sqlite3
import time
from collections.abc import Iterable, Iterator
from itertools import islice

from gridgames_server.core.limits import ROOM_LOG
from gridgames_server.core.room_events import ChatSaid, GameStarted, RoomEvent, SeatLeft, SeatTaken
from gridgames_server.storage.log_reader import Ledger, OpenRoom
from gridgames_server.storage.packing import Counters, LastGame, Packable, join_room_numbers, pack
from gridgames_server.storage.store import (
    Row,
    Start,
    append_row,
    make_row,
    read_start,
    transaction,
    transaction_without_sync,
    write_start,
)

PLAYERS_A_ROW = 100
ROWS_A_STEP = 50  # writing or deleting them takes one or two milliseconds
PAGES_A_STEP = 200  # free pages that are returned to the file system
DAMAGED = "damaged"


def compact(store: sqlite3.Connection, ledger: Ledger) -> Iterator[None]:
    """Replace the rows of the log that are in the ledger. Each step ends with a `yield`."""
    old = read_start(store)
    with transaction_without_sync(store):
        store.execute("DELETE FROM base WHERE seq > ?", (old.last,))  # left by an unfinished compaction
    yield
    rows, last = make_base_rows(ledger, old.last + 1), old.last
    while some := list(islice(rows, ROWS_A_STEP)):
        with transaction_without_sync(store):
            for row in some:
                append_row(store, "base", row)
        last = some[-1].seq
        yield
    with transaction(store):
        put_into_quarantine(store, [*ledger.quarantined, *((room, DAMAGED) for room in ledger.list_broken_rooms())])
        write_start(store, Start(ledger.seq, ledger.link, old.last + 1, last))
    yield
    yield from _delete(store, "log", ledger.seq)
    yield from _delete(store, "base", old.last)
    yield from _shrink(store)


def put_into_quarantine(store: sqlite3.Connection, rooms: Iterable[tuple[OpenRoom, str]]) -> None:
    """Store rooms that can't be restored in a table of their own. The host can examine them there."""
    rows = [(room.opened.room, why, pack([room.opened, *room.events])) for room, why in rooms]
    store.executemany("INSERT INTO quarantine VALUES (?,?,?)", rows)


def _delete(store: sqlite3.Connection, table: str, upto: int) -> Iterator[None]:
    some = f"SELECT seq FROM {table} WHERE seq <= ? ORDER BY seq LIMIT {ROWS_A_STEP}"
    deleted = 1
    while deleted:
        with transaction_without_sync(store):
            deleted = store.execute(f"DELETE FROM {table} WHERE seq IN ({some})", (upto,)).rowcount
        yield


def _shrink(store: sqlite3.Connection) -> Iterator[None]:
    """Return free pages to the file system. A few stay for the next rows."""
    while store.execute("PRAGMA freelist_count").fetchone()[0] > PAGES_A_STEP:
        store.execute(f"PRAGMA incremental_vacuum({PAGES_A_STEP})").fetchall()
        yield


def make_base_rows(ledger: Ledger, first: int) -> Iterator[Row]:
    """Make the rows of a base, one after the other: to make all of them at once would hold up moves."""
    link, now = ledger.link, int(time.time())
    for seq, records in enumerate(list_base(ledger), start=first):
        row = make_row(link, seq, now, join_room_numbers(records), pack(records))
        link = row.link
        yield row


def list_base(ledger: Ledger) -> Iterator[list[Packable]]:
    """Return the records of each row of a base. Each room has its own row."""
    yield [Counters(ledger.now, ledger.next_player, ledger.next_room, ledger.last_game)]
    players = [player for _, player in sorted(ledger.players.items())]
    for at in range(0, len(players), PLAYERS_A_ROW):
        yield [*players[at : at + PLAYERS_A_ROW]]
    broken = ledger.list_broken_rooms()
    for room in ledger.rooms.values():
        if room not in broken:
            yield [room.opened, *select_needed(room), LastGame(room.opened.room, room.game_number)]


def select_needed(room: OpenRoom) -> list[RoomEvent]:
    """Return the events that a restart needs: the seats, the current game and the last chat lines."""
    starts = [event.number for event in room.events if isinstance(event, GameStarted) and event.before]
    chats = [event.number for event in room.events if isinstance(event, ChatSaid)]
    begin, old_chats = max(starts, default=0), set(chats[:-ROOM_LOG])
    return [
        event
        for event in room.events
        if (event.number >= begin or isinstance(event, SeatTaken | SeatLeft | ChatSaid))
        and event.number not in old_chats
    ]
