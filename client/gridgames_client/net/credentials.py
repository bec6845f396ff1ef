"""Names and tokens, kept for each server in files that only their owner can read.

A file is locked while a client uses it. A second client of the same user finds the first file locked and takes the next
one, and so is another player; after both have ended, each file brings its player back.
"""

import contextlib
import json
import os
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from gridgames_protocol.text import is_harmless

SLOTS = 64  # players of one user at one server
FILE_MAX = 1_000  # bytes that a name and a token take at most


def state_folder() -> Path:
    """Where this user's programs keep what they have to remember."""
    try:
        if sys.platform == "win32":
            base = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
        else:
            base = os.environ.get("XDG_STATE_HOME", "")
            if not os.path.isabs(base):
                base = str(Path.home() / ".local" / "state")
    except RuntimeError:
        raise FileNotFoundError("this user has no home") from None
    return Path(base) / "gridgames"


@dataclass(slots=True)
class Identity:
    """Who this client is at one server."""

    name: str | None = None
    token: str | None = field(default=None, repr=False)
    file: IO[bytes] | None = None  # None: nothing is remembered

    def keep(self, name: str, token: str) -> None:
        """Remember who the server says we are."""
        self.name, self.token = name, token
        if self.file is not None:
            with contextlib.suppress(OSError):  # a full disk must not end a game
                # In one write, and cut only then: one who is killed in between finds a whole line at the next start.
                self.file.seek(0)
                self.file.write(json.dumps({"name": name, "token": token}).encode() + b"\n")
                self.file.truncate()

    def close(self) -> None:
        """Let another client have this identity."""
        if self.file is not None:
            self.file.close()
            self.file = None


def take(server: str, name: str | None = None, folder: Path | None = None) -> Identity:
    """The first identity at a server that no other client is using; with a name, the one that has it, or a new one."""
    spare = Identity()
    with contextlib.suppress(OSError):  # nothing can be kept here: play without being remembered
        place = private_folder("players", folder)
        for slot in range(SLOTS):
            path = place / f"{_as_file_name(server)}.{slot}.json"
            is_last = not path.exists()
            found = _locked(path)
            if found and (name is None or _same(found.name, name)):
                spare.close()
                return found
            if found and found.name is None and spare.file is None:
                spare = found
            elif found:
                found.close()
            if is_last:
                break
    return spare


def other_certificate(server: str, fingerprint: str, folder: Path | None = None) -> Path | None:
    """The file that remembers another certificate of a server, if there is one; the first one is remembered."""
    try:
        path = _certificate_file(server, folder)
        with open_private(path) as file:
            known = file.read(FILE_MAX).decode("ascii", "replace").strip()
            if not known:
                file.write(fingerprint.encode() + b"\n")
    except OSError:
        return None  # nothing can be remembered here: every visit is the first
    return path if known not in ("", fingerprint) else None


def known_certificate(server: str, folder: Path | None = None) -> Path | None:
    """The file that remembers a server's certificate, if it has ever shown one."""
    with contextlib.suppress(OSError):
        path = _certificate_file(server, folder)
        return path if path.exists() else None
    return None


def _certificate_file(server: str, folder: Path | None) -> Path:
    return private_folder("certificates", folder) / f"{_as_file_name(server)}.txt"


def private_folder(name: str, folder: Path | None = None) -> Path:
    """A folder for files of this program that nobody else can look into, whatever the umask."""
    home = folder or state_folder()
    home.parent.mkdir(parents=True, exist_ok=True)
    for path in (home, home / name):
        path.mkdir(exist_ok=True)
        path.chmod(0o700)
    return home / name


def open_private(path: Path) -> IO[bytes]:
    """A file to read and write, there or not, that nobody else can read, whatever the umask."""
    file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+b", buffering=0)
    try:
        path.chmod(0o600)
    except OSError:
        file.close()
        raise
    return file


def _as_file_name(server: str) -> str:
    return "".join(char if char.isalnum() or char in ".-" else "_" for char in server)


def _same(kept: str | None, wanted: str) -> bool:
    return kept is not None and kept.casefold() == wanted.casefold()


def _locked(path: Path) -> Identity | None:
    """The identity in a file, or None if another client has it or it can't be used."""
    try:
        file = open_private(path)
    except OSError:
        return None
    try:
        _lock(file)
        name, token = _read(file.read(FILE_MAX))
    except OSError:
        file.close()
        return None
    return Identity(name, token, file)


def _lock(file: IO[bytes]) -> None:
    """Lock a file until it is closed; an OSError if another client has it."""
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _read(content: bytes) -> tuple[str, str] | tuple[None, None]:
    """The name and the token in a file's first line; neither if anything is wrong with it."""
    try:
        kept = json.loads(content.partition(b"\n")[0])
        name, token = kept["name"], kept["token"]
    except (ValueError, TypeError, LookupError, RecursionError):
        return None, None
    usable = isinstance(name, str) and isinstance(token, str) and token.isascii()
    if usable and 1 <= len(name) <= 64 and is_harmless(name) and 1 <= len(token) <= 128:
        return name, token
    return None, None
