"""The store's tables: an SQLite file, how records get into it, and what is read out of it."""

import json
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple, cast

from gridgames_protocol.messages import AskHistory, AskReplay, AskStandings, First
from gridgames_server.deeds import (
    Deed,
    GameOver,
    PlayerForgotten,
    PlayerNamed,
    Record,
    RoomAside,
    RoomClosed,
    RoomOpened,
    Saved,
    SavedPlayer,
    SavedRoom,
    first_link,
    game_seal,
    next_link,
    player_seal,
    time_seal,
)
from gridgames_server.history import PAGE, TABLE, Found, Kept, Question

APPLICATION_ID = 0x67726964  # "grid"
SCHEMA = 1
IDENTITY = (f"PRAGMA application_id={APPLICATION_ID}", f"PRAGMA user_version={SCHEMA}")

TABLES = """
CREATE TABLE meta (one INTEGER PRIMARY KEY CHECK (one = 1), now REAL NOT NULL, seal BLOB NOT NULL) STRICT;
CREATE TABLE players (
    player INTEGER PRIMARY KEY, name TEXT NOT NULL, key TEXT NOT NULL, token_hash BLOB NOT NULL UNIQUE,
    last_play INTEGER, seal BLOB NOT NULL
) STRICT;
CREATE TABLE rooms (
    room INTEGER PRIMARY KEY, code TEXT NOT NULL, game TEXT NOT NULL, first TEXT NOT NULL, private INTEGER NOT NULL,
    clock INTEGER, assist INTEGER NOT NULL, address TEXT NOT NULL, aside TEXT
) STRICT;
CREATE TABLE links (room INTEGER PRIMARY KEY, link BLOB NOT NULL) STRICT;
CREATE TABLE deeds (
    room INTEGER NOT NULL, number INTEGER NOT NULL, at REAL NOT NULL, what TEXT NOT NULL, seat INTEGER,
    text TEXT NOT NULL, id INTEGER, secret BLOB NOT NULL, link BLOB NOT NULL, PRIMARY KEY (room, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE games (
    game_number INTEGER PRIMARY KEY, room INTEGER NOT NULL, number INTEGER NOT NULL, game TEXT NOT NULL,
    edition INTEGER NOT NULL, seed BLOB NOT NULL, first INTEGER NOT NULL, player1 INTEGER NOT NULL,
    player2 INTEGER NOT NULL, name1 TEXT NOT NULL, name2 TEXT NOT NULL, lines TEXT NOT NULL, winner INTEGER,
    reason TEXT NOT NULL, text TEXT NOT NULL, ended REAL NOT NULL, seal BLOB NOT NULL
) STRICT;
CREATE INDEX games_of_1 ON games (player1);
CREATE INDEX games_of_2 ON games (player2);
INSERT INTO meta VALUES (1, 0.0, x'');
"""


# The last link of each room is written with its deed: in the same statement, and by whoever adds one.
TRIGGER = """CREATE TRIGGER IF NOT EXISTS last_link AFTER INSERT ON deeds BEGIN
    INSERT OR REPLACE INTO links VALUES (new.room, new.link);
END"""
COLUMNS = 9  # of a deed's row
ROWS_MAX = 512  # deeds in one statement


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
        with ExitStack() as unless_ready:
            store = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)
            unless_ready.callback(store.close)
            prepare(store, path)
            unless_ready.pop_all()
    except OSError as error:
        raise StoreError(f"can't use the store {path}: {error.strerror}") from None
    except (sqlite3.Error, UnicodeDecodeError) as error:  # the latter quotes damaged tables
        raise refusal(path, error) from None
    return store


def refusal(path: Path, error: sqlite3.Error | UnicodeDecodeError) -> StoreError:
    """Why a file can't be used, in a sentence."""
    why = " ".join(str(error).partition(" - ")[0].split())  # what comes behind quotes tables
    if isinstance(error, sqlite3.OperationalError):
        why = "another server is using it" if "locked" in why else why
        return StoreError(f"can't use the store {path}: {why}")
    return StoreError(f"the store {path} is damaged ({why}): restore a backup, or move it away")


def prepare(store: sqlite3.Connection, path: Path) -> None:
    """Make the tables of a new store; leave one alone that is somebody else's or of a newer gridgames."""
    store.text_factory = lambda raw: raw.decode(errors="replace")  # damage is for the links to find, not to be quoted
    store.execute("PRAGMA locking_mode=EXCLUSIVE")
    (application,) = store.execute("PRAGMA application_id").fetchone()
    (schema,) = store.execute("PRAGMA user_version").fetchone()
    (tables,) = store.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if tables and application != APPLICATION_ID:
        raise StoreError(f"{path} is some other program's file")
    if tables and schema > SCHEMA:
        raise StoreError(f"the store {path} was made by a newer gridgames: update this one")
    keep_private(path)
    store.execute("PRAGMA journal_mode=WAL")
    store.execute("PRAGMA synchronous=FULL")
    store.execute("BEGIN IMMEDIATE")  # takes the lock now, and not with the first move
    if not tables:
        for statement in (*TABLES.split(";\n"), *IDENTITY):
            store.execute(statement)
    store.execute(TRIGGER)
    store.execute("COMMIT")


def keep_private(path: Path) -> None:
    """Let nobody but this user read the store, whatever the umask was when it was made."""
    for file in (path, path.with_name(path.name + "-wal")):  # a new one at its side gets what the store has
        if file.exists():
            file.chmod(0o600)


# What goes in ---------------------------------------------------------------------------------------------------------


@contextmanager
def transaction(store: sqlite3.Connection) -> Iterator[None]:
    """All of it, or nothing."""
    store.execute("BEGIN IMMEDIATE")
    try:
        yield
        store.execute("COMMIT")
    except BaseException:
        if store.in_transaction:
            store.execute("ROLLBACK")
        raise


def write(store: sqlite3.Connection, records: Iterable[Record], links: MutableMapping[int, bytes]) -> None:
    """Put records in their tables; `links` has what each open room's next deed is bound to."""
    for kind, some in groupby(records, type):
        if kind is Deed:
            write_deeds(store, cast("list[Deed]", list(some)), links)
        else:
            for record in some:
                write_one(store, record, links)


def write_deeds(store: sqlite3.Connection, deeds: list[Deed], links: MutableMapping[int, bytes]) -> None:
    """Put deeds in their table, each bound to the one before it; the table's trigger notes each room's last link."""
    for start in range(0, len(deeds), ROWS_MAX):
        values: list[object] = []
        for deed in deeds[start : start + ROWS_MAX]:
            link = links[deed.room] = next_link(links[deed.room], deed)
            values += deed
            values.append(link)
        rows = len(values) // COLUMNS
        size = 1 << (rows - 1).bit_length()
        store.execute(insertion(size), values + [None] * (COLUMNS * (size - rows)))


@cache
def insertion(rows: int) -> str:
    """What puts so many deeds in their table with one statement, and leaves out those that are empty.

    Each statement lets go of the interpreter and waits to get it back, which costs more than what it does. There are
    few sizes, so that each is compiled once.
    """
    row = "(" + ",".join("?" * COLUMNS) + ")"
    return f"INSERT INTO deeds SELECT * FROM (VALUES {','.join([row] * rows)}) WHERE column1 IS NOT NULL"


def write_one(store: sqlite3.Connection, record: Record, links: MutableMapping[int, bytes]) -> None:
    """Put a record that is no deed in its table."""
    match record:
        case RoomOpened():
            link = links[record.room] = first_link(record)
            store.execute("INSERT INTO rooms VALUES (?,?,?,?,?,?,?,?,NULL)", room_row(record))
            store.execute("INSERT INTO links VALUES (?,?)", (record.room, link))
        case RoomClosed(room):
            remember_plays(store, room)
            for table in ("deeds", "rooms", "links"):
                store.execute(f"DELETE FROM {table} WHERE room = ?", (room,))
        case RoomAside(room, why):
            remember_plays(store, room)
            store.execute("UPDATE rooms SET aside = ? WHERE room = ?", (why, room))
        case PlayerForgotten(player):
            store.execute("DELETE FROM players WHERE player = ?", (player,))
        case PlayerNamed(player, name, key, token_hash):
            known = read_player(store, player)
            write_player(store, SavedPlayer(player, name, key, token_hash, known.last_play if known else None))
        case GameOver():
            row = (
                record.game, record.edition, record.seed, record.first, *record.players, *record.names,
                json.dumps(record.lines), record.winner, record.reason, record.text, time.time(),
            )  # fmt: skip
            columns = (None, record.room, record.number, *row, game_seal(*row))
            store.execute("INSERT INTO games VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", columns)


def prune(store: sqlite3.Connection, keep: Keep) -> None:
    """Forget finished games that are not to be kept any longer."""
    if keep.games:
        store.execute("DELETE FROM games WHERE game_number <= (SELECT max(game_number) FROM games) - ?", (keep.games,))
    if keep.days:
        store.execute("DELETE FROM games WHERE ended < ?", (time.time() - keep.days * 86_400,))


def remember_plays(store: sqlite3.Connection, room: int) -> None:
    """Take over the ids of the last plays before a room's deeds are forgotten."""
    for number, play in last_plays(deed for deed, _ in read_linked(store, room)).items():
        player = read_player(store, number)
        if player:
            write_player(store, player._replace(last_play=max(play, player.last_play or 0)))


def write_player(store: sqlite3.Connection, player: SavedPlayer) -> None:
    store.execute(
        "INSERT INTO players VALUES (?,?,?,?,?,?) ON CONFLICT (player) DO UPDATE SET"
        " name = excluded.name, key = excluded.key, last_play = excluded.last_play, seal = excluded.seal",
        (*player, player_seal(*player)),
    )


def write_time(store: sqlite3.Connection, now: float) -> None:
    """Keep until when the hub has lived."""
    store.execute("UPDATE meta SET now = ?, seal = ?", (now, time_seal(now)))


# What comes out -------------------------------------------------------------------------------------------------------


def load(store: sqlite3.Connection) -> tuple[Saved, dict[int, bytes]]:
    """Everything that is open, each room checked, and what the next deed of each is bound to."""
    links: dict[int, bytes] = {}
    rooms, broken = [], []
    rows = "SELECT rooms.*, link FROM rooms LEFT JOIN links USING (room) WHERE aside IS NULL ORDER BY room"
    for *row, _, link in store.execute(rows).fetchall():
        opened = read_room(*row)
        linked = read_linked(store, opened.room)
        saved = SavedRoom(opened, tuple(deed for deed, _ in linked))
        if linked and link is not None and last_link(opened, linked) == link:
            links[opened.room] = link
            rooms.append(saved)
        else:
            broken.append(saved)
    players = read_players(store, rooms)
    now = max([read_time(store), *(room.deeds[-1].at for room in rooms)])
    return Saved(now, players, tuple(rooms), tuple(broken), next_player(store), next_room(store)), links


def next_player(store: sqlite3.Connection) -> int:
    """A number that nobody has had, as far as anything is left of them: a newcomer must not inherit a history."""
    numbers = [store.execute("SELECT max(player) FROM players").fetchone()]
    with suppress(sqlite3.DatabaseError):  # damage among old games is no reason not to serve
        numbers += store.execute("SELECT max(max(player1), max(player2)) FROM games")
    return 1 + max(number if isinstance(number, int) else 0 for (number,) in numbers)


def next_room(store: sqlite3.Connection) -> int:
    """A number that no room has had, as far as anything is left of it."""
    rooms = [store.execute(f"SELECT max(room) FROM {table}").fetchone() for table in ("rooms", "deeds")]
    with suppress(sqlite3.DatabaseError):  # damage among old games is no reason not to serve
        rooms += store.execute("SELECT room FROM games ORDER BY game_number DESC LIMIT 1")
    return 1 + max(room if isinstance(room, int) else 0 for (room,) in rooms)


def read_time(store: sqlite3.Connection) -> float:
    """When the hub is last known to have lived; 0 if that can't be told."""
    now, seal = store.execute("SELECT now, seal FROM meta").fetchone() or (0.0, b"")
    return float(now) if seal == time_seal(now) else 0.0


def find(store: sqlite3.Connection, question: Question, player: int) -> Found:
    """What is kept about games that are over."""
    match question:
        case AskHistory(before=before):
            where = "(player1 = :player OR player2 = :player) AND game_number < :before"
            given = {"player": player, "before": before or 2**62}
            return Found(games=read_games(store, f"{where} ORDER BY game_number DESC LIMIT {PAGE + 1}", given))
        case AskReplay(game=number):
            return Found(games=read_games(store, "game_number = :number", {"number": number}))
        case AskStandings(game=game):
            return Found(rows=tuple(store.execute(STANDINGS, {"game": game, "most": TABLE})))


STANDINGS = """
SELECT coalesce(players.name, max(seats.name)), count(*), sum(winner IS seat), sum(winner IS NULL)
FROM (
    SELECT player1 AS player, name1 AS name, 1 AS seat, winner, game FROM games
    UNION ALL SELECT player2, name2, 2, winner, game FROM games
) AS seats LEFT JOIN players USING (player)
WHERE :game IS NULL OR game = :game
GROUP BY player ORDER BY 3 DESC, 2 DESC, 1 LIMIT :most
"""


GAME = "game, edition, seed, first, player1, player2, name1, name2, lines, winner, reason, text, ended"


def read_games(store: sqlite3.Connection, where: str, given: Mapping[str, object]) -> tuple[Kept, ...]:
    """Finished games that a condition holds for, but for those that are not what was written."""
    rows = store.execute(f"SELECT game_number, seal, {GAME} FROM games WHERE {where}", given)
    return tuple(read_game(number, *row) for number, seal, *row in rows if seal == game_seal(*row))


def read_game(number: int, *row: Any) -> Kept:
    game, edition, seed, first, player1, player2, name1, name2, *rest = row
    return Kept(number, game, edition, seed, first, (player1, player2), (name1, name2), *rest)


def damaged_games(store: sqlite3.Connection) -> list[int]:
    """The numbers of finished games that are not what was written."""
    rows = store.execute(f"SELECT game_number, seal, {GAME} FROM games")
    return [number for number, seal, *row in rows if seal != game_seal(*row)]


def copy(store: sqlite3.Connection, path: str) -> str:
    """Write a consistent copy to a file that is not there yet; "" if that went well, else why not."""
    if os.path.exists(path):
        return f"{path} is there already"
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))  # nobody else's, whatever the umask
    except (OSError, ValueError) as error:
        return f"can't write {path}: {getattr(error, 'strerror', error)}"
    try:
        store.execute("VACUUM INTO ?", (path,))
    except (sqlite3.Error, UnicodeEncodeError) as error:  # the latter for a name that is not UTF-8
        os.unlink(path)  # half a backup is none
        return f"can't write {path}: {error}"
    return ""


def is_full(error: sqlite3.OperationalError) -> bool:
    """True if there is no space, which may come back; anything else of a disk does not."""
    return error.sqlite_errorcode == sqlite3.SQLITE_FULL


def room_row(room: RoomOpened) -> tuple[object, ...]:
    return (room.room, room.code, room.game, room.first, room.private, room.clock, room.assist, room.address)


def read_room(
    room: int, code: str, game: str, first: First, private: int, clock: int | None, assist: int, address: str
) -> RoomOpened:
    return RoomOpened(room, code, game, first, bool(private), clock, address, bool(assist))


def read_linked(store: sqlite3.Connection, room: int) -> list[tuple[Deed, bytes]]:
    """A room's deeds in order as far as they can be read, each with the link that was kept with it."""
    linked: list[tuple[Deed, bytes]] = []
    try:
        for *deed, link in store.execute("SELECT * FROM deeds WHERE room = ? ORDER BY number", (room,)):
            linked.append((Deed(*deed), link))
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError:  # a damaged page: the links tell that something is missing
        pass
    return linked


def last_link(opened: RoomOpened, linked: Iterable[tuple[Deed, bytes]]) -> bytes | None:
    """What the room's next deed is bound to, or None if these do not hang together."""
    link = first_link(opened)
    for number, (deed, kept) in enumerate(linked, start=1):
        link = next_link(link, deed)
        if link != kept or deed.number != number:
            return None
    return link


PLAYER = "player, name, key, token_hash, last_play, seal"


def read_player(store: sqlite3.Connection, player: int) -> SavedPlayer | None:
    """A player, if there is one and the row is what was written."""
    row = store.execute(f"SELECT {PLAYER} FROM players WHERE player = ?", (player,)).fetchone()
    return SavedPlayer(*row[:-1]) if row and row[-1] == player_seal(*row[:-1]) else None


def read_players(store: sqlite3.Connection, rooms: list[SavedRoom]) -> tuple[SavedPlayer, ...]:
    """Everybody whose row is what was written, with the id of the last play that each is known to have made."""
    plays: dict[int, int] = {}
    for room in rooms:
        for player, play in last_plays(room.deeds).items():
            plays[player] = max(play, plays.get(player, 0))
    known = [
        SavedPlayer(*row) for *row, seal in store.execute(f"SELECT {PLAYER} FROM players") if seal == player_seal(*row)
    ]
    return tuple(
        player._replace(last_play=max(player.last_play or 0, plays.get(player.player, 0)) or None) for player in known
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
