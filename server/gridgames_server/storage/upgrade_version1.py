"""Converts a store of version 1 to the current version. Version 1 had a table of rooms and a row for each event."""

import hashlib
import logging
import sqlite3
from collections.abc import Iterable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, NamedTuple

import msgpack

from gridgames_server.core.room_events import (
    ChatSaid,
    GameStarted,
    GameStopped,
    LinePlayed,
    RematchAsked,
    RoomEvent,
    RoomOpened,
    SavedPlayer,
    SeatLeft,
    SeatTaken,
)
from gridgames_server.storage.compaction import DAMAGED, make_base_rows, put_into_quarantine
from gridgames_server.storage.finished_games import count_game, read_games, read_last_game, read_last_player
from gridgames_server.storage.log_reader import Ledger
from gridgames_server.storage.packing import make_seal
from gridgames_server.storage.side_files import lock_file
from gridgames_server.storage.store import (
    FIRST_LINK,
    IDENTITY,
    LAYOUT,
    TABLES,
    Start,
    append_row,
    read_version,
    side_path,
    transaction,
    write_start,
)

OLD_TABLES = ("deeds", "links", "rooms", "players", "meta")

log = logging.getLogger("gridgames")


def upgrade(path: Path) -> None:
    """Convert a store of version 1. Leave any other file unchanged."""
    if not path.is_file() or not path.stat().st_size:
        return
    with ExitStack() as until_the_end:
        store = sqlite3.connect(path, timeout=0, isolation_level=None)
        until_the_end.callback(store.close)
        if read_version(store, path) != 1:
            return
        until_the_end.callback(lock_file(side_path(path, "lock")).close)
        store.execute("PRAGMA journal_mode=DELETE")
        with transaction(store):
            _replace_tables(store)
        for pragma in LAYOUT:
            store.execute(pragma)
        store.execute("VACUUM")
        log.info("the store %s has been converted from version 1", path)


def _replace_tables(store: sqlite3.Connection) -> None:
    ledger = read_all(store)
    for table in OLD_TABLES:
        store.execute(f"DROP TABLE {table}")
    for statement in TABLES.split(";\n"):
        if " games" not in statement:  # that table has not changed
            store.execute(statement)
    names = {player.player: player.name for player in ledger.players.values()}
    for game in read_games(store, "1", {}):
        count_game(store, game.game, game.players, game.names, names, game.winner)
    ledger.next_player = max(ledger.next_player, 1 + read_last_player(store))
    ledger.last_game = read_last_game(store)
    rows = list(make_base_rows(ledger, 1))
    for row in rows:
        append_row(store, "base", row)
    put_into_quarantine(store, [(room, DAMAGED) for room in ledger.list_broken_rooms()])
    write_start(store, Start(0, FIRST_LINK, 1, len(rows)))
    for pragma in IDENTITY:
        store.execute(pragma)


def read_all(store: sqlite3.Connection) -> Ledger:
    """Read the open rooms and the players of a store of version 1. Damaged rows are left out."""
    ledger = Ledger(link=FIRST_LINK)
    for *row, seal in store.execute("SELECT player, name, key, token_hash, last_play, seal FROM players").fetchall():
        if seal == make_seal("player", *row):
            ledger.apply(SavedPlayer(*row))
    rooms = (
        "SELECT room, code, game, first, private, clock, address, assist, link FROM rooms LEFT JOIN links USING (room)"
    )
    for *row, link in store.execute(f"{rooms} WHERE aside IS NULL").fetchall():
        row[4], row[7] = bool(row[4]), bool(row[7])
        _read_room(store, ledger, RoomOpened(*row), link)
    (room,) = store.execute("SELECT max(room) FROM games").fetchone()
    ledger.next_room = max(ledger.next_room, 1 + (room or 0))
    now, seal = store.execute("SELECT now, seal FROM meta").fetchone() or (0.0, b"")
    ledger.now = max(ledger.now, now if seal == make_seal("now", now) else 0.0)
    return ledger


def _read_room(store: sqlite3.Connection, ledger: Ledger, opened: RoomOpened, last: bytes) -> None:
    ledger.apply(opened)
    link, rows, room = make_first_link(opened), [], ledger.rooms[opened.room]
    for *row, kept in store.execute("SELECT * FROM deeds WHERE room = ? ORDER BY number", (opened.room,)).fetchall():
        link = make_next_link(link, *row)
        rows.append(Row(*row))
        room.is_broken |= link != kept
    room.is_broken |= link != last
    if room.is_broken:
        log.warning("room %d is damaged and is left out", opened.room)
    with suppress(ValueError):  # damaged rows
        for event in read_events(rows):
            ledger.apply(event)


def make_first_link(room: RoomOpened) -> bytes:
    """Return the link that comes before a room's first event."""
    options = (room.first, room.private, room.clock, room.assist)
    return make_next_link(b"", room.room, room.code, room.game, *options, room.address)


def make_next_link(link: bytes, *row: object) -> bytes:
    """Return the link of a row. `link` is that of the row before it."""
    return hashlib.sha256(link + msgpack.packb(row)).digest()[:16]


class Row(NamedTuple):
    """The columns of an event."""

    room: int
    number: int
    at: float
    what: str
    seat: int | None = None
    text: str = ""
    id: int | None = None
    secret: bytes = b""

    def __repr__(self) -> str:
        return f"Row(room={self.room}, number={self.number}, what={self.what!r})"  # the rest may be secret


def read_events(rows: Iterable[Row]) -> tuple[RoomEvent, ...]:
    """Return the events of a room's rows.

    A row "hold" says for how many seconds the clocks stood still. All earlier events are moved by that time.
    """
    read: list[Row] = []
    held = 0
    for row in rows:
        if row.what == "hold":
            held += 1
            seconds = float.fromhex(row.text)
            read = [earlier._replace(at=min(row.at, earlier.at + seconds)) for earlier in read]
        else:
            read.append(row._replace(number=row.number - held))
    return tuple(map(_read_event, read))


def _read_event(row: Row) -> RoomEvent:
    head: tuple[int, int, float] = row[:3]
    seat: Any = row.seat
    first, _, rest = row.text.partition("\n")
    match row.what:
        case "sit":
            return SeatTaken(*head, seat, row.id or 0)
        case "left":
            return SeatLeft(*head, seat)
        case "start":
            return GameStarted(*head, seat, int(row.text), row.secret)
        case "line":
            return LinePlayed(*head, seat, row.text, row.id or 1)
        case "end":
            return GameStopped(*head, seat, first, rest, bool(row.id))
        case "wish":
            return RematchAsked(*head, seat)
        case "chat":
            return ChatSaid(*head, seat, first, rest)
    raise ValueError(f"a room event of version 1 is never {row.what!r}")
