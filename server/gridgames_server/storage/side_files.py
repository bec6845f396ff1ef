"""The files beside the store: the lock of its server, the number of the last row, and a reserve of disk space."""

import errno
import hashlib
import os
import sqlite3
import struct
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

try:  # only Linux can lock an open file
    from fcntl import F_OFD_SETLK, F_RDLCK, F_WRLCK, fcntl
except ImportError:
    fcntl = None  # type: ignore[assignment]

FAR = 1 << 62  # the place of the byte of a store that its server locks


def resolve(path: Path) -> Path:
    """Return the real path of a store: whoever opens it by a link must find the same files beside it."""
    return Path(os.path.realpath(path))


def side_path(path: Path, what: str) -> Path:
    """Return the path of a file beside the store."""
    real = resolve(path)
    return real.with_name(f"{real.name}-{what}")


def give_name(part: Path, path: Path) -> None:
    """Give a whole and synced file its name, and sync the name."""
    part.replace(path)
    if os.name == "posix":  # Windows can't open a folder
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def lock_file(path: Path) -> sqlite3.Connection:
    """Lock a file until the connection is closed or the process ends. Raise "database is locked" if it is locked.

    SQLite is used because it can lock files on every system. Nothing is written to this file.
    """
    path.touch(0o600)
    lock = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)
    try:
        lock.execute("PRAGMA journal_mode=MEMORY")  # creates no journal file
        lock.execute("BEGIN EXCLUSIVE")
    except BaseException:
        lock.close()
        raise
    return lock


def lock_opened(path: Path, mode: int) -> int:
    """Open a file and lock it whatever its name is, until it is closed. Raise "database is locked" if it is locked.

    Opened for reading only, it can be shared with other readers. The locked byte lies behind all bytes of the file and
    all that SQLite locks. Where the system can't lock an open file, it is only opened.
    """
    file = os.open(path, mode)
    if fcntl is not None:
        kind = F_RDLCK if mode == os.O_RDONLY else F_WRLCK
        try:
            fcntl(file, F_OFD_SETLK, struct.pack("hhqqi", kind, os.SEEK_SET, FAR, 1, 0))
        except OSError as error:
            if error.errno in (errno.EAGAIN, errno.EACCES):
                os.close(file)
                raise sqlite3.OperationalError("database is locked") from None
    return file


def check_unlocked(path: Path) -> sqlite3.Connection:
    """Raise "database is locked" if a server has locked the file. No server can lock it until the connection is closed.

    Nothing is written, so this works in a read-only place too.
    """
    lock = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=0, isolation_level=None)
    try:
        lock.execute("BEGIN")
        lock.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except BaseException:
        lock.close()
        raise
    return lock


class LastRow(NamedTuple):
    """The last row of the log that was committed."""

    seq: int
    link: bytes


class LastWrite:
    """Writes the number of the last row after each commit.

    SQLite silently drops everything after a damaged frame of its write-ahead log. A log that is shorter than this file
    says has lost rows. The file needs no sync: it is written after the commit, so it is never ahead of the log.
    """

    def __init__(self, path: Path) -> None:
        path.touch(0o600)
        self.file = path.open("r+b", buffering=0)

    def write(self, seq: int, link: bytes) -> None:
        """Write the number and the link of the last row."""
        text = b"%019d %s" % (seq, link.hex().encode())
        self.file.seek(0)
        self.file.write(text + b" " + _check(text))

    def close(self) -> None:
        self.file.close()


def read_last_write(path: Path) -> LastRow | None:
    """Return the last row that was noted, or None if the file is missing or damaged."""
    try:
        text, _, check = path.read_bytes()[:200].rpartition(b" ")
    except FileNotFoundError:
        return None
    if not text or check != _check(text):
        return None
    try:
        seq, link = text.split()
        return LastRow(int(seq), bytes.fromhex(link.decode()))
    except ValueError:
        return None


def _check(text: bytes) -> bytes:
    return hashlib.sha256(text).hexdigest()[:16].encode()


RESERVE = 2**20  # bytes; BEHIND_MAX effects need less


class Reserve:
    """A file that only takes up space. It is deleted when the disk is full, and the last rows are written there."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def make(self) -> bool:
        """Create the file if it does not exist. Return False if there is no space for it."""
        try:
            self.path.touch(0o600)
            if self.path.stat().st_size != RESERVE:
                with self.path.open("wb") as file:
                    file.write(os.urandom(RESERVE))  # some file systems store zeros without using space
                    file.flush()
                    os.fsync(file.fileno())
        except OSError:
            self.free()
            return False
        return True

    def free(self) -> None:
        """Delete the file."""
        with suppress(OSError):
            self.path.unlink(missing_ok=True)
