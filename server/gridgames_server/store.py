"""The store's tables: an SQLite file, how records get into it, and what is read out of it."""

import json
import os
import sqlite3
import time
from collections.abc import Iterable, MutableMapping
from pathlib import Path
from typing import NamedTuple

from gridgames_protocol.messages import AskHistory, AskReplay, AskStandings, First
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
from gridgames_server.history import PAGE, TABLE, Found, Kept, Question

APPLICATION_ID = 0x67726964  # "grid"
SCHEMA = 1

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


class Keep(NamedTuple):
    """How many finished games are kept, and for how many days; 0 means all, and for ever."""

    games: int = 0
    days: int = 0


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


# What goes in ---------------------------------------------------------------------------------------------------------


def write(store: sqlite3.Connection, record: Record, links: MutableMapping[int, bytes]) -> None:
    """Put a record in its table; `links` has what each open room's next deed is bound to."""
    match record:
        case Deed():
            link = links[record.room] = next_link(links[record.room], record)
            row = (record.room, record.number, record.at, record.what, record.seat, record.text, record.id)
            store.execute("INSERT INTO deeds VALUES (?,?,?,?,?,?,?,?,?)", (*row, record.secret, link))
        case RoomOpened():
            links[record.room] = first_link(record)
            store.execute("INSERT INTO rooms VALUES (?,?,?,?,?,?,?,NULL)", room_row(record))
        case RoomClosed(room):
            remember_plays(store, room)
            store.execute("DELETE FROM deeds WHERE room = ?", (room,))
            store.execute("DELETE FROM rooms WHERE room = ?", (room,))
        case RoomAside(room, why):
            store.execute("UPDATE rooms SET aside = ? WHERE room = ?", (why, room))
        case PlayerNamed(player, name, key, token_hash):
            store.execute(
                "INSERT INTO players VALUES (?,?,?,?,NULL,?) ON CONFLICT (player) DO UPDATE"
                " SET name = excluded.name, key = excluded.key, seen = excluded.seen",
                (player, name, key, token_hash, time.time()),
            )
        case GameOver():
            store.execute(
                "INSERT INTO games VALUES (NULL,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                (
                    record.room, record.number, record.game, record.edition, record.seed, record.first,
                    *record.players, *record.names, json.dumps(record.lines), record.winner, record.reason,
                    record.text, time.time(),
                ),
            )  # fmt: skip


def prune(store: sqlite3.Connection, keep: Keep) -> None:
    """Forget finished games that are not to be kept any longer."""
    if keep.games:
        store.execute("DELETE FROM games WHERE game_number <= (SELECT max(game_number) FROM games) - ?", (keep.games,))
    if keep.days:
        store.execute("DELETE FROM games WHERE ended < ?", (time.time() - keep.days * 86_400,))


def remember_plays(store: sqlite3.Connection, room: int) -> None:
    """Take over the ids of the last plays before a room's deeds are forgotten."""
    for player, play in last_plays(read_deeds(store, room)).items():
        store.execute("UPDATE players SET last_play = max(coalesce(last_play, 0), ?) WHERE player = ?", (play, player))


# What comes out -------------------------------------------------------------------------------------------------------


def load(store: sqlite3.Connection) -> tuple[Saved, dict[int, bytes]]:
    """Everything that is open, each room checked, and what the next deed of each is bound to."""
    links: dict[int, bytes] = {}
    (now,) = store.execute("SELECT now FROM meta").fetchone()
    rooms, broken = [], []
    for *row, _ in store.execute("SELECT * FROM rooms WHERE aside IS NULL ORDER BY room").fetchall():
        opened = read_room(*row)
        linked = list(read_linked(store, opened.room))
        saved = SavedRoom(opened, tuple(deed for deed, _ in linked))
        link = last_link(opened, linked)
        if link is None:
            broken.append(saved)
        else:
            links[opened.room] = link
            rooms.append(saved)
    players = read_players(store, rooms)
    (next_player,) = store.execute("SELECT coalesce(max(player), 0) + 1 FROM players").fetchone()
    (next_room,) = store.execute(
        "SELECT 1 + max(coalesce((SELECT max(room) FROM rooms), 0), coalesce((SELECT max(room) FROM games), 0))"
    ).fetchone()
    return Saved(now, players, tuple(rooms), tuple(broken), next_player, next_room), links


def find(store: sqlite3.Connection, question: Question, player: int) -> Found:
    """What is kept about games that are over."""
    match question:
        case AskHistory(before=before):
            where, given = "(player1 = ?1 OR player2 = ?1) AND game_number < ?2", (player, before or 2**62)
            return Found(games=read_games(store, f"{where} ORDER BY game_number DESC LIMIT {PAGE + 1}", given))
        case AskReplay(game=number):
            return Found(games=read_games(store, "game_number = ?", (number,)))
        case AskStandings(game=game):
            return Found(rows=tuple(store.execute(STANDINGS, (game, TABLE))))


STANDINGS = """
SELECT coalesce(players.name, max(seats.name)), count(*), sum(winner IS seat), sum(winner IS NULL)
FROM (
    SELECT player1 AS player, name1 AS name, 1 AS seat, winner, game FROM games
    UNION ALL SELECT player2, name2, 2, winner, game FROM games
) AS seats LEFT JOIN players USING (player)
WHERE ?1 IS NULL OR game = ?1
GROUP BY player ORDER BY 3 DESC, 2 DESC, 1 LIMIT ?2
"""


GAME = "game_number, game, edition, seed, first, player1, player2, name1, name2, lines, winner, reason, text, ended"


def read_games(store: sqlite3.Connection, where: str, given: tuple[object, ...]) -> tuple[Kept, ...]:
    """Finished games that a condition holds for."""
    rows = store.execute(f"SELECT {GAME} FROM games WHERE {where}", given)
    return tuple(
        Kept(number, game, edition, seed, first, (player1, player2), (name1, name2), *rest)
        for number, game, edition, seed, first, player1, player2, name1, name2, *rest in rows
    )


def copy(store: sqlite3.Connection, path: str) -> str:
    """Write a consistent copy to a file that is not there yet; "" if that went well, else why not."""
    if os.path.exists(path):
        return f"{path} is there already"
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))  # nobody else's, whatever the umask
        store.execute("VACUUM INTO ?", (path,))
    except (OSError, sqlite3.Error) as error:
        return f"can't write {path}: {getattr(error, 'strerror', None) or error}"
    return ""


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
