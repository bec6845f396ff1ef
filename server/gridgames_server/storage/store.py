"""The store (SQLite): opens its files, creates its tables, reads and writes the rows of the log.

Everything else can be computed from the log. A row holds all records of one commit, and a checksum (link) that includes
the row before it. Compaction replaces old rows by a base: a few rows with the open rooms and the known players.
"""

import os
import shutil
import sqlite3
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from gridgames_server.storage.packing import make_link, make_seal
from gridgames_server.storage.side_files import (
    LastWrite,
    check_unlocked,
    give_name,
    lock_file,
    lock_opened,
    read_last_write,
    resolve,
    side_path,
)

APPLICATION_ID = 0x67726964  # "grid"
SCHEMA = 2
PAGE_SIZE = 1024  # bytes; a commit writes at least one page, so small pages make a single move cheap
COPY_STEP = 2_000  # instructions of SQLite, about 0.2 ms
FIRST_LINK = bytes(16)

TABLES = """
CREATE TABLE log (
    seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, rooms TEXT NOT NULL, records BLOB NOT NULL, link BLOB NOT NULL
) STRICT;
CREATE TABLE base (
    seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, rooms TEXT NOT NULL, records BLOB NOT NULL, link BLOB NOT NULL
) STRICT;
CREATE TABLE starts (
    copy INTEGER PRIMARY KEY, seq INTEGER NOT NULL, link BLOB NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
    seal BLOB NOT NULL
) STRICT;
CREATE TABLE quarantine (room INTEGER NOT NULL, why TEXT NOT NULL, records BLOB NOT NULL) STRICT;
CREATE TABLE notes (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT;
CREATE TABLE games (
    game_number INTEGER PRIMARY KEY, room INTEGER NOT NULL, number INTEGER NOT NULL, game TEXT NOT NULL,
    edition INTEGER NOT NULL, seed BLOB NOT NULL, first INTEGER NOT NULL, player1 INTEGER NOT NULL,
    player2 INTEGER NOT NULL, name1 TEXT NOT NULL, name2 TEXT NOT NULL, lines TEXT NOT NULL, winner INTEGER,
    reason TEXT NOT NULL, text TEXT NOT NULL, ended REAL NOT NULL, seal BLOB NOT NULL
) STRICT;
CREATE INDEX games_of_1 ON games (player1);
CREATE INDEX games_of_2 ON games (player2);
CREATE TABLE standings (
    game TEXT NOT NULL, player INTEGER NOT NULL, name TEXT NOT NULL, played INTEGER NOT NULL, won INTEGER NOT NULL,
    drawn INTEGER NOT NULL, PRIMARY KEY (game, player)
) STRICT, WITHOUT ROWID;
CREATE INDEX best ON standings (game, won DESC, played DESC, name);
CREATE INDEX standings_of ON standings (player);
"""
LAYOUT = (f"PRAGMA page_size={PAGE_SIZE}", "PRAGMA auto_vacuum=INCREMENTAL")  # must come before the first write
IDENTITY = (f"PRAGMA application_id={APPLICATION_ID}", f"PRAGMA user_version={SCHEMA}")


class KeepLimits(NamedTuple):
    """How many finished games are kept, and for how many days. 0 is no limit."""

    games: int = 0
    days: int = 0


KEEP_ALL = KeepLimits()


class StoreError(Exception):
    """The store can't be used. The message says why."""


class Row(NamedTuple):
    """A row of the log or of a base."""

    seq: int
    at: int  # seconds since 1970
    rooms: str  # room numbers, separated by commas
    records: bytes
    link: bytes


class Start(NamedTuple):
    """The start of the log: the base's rows `first` to `last` replace the log's rows up to `seq`."""

    seq: int = 0
    link: bytes = FIRST_LINK  # of the row `seq`
    first: int = 1
    last: int = 0


class Store(sqlite3.Connection):
    """The writing connection. It locks the store against other servers, by its path and by the file itself."""

    lock: sqlite3.Connection
    opened: int  # the locked file
    last_write: LastWrite

    def check_place(self, path: Path) -> None:
        """Raise StoreError if the store is not at its path any more. A row that is added then would not be found."""
        try:
            is_there = os.path.samestat(os.stat(path), os.fstat(self.opened))
        except FileNotFoundError:
            is_there = False
        if not is_there:
            raise StoreError(f"the store {path} was moved or deleted while the server used it: put it back")

    def close(self) -> None:
        super().close()
        self.last_write.close()
        os.close(self.opened)
        self.lock.close()


def connect(path: Path) -> Store:
    """Open and lock the store. Create it if it does not exist."""
    path = resolve(path)
    try:
        check_file(path)
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with ExitStack() as unless_ready:
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
            lock = lock_file(side_path(path, "lock"))
            unless_ready.callback(side_path(path, "lock").unlink, missing_ok=True)
            unless_ready.callback(lock.close)
            if not path.stat().st_size:
                create(path)
            opened = lock_opened(path, os.O_RDWR)
            unless_ready.callback(os.close, opened)
            store = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False, factory=Store)
            unless_ready.callback(sqlite3.Connection.close, store)
            store.lock, store.opened = lock, opened
            prepare(store, path)
            store.last_write = LastWrite(side_path(path, "last"))
            unless_ready.pop_all()
    except OSError as error:
        raise StoreError(f"can't use the store {path}: {error.strerror}") from None
    except (sqlite3.Error, UnicodeDecodeError) as error:  # SQLite's message may quote a damaged table
        raise explain_error(path, error) from None
    return store


def check_file(path: Path) -> None:
    """Refuse what SQLite would open although it is no store, or could be in use under another name."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return
    if not (stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode)):  # a folder is refused when it is opened
        raise StoreError(f"can't use the store {path}: it is not a file")
    if stat.S_ISREG(found.st_mode) and found.st_nlink > 1:
        raise StoreError(
            f"can't use the store {path}: it has a second name (a hard link). Use a copy instead of a link"
        )
    if found.st_size and side_path(path, "journal").exists():  # SQLite would make it an empty file
        raise StoreError(f"the store {path} was cut off while it was written: restore a backup, or move it away")


def create(path: Path) -> None:
    """Create a store. It gets its name when it is whole: a kill leaves an empty file at most, which is filled next."""
    if side_path(path, "wal").exists():  # SQLite would mix its rows with those of the new store
        raise StoreError(f"the store {path} is gone, and its -wal file is not: put the store back, or move that away")
    part = side_path(path, "part")
    part.unlink(missing_ok=True)
    with closing(sqlite3.connect(part, isolation_level=None)) as store:
        for pragma in LAYOUT:
            store.execute(pragma)
        with transaction(store):
            for statement in (*TABLES.split(";\n"), *IDENTITY):
                store.execute(statement)
        store.execute("PRAGMA journal_mode=WAL")
    give_name(part, path)


def connect_reader(path: Path) -> sqlite3.Connection:
    """Open a read-only connection to an open store. The writer never waits for it."""
    reader = sqlite3.connect(path, timeout=5, isolation_level=None, check_same_thread=False)
    reader.text_factory = decode_text
    reader.execute("PRAGMA query_only=1")
    return reader


def decode_text(raw: bytes) -> str:
    """Decode a text column without errors: links and seals find damage, and an error would quote the text."""
    return raw.decode(errors="replace")


def explain_error(path: Path, error: sqlite3.Error | ValueError) -> StoreError:
    """Return the error that says why a store can't be used. ValueError: a sound row has records of another version."""
    if isinstance(error, ValueError) and not isinstance(error, UnicodeDecodeError):
        return StoreError(f"the store {path} was made by a newer gridgames: update this one")
    why = " ".join(str(error).partition(" - ")[0].split())  # the rest may quote tables
    if isinstance(error, sqlite3.OperationalError):
        why = "another server is using it" if "locked" in why else why
        return StoreError(f"can't use the store {path}: {why}")
    return StoreError(f"the store {path} is damaged ({why}): restore a backup, or move it away")


@contextmanager
def open_copy(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a temporary copy of a store that no server uses. The store itself is not changed."""
    path = resolve(path)
    try:
        check_file(path)
        if not path.exists() or (path.is_file() and not path.stat().st_size):
            raise StoreError(f"there is no store at {path}")
        with ExitStack() as until_the_end:
            if side_path(path, "lock").exists():
                until_the_end.callback(check_unlocked(side_path(path, "lock")).close)
            until_the_end.callback(os.close, lock_opened(path, os.O_RDONLY))
            folder = Path(until_the_end.enter_context(tempfile.TemporaryDirectory(prefix="gridgames")))
            for file in (path, side_path(path, "wal")):
                if file.exists():
                    shutil.copyfile(file, folder / file.name)
            store = sqlite3.connect(folder / path.name, isolation_level=None)
            until_the_end.callback(store.close)
            check_version(store, path)
            yield store
    except OSError as error:
        raise StoreError(f"can't use the store {path}: {error.strerror}") from None
    except (sqlite3.Error, ValueError) as error:
        raise explain_error(path, error) from None


def check_version(store: sqlite3.Connection, path: Path) -> None:
    """Refuse files of other programs and of other versions."""
    store.text_factory = decode_text
    (application,) = store.execute("PRAGMA application_id").fetchone()
    (schema,) = store.execute("PRAGMA user_version").fetchone()
    (tables,) = store.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if application != APPLICATION_ID or not tables:
        raise StoreError(f"{path} is some other program's file")
    if schema > SCHEMA:
        raise StoreError(f"the store {path} was made by a newer gridgames: update this one")
    if schema < SCHEMA:
        raise StoreError(f"the store {path} was made by a gridgames that was never released: move it away")


def prepare(store: sqlite3.Connection, path: Path) -> None:
    """Check a store, and set its connection up."""
    check_version(store, path)
    keep_private(path)
    store.execute("PRAGMA journal_mode=WAL")
    store.execute("PRAGMA synchronous=FULL")


def keep_private(path: Path) -> None:
    """Make the store readable for this user only, whatever the umask was."""
    for file in (path, *(side_path(path, what) for what in ("wal", "shm", "lock", "last"))):
        with suppress(FileNotFoundError):
            file.chmod(0o600)


@contextmanager
def transaction(store: sqlite3.Connection) -> Iterator[None]:
    """Commit at the end, or roll back after an exception."""
    store.execute("BEGIN IMMEDIATE")
    try:
        yield
        store.execute("COMMIT")
    except BaseException:
        if store.in_transaction:
            store.execute("ROLLBACK")
        raise


@contextmanager
def transaction_without_sync(store: sqlite3.Connection) -> Iterator[None]:
    """A transaction without a sync: what it writes can be computed again from the log."""
    store.execute("PRAGMA synchronous=NORMAL")
    try:
        with transaction(store):
            yield
    finally:
        store.execute("PRAGMA synchronous=FULL")


# The rows of the log --------------------------------------------------------------------------------------------------


def append_row(store: sqlite3.Connection, table: str, row: Row) -> None:
    store.execute(f"INSERT INTO {table} VALUES (?,?,?,?,?)", row)


def make_row(before: bytes, seq: int, at: int, rooms: str, records: bytes) -> Row:
    """Return a row with its link. `before` is the link of the row before it."""
    return Row(seq, at, rooms, records, make_link(before, seq, at, rooms, records))


def read_rows(store: sqlite3.Connection, table: str, first: int, last: int) -> list[Row]:
    """Return the rows with these numbers that can be read. A damaged page is approached from both sides."""
    bounds = (first, last)
    sql = f"SELECT * FROM {table} WHERE seq BETWEEN ? AND ? ORDER BY seq"
    rows, sound = _read_until_damage(store.execute(sql, bounds))
    if not sound:
        behind, _ = _read_until_damage(store.execute(f"{sql} DESC", bounds))
        known = {row.seq for row in rows}
        rows += [row for row in reversed(behind) if row.seq not in known]
    return rows


COLUMN_TYPES = (int, int, str, bytes, bytes)


def _read_until_damage(found: Iterator[tuple[int, int, str, bytes, bytes]]) -> tuple[list[Row], bool]:
    rows: list[Row] = []
    try:
        for row in found:
            is_sound = tuple(map(type, row)) == COLUMN_TYPES
            rows.append(Row(*row) if is_sound else Row(row[0], 0, "", b"", b""))
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError:
        return rows, False
    return rows, True


def read_start(store: sqlite3.Connection) -> Start:
    """Return the start of the log. It is stored twice, since nothing can be read without it."""
    rows = store.execute("SELECT seq, link, first, last, seal FROM starts").fetchall()
    sound = [Start(*row) for *row, seal in rows if seal == make_seal("start", *row)]
    if rows and not sound:
        raise sqlite3.DatabaseError("the start of its log is unreadable")
    return max(sound, default=Start())


def write_start(store: sqlite3.Connection, start: Start) -> None:
    row = (*start, make_seal("start", *start))
    store.execute("INSERT OR REPLACE INTO starts VALUES (1,?,?,?,?,?), (2,?,?,?,?,?)", row + row)


def read_note(store: sqlite3.Connection, name: str) -> int:
    """Return the number that is stored under a name, or 0."""
    (value,) = store.execute("SELECT value FROM notes WHERE name = ?", (name,)).fetchone() or (0,)
    return int(value)


def write_note(store: sqlite3.Connection, name: str, value: int) -> None:
    store.execute("INSERT OR REPLACE INTO notes VALUES (?,?)", (name, value))


def go_on() -> bool:
    """Do not rest, and do not give up: the default between two steps of a copy."""
    return False


def write_copy(store: sqlite3.Connection, path: str, rest: Callable[[], bool] = go_on) -> str:
    """Write a consistent copy to a new file. Return "" or the error.

    The copy gets its name when it is whole. Each step is synced, since one long sync at the end would hold up a
    server's moves, and is followed by a `rest`. If that returns True, the copy is given up.
    """
    if os.path.lexists(path):
        return f"{path} exists already"
    part = f"{path}-part"
    try:
        file = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)  # private, whatever the umask is
    except FileExistsError:
        return f"{part} exists already: a backup writes it, or was cut off. Delete it, or choose another name"
    except (OSError, ValueError) as error:
        return f"can't write {path}: {getattr(error, 'strerror', error)}"
    failed_syncs: list[OSError] = []

    def end_step() -> bool:
        try:
            os.fsync(file)
        except OSError as error:  # SQLite would only say that it was interrupted
            failed_syncs.append(error)
            return True
        return rest()

    try:
        with os.fdopen(file, "wb"):
            store.set_progress_handler(end_step, COPY_STEP)
            store.execute("VACUUM INTO ?", (part,))
        with closing(sqlite3.connect(part, isolation_level=None)) as made:
            write_note(made, "backup", 1)
            made.execute("PRAGMA journal_mode=WAL")  # so a server that starts on it needs no -journal
        if os.path.lexists(path):
            raise FileExistsError("a file of that name has appeared meanwhile")
        give_name(Path(part), Path(path))
    except (sqlite3.Error, OSError, UnicodeEncodeError) as error:  # UnicodeEncodeError: the name is not UTF-8
        with suppress(OSError):
            os.unlink(part)  # an incomplete copy is of no use
        return f"can't write {path}: {failed_syncs[0].strerror if failed_syncs else error}"
    return ""


def count_lost_writes(path: Path, seq: int) -> int:
    """Return how many rows were written after `seq`, the last row that can be read."""
    reached = read_last_write(side_path(path, "last"))
    return max(0, reached.seq - seq) if reached else 0


def is_full(error: sqlite3.OperationalError) -> bool:
    """True if the disk is full. Only this error can go away; after others the disk is not trusted."""
    return error.sqlite_errorcode == sqlite3.SQLITE_FULL
