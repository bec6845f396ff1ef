"""The store: an SQLite file that makes kill -9, upgrades and power cuts invisible to players.

One connection, one writer thread. Records that arrive while a group is being committed make up the next group, so that
the loop never waits for the disk and the disk is never asked more often than it can answer.
"""

import json
import os
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from gridgames_protocol.messages import First
from gridgames_server.deeds import (
    Deed,
    GameOver,
    PlayerNamed,
    Record,
    RoomAside,
    RoomClosed,
    RoomOpened,
    Saved,
    SavedPlayer,
    SavedRoom,
    first_link,
    next_link,
)

APPLICATION_ID = 0x67726964  # "grid"
SCHEMA = 1
GROUP_MAX = 500  # records in one commit: a few milliseconds, so that nobody waits long behind a crowd

TABLES = """
CREATE TABLE meta (one INTEGER PRIMARY KEY CHECK (one = 1), now REAL NOT NULL) STRICT;
CREATE TABLE players (
    player INTEGER PRIMARY KEY, name TEXT NOT NULL, key TEXT NOT NULL, token_hash BLOB NOT NULL UNIQUE,
    last_play INTEGER, seen REAL NOT NULL
) STRICT;
CREATE TABLE rooms (
    room INTEGER PRIMARY KEY, code TEXT NOT NULL, game TEXT NOT NULL, first TEXT NOT NULL, private INTEGER NOT NULL,
    clock INTEGER, address TEXT NOT NULL, aside TEXT
) STRICT;
CREATE TABLE deeds (
    room INTEGER NOT NULL, number INTEGER NOT NULL, at REAL NOT NULL, what TEXT NOT NULL, seat INTEGER,
    text TEXT NOT NULL, id INTEGER, secret BLOB NOT NULL, link BLOB NOT NULL, PRIMARY KEY (room, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE games (
    game_number INTEGER PRIMARY KEY, room INTEGER NOT NULL, number INTEGER NOT NULL, game TEXT NOT NULL,
    edition INTEGER NOT NULL, seed BLOB NOT NULL, first INTEGER NOT NULL, player1 INTEGER NOT NULL,
    player2 INTEGER NOT NULL, name1 TEXT NOT NULL, name2 TEXT NOT NULL, lines TEXT NOT NULL, winner INTEGER,
    reason TEXT NOT NULL, text TEXT NOT NULL, ended REAL NOT NULL
) STRICT;
CREATE INDEX games_of_1 ON games (player1);
CREATE INDEX games_of_2 ON games (player2);
INSERT INTO meta VALUES (1, 0.0);
"""


class StoreError(Exception):
    """The store can't be used, and this sentence says why."""


def connect(path: Path) -> sqlite3.Connection:
    """Open the store, made if it is not there, for this process alone."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        os.chmod(path, 0o600)  # whatever the umask was when it was made
        store = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        store.execute("PRAGMA locking_mode=EXCLUSIVE")
        store.execute("PRAGMA journal_mode=WAL")
        store.execute("PRAGMA synchronous=FULL")
        prepare(store, path)
    except sqlite3.OperationalError as error:
        why = "another server is using it" if "locked" in str(error) else str(error)
        raise StoreError(f"can't use the store {path}: {why}") from None
    except sqlite3.DatabaseError as error:
        raise StoreError(f"the store {path} is damaged ({error}): restore a backup, or move it away") from None
    except OSError as error:
        raise StoreError(f"can't use the store {path}: {error.strerror}") from None
    return store


def prepare(store: sqlite3.Connection, path: Path) -> None:
    """Make the tables of a new store; refuse one that is somebody else's or of a newer gridgames."""
    (application,) = store.execute("PRAGMA application_id").fetchone()
    (schema,) = store.execute("PRAGMA user_version").fetchone()
    (tables,) = store.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if not tables:
        script = f"PRAGMA application_id={APPLICATION_ID}; PRAGMA user_version={SCHEMA};"
        store.executescript(f"BEGIN IMMEDIATE; {TABLES} {script} COMMIT;")
    elif application != APPLICATION_ID:
        raise StoreError(f"{path} is some other program's file")
    elif schema > SCHEMA:
        raise StoreError(f"the store {path} was made by a newer gridgames: update this one")
    store.execute("BEGIN IMMEDIATE")  # takes the lock now, and not with the first move
    store.execute("COMMIT")


class Entry(NamedTuple):
    """Some records, and whom to tell what became of them."""

    records: list[Record]
    kept: Callable[[], None]
    refused: Callable[[], None]
    epoch: int


class Journal:
    """Keeps records, in groups, off the loop's thread.

    When there is no space, everything that was decided up to then is refused, and the loop goes back to what is on
    disk. What it decides after that belongs to a new epoch: the writer takes no entry of an older one.
    """

    def __init__(
        self, path: Path, call: Callable[[Callable[[], object]], object], broken: Callable[[BaseException], None]
    ) -> None:
        self.store = connect(path)
        self.call = call  # runs a function on the loop's thread
        self.broken = broken  # told, on that thread, when the disk can't be trusted any more
        self.links: dict[int, bytes] = {}  # what each open room's next deed is bound to
        self.epoch = 0  # of what is put in; the loop's thread sets it
        self.oldest = 0  # epoch that is taken out; the writer sets it
        self.waiting: queue.SimpleQueue[Entry | None] = queue.SimpleQueue()
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

    def reload(self) -> Saved:
        """What is on disk, after records were refused; from here on new ones are taken again."""
        self.epoch += 1  # the writer touches nothing until it sees an entry of this one
        return self.load()

    # The writer's thread ----------------------------------------------------------------------------------------------

    def _write_all(self) -> None:
        going_on = True
        while going_on:
            group, going_on = self._next_group()
            try:
                self._commit([record for entry in group for record in entry.records])
                answers = [entry.kept for entry in group]
            except sqlite3.OperationalError as error:
                if not is_full(error):
                    self.call(partial(self.broken, error))
                    return
                self.oldest = group[-1].epoch + 1
                answers = [entry.refused for entry in group]
            except Exception as error:
                self.call(partial(self.broken, error))
                return
            for answer in answers:
                self.call(answer)

    def _next_group(self) -> tuple[list[Entry], bool]:
        """What has come in since the last commit, and whether more may come."""
        group: list[Entry] = []
        while not group or (len(group) < GROUP_MAX and not self.waiting.empty()):
            entry = self.waiting.get()
            if entry is None:
                return group, False
            if entry.epoch < self.oldest:
                self.call(entry.refused)
            else:
                group.append(entry)
        return group, True

    def _commit(self, records: list[Record]) -> None:
        if not records:
            return
        links: dict[int, bytes] = {}  # as far as they change
        self.store.execute("BEGIN IMMEDIATE")
        try:
            for record in records:
                self._insert(record, links)
            now = max((record.at for record in records if isinstance(record, Deed)), default=None)
            if now is not None:
                self.store.execute("UPDATE meta SET now = max(now, ?)", (now,))
            self.store.execute("COMMIT")
        except BaseException:
            if self.store.in_transaction:
                self.store.execute("ROLLBACK")
            raise
        self.links.update(links)

    def _insert(self, record: Record, links: dict[int, bytes]) -> None:
        match record:
            case Deed():
                before = links.get(record.room) or self.links[record.room]
                link = links[record.room] = next_link(before, record)
                row = (record.room, record.number, record.at, record.what, record.seat, record.text, record.id)
                self.store.execute("INSERT INTO deeds VALUES (?,?,?,?,?,?,?,?,?)", (*row, record.secret, link))
            case RoomOpened():
                links[record.room] = first_link(record)
                self.store.execute("INSERT INTO rooms VALUES (?,?,?,?,?,?,?,NULL)", room_row(record))
            case RoomClosed(room):
                self._remember_plays(room)
                self.store.execute("DELETE FROM deeds WHERE room = ?", (room,))
                self.store.execute("DELETE FROM rooms WHERE room = ?", (room,))
            case RoomAside(room, why):
                self.store.execute("UPDATE rooms SET aside = ? WHERE room = ?", (why, room))
            case PlayerNamed(player, name, key, token_hash):
                self.store.execute(
                    "INSERT INTO players VALUES (?,?,?,?,NULL,?) ON CONFLICT (player) DO UPDATE"
                    " SET name = excluded.name, key = excluded.key, seen = excluded.seen",
                    (player, name, key, token_hash, time.time()),
                )
            case GameOver():
                self.store.execute(
                    "INSERT INTO games VALUES (NULL,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                    (
                        record.room, record.number, record.game, record.edition, record.seed, record.first,
                        *record.players, *record.names, json.dumps(record.lines), record.winner, record.reason,
                        record.text, time.time(),
                    ),
                )  # fmt: skip

    def _remember_plays(self, room: int) -> None:
        """Take over the ids of the last plays before a room's deeds are forgotten."""
        for player, play in last_plays(read_deeds(self.store, room)).items():
            self.store.execute(
                "UPDATE players SET last_play = max(coalesce(last_play, 0), ?) WHERE player = ?", (play, player)
            )

    # At the start -----------------------------------------------------------------------------------------------------

    def load(self) -> Saved:
        """Everything that is open, each room checked."""
        (now,) = self.store.execute("SELECT now FROM meta").fetchone()
        rooms, broken = [], []
        for *row, _ in self.store.execute("SELECT * FROM rooms WHERE aside IS NULL ORDER BY room").fetchall():
            opened = read_room(*row)
            linked = list(read_linked(self.store, opened.room))
            saved = SavedRoom(opened, tuple(deed for deed, _ in linked))
            link = last_link(opened, linked)
            if link is None:
                broken.append(saved)
            else:
                self.links[opened.room] = link
                rooms.append(saved)
        players = read_players(self.store, rooms)
        (next_player,) = self.store.execute("SELECT coalesce(max(player), 0) + 1 FROM players").fetchone()
        (next_room,) = self.store.execute(
            "SELECT 1 + max(coalesce((SELECT max(room) FROM rooms), 0), coalesce((SELECT max(room) FROM games), 0))"
        ).fetchone()
        return Saved(now, players, tuple(rooms), tuple(broken), next_player, next_room)


def is_full(error: sqlite3.OperationalError) -> bool:
    """True if there is no space, which may come back; anything else of a disk does not."""
    return error.sqlite_errorcode == sqlite3.SQLITE_FULL


def room_row(room: RoomOpened) -> tuple[object, ...]:
    return (room.room, room.code, room.game, room.first, room.private, room.clock, room.address)


def read_room(
    room: int, code: str, game: str, first: First, private: int, clock: int | None, address: str
) -> RoomOpened:
    return RoomOpened(room, code, game, first, bool(private), clock, address)


def read_linked(store: sqlite3.Connection, room: int) -> Iterable[tuple[Deed, bytes]]:
    """A room's deeds in order, each with the link that was kept with it."""
    for *deed, link in store.execute("SELECT * FROM deeds WHERE room = ? ORDER BY number", (room,)):
        yield Deed(*deed), link


def last_link(opened: RoomOpened, linked: list[tuple[Deed, bytes]]) -> bytes | None:
    """What the room's next deed is bound to, or None if its deeds do not hang together."""
    link = first_link(opened)
    for number, (deed, kept) in enumerate(linked, start=1):
        link = next_link(link, deed)
        if link != kept or deed.number != number:
            return None
    return link


def read_deeds(store: sqlite3.Connection, room: int) -> list[Deed]:
    """A room's deeds in order."""
    return [deed for deed, _ in read_linked(store, room)]


def read_players(store: sqlite3.Connection, rooms: list[SavedRoom]) -> tuple[SavedPlayer, ...]:
    """Everybody, with the id of the last play that each is known to have made."""
    plays: dict[int, int] = {}
    for room in rooms:
        for player, play in last_plays(room.deeds).items():
            plays[player] = max(play, plays.get(player, 0))
    rows = store.execute("SELECT player, name, key, token_hash, last_play FROM players")
    return tuple(
        SavedPlayer(player, name, key, token_hash, max(last_play or 0, plays.get(player, 0)) or None)
        for player, name, key, token_hash, last_play in rows
    )


def last_plays(deeds: Iterable[Deed]) -> dict[int, int]:
    """The id of each player's last play in a room."""
    seated: dict[int, int] = {}
    plays: dict[int, int] = {}
    for deed in deeds:
        if deed.what == "sit" and deed.seat and deed.id:
            seated[deed.seat] = deed.id
        elif deed.what == "line" and deed.seat in seated and deed.id:
            plays[seated[deed.seat]] = deed.id
    return plays
